package mcp

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"razao/internal/people/account"
	"razao/internal/testing/fixture"
	"razao/internal/web"
)

const (
	ping     = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	listAll  = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	metadata = `Bearer resource_metadata="https://razao.example/.well-known/oauth-protected-resource/mcp"`
)

func TestWhoMayCall(t *testing.T) {
	t.Parallel()
	s := serve(t, fixture.Empty(t))
	revoked, key, err := s.store.AddKey(t.Context(), s.account, "", "revogada")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.store.RevokeKey(t.Context(), key.ID); err != nil {
		t.Fatal(err)
	}
	const (
		scope   = `, scope="consulta"`
		invalid = metadata + `, error="invalid_token"` + scope
	)
	for _, c := range []struct {
		name, authorization string
		status              int
		challenge, code     string
	}{
		{"an access token", "Bearer " + goodToken, 200, "", ""},
		{"one that lasts", "bearer  " + lastingToken, 200, "", ""},
		{"an API key", "Bearer " + s.key, 200, "", ""},
		{"nothing", "", 401, metadata + scope, "chave_ausente"},
		{"another scheme", "Basic " + goodToken, 401, metadata + scope, "chave_ausente"},
		{"an empty token", "Bearer ", 401, metadata + scope, "chave_ausente"},
		{"an unknown token", "Bearer " + strangeToken, 401, invalid, "chave_invalida"},
		{"an expired token", "Bearer " + oldToken, 401, invalid, "chave_invalida"},
		{"a revoked key", "Bearer " + revoked, 401, invalid, "chave_invalida"},
		{"a mistyped key", "Bearer " + s.key[:len(s.key)-1] + "?", 401, invalid, "chave_invalida"},
		{"a small scope", "Bearer " + smallToken, 403, metadata + `, error="insufficient_scope"` + scope, "escopo_insuficiente"},
		{"trouble", "Bearer " + unclearToken, 503, "", "servico_indisponivel"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := s.post(ping, "Authorization", c.authorization)
			if got.status != c.status || got.header.Get("WWW-Authenticate") != c.challenge || !strings.Contains(got.body, c.code) {
				t.Errorf("%d, %s, %s", got.status, got.header.Get("WWW-Authenticate"), got.body)
			}
			if got.header.Get("Cache-Control") != "no-store" || !strings.Contains(strings.Join(got.header.Values("Vary"), ","), "Authorization") {
				t.Errorf("Cache-Control %q, Vary %q", got.header.Get("Cache-Control"), got.header.Values("Vary"))
			}
			if got.header.Get("X-Request-ID") == "" || (c.status == 503) != (got.header.Get("Retry-After") != "") {
				t.Errorf("headers %v", got.header)
			}
		})
	}
	if got := s.send(http.MethodPost, s.url+"?access_token="+goodToken, ping, "Content-Type", "application/json"); got.status != 401 {
		t.Errorf("a token in the address: %d", got.status)
	}
}

// TestOnlyKeys checks that a server without an authorization server accepts only API keys.
func TestOnlyKeys(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	s := serveOn(t, &l.Served, l.Pool, func(c *Config) { c.Verify = nil })
	if got := s.post(ping); got.status != 200 {
		t.Errorf("a key: %d", got.status)
	}
	if got := s.post(ping, "Authorization", "Bearer "+goodToken); got.status != 401 || !strings.Contains(got.header.Get("WWW-Authenticate"), "invalid_token") {
		t.Errorf("a token: %d %v", got.status, got.header)
	}
}

func TestOrigins(t *testing.T) {
	t.Parallel()
	s := serve(t, fixture.Empty(t))
	host := strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/mcp")
	for origin, want := range map[string]int{
		"https://razao.example":      200,
		"http://" + host:             200,
		"http://razao.example":       403,
		"https://razao.example:8443": 403,
		"https://evil.example":       403,
		"http://localhost:1":         403,
		"null":                       403,
		"%":                          403,
	} {
		got := s.post(ping, "Origin", origin)
		if got.status != want || got.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("Origin %s: %d, %v", origin, got.status, got.header)
		}
	}
	if got := s.send(http.MethodGet, s.url, "", "Origin", "https://evil.example"); got.status != 403 {
		t.Errorf("GET from another site: %d", got.status)
	}
}

var requestID = regexp.MustCompile(`"requisicao_id":"[^"]*"`)

