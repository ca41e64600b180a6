package mcp

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/gin-gonic/gin"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"razao/internal/testing/fixture"
	"razao/internal/testing/pgtest"
	"razao/internal/web"
)

// nextMinute has calls of an account counted in a minute that does not end soon.
const nextMinute = `INSERT INTO admission VALUES ($1, date_trunc('minute', now()) + interval '1 minute', 0)`

// TestAnswersShowTheRate checks the X-RateLimit headers by key and by access token.
func TestAnswersShowTheRate(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	s := serve(t, l)
	if _, err := l.Pool.Exec(t.Context(), nextMinute, s.account); err != nil {
		t.Fatal(err)
	}
	call := toolCall("fontes_disponiveis", `{}`)
	for _, c := range []struct {
		name, body, token string
		headers           []string
		left              string
	}{
		{"a handshake by key", ping, s.key, nil, "60"},
		{"a handshake by token", ping, goodToken, nil, "60"},
		{"a call by key", call, s.key, nil, "59"},
		{"a call by token", call, goodToken, nil, "58"},
		{"a list by key", listAll, s.key, nil, "58"},
		{"a list by token", listAll, goodToken, nil, "58"},
		{"what is no message, whose token is not looked up", `{"jsonrpc"`, s.key, nil, ""},
		{"nobody", ping, "rz_abc", nil, ""},
	} {
		got := s.post(c.body, append([]string{"Authorization", "Bearer " + c.token}, c.headers...)...)
		left, limit := got.header.Get("X-RateLimit-Remaining"), got.header.Get("X-RateLimit-Limit")
		if left != c.left || (limit == "60") != (c.left != "") || (got.header.Get("X-RateLimit-Reset") != "") != (c.left != "") {
			t.Errorf("%s: status %d, %s calls of %q are left, want %s", c.name, got.status, left, limit, c.left)
		}
	}
	if got := s.send(http.MethodGet, s.url, "", "Authorization", "Bearer "+s.key, "Accept", "text/event-stream"); got.status != 405 ||
		got.header.Get("X-RateLimit-Remaining") != "58" {
		t.Errorf("another method: %d %v", got.status, got.header)
	}
}

// TestWrongTokensAreLimited sends wrong tokens until they are throttled: valid tokens still work,
// and requests without a token still get the challenge.
func TestWrongTokensAreLimited(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	s := serveOn(t, &l.Served, l.Pool, func(c *Config) {
		c.Failures = web.NewThrottle(3, 3)
		c.Known = func(token string) bool { return token == goodToken }
	})
	for i, want := range []int{401, 401, 401, 429, 429} {
		got := s.post(ping, "Authorization", "Bearer "+strangeToken)
		if got.status != want || (got.header.Get("Retry-After") != "") != (want == 429) || (want == 429) != strings.Contains(got.body, "protecao_ip") {
			t.Errorf("wrong token, time %d: %d %s", i+1, got.status, got.body)
		}
	}
	for _, token := range []string{goodToken, s.key} {
		if got := s.post(ping, "Authorization", "Bearer "+token); got.status != 200 {
			t.Errorf("a right one: %d %s", got.status, got.body)
		}
	}
	if got := s.post(ping, "Authorization", ""); got.status != 401 || got.header.Get("WWW-Authenticate") == "" {
		t.Errorf("none: %d %s", got.status, got.body)
	}
}

// TestNetworksHaveACeiling limits the network of all clients to three calls.
func TestNetworksHaveACeiling(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	s := serveOn(t, &l.Served, l.Pool, func(c *Config) { c.Calls = web.NewThrottle(3, 3) })
	call := toolCall("fontes_disponiveis", `{}`)
	for i, token := range []string{s.key, goodToken, s.key} {
		if got := s.post(call, "Authorization", "Bearer "+token); got.status != 200 || strings.Contains(got.body, "protecao_ip") {
			t.Fatalf("call %d: %d %s", i+1, got.status, got.body)
		}
	}
	for _, token := range []string{s.key, goodToken} {
		if got := s.post(call, "Authorization", "Bearer "+token); got.status != 429 || got.header.Get("Retry-After") == "" || !strings.Contains(got.body, `"protecao_ip"`) {
			t.Errorf("beyond: %d %v %s", got.status, got.header, got.body)
		}
		if got := s.post(ping, "Authorization", "Bearer "+token); got.status != 200 {
			t.Errorf("what is no call: %d %s", got.status, got.body)
		}
	}
	s.stop()
	if calls, err := s.store.Calls(t.Context(), s.account, 0, 0, 100); err != nil || len(calls) != 3 {
		t.Errorf("the history has %d calls, %v", len(calls), err)
	}
}

