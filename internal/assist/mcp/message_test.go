package mcp

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"razao/internal/testing/fixture"
)

// unplain adds a meaningless parameter, so that the message takes the SDK's path.
func unplain(message string) string {
	return strings.Replace(strings.Replace(message, `"params":{`, `"params":{"x":1,`, 1), `,}`, `}`, 1)
}

// listing is a request for a list.
func listing(method string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{}}`
}

// withMeta returns a call with members of _meta.
func withMeta(call, members string) string {
	return strings.Replace(strings.Replace(call, `"params":{`, `"params":{"_meta":{`+members+`},`, 1), `},}`, `}}`, 1)
}

// envelope is the _meta of a call in the newest revision.
const envelope = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"roots":{},"x":1},` +
	`"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"}`

// enveloped returns the headers of a call in the newest revision.
func enveloped(tool string) []string {
	return []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", tool}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	s, err := New(Config{BaseURL: "https://razao.example"})
	if err != nil {
		t.Fatal(err)
	}
	const version = "Mcp-Protocol-Version"
	call := toolCall("consultar_cnpj", `{"cnpj":"12345678"}`)
	list := listing("tools/list")
	edited := func(old, replacement string) string { return strings.Replace(call, old, replacement, 1) }
	for _, c := range []struct {
		name, body string
		headers    []string
		want       bool
	}{
		{"a call", call, nil, true},
		{"a list", list, nil, true},
		{"a list without parameters", listAll, nil, true},
		{"a list by the newest revision", withMeta(list, envelope), []string{version, "2026-07-28", "Mcp-Method", "tools/list"}, true},
		{"a list by the newest revision, another method in the headers", withMeta(list, envelope), enveloped("tools/list"), false},
		{"a list by the newest revision, without an envelope", listAll, []string{version, "2026-07-28", "Mcp-Method", "tools/list"}, false},
		{"another page of a list", strings.Replace(list, "{}", `{"cursor":"x"}`, 1), nil, false},
		{"a list of something else", listing("roots/list"), nil, false},
		{"a list with parameters that are none", strings.Replace(list, "{}", "[]", 1), nil, false},
		{"without arguments", edited(`,"arguments":{"cnpj":"12345678"}`, ""), nil, true},
		{"with a progress token", withMeta(call, `"progressToken":7`), nil, true},
		{"with a text for its id", edited(`"id":1`, `"id":"a\"b"`), nil, true},
		{"by an older revision", call, []string{version, "2025-06-18"}, true},
		{"by the newest revision", withMeta(call, envelope), enveloped("consultar_cnpj"), true},
		{"with a log level, too", withMeta(call, `"io.modelcontextprotocol/logLevel":"info",`+envelope), enveloped("consultar_cnpj"), true},
		{"by the newest revision, without an envelope", call, enveloped("consultar_cnpj"), false},
		{"by the newest revision, without capabilities", withMeta(call, strings.Replace(envelope, "clientCap", "c", 1)), enveloped("consultar_cnpj"), false},
		{"by the newest revision, a nameless client", withMeta(call, strings.Replace(envelope, `{"name":"test","version":"1"}`, "null", 1)), enveloped("consultar_cnpj"), false},
		{"by the newest revision in the headers only", withMeta(call, strings.Replace(envelope, "2026", "2025", 1)), enveloped("consultar_cnpj"), false},
		{"by the newest revision in the body only", withMeta(call, envelope), nil, false},
		{"by the newest revision, another tool in the headers", withMeta(call, envelope), enveloped("fetch"), false},
		{"by the newest revision, no method in the headers", withMeta(call, envelope), enveloped("consultar_cnpj")[:2], false},
		{"by a revision to come", call, []string{version, "2027-01-01"}, false},
		{"by an unknown revision", call, []string{version, "2024-01-01"}, false},
		{"with a reserved key", withMeta(call, `"io.modelcontextprotocol/x":1`), nil, false},
		{"with a reserved key in disguise", withMeta(call, `"io.modelcontext\u0070rotocol/x":1`), nil, false},
		{"with a _meta that is none", edited(`"params":{`, `"params":{"_meta":1,`), nil, false},
		{"with another parameter", unplain(call), nil, false},
		{"of an unknown tool", edited("consultar_cnpj", "apagar"), nil, false},
		{"of no tool", edited(`"consultar_cnpj"`, "null"), nil, false},
		{"with a name in other case", edited(`"name"`, `"Name"`), nil, false},
		{"another method", edited("tools/call", "ping"), nil, false},
		{"a list with the parameters of a call", edited("tools/call", "tools/list"), nil, false},
		{"a notification", edited(`"id":1,`, ""), nil, false},
		{"with null for its id", edited(`"id":1`, `"id":null`), nil, false},
		{"with a fraction for its id", edited(`"id":1`, `"id":1.5`), nil, false},
		{"with an id too large", edited(`"id":1`, `"id":9007199254740993`), nil, false},
		{"with more members", edited(`"id":1`, `"id":1,"x":1`), nil, false},
		{"a batch", "[" + call + "]", nil, false},
		{"two calls", call + call, nil, false},
		{"nothing", "", nil, false},
		{"another type", call, []string{"Content-Type", "text/plain"}, false},
		{"a client that takes JSON only", call, []string{"Accept", "application/json"}, false},
		{"a stream to be resumed", call, []string{"Last-Event-ID", "1"}, false},
	} {
		req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp", strings.NewReader(c.body))
		headers := append([]string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream"}, c.headers...)
		for i := 0; i < len(headers); i += 2 {
			req.Header.Set(headers[i], headers[i+1])
		}
		m, err := readMessage(req)
		if got := err == nil && s.plain(req.Header, m); got != c.want {
			t.Errorf("%s: plain %t, %v", c.name, got, err)
		}
	}
}

// TestListsAreAnsweredAlike compares lists, which are encoded once, with what the SDK encodes for
// each revision.
func TestListsAreAnsweredAlike(t *testing.T) {
	t.Parallel()
	s := serve(t, fixture.Empty(t))
	for _, method := range lists {
		list := listing(method)
		for _, version := range append(sdk.SupportedProtocolVersions(), "") {
			var headers []string
			asked := list
			switch version {
			case "":
			case withEnvelope:
				headers = []string{revisionHeader, version, "Mcp-Method", method}
				asked = withMeta(list, envelope)
			default:
				headers = []string{revisionHeader, version}
			}
			ours, theirs := s.post(asked, headers...), s.post(unplain(asked), headers...)
			if ours.body != theirs.body || ours.status != 200 {
				t.Errorf("%s by %q: %d\n%s\nwant\n%s", method, version, ours.status, ours.body, theirs.body)
			}
			sameAnswer(t, s, asked, headers...)
		}
	}
}

// TestPlainCallsAreAnsweredAlike compares responses to plain calls with those of the SDK.
func TestPlainCallsAreAnsweredAlike(t *testing.T) {
	t.Parallel()
	s := serveRecords(t)
	calls := append(everyTool(), []struct{ tool, arguments, says string }{
		{"consultar_cnpj", `{"cnpj":"00000191"}`, ""}, {"consultar_cnpj", `[1]`, ""}, {"listar_socios", `{"limite":"5"}`, ""},
	}...)
	for _, c := range calls {
		t.Run(c.tool, func(t *testing.T) {
			call := toolCall(c.tool, c.arguments)
			sameAnswer(t, s, call)
			sameAnswer(t, s, withMeta(call, envelope), enveloped(c.tool)...)
		})
	}
}

// sameAnswer compares the answer to a plain message with that of the SDK.
func sameAnswer(t *testing.T, s *served, call string, headers ...string) {
	t.Helper()
	ours, theirs := s.post(call, headers...), s.post(unplain(call), headers...)
	for _, rate := range []string{"X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset"} {
		if ours.header.Get(rate) == "" || theirs.header.Get(rate) == "" {
			t.Errorf("%s: %s is missing: %v, %v", call, rate, ours.header, theirs.header)
		}
	}
	// The second call has another id, a lower remaining count, and may fall into the next minute.
	for _, name := range []string{"Date", "Content-Length", "X-Request-Id", "X-Ratelimit-Remaining", "X-Ratelimit-Reset"} {
		ours.header.Del(name)
		theirs.header.Del(name)
	}
	if diff := cmp.Diff(theirs.header, ours.header); diff != "" || ours.status != theirs.status {
		t.Errorf("%s: %d, want %d (-SDK +ours):\n%s", call, ours.status, theirs.status, diff)
	}
	if diff := cmp.Diff(parsed(t, theirs.body), parsed(t, ours.body)); diff != "" {
		t.Errorf("%s (-SDK +ours):\n%s", call, diff)
	}
}

func parsed(t *testing.T, body string) (value any) {
	t.Helper()
	if err := json.Unmarshal([]byte(body), &value); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return value
}