// TestSlashAtTheEnd: clients that are configured with /mcp/ get the answers of /mcp, whatever they ask.
func TestSlashAtTheEnd(t *testing.T) {
	t.Parallel()
	s := serve(t, fixture.Empty(t))
	for name, header := range map[string][]string{
		"with a key":      {"Authorization", "Bearer " + s.key, "Content-Type", "application/json", "Accept", "application/json, text/event-stream"},
		"without":         {"Content-Type", "application/json"},
		"of another site": {"Authorization", "Bearer " + s.key, "Origin", "https://evil.example"},
	} {
		for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete, http.MethodHead, http.MethodOptions, http.MethodPut} {
			want, got := s.send(method, s.url, ping, header...), s.send(method, s.url+"/", ping, header...)
			for _, of := range []string{"WWW-Authenticate", "Allow", "Content-Type", "Cache-Control", "Vary"} {
				if got.header.Get(of) != want.header.Get(of) {
					t.Errorf("%s, %s: %s %q, want %q", method, name, of, got.header.Get(of), want.header.Get(of))
				}
			}
			if got.status != want.status || got.status == 404 || requestID.ReplaceAllString(got.body, "") != requestID.ReplaceAllString(want.body, "") {
				t.Errorf("%s, %s: %d %s, want %d %s", method, name, got.status, got.body, want.status, want.body)
			}
		}
	}
}

// TestRebinding checks that a foreign name that resolves to this machine is rejected.
func TestRebinding(t *testing.T) {
	t.Parallel()
	s := serve(t, fixture.Empty(t))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url, strings.NewReader(ping))
	if err != nil {
		t.Fatal(err)
	}
	req.Host = "evil.example"
	req.Header.Set("Origin", "http://evil.example")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != 403 {
		t.Errorf("status %d", resp.StatusCode)
	}
}

func TestMessages(t *testing.T) {
	t.Parallel()
	s := serveRecords(t)
	const version = "Mcp-Protocol-Version"
	huge := toolCall("consultar_cnpj", `{"cnpj":"`+strings.Repeat("1", maxBody)+`"}`)
	deep := toolCall("consultar_cnpj", strings.Repeat(`{"a":`, 2000)+"1"+strings.Repeat("}", 2000))
	for _, c := range []struct {
		name, body string
		headers    []string
		status     int
		says       string
	}{
		{"not JSON", `{"jsonrpc"`, nil, 400, ""},
		{"not an object", `"ping"`, nil, 400, ""},
		{"nothing", ``, nil, 400, ""},
		{"another version of JSON-RPC", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, nil, 400, ""},
		{"an answer to nothing", `{"jsonrpc":"2.0","id":1,"result":{}}`, nil, 202, ""},
		{"an unknown method", `{"jsonrpc":"2.0","id":1,"method":"tools/destroy"}`, nil, 400, "tools/destroy"},
		{"an unknown tool", toolCall("apagar", `{}`), nil, 200, `"code":-32602`},
		{"a call without a name", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`, nil, 200, `"code":-32602`},
		{"a call without parameters", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, nil, 400, ""},
		{"arguments that are a list", toolCall("consultar_cnpj", `[1]`), nil, 200, "objeto JSON"},
		{"arguments that are a text", toolCall("consultar_cnpj", `"x"`), nil, 200, "objeto JSON"},
		{"no arguments", toolCall("consultar_cnpj", `null`), nil, 200, "Informe o argumento cnpj"},
		{"a notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil, 202, ""},
		{"a message and more", ping + ping, nil, 400, "-32700"},
		{"listening for changes, of which there are none", `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}`, nil, 200, `"result":{`},
		{"an unknown revision", ping, []string{version, "2024-01-01"}, 400, ""},
		{"another content type", ping, []string{"Content-Type", "text/plain"}, 415, ""},
		{"a client that takes JSON only", ping, []string{"Accept", "application/json"}, 400, ""},
		{"too much", huge, nil, 413, ""},
		{"too deep", deep, nil, 400, ""},
		{"setting a level, which is not offered", `{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"a","value":"b"}}}`, nil, 200, `"code":-32601`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := s.post(c.body, c.headers...)
			if got.status != c.status || !strings.Contains(got.body, c.says) || got.header.Get("Cache-Control") != "no-store" {
				t.Errorf("%d %s %.300s", got.status, got.header.Get("Cache-Control"), got.body)
			}
		})
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut, http.MethodOptions} {
		got := s.send(method, s.url, "", "Authorization", "Bearer "+s.key, "Accept", "text/event-stream")
		if got.status != 405 || got.header.Get("Allow") != "POST" {
			t.Errorf("%s: %d, Allow %s", method, got.status, got.header.Get("Allow"))
		}
	}
}

// TestCallsCount checks which requests count and how the history lists them.
func TestCallsCount(t *testing.T) {
	t.Parallel()
	s := serveRecords(t)
	session := s.connect(s.key, "2025-11-25") // with the handshake
	if err := session.Ping(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := session.ListTools(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	call(t, session, "consultar_cnpj", map[string]any{"cnpj": bakery})
	call(t, session, "consultar_cnpj", map[string]any{"cnpj": "1"})
	call(t, session, "consultar_cnpj", map[string]any{"cnpj": "00000191"})
	if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "12345678909"}); err == nil {
		t.Error("a tool that does not exist answered")
	}
	if _, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "razao://cnpj/" + bakery}); err != nil {
		t.Fatal(err)
	}
	token := s.connect(goodToken, "")
	call(t, token, "fontes_disponiveis", nil)
	_, _ = session.Close(), token.Close()
	s.stop()
	calls, err := s.store.Calls(t.Context(), s.account, 0, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	var got []string // latest first
	for _, c := range calls {
		got = append(got, fmt.Sprint(c.Version, " ", c.Endpoint, " ", c.Status, " key ", c.Key != 0))
	}
	want := []string{
		"mcp fontes_disponiveis 200 key false",
		"mcp resources/read 200 key true",
		"mcp desconhecida 404 key true",
		"mcp consultar_cnpj 404 key true",
		"mcp consultar_cnpj 400 key true",
		"mcp consultar_cnpj 200 key true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if strings.Contains(s.log.String(), s.key) || strings.Contains(s.log.String(), goodToken+`"`) || strings.Contains(s.log.String(), bakery) {
		t.Errorf("the log says more than it should:\n%s", s.log)
	}
	if !strings.Contains(s.log.String(), `"route":"/mcp","status":200`) || !strings.Contains(s.log.String(), fmt.Sprintf(`"account":%d`, s.account)) {
		t.Errorf("the log lacks a request:\n%s", s.log)
	}
}

