package oauthserver

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/oauth2"
)

func basic(client string) string {
	return base64.StdEncoding.EncodeToString([]byte(url.QueryEscape(client) + ":"))
}

// TestFlowOfAnotherLibrary runs x/oauth2 as the client, over a real connection, from discovery to revocation.
func TestFlowOfAnotherLibrary(t *testing.T) {
	var b *harness
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { b.ServeHTTP(w, r) }))
	defer site.Close()
	b = newHarness(t, func(c *Config) { c.BaseURL = site.URL })
	browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

	var resource resourceMetadata
	fetchJSON(t, site.URL+"/.well-known/oauth-protected-resource/mcp", &resource)
	var server serverMetadata
	fetchJSON(t, resource.Servers[0]+"/.well-known/oauth-authorization-server", &server)
	if server.Issuer != resource.Servers[0] || resource.Resource != site.URL+"/mcp" {
		t.Fatalf("server %+v, resource %+v", server, resource)
	}
	answer, err := http.Post(server.RegistrationEndpoint, "application/json", strings.NewReader(`{"redirect_uris":["http://localhost:1/callback"],"client_name":"Biblioteca"}`))
	must(t, err)
	defer func() { _ = answer.Body.Close() }()
	var client clientInformation
	must(t, json.NewDecoder(answer.Body).Decode(&client))
	config := oauth2.Config{
		ClientID: client.ID, RedirectURL: "http://localhost:51234/callback", Scopes: resource.Scopes,
		Endpoint: oauth2.Endpoint{AuthURL: server.AuthorizationEndpoint, TokenURL: server.TokenEndpoint},
	}
	verifier, forResource := oauth2.GenerateVerifier(), oauth2.SetAuthURLParam("resource", resource.Resource)
	asked, err := browser.Get(config.AuthCodeURL("estado", oauth2.S256ChallengeOption(verifier), forResource))
	must(t, err)
	_ = asked.Body.Close()
	id := parsed(t, asked.Header.Get("Location")).Query().Get("authorization_id")
	shown, err := b.Request(t.Context(), id, b.ana)
	if err != nil || shown.Client.Name != "Biblioteca" || !shown.Destination.Local || shown.Destination.Host != "localhost:51234" {
		t.Fatalf("%+v, %v", shown, err)
	}
	address := b.approve(t, id, b.ana)
	back := parsed(t, address).Query()
	if back.Get("state") != "estado" || back.Get("iss") != server.Issuer || !strings.HasPrefix(address, config.RedirectURL+"?") {
		t.Fatalf("back at %s", address)
	}
	token, err := config.Exchange(t.Context(), back.Get("code"), oauth2.VerifierOption(verifier), forResource)
	must(t, err)
	access := b.alive(t, token.AccessToken)
	want := Access{
		Account: b.ana.Account, ClientID: client.ID, Client: "Biblioteca", Scopes: []string{"consulta"}, Resource: resource.Resource, Expires: access.Expires,
	}
	if diff := cmp.Diff(want, access); diff != "" {
		t.Errorf("access (-want +got):\n%s", diff)
	}
	if left := time.Until(access.Expires); left > time.Hour || left < 50*time.Minute || token.Extra("scope") != "consulta" {
		t.Errorf("the token lasts %s, scope %v", left, token.Extra("scope"))
	}
	token.Expiry = time.Now().Add(-time.Minute)
	second, err := config.TokenSource(t.Context(), token).Token()
	if err != nil || second.AccessToken == token.AccessToken || second.RefreshToken == token.RefreshToken {
		t.Fatalf("refreshed: %v", err)
	}
	b.alive(t, second.AccessToken)
	revoked, err := http.PostForm(server.RevocationEndpoint, url.Values{"token": {second.RefreshToken}, "client_id": {client.ID}})
	if err != nil || revoked.StatusCode != http.StatusOK {
		t.Fatalf("revocation: %v", err)
	}
	_ = revoked.Body.Close()
	b.dead(t, second.AccessToken)
	b.dead(t, token.AccessToken)
}

func fetchJSON(t *testing.T, address string, into any) {
	t.Helper()
	answer, err := http.Get(address)
	must(t, err)
	defer func() { _ = answer.Body.Close() }()
	if err := json.NewDecoder(answer.Body).Decode(into); err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v", address, answer.StatusCode, err)
	}
}

