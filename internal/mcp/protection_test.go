package mcp

import (
	"net/http"
	"strings"
	"testing"

	"razao/internal/fixture"
	"razao/internal/web"
)

// TestAnswersShowTheRate checks the X-RateLimit headers by key and by access token, on both paths.
func TestAnswersShowTheRate(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	s := serve(t, l)
	const nextMinute = `INSERT INTO admission VALUES ($1, date_trunc('minute', now()) + interval '1 minute', 0)` // does not end soon
	if _, err := l.Pool.Exec(t.Context(), nextMinute, s.account); err != nil {
		t.Fatal(err)
	}
	call := toolCall("fontes_disponiveis", `{}`)
	batch := "[" + call + "," + strings.Replace(call, `"id":1`, `"id":2`, 1) + "]"
	for _, c := range []struct {
		name, body, token string
		headers           []string
		left              string
	}{
		{"a handshake by key", ping, s.key, nil, "60"},
		{"a handshake by token", ping, goodToken, nil, "60"},
		{"a plain call by key", call, s.key, nil, "59"},
		{"a plain call by token", call, goodToken, nil, "58"},
		{"through the SDK by key", unplain(call), s.key, nil, "57"},
		{"through the SDK by token", unplain(call), goodToken, nil, "56"},
		{"two at once", batch, s.key, []string{"Mcp-Protocol-Version", "2025-03-26"}, "54"},
		{"a list", listAll, s.key, nil, "54"},
		{"nonsense", `{"jsonrpc"`, s.key, nil, "54"},
		{"nobody", ping, "rz_abc", nil, ""},
	} {
		got := s.post(c.body, append([]string{"Authorization", "Bearer " + c.token}, c.headers...)...)
		left, limit := got.header.Get("X-RateLimit-Remaining"), got.header.Get("X-RateLimit-Limit")
		if left != c.left || (limit == "60") != (c.left != "") || (got.header.Get("X-RateLimit-Reset") != "") != (c.left != "") {
			t.Errorf("%s: status %d, %s calls of %q are left, want %s", c.name, got.status, left, limit, c.left)
		}
	}
	if got := s.send(http.MethodGet, s.url, "", "Authorization", "Bearer "+s.key, "Accept", "text/event-stream"); got.status != 405 ||
		got.header.Get("X-RateLimit-Remaining") != "54" {
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
		if got := s.post(unplain(call), "Authorization", "Bearer "+token); got.status != 200 || !strings.Contains(got.body, "protecao_ip") {
			t.Errorf("beyond, through the SDK: %d %s", got.status, got.body)
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