const messagesOfTestLimit = 10

// TestLimit checks that a call over the limit says when to retry, on every path, and is recorded as
// blocked, and that somebody who goes on calling gets no more such answers than other messages.
func TestLimit(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	s := serveOn(t, &l.Served, l.Pool, func(c *Config) { c.AccountMessages = web.NewThrottle(1, messagesOfTestLimit) })
	// Exhaust the next minute, so that it outlasts the test.
	const useUp = `INSERT INTO admission (account_id, minute, calls) VALUES ($1, date_trunc('minute', now(), 'UTC') + interval '1 minute', $2)`
	if _, err := l.Pool.Exec(t.Context(), useUp, s.account, account.CallsPerMinute); err != nil {
		t.Fatal(err)
	}
	session := s.connect(goodToken, "")
	refused := call(t, session, "consultar_cnpj", map[string]any{"cnpj": bakery})
	if text := textOf(t, refused); !refused.IsError || !strings.HasPrefix(text, "limite_excedido: ") || !strings.HasSuffix(text, " segundos.") {
		t.Errorf("%s", text)
	}
	if _, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "razao://cnpj/" + bakery}); err == nil || !strings.Contains(err.Error(), "limite_excedido") {
		t.Errorf("a resource: %v", err)
	}
	if got := s.post(toolCall("fontes_disponiveis", `{}`)); got.status != 200 || !strings.Contains(got.body, "limite_excedido") {
		t.Errorf("a key of the same account: %d %s", got.status, got.body)
	}
	if got := s.post(listAll); !strings.Contains(got.body, "buscar_empresas") {
		t.Errorf("a list: %d %.200s", got.status, got.body)
	}
	_ = session.Close()
	for range messagesOfTestLimit {
		s.post(toolCall("fontes_disponiveis", `{}`))
	}
	if got := s.post(toolCall("fontes_disponiveis", `{}`)); got.status != 429 || !strings.Contains(got.body, `"limite_excedido"`) {
		t.Errorf("one refusal too many: %d %s", got.status, got.body)
	}
	s.stop()
	days, err := s.store.Days(t.Context(), s.account, 0)
	if err != nil {
		t.Fatal(err)
	}
	var blocked int64
	for _, d := range days {
		blocked += d.Blocked
	}
	if want := int64(3 + messagesOfTestLimit + 1); blocked != want {
		t.Errorf("%d calls are counted as blocked, want %d", blocked, want)
	}
}