// TestBatchesAreRefused posts a batch, whose one request had a huge response: it is refused in every revision
// before its token is looked up, and nothing is counted.
func TestBatchesAreRefused(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	s := serve(t, l)
	bomb := "[" + strings.TrimSuffix(strings.Repeat(listAll+",", 2000), ",") + "]"
	for _, version := range append(sdk.SupportedProtocolVersions(), "") {
		for _, batch := range []string{
			bomb, " \t\r\n" + bomb, "[" + ping + "]", "[]", "[", strings.Repeat("[", maxBody), "[" + toolCall("fontes_disponiveis", "{}") + "]",
		} {
			got := s.post(batch, "Mcp-Protocol-Version", version, "Authorization", "Bearer "+unclearToken) // whose look-up would be a 503
			var body struct {
				ID    any
				Error struct {
					Code    int
					Message string
				}
			}
			if err := json.Unmarshal([]byte(got.body), &body); err != nil || got.status != 400 || len(got.body) > 300 {
				t.Fatalf("%q, %.40s: %d %.300s, %v", version, batch, got.status, got.body, err)
			}
			if body.ID != nil || body.Error.Code != -32600 || !strings.Contains(body.Error.Message, "batches") {
				t.Errorf("%q, %.40s: %s", version, batch, got.body)
			}
		}
	}
	s.stop()
	if calls, err := s.store.Calls(t.Context(), s.account, 0, 0, 1); err != nil || len(calls) != 0 {
		t.Errorf("%d calls in the history, %v", len(calls), err)
	}
}

// uncounted are messages that do not count as calls, by name.
func uncounted() map[string]string {
	messages := map[string]string{
		"initialize":  `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		"prompts/get": `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"verificar_fornecedor","arguments":{"cnpj":"1"}}}`,
		"discovery":   `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`,
		"listening":   `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{}}}`,
		"ping":        ping, "a notification": `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		"an unknown method": `{"jsonrpc":"2.0","id":1,"method":"tools/destroy"}`,
		"nonsense":          `{"jsonrpc"`, "a batch": "[" + ping + "]", "too much": strings.Repeat(" ", maxBody+1),
	}
	for _, method := range []string{"tools/list", "resources/list", "resources/templates/list", "prompts/list"} {
		messages[method] = `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{}}`
	}
	return messages
}