// TestRecordedHabits registers, requests and exchanges as well-known clients do.
func TestRecordedHabits(t *testing.T) {
	b := newHarness(t)
	tests := []struct {
		name         string
		registration string
		redirect     string   // of the request
		scope        []string // of the request
		resource     []string
		header       bool // the client names itself in the header of the token request
		destination  Destination
	}{
		{
			name: "Claude",
			registration: `{"client_name":"Claude","redirect_uris":["https://claude.ai/api/mcp/auth_callback"],"grant_types":["authorization_code","refresh_token"],
				"response_types":["code"],"token_endpoint_auth_method":"none","scope":"consulta"}`,
			redirect: "https://claude.ai/api/mcp/auth_callback", scope: []string{"consulta"}, resource: []string{base + "/mcp"},
			destination: Destination{Scheme: "https", Host: "claude.ai"},
		},
		{
			name: "Claude on its other domain",
			registration: `{"client_name":"Claude","redirect_uris":["https://claude.ai/api/mcp/auth_callback","https://claude.com/api/mcp/auth_callback"],
				"token_endpoint_auth_method":"client_secret_post"}`,
			redirect: "https://claude.com/api/mcp/auth_callback", scope: []string{"consulta offline_access"}, resource: []string{base + "/mcp"},
			destination: Destination{Scheme: "https", Host: "claude.com"},
		},
		{
			name: "ChatGPT",
			registration: `{"client_name":"ChatGPT","redirect_uris":["https://chatgpt.com/connector/oauth/AbC-123_x"],"grant_types":["authorization_code","refresh_token"],
				"response_types":["code"],"token_endpoint_auth_method":"none"}`,
			redirect: "https://chatgpt.com/connector/oauth/AbC-123_x", resource: []string{base + "/mcp"},
			destination: Destination{Scheme: "https", Host: "chatgpt.com"},
		},
		{
			name: "Cursor",
			registration: `{"client_name":"Cursor","redirect_uris":["cursor://anysphere.cursor-mcp/oauth/callback","https://www.cursor.com/agents/mcp/oauth/callback",
				"http://localhost:8787/callback"],"grant_types":["authorization_code","refresh_token"],"response_types":["code"],"token_endpoint_auth_method":"none"}`,
			redirect: "cursor://anysphere.cursor-mcp/oauth/callback", scope: []string{"outro"}, resource: []string{base + "/mcp"},
			destination: Destination{Scheme: "cursor", Host: "cursor://", App: true},
		},
		{
			name: "VS Code in the browser",
			registration: `{"client_name":"Visual Studio Code","redirect_uris":["https://insiders.vscode.dev/redirect","https://vscode.dev/redirect","http://localhost/",
				"http://127.0.0.1/","http://localhost:33418/","http://127.0.0.1:33418/"],"grant_types":["authorization_code","refresh_token"],"token_endpoint_auth_method":"none"}`,
			redirect: "https://vscode.dev/redirect", resource: []string{base + "/mcp"},
			destination: Destination{Scheme: "https", Host: "vscode.dev"},
		},
		{
			name:         "VS Code on this computer",
			registration: `{"client_name":"Visual Studio Code","redirect_uris":["https://vscode.dev/redirect","http://127.0.0.1:33418"]}`,
			redirect:     "http://127.0.0.1:33418/", resource: []string{base + "/mcp"},
			destination: Destination{Scheme: "http", Host: "127.0.0.1:33418", Local: true},
		},
		{
			name:         "Claude Code with another port",
			registration: `{"client_name":"Claude Code (razao)","redirect_uris":["http://localhost:54545/callback"],"grant_types":["authorization_code","refresh_token"]}`,
			redirect:     "http://localhost:61022/callback", scope: []string{""}, resource: []string{base + "/mcp"},
			destination: Destination{Scheme: "http", Host: "localhost:61022", Local: true},
		},
		{
			name:         "IPv6 on this computer, older and with a header",
			registration: `{"redirect_uris":["http://[::1]:9/callback?origem=mcp"]}`,
			redirect:     "http://[::1]:4321/callback?origem=mcp", header: true,
			destination: Destination{Scheme: "http", Host: "[::1]:4321", Local: true},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := b.send(t, http.MethodPost, "/oauth/register", "application/json", tt.registration, "")
			client := answerOf[clientInformation](t, w)
			if w.Code != http.StatusCreated || client.AuthMethod != "none" || client.ID == "" {
				t.Fatalf("registered: %d %s", w.Code, w.Body)
			}
			verifier := oauth2.GenerateVerifier()
			asked := with(with(askingFor(client.ID, tt.redirect, verifier), "scope", tt.scope...), "resource", tt.resource...)
			id := b.requestID(t, asked)
			shown, err := b.Request(t.Context(), id, b.ana)
			must(t, err)
			if diff := cmp.Diff(tt.destination, shown.Destination); diff != "" || cmp.Diff([]string{"consulta"}, shown.Scopes) != "" {
				t.Errorf("shown: %v %s", shown.Scopes, diff)
			}
			address, err := b.Approve(t.Context(), id, b.ana)
			if err != nil || !strings.HasPrefix(address, tt.redirect) {
				t.Fatalf("back at %s, %v", address, err)
			}
			form := url.Values{
				"grant_type": {"authorization_code"}, "client_id": {client.ID}, "code": {parsed(t, address).Query().Get("code")},
				"redirect_uri": {tt.redirect}, "code_verifier": {verifier}, "resource": tt.resource,
			}
			var header []string
			if tt.header {
				form.Del("client_id")
				header = []string{"Authorization", "Basic " + basic(client.ID)}
			}
			w = b.post(t, "/oauth/token", form, header...)
			issued := answerOf[tokens](t, w)
			if w.Code != 200 || issued.Refresh == "" || issued.Scope != "consulta" {
				t.Fatalf("tokens: %d %s", w.Code, w.Body)
			}
			if access := b.alive(t, issued.Access); access.Client != client.Name || access.Resource != base+"/mcp" {
				t.Errorf("access %+v", access)
			}
			b.tokens(t, with(refreshing(client.ID, issued.Refresh), "resource", tt.resource...))
		})
	}
}

