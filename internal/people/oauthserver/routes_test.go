package oauthserver

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/web"
)

func TestMetadata(t *testing.T) {
	b := newHarness(t)
	server := map[string]any{
		"issuer": base, "authorization_endpoint": base + "/oauth/authorize", "token_endpoint": base + "/oauth/token",
		"registration_endpoint": base + "/oauth/register", "revocation_endpoint": base + "/oauth/revoke",
		"scopes_supported": []any{"consulta"}, "response_types_supported": []any{"code"}, "response_modes_supported": []any{"query"},
		"grant_types_supported":                          []any{"authorization_code", "refresh_token"},
		"token_endpoint_auth_methods_supported":          []any{"none"},
		"revocation_endpoint_auth_methods_supported":     []any{"none"},
		"code_challenge_methods_supported":               []any{"S256"},
		"client_id_metadata_document_supported":          true,
		"authorization_response_iss_parameter_supported": true,
		"ui_locales_supported":                           []any{"pt-BR"},
	}
	resource := map[string]any{
		"resource": base + "/mcp", "authorization_servers": []any{base}, "scopes_supported": []any{"consulta"},
		"bearer_methods_supported": []any{"header"}, "resource_name": "Razão",
	}
	for path, want := range map[string]map[string]any{
		"/.well-known/oauth-authorization-server":       server,
		"/.well-known/openid-configuration":             server,
		"/.well-known/oauth-protected-resource":         resource,
		"/.well-known/oauth-protected-resource/mcp":     resource,
		"/.well-known/oauth-protected-resource/outro":   nil,
		"/.well-known/oauth-authorization-server/outro": nil,
	} {
		w := b.send(t, http.MethodGet, path, "", "", "")
		if want == nil {
			if w.Code != http.StatusNotFound {
				t.Errorf("%s: %d", path, w.Code)
			}
			continue
		}
		var got map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK {
			t.Fatalf("%s: %d, %v", path, w.Code, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
		if w.Header().Get("Content-Type") != "application/json; charset=utf-8" || w.Header().Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %v", path, w.Header())
		}
	}
}

// Pages of any origin may call the endpoints of programs (CORS), but not those of users.
func TestOtherOrigins(t *testing.T) {
	b := newHarness(t)
	for path, method := range map[string]string{
		"/.well-known/oauth-authorization-server": "GET", "/.well-known/openid-configuration": "GET",
		"/.well-known/oauth-protected-resource": "GET", "/.well-known/oauth-protected-resource/mcp": "GET",
		"/oauth/token": "POST", "/oauth/register": "POST", "/oauth/revoke": "POST",
	} {
		w := b.send(t, http.MethodOptions, path, "", "", "", "Origin", "http://localhost:6274", "Access-Control-Request-Method", method,
			"Access-Control-Request-Headers", "mcp-protocol-version")
		h := w.Header()
		if w.Code != http.StatusNoContent || h.Get("Access-Control-Allow-Origin") != "*" || h.Get("Access-Control-Allow-Methods") != method ||
			h.Get("Access-Control-Allow-Headers") != "Authorization, Content-Type, MCP-Protocol-Version" || h.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: %d %v", path, w.Code, h)
		}
		w = b.send(t, method, path, "", "", "", "Origin", "http://localhost:6274")
		if w.Header().Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s %s, %d: another page cannot read it", method, path, w.Code)
		}
	}
	w := b.authorize(t, asking(b.register(t, callback)))
	if w.Header().Get("Access-Control-Allow-Origin") != "" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("the request: %v", w.Header())
	}
	if w := b.send(t, http.MethodOptions, "/oauth/authorize", "", "", "", "Origin", "http://localhost:6274"); w.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("preflight of the request: %v", w.Header())
	}
}

func TestTokenRequestsThatAreRefused(t *testing.T) {
	b := newHarness(t)
	client, issued := b.signedUp(t, b.ana)
	good := refreshing(client, issued.Refresh)
	b.refused(t, url.Values{}, 400, "invalid_request")
	b.refused(t, with(good, "client_id"), 400, "invalid_request")
	b.refused(t, with(good, "client_id", client, client), 400, "invalid_request")
	b.refused(t, with(good, "client_id", "ninguem"), 401, "invalid_client")
	b.refused(t, with(good, "grant_type"), 400, "invalid_request")
	b.refused(t, with(good, "grant_type", "password"), 400, "unsupported_grant_type")
	b.refused(t, with(good, "grant_type", "client_credentials"), 400, "unsupported_grant_type")
	b.refused(t, with(good, "refresh_token"), 400, "invalid_grant")
	b.refused(t, with(good, "grant_type", "authorization_code"), 400, "invalid_grant")
	for kind, body := range map[string]string{"application/json": `{"grant_type":"refresh_token"}`, "": good.Encode(), "text/plain": good.Encode()} {
		if w := b.send(t, http.MethodPost, "/oauth/token", kind, body, ""); w.Code != 400 || answerOf[protocolError](t, w).Code != "invalid_request" {
			t.Errorf("%q: %d %s", kind, w.Code, w.Body)
		}
	}
	if w := b.post(t, "/oauth/token", url.Values{"x": {string(make([]byte, 20<<10))}}); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("oversize: %d", w.Code)
	}
	if w := b.post(t, "/oauth/token", good, "Authorization", "Basic "+basic("outro")); w.Code != 400 {
		t.Errorf("two clients: %d", w.Code)
	}
	b.tokens(t, good)
}

func TestRevocation(t *testing.T) {
	b := newHarness(t)
	client, first := b.signedUp(t, b.ana)
	second := b.tokens(t, b.code(t, b.ana, client, callback))
	other := b.register(t, callback)
	revoke := func(want int, fields ...string) {
		t.Helper()
		form := url.Values{}
		for i := 0; i < len(fields); i += 2 {
			form.Add(fields[i], fields[i+1])
		}
		if w := b.post(t, "/oauth/revoke", form); w.Code != want {
			t.Errorf("%v: %d %s, want %d", form, w.Code, w.Body, want)
		}
	}
	revoke(400, "client_id", client)
	revoke(400, "token", first.Access)
	revoke(400, "client_id", client, "token", first.Access, "token", second.Access)
	revoke(401, "client_id", "ninguem", "token", first.Access)
	revoke(200, "client_id", client, "token", "ninguem")
	revoke(200, "client_id", other, "token", first.Access)
	b.alive(t, first.Access)
	revoke(200, "client_id", client, "token", first.Access, "token_type_hint", "refresh_token")
	b.dead(t, first.Access)
	b.refused(t, refreshing(client, first.Refresh), 400, "invalid_grant")
	b.alive(t, second.Access) // of another family
	revoke(200, "client_id", client, "token", second.Refresh)
	b.dead(t, second.Access)
	revoke(200, "client_id", client, "token", second.Refresh)
}

func TestTooManyRequests(t *testing.T) {
	b := newHarness(t, func(c *Config) { c.Requests = web.NewThrottle(1, 2) })
	good := asking(b.register(t, callback))
	for i, want := range []int{303, 303, 429} {
		if w := b.authorize(t, good); w.Code != want {
			t.Errorf("request %d: status %d, want %d", i, w.Code, want)
		}
	}
}
