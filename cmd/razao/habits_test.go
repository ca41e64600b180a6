package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/oauth2"
)

// habit is how a client that people use makes itself known and asks.
type habit struct {
	name         string
	registration string
	redirect     string // of the request
	scope        []string
	metadata     string // where it reads about the authorization server
	revision     string // of the protocol
	ends         string // what the page that asks may lead to
}

var habits = []habit{
	{
		name: "Claude", redirect: "https://claude.ai/api/mcp/auth_callback", scope: []string{"consulta"},
		registration: `{"client_name":"Claude","redirect_uris":["https://claude.ai/api/mcp/auth_callback","https://claude.com/api/mcp/auth_callback"],
			"grant_types":["authorization_code","refresh_token"],"response_types":["code"],"token_endpoint_auth_method":"none","scope":"consulta"}`,
		metadata: "/.well-known/oauth-authorization-server", revision: "2025-11-25", ends: "form-action 'self' https:;",
	},
	{
		name: "ChatGPT", redirect: "https://chatgpt.com/connector/oauth/AbC-123_x",
		registration: `{"client_name":"ChatGPT","redirect_uris":["https://chatgpt.com/connector/oauth/AbC-123_x"],"grant_types":["authorization_code","refresh_token"],
			"response_types":["code"],"token_endpoint_auth_method":"client_secret_post"}`,
		metadata: "/.well-known/openid-configuration", revision: "2025-06-18", ends: "form-action 'self' https:;",
	},
	{
		name: "Cursor", redirect: "cursor://anysphere.cursor-mcp/oauth/callback", scope: []string{"consulta offline_access"},
		registration: `{"client_name":"Cursor","redirect_uris":["cursor://anysphere.cursor-mcp/oauth/callback","https://www.cursor.com/agents/mcp/oauth/callback",
			"http://localhost:8787/callback"],"grant_types":["authorization_code","refresh_token"],"response_types":["code"],"token_endpoint_auth_method":"none"}`,
		metadata: "/.well-known/oauth-authorization-server", revision: "2025-06-18", ends: "form-action 'self' https: cursor:;",
	},
	{
		name: "Visual Studio Code", redirect: "http://127.0.0.1:33418/", scope: []string{""},
		registration: `{"client_name":"Visual Studio Code","redirect_uris":["https://insiders.vscode.dev/redirect","https://vscode.dev/redirect","http://localhost/",
			"http://127.0.0.1/","http://localhost:33418/","http://127.0.0.1:33418/"],"grant_types":["authorization_code","refresh_token"],"token_endpoint_auth_method":"none"}`,
		metadata: "/.well-known/oauth-authorization-server", revision: "2025-11-25", ends: "form-action 'self' https: http:;",
	},
	{
		name: "Claude Code (razao)", redirect: "http://localhost:61022/callback",
		registration: `{"client_name":"Claude Code (razao)","redirect_uris":["http://localhost:54545/callback"],"grant_types":["authorization_code","refresh_token"]}`,
		metadata:     "/.well-known/oauth-authorization-server", revision: "2024-11-05", ends: "form-action 'self' https: http:;",
	},
}

// TestHabitsOfClients takes the clients that people use from their first question to an answer, through all that is served.
func TestHabitsOfClients(t *testing.T) {
	t.Parallel()
	r := openServer(t)
	for _, h := range habits {
		t.Run(h.name, func(t *testing.T) {
			s := &stranger{restrainedServer: r, t: t, habit: h, verifier: oauth2.GenerateVerifier()}
			refused := s.ask("", "initialize", s.hello())
			if challenge := refused.Header().Get("WWW-Authenticate"); refused.Code != 401 || !strings.Contains(challenge, publicAddress+"/.well-known/oauth-protected-resource/mcp") {
				t.Fatalf("without a token: %d, %s", refused.Code, challenge)
			}
			s.learn()
			token := s.exchange(s.agree(s.register()))
			var greeted struct{ ProtocolVersion string }
			if s.read(s.ask(token, "initialize", s.hello()), &greeted); greeted.ProtocolVersion != h.revision {
				t.Errorf("the server speaks %s, want %s", greeted.ProtocolVersion, h.revision)
			}
			if w := s.send(token, object{"jsonrpc": "2.0", "method": "notifications/initialized"}); w.Code != http.StatusAccepted {
				t.Errorf("initialized: %d %s", w.Code, w.Body)
			}
			var list struct{ Tools []object }
			if s.read(s.ask(token, "tools/list", object{}), &list); len(list.Tools) != 15 {
				t.Errorf("%d tools", len(list.Tools))
			}
			var answer struct {
				IsError bool
				Content []object
			}
			s.read(s.ask(token, "tools/call", object{"name": "fontes_disponiveis", "arguments": object{}}), &answer)
			if answer.IsError || len(answer.Content) != 1 {
				t.Errorf("a question: %+v", answer)
			}
		})
	}
}

// stranger is a client that knows nothing but the public address.
type stranger struct {
	*restrainedServer
	habit
	t        *testing.T
	verifier string
	server   struct {
		Issuer        string
		Authorization string `json:"authorization_endpoint"`
		Token         string `json:"token_endpoint"`
		Registration  string `json:"registration_endpoint"`
	}
}

func (s *stranger) do(method, address, contentType, body string, header ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	req := httptest.NewRequestWithContext(s.t.Context(), method, strings.TrimPrefix(address, publicAddress), strings.NewReader(body))
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	return s.restrainedServer.send(req)
}