// TestEveryStepIsLogged finds every step of a flow in the log, under the ids of its requests, and
// none of its secrets.
func TestEveryStepIsLogged(t *testing.T) {
	b := newHarness(t)
	client := b.register(t, callback)
	verifier := oauth2.GenerateVerifier()
	id := b.opened(t, b.ana, askingFor(client, callback, verifier))
	address := b.approve(t, id, b.ana)
	code := parsed(t, address).Query().Get("code")
	form := url.Values{"grant_type": {"authorization_code"}, "client_id": {client}, "code": {code}, "code_verifier": {verifier}}
	issued := b.tokens(t, form)
	second := b.tokens(t, refreshing(client, issued.Refresh))
	b.tokens(t, refreshing(client, issued.Refresh))
	b.graceOver(t)
	b.refused(t, refreshing(client, issued.Refresh), 400, "invalid_grant")
	b.alive(t, b.tokens(t, b.code(t, b.ana, client, callback)).Access)
	all, err := b.Authorizations(t.Context(), b.ana.Account)
	if err != nil || len(all) != 1 {
		t.Fatalf("%v, %v", all, err)
	}
	must(t, b.RevokeAuthorization(t.Context(), b.ana.Account, all[0].ID))
	log := b.log.String()
	for _, step := range []string{
		"client registered", "authorization asked for", "consent shown", "authorization granted", "code exchanged", "token refreshed", "refresh repeated",
		"authorization revoked",
	} {
		if !strings.Contains(log, `"step":"`+step+`"`) {
			t.Errorf("%q is not logged", step)
		}
	}
	if !strings.Contains(log, "the refresh token was used before") {
		t.Error("the refusal is not explained")
	}
	for _, secret := range []string{id, code, verifier, issued.Access, issued.Refresh, second.Access, second.Refresh, "estado&1", "ana@exemplo.com"} {
		if strings.Contains(log, secret) || strings.Contains(log, url.QueryEscape(secret)) {
			t.Errorf("%q is in the log", secret)
		}
	}
	requests := map[string]bool{}
	for line := range strings.Lines(log) {
		var entry struct{ ID, Msg, Step string }
		must(t, json.Unmarshal([]byte(line), &entry))
		switch {
		case entry.Msg == "oauth" && entry.ID != "":
			requests[entry.ID] = false
		case entry.Msg == "request":
			if _, ok := requests[entry.ID]; ok {
				requests[entry.ID] = true
			}
		}
	}
	for id, found := range requests {
		if !found {
			t.Errorf("no request has the id %s", id)
		}
	}
	if len(requests) < 5 {
		t.Errorf("%d requests had a step: %s", len(requests), log)
	}
}

func TestNewRefusesAddresses(t *testing.T) {
	t.Parallel()
	for address, ok := range map[string]bool{
		"https://razao.exemplo": true, "https://razao.exemplo/": true, "http://127.0.0.1:8080": true,
		"": false, "razao.exemplo": false, "ftp://razao.exemplo": false, "https://razao.exemplo/base": false, "https://razao.exemplo?x": false,
		"https://ana@razao.exemplo": false, "https://razao.exemplo#x": false,
	} {
		s, err := New(Config{BaseURL: address, Log: slog.New(slog.DiscardHandler)})
		if (err == nil) != ok {
			t.Errorf("%q: %v", address, err)
		}
		if ok && strings.HasSuffix(s.issuer, "/") {
			t.Errorf("%q: issuer %q", address, s.issuer)
		}
	}
}

// A request whose context has ended is a 503, never invalid_grant: a client would discard a good
// token.
func TestClientThatLeft(t *testing.T) {
	b := newHarness(t)
	client, issued := b.signedUp(t, b.ana)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/oauth/token", strings.NewReader(refreshing(client, issued.Refresh).Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	b.ServeHTTP(w, r)
	if w.Code != http.StatusServiceUnavailable {
		t.Errorf("status %d", w.Code)
	}
	if _, err := b.Verify(ctx, issued.Access); err == nil || strings.Contains(err.Error(), ErrInvalidToken.Error()) {
		t.Errorf("verified: %v", err)
	}
	b.tokens(t, refreshing(client, issued.Refresh))
}