// TestMessagesOfANetworkAreLimited exhausts what a network may send beside calls: it is refused in
// a form that programs can read, whoever sends it, and calls are not.
func TestMessagesOfANetworkAreLimited(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	messages := uncounted()
	s := serveOn(t, &l.Served, l.Pool, func(c *Config) { c.Messages = web.NewThrottle(1, len(messages)) })
	for name, body := range messages {
		if got := s.post(body); got.status == 429 {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	for name, body := range messages {
		got := s.post(body, "Authorization", "Bearer "+goodToken)
		if got.status != 429 || got.header.Get("Retry-After") == "" || !strings.Contains(got.body, `"protecao_ip"`) || len(got.body) > 500 {
			t.Errorf("%s, beyond: %d %v %.300s", name, got.status, got.header, got.body)
		}
	}
	if got := s.send(http.MethodGet, s.url, "", "Authorization", "Bearer "+s.key); got.status != 429 {
		t.Errorf("another method: %d", got.status)
	}
	if got := s.post(toolCall("fontes_disponiveis", `{}`)); got.status != 200 || got.header.Get("X-RateLimit-Remaining") != "59" {
		t.Errorf("a call: %d %v", got.status, got.header)
	}
}

// TestMessagesOfAnAccountAreLimited exhausts what an account may send beside calls, by key and by
// token: its calls, and another account behind the same network, go on.
func TestMessagesOfAnAccountAreLimited(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	s := serveOn(t, &l.Served, l.Pool, func(c *Config) { c.AccountMessages = web.NewThrottle(1, 3) })
	for i, token := range []string{s.key, goodToken, s.key} {
		if got := s.post(listAll, "Authorization", "Bearer "+token); got.status != 200 {
			t.Errorf("message %d: %d %s", i+1, got.status, got.body)
		}
	}
	for _, token := range []string{s.key, goodToken} {
		got := s.post(listAll, "Authorization", "Bearer "+token)
		if got.status != 429 || got.header.Get("Retry-After") == "" || !strings.Contains(got.body, `"limite_excedido"`) || got.header.Get("X-RateLimit-Remaining") != "60" {
			t.Errorf("beyond: %d %v %s", got.status, got.header, got.body)
		}
	}
	if got := s.post(toolCall("fontes_disponiveis", `{}`)); got.status != 200 || strings.Contains(got.body, "limite_excedido") {
		t.Errorf("a call: %d %s", got.status, got.body)
	}
	other, _, err := s.store.CreateKey(t.Context(), "outra@exemplo.com.br", "testes")
	if err != nil {
		t.Fatal(err)
	}
	if got := s.post(listAll, "Authorization", "Bearer "+other); got.status != 200 {
		t.Errorf("another account: %d %s", got.status, got.body)
	}
}

// TestCallsCountInAnySpelling writes calls in ways that two parsers may read differently: what runs
// has been counted, and is in the history.
func TestCallsCountInAnySpelling(t *testing.T) {
	t.Parallel()
	accounts := pgtest.Pool(t)
	s := serveOn(t, fixture.Shared(t), accounts, func(*Config) {})
	if _, err := accounts.Exec(t.Context(), nextMinute, s.account); err != nil {
		t.Fatal(err)
	}
	call := toolCall("fontes_disponiveis", `{}`)
	ran, counted := 0, 0
	for _, body := range []string{
		call,
		strings.Replace(call, "tools/call", `tools\/call`, 1),
		strings.Replace(call, "tools/call", `\u0074ools/call`, 1),
		strings.Replace(call, `"method"`, `"m\u0065thod"`, 1),
		strings.Replace(call, `"method"`, `"Method"`, 1),
		strings.Replace(call, `"method"`, `"method":"ping","method"`, 1),
		strings.TrimSuffix(call, "}") + `,"method":"ping"}`,
		strings.Replace(call, `"method"`, `"METHOD":"ping","method"`, 1),
		strings.Replace(call, `"params"`, `"params":null,"params"`, 1),
		strings.Replace(call, `"params"`, `"Params":{"name":"x"},"params"`, 1),
		call + call, call + "[" + ping + "]", call + " x", call + "\x00", "\ufeff" + call, "\v" + call,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"razao://cnpj/` + bakery + `"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`,
	} {
		got := s.post(body)
		if strings.Contains(got.body, `"structuredContent"`) || strings.Contains(got.body, `"contents"`) {
			ran++
		}
		if left := got.header.Get("X-RateLimit-Remaining"); left != "" {
			n, err := strconv.Atoi(left)
			if err != nil {
				t.Fatal(err)
			}
			counted = 60 - n
		}
		if ran > counted {
			t.Fatalf("%s ran and was not counted: %s", body, got.body)
		}
	}
	if ran < 8 {
		t.Errorf("only %d ran", ran)
	}
	s.stop()
	calls, err := s.store.Calls(t.Context(), s.account, 0, 0, 100)
	if err != nil || len(calls) != counted {
		t.Errorf("%d calls in the history, %d counted, %v", len(calls), counted, err)
	}
}

// TestUncountedCallsAreRefused runs a call that the SDK found in a message taken for another.
func TestUncountedCallsAreRefused(t *testing.T) {
	t.Parallel()
	s, err := New(Config{BaseURL: "https://razao.example"})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []*exchange{{refusal: errUncounted}, {}} {
		ctx := context.WithValue(t.Context(), exchangeKey{}, x)
		ran := false
		call := s.limiting(func(context.Context, string, sdk.Request) (sdk.Result, error) {
			ran = true
			return &sdk.CallToolResult{}, nil
		})
		result, err := call(ctx, callTool, &sdk.CallToolRequest{Params: &sdk.CallToolParamsRaw{Name: "fontes_disponiveis"}})
		if answer, ok := result.(*sdk.CallToolResult); err != nil || !ok || ran != (x.refusal == nil) || answer.IsError != (x.refusal != nil) {
			t.Errorf("refusal %v: %+v, %v", x.refusal, result, err)
		}
	}
}

// TestLargeAnswersAreHeldInTheBudget sends an answer that no longer fits what slow readers may hold.
func TestLargeAnswersAreHeldInTheBudget(t *testing.T) {
	t.Parallel()
	s, err := New(Config{BaseURL: "https://razao.example"})
	if err != nil {
		t.Fatal(err)
	}
	const size = 100 << 10
	engine := web.NewEngine(web.Options{Log: slog.New(slog.DiscardHandler), Bodies: web.NewSharedSlots(3*size/2, web.Share{}, 0)})
	large := func(c *gin.Context) {
		s.send(c, &answer{header: http.Header{"Content-Type": {jsonType}}, status: http.StatusOK, body: []byte(strings.Repeat(" ", size))})
	}
	ask := func(path string) *httptest.ResponseRecorder {
		got := httptest.NewRecorder()
		engine.ServeHTTP(got, httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, nil))
		return got
	}
	engine.POST("/second", large)
	var beside *httptest.ResponseRecorder
	engine.POST("/first", large, func(*gin.Context) { beside = ask("/second") }) // while the first still holds its bytes
	if got := ask("/first"); got.Code != http.StatusOK || got.Body.Len() != size {
		t.Errorf("the first: %d, %d bytes", got.Code, got.Body.Len())
	}
	if beside.Code != http.StatusServiceUnavailable || beside.Header().Get("Retry-After") == "" || !strings.Contains(beside.Body.String(), `"servico_indisponivel"`) {
		t.Errorf("beside it: %d %.300s", beside.Code, beside.Body)
	}
	if got := ask("/second"); got.Code != http.StatusOK {
		t.Errorf("after it: %d", got.Code)
	}
}

// TestSlowMessagesHoldNoSlots has clients stop in the middle of a message: calls of others get the only slot.
func TestSlowMessagesHoldNoSlots(t *testing.T) {
	t.Parallel()
	s := serveOn(t, fixture.Shared(t), pgtest.Pool(t), func(c *Config) { c.Slots = web.NewRequestSlots(1, 1) })
	var slow sync.WaitGroup
	var rest []*io.PipeWriter
	for range 8 {
		body, send := io.Pipe()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp", body)
		r.Header.Set("Authorization", "Bearer "+s.key)
		slow.Go(func() {
			w := httptest.NewRecorder()
			if s.engine.ServeHTTP(w, r); w.Code != http.StatusRequestTimeout {
				t.Errorf("too slow: %d", w.Code)
			}
		})
		if _, err := io.WriteString(send, `{"jsonrpc":`); err != nil { // which the server has read
			t.Fatal(err)
		}
		rest = append(rest, send)
	}
	if got := s.post(toolCall("fontes_disponiveis", `{}`)); got.status != http.StatusOK {
		t.Errorf("a call meanwhile: %d", got.status)
	}
	for _, send := range rest {
		_ = send.CloseWithError(web.ErrSlow)
	}
	slow.Wait()
}

// TestCallsOfOneAccountAtOnce has an account that has its share of calls in progress make one more, and then
// another account.
func TestCallsOfOneAccountAtOnce(t *testing.T) {
	t.Parallel()
	s := serveRecords(t)
	leave, begun := make(chan struct{}), make(chan struct{})
	s.engine.POST("/hold", func(c *gin.Context) {
		web.EventOf(c.Request.Context()).Account = int64(s.account)
		done, err := web.Move(c, s.server.calls, requestDeadline)
		if err != nil {
			t.Error(err)
			return
		}
		defer done()
		begun <- struct{}{}
		<-leave
	})
	var held sync.WaitGroup
	for range callsOfAccount {
		held.Go(func() {
			s.engine.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/hold", nil))
		})
		<-begun
	}
	call := toolCall("fontes_disponiveis", `{}`)
	if got := s.post(call); got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") == "" || !strings.Contains(got.body, `"limite_excedido"`) {
		t.Errorf("one more: %d %s", got.status, got.body)
	}
	if got := s.post(ping); got.status != http.StatusOK {
		t.Errorf("a message that is no call: %d", got.status)
	}
	other, _, err := s.store.CreateKey(t.Context(), "outra@exemplo.com.br", "testes")
	if err != nil {
		t.Fatal(err)
	}
	if got := s.post(call, "Authorization", "Bearer "+other); got.status != http.StatusOK {
		t.Errorf("another account: %d %s", got.status, got.body)
	}
	close(leave)
	held.Wait()
	if got := s.post(call); got.status != http.StatusOK {
		t.Errorf("afterwards: %d", got.status)
	}
	s.stop()
	calls, err := s.store.Calls(t.Context(), s.account, 0, 0, 10)
	if err != nil || len(calls) != 2 || calls[1].Status != http.StatusTooManyRequests {
		t.Errorf("history %+v, %v", calls, err)
	}
}
