package oauthserver

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// toldClient fails unless the error goes to the client by redirect, with iss.
func toldClient(t *testing.T, w *httptest.ResponseRecorder, code string) {
	t.Helper()
	u := location(t, w)
	q := u.Query()
	if u.Host != "assistente.exemplo" || q.Get("error") != code || q.Get("iss") != base || q.Get("code") != "" {
		t.Errorf("it leads to %s, want the error %s", u, code)
	}
	if q.Get("error_description") == "" {
		t.Error("the error is not explained")
	}
}

// toldPerson fails unless the error is a page without a redirect.
func toldPerson(t *testing.T, w *httptest.ResponseRecorder, because error) {
	t.Helper()
	if w.Code != http.StatusBadRequest || w.Header().Get("Location") != "" || !strings.Contains(w.Body.String(), because.Error()) {
		t.Errorf("status %d to %q: %s, want a page with %q", w.Code, w.Header().Get("Location"), w.Body, because)
	}
}

func TestRequestsThatAreRefusedToTheClient(t *testing.T) {
	b := newHarness(t)
	good := asking(b.trusted(t))
	b.requestID(t, good)
	tests := []struct {
		name       string
		parameters url.Values
		code       string
	}{
		{"no PKCE", with(with(good, "code_challenge"), "code_challenge_method"), "invalid_request"},
		{"no challenge", with(good, "code_challenge"), "invalid_request"},
		{"no method, which is plain", with(good, "code_challenge_method"), "invalid_request"},
		{"plain", with(good, "code_challenge_method", "plain"), "invalid_request"},
		{"short challenge", with(good, "code_challenge", "abc"), "invalid_request"},
		{"challenge that is no base64url", with(good, "code_challenge", strings.Repeat("+", 43)), "invalid_request"},
		{"two challenges", with(good, "code_challenge", strings.Repeat("A", 43), strings.Repeat("B", 43)), "invalid_request"},
		{"foreign resource", with(good, "resource", "https://outro.exemplo/mcp"), "invalid_target"},
		{"foreign resource beside ours", with(good, "resource", base+"/mcp", "https://outro.exemplo/mcp"), "invalid_target"},
		{"resource that begins like ours", with(good, "resource", base+"/mcp2"), "invalid_target"},
		{"implicit", with(good, "response_type", "token"), "unsupported_response_type"},
		{"hybrid", with(good, "response_type", "code id_token"), "unsupported_response_type"},
		{"no response type", with(good, "response_type"), "unsupported_response_type"},
		{"state with zero", with(good, "state", "a\x00b"), "invalid_request"},
		{"state that is no text", with(good, "state", "\xff"), "invalid_request"},
		{"long state", with(good, "state", strings.Repeat("x", maxState+1)), "invalid_request"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { toldClient(t, b.authorize(t, tt.parameters), tt.code) })
	}
}

func TestRequestsThatAreRefusedWithAPage(t *testing.T) {
	b := newHarness(t)
	own := b.register(t, callback, "http://localhost:3000/callback", "cursor://anysphere.cursor-mcp/oauth/callback")
	other := b.register(t, "https://outro.exemplo/callback")
	good := asking(own)
	for name, redirect := range map[string][]string{
		"missing":             nil,
		"empty":               {""},
		"twice":               {callback, "https://mal.exemplo/"},
		"foreign":             {"https://mal.exemplo/callback"},
		"of another client":   {"https://outro.exemplo/callback"},
		"longer path":         {callback + "/mais"},
		"with a query":        {callback + "?x=1"},
		"with a fragment":     {callback + "#x"},
		"other case":          {strings.ToUpper(callback)},
		"with a user":         {"https://assistente.exemplo@mal.exemplo/callback"},
		"other port":          {"https://assistente.exemplo:8443/callback"},
		"without TLS":         {"http://assistente.exemplo/callback"},
		"path that climbs":    {"https://assistente.exemplo/x/../callback"},
		"other local path":    {"http://localhost:3000/outro"},
		"other local name":    {"http://127.0.0.1:3000/callback"},
		"name like the local": {"http://localhost.mal.exemplo:3000/callback"},
		"local user":          {"http://localhost:3000@mal.exemplo/callback"},
		"local with TLS":      {"https://localhost:3000/callback"},
		"other program":       {"cursor://mal/oauth/callback"},
		"script":              {"javascript:alert(1)"},
	} {
		t.Run(name, func(t *testing.T) {
			toldPerson(t, b.authorize(t, with(good, "redirect_uri", redirect...)), ErrRedirectURI)
		})
	}
	for name, client := range map[string][]string{
		"missing": nil, "unknown": {"ninguem"}, "twice": {own, other}, "with zero": {own + "\x00"}, "no text": {"\xff"}, "without TLS": {"http://assistente.exemplo/doc"},
	} {
		t.Run("client "+name, func(t *testing.T) {
			toldPerson(t, b.authorize(t, with(good, "client_id", client...)), ErrUnknownClient)
		})
	}
	must(t, b.DeleteClient(t.Context(), own))
	toldPerson(t, b.authorize(t, good), ErrUnknownClient)
}

// Responses carry iss, errors too, so that a client of several servers can tell which one responded
// (mix-up, RFC 9207).
func TestMixUp(t *testing.T) {
	b := newHarness(t)
	good := asking(b.trusted(t))
	id := b.opened(t, b.ana, good)
	denied, err := b.Deny(t.Context(), id, b.ana)
	must(t, err)
	answers := map[string]*url.URL{
		"code": b.consent(t, b.ana, good), "access_denied": parsed(t, denied),
		"invalid_request": location(t, b.authorize(t, with(good, "code_challenge_method", "plain"))),
	}
	for name, u := range answers {
		q := u.Query()
		if q.Get("iss") != base || q.Get("state") != "estado&1" || (q.Get("code") == "") == (q.Get("error") == "") {
			t.Errorf("%s: %s", name, u)
		}
	}
}