// ask sends a request of the protocol, with a token unless it is "".
func (s *stranger) ask(token, method string, params object) *httptest.ResponseRecorder {
	s.t.Helper()
	return s.send(token, object{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

func (s *stranger) send(token string, message object) *httptest.ResponseRecorder {
	s.t.Helper()
	body, err := json.Marshal(message)
	if err != nil {
		s.t.Fatal(err)
	}
	header := []string{"Accept", "application/json, text/event-stream"}
	if token != "" {
		header = append(header, "Authorization", "Bearer "+token)
	}
	if message["method"] != "initialize" && s.revision != "2024-11-05" { // which had no such header
		header = append(header, "MCP-Protocol-Version", s.revision)
	}
	return s.do(http.MethodPost, "/mcp", "application/json", string(body), header...)
}

func (s *stranger) hello() object {
	return object{"protocolVersion": s.revision, "capabilities": object{}, "clientInfo": object{"name": s.name, "version": "1"}}
}

// read reads the result of a request.
func (s *stranger) read(w *httptest.ResponseRecorder, result any) {
	s.t.Helper()
	var answer struct{ Result, Error json.RawMessage }
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != http.StatusOK || answer.Error != nil {
		s.t.Fatalf("%d %s, %v", w.Code, w.Body, err)
	}
	if err := json.Unmarshal(answer.Result, result); err != nil {
		s.t.Fatal(err)
	}
}

// learn reads the two documents.
func (s *stranger) learn() {
	s.t.Helper()
	var resource struct {
		Resource string
		Servers  []string `json:"authorization_servers"`
	}
	w := s.do(http.MethodGet, "/.well-known/oauth-protected-resource/mcp", "", "")
	if err := json.Unmarshal(w.Body.Bytes(), &resource); err != nil || resource.Resource != publicAddress+"/mcp" || len(resource.Servers) != 1 {
		s.t.Fatalf("%d %s, %v", w.Code, w.Body, err)
	}
	w = s.do(http.MethodGet, resource.Servers[0]+s.metadata, "", "")
	if err := json.Unmarshal(w.Body.Bytes(), &s.server); err != nil || s.server.Issuer != resource.Servers[0] {
		s.t.Fatalf("%d %s, %v", w.Code, w.Body, err)
	}
}

// register returns the id under which the client is known.
func (s *stranger) register() string {
	s.t.Helper()
	w := s.do(http.MethodPost, s.server.Registration, "application/json", s.registration)
	var client struct {
		ID string `json:"client_id"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &client); err != nil || w.Code != http.StatusCreated {
		s.t.Fatalf("registration: %d %s, %v", w.Code, w.Body, err)
	}
	return client.ID
}

// agree has somebody who is signed in agree, and returns what the code is exchanged with.
func (s *stranger) agree(client string) url.Values {
	s.t.Helper()
	who, err := s.accounts.ByEmail(s.t.Context(), "ana@exemplo.com.br")
	if err != nil {
		s.t.Fatal(err)
	}
	session, _, err := s.accounts.StartSession(s.t.Context(), who, "Firefox", "")
	if err != nil {
		s.t.Fatal(err)
	}
	signedIn := []string{"Cookie", "__Host-razao=" + session, "Origin", publicAddress}
	asked := url.Values{
		"response_type": {"code"}, "client_id": {client}, "redirect_uri": {s.redirect}, "state": {"a b+c/="}, "scope": s.scope,
		"resource": {publicAddress + "/mcp"}, "code_challenge": {oauth2.S256ChallengeFromVerifier(s.verifier)}, "code_challenge_method": {"S256"},
	}
	consent := s.leads(s.do(http.MethodGet, s.server.Authorization+"?"+asked.Encode(), "", ""))
	page := s.do(http.MethodGet, consent.String(), "", "", signedIn...)
	policy := page.Header().Get("Content-Security-Policy") + ";"
	if page.Code != http.StatusOK || !strings.Contains(page.Body.String(), "<h1>Autorizar <bdi>"+s.name+"</bdi>?</h1>") || !strings.Contains(policy, s.ends) {
		s.t.Fatalf("the page: %d, %s\n%.2000s", page.Code, policy, page.Body)
	}
	decision := url.Values{"authorization_id": consent.Query()["authorization_id"], "decisao": {"permitir"}}
	back := s.leads(s.do(http.MethodPost, consent.Path, "application/x-www-form-urlencoded", decision.Encode(), signedIn...))
	answer := back.Query()
	if !strings.HasPrefix(back.String(), s.redirect+"?") || answer.Get("state") != "a b+c/=" || answer.Get("iss") != s.server.Issuer {
		s.t.Fatalf("back at %s", back)
	}
	return url.Values{
		"grant_type": {"authorization_code"}, "client_id": {client}, "code": answer["code"], "redirect_uri": {s.redirect},
		"code_verifier": {s.verifier}, "resource": {publicAddress + "/mcp"},
	}
}

// leads returns where an answer leads to.
func (s *stranger) leads(w *httptest.ResponseRecorder) *url.URL {
	s.t.Helper()
	to, err := url.Parse(w.Header().Get("Location"))
	if err != nil || w.Code != http.StatusSeeOther {
		s.t.Fatalf("%d %s, %v", w.Code, w.Body, err)
	}
	return to
}

// exchange returns an access token that was refreshed once.
func (s *stranger) exchange(form url.Values) string {
	s.t.Helper()
	var issued oauth2.Token
	for range 2 {
		w := s.do(http.MethodPost, s.server.Token, "application/x-www-form-urlencoded", form.Encode())
		if err := json.Unmarshal(w.Body.Bytes(), &issued); err != nil || w.Code != http.StatusOK || issued.ExpiresIn != 3600 {
			s.t.Fatalf("tokens: %d %s, %v", w.Code, w.Body, err)
		}
		form = url.Values{"grant_type": {"refresh_token"}, "client_id": form["client_id"], "refresh_token": {issued.RefreshToken}, "resource": form["resource"]}
	}
	return issued.AccessToken
}
