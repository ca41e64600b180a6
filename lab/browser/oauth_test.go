package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

// assistant is a local program that acts for a person, using the official SDK's client. It receives
// the authorization response on a loopback redirect URI.
type assistant struct {
	website *website
	address string           // of its redirect URI
	toOpen  chan string      // addresses for the browser to open
	answers chan url.Values  // authorization responses
	issued  chan credentials // tokens, after each authorization
}

// credentials are what a program stores between runs.
type credentials struct {
	config *oauth2.Config
	token  *oauth2.Token
}

const assistantName = "Assistente de teste"

func startAssistant(t *testing.T, w *website) *assistant {
	t.Helper()
	a := &assistant{website: w, toOpen: make(chan string, 1), answers: make(chan url.Values, 1), issued: make(chan credentials, 1)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/callback" { // browsers ask for an icon
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, `<!doctype html><html lang="en"><title>Program</title><p>Back at the program.`)
		a.answers <- r.URL.Query()
	}))
	t.Cleanup(server.Close)
	a.address = server.URL
	return a
}

// askPerson has a person decide in the browser.
func (a *assistant) askPerson(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
	a.toOpen <- args.URL
	select {
	case answer := <-a.answers:
		if code := answer.Get("error"); code != "" {
			return nil, errors.New(code)
		}
		return &auth.AuthorizationResult{Code: answer.Get("code"), State: answer.Get("state"), Iss: answer.Get("iss")}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// connection is a session with the website, or the error that prevented it.
type connection struct {
	*mcp.ClientSession
	err error
}

// connect opens a session in the background, with what was kept from before unless that is nil.
func (a *assistant) connect(ctx context.Context, t *testing.T, kept oauth2.TokenSource) <-chan connection {
	t.Helper()
	handler, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{Metadata: a.registration()},
		RequestRefreshToken:             true, AuthorizationCodeFetcher: a.askPerson, InitialTokenSource: kept,
		NewTokenSource: func(ctx context.Context, config *oauth2.Config, token *oauth2.Token) (oauth2.TokenSource, error) {
			a.issued <- credentials{config, token}
			return config.TokenSource(ctx, token), nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	opened := make(chan connection, 1)
	go func() {
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: a.website.base + "/mcp", OAuthHandler: handler}, nil)
		opened <- connection{session, err}
	}()
	return opened
}

// registration is what it makes itself known with.
func (a *assistant) registration() *oauthex.ClientRegistrationMetadata {
	return &oauthex.ClientRegistrationMetadata{
		ClientName: assistantName, RedirectURIs: []string{a.address + "/callback"}, GrantTypes: []string{"authorization_code", "refresh_token"},
	}
}

// session waits until a connection is open and returns it. It is closed at the end of the test.
func (v *visitor) session(opened <-chan connection) *mcp.ClientSession {
	v.t.Helper()
	c := await(v, opened)
	if c.err != nil {
		v.t.Fatal(c.err)
	}
	v.t.Cleanup(func() { _ = c.Close() })
	return c.ClientSession
}

// await returns the next value that a program sends.
func await[T any](v *visitor, next <-chan T) T {
	v.t.Helper()
	select {
	case value := <-next:
		return value
	case <-v.ctx.Done():
		v.t.Fatalf("waiting for %T: %v", next, v.ctx.Err())
	}
	panic("unreachable")
}

// status returns how the server answers a request with an access token.
func (v *visitor) status(token string) (status int, challenge string) {
	v.t.Helper()
	const question = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fontes_disponiveis","arguments":{}}}`
	r, err := http.NewRequestWithContext(v.ctx, http.MethodPost, v.base+"/mcp", bytes.NewBufferString(question))
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode, resp.Header.Get("WWW-Authenticate")
}

// questions has one for each tool.
var questions = map[string]map[string]any{
	"buscar_empresas":         {"consulta": "comercio", "uf": "SP"},
	"caminho":                 {"de": chain, "para": debtor},
	"consultar_cnpj":          {"cnpj": chain},
	"consultar_fonte":         {"cnpj": debtor, "fonte": "pgfn"},
	"empresas_do_socio":       {"nome": "maria da silva"},
	"fetch":                   {"id": chain},
	"fontes_disponiveis":      {},
	"grupo":                   {"cnpj": chain},
	"listar_estabelecimentos": {"cnpj": chain, "limite": 50},
	"listar_socios":           {"cnpj": chain},
	"mudancas":                {"cnpj": chain},
	"ranking_municipios":      {"uf": "SP"},
	"reconhecer_empresa":      {"nome": "comercio de alimentos"},
	"rede":                    {"de": chain},
	"search":                  {"query": "comercio"},
}

// assistant runs the whole life of an authorization, starting with nothing but the address of /mcp:
// discovery, registration, consent, calls, refresh and revocation.
func (w *website) assistant(t *testing.T) {
	t.Parallel()
	const email = "gil@exemplo.com.br"
	a := startAssistant(t, w)
	v := w.visit(t, strings.TrimPrefix(a.address, "http://"))
	v.size(wide)

	opening := a.connect(v.ctx, t, nil)
	v.open(await(v, a.toOpen)) // found by way of a refusal and two documents
	v.send(200, "#email", email)
	v.open(v.mails.Link(v.ctx, t, email))
	v.click(`main form button`)
	v.shows("Autorizar "+assistantName+"?", email, strings.TrimPrefix(a.address, "http://"), "A resposta vai para", "este computador")
	v.click(`button[value=permitir]`)
	v.shows("Back at the program.")
	session, first := v.session(opening), await(v, a.issued)
	v.askEverything(session)

	v.calls(fmt.Sprint(len(questions) + 1))
	v.shows(assistantName, "consultar_cnpj", "resources/read")
	v.look(&state{name: "conta-programa"})

	// The program starts again later than its access token lasts: nobody is asked.
	first.token.Expiry = time.Now().Add(-time.Minute)
	kept := first.config.TokenSource(v.ctx, first.token)
	session = v.session(a.connect(v.ctx, t, kept))
	v.ask(session, "consultar_cnpj")
	second, err := kept.Token()
	if err != nil || second.AccessToken == first.token.AccessToken || second.RefreshToken == first.token.RefreshToken {
		t.Fatalf("the tokens are not new: %v", err)
	}

	v.open("/conta")
	v.click(`form[action^="/conta/autorizacoes/"] button`)
	v.shows("Autorização revogada", "Nenhum programa autorizado.")
	for _, token := range []string{first.token.AccessToken, second.AccessToken} {
		if status, challenge := v.status(token); status != http.StatusUnauthorized || !strings.Contains(challenge, `error="invalid_token"`) {
			t.Errorf("asked with a revoked token: %d, %s", status, challenge)
		}
	}
	v.refuse(a, session)
}

// askEverything uses all that the server says that it has.
func (v *visitor) askEverything(session *mcp.ClientSession) {
	v.t.Helper()
	list, err := session.ListTools(v.ctx, nil)
	if err != nil {
		v.t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(questions)), names); diff != "" {
		v.t.Errorf("tools (-want +got):\n%s", diff)
	}
	for _, name := range names {
		v.ask(session, name)
	}
	if _, err := session.ReadResource(v.ctx, &mcp.ReadResourceParams{URI: "razao://cnpj/" + chain}); err != nil {
		v.t.Error(err)
	}
	if _, err := session.GetPrompt(v.ctx, &mcp.GetPromptParams{Name: "verificar_fornecedor", Arguments: map[string]string{"cnpj": chain}}); err != nil {
		v.t.Error(err)
	}
}

func (v *visitor) ask(session *mcp.ClientSession, tool string) {
	v.t.Helper()
	answer, err := session.CallTool(v.ctx, &mcp.CallToolParams{Name: tool, Arguments: questions[tool]})
	if err != nil {
		v.t.Fatalf("%s: %v", tool, err)
	}
	if structure, ok := answer.StructuredContent.(map[string]any); !ok || answer.IsError || len(structure) == 0 {
		v.t.Errorf("%s: %+v", tool, answer)
	}
}

// refuse lets a program ask whose authorization has ended, and does not agree.
func (v *visitor) refuse(a *assistant, session *mcp.ClientSession) {
	v.t.Helper()
	failed := make(chan error, 1)
	go func() {
		_, err := session.CallTool(v.ctx, &mcp.CallToolParams{Name: "fontes_disponiveis"})
		failed <- err
	}()
	asked := await(v, a.toOpen)
	v.open(asked)
	v.click(`button[value=recusar]`)
	back, err := url.Parse(eval[string](v, `location.href`))
	if err != nil {
		v.t.Fatal(err)
	}
	question, err := url.Parse(asked)
	if err != nil {
		v.t.Fatal(err)
	}
	got := back.Query()
	got.Del("error_description")
	want := url.Values{"error": {"access_denied"}, "iss": {v.base}, "state": question.Query()["state"]}
	if diff := cmp.Diff(want, got); diff != "" || back.Path != "/callback" {
		v.t.Errorf("back at %s (-want +got):\n%s", back, diff)
	}
	if err := await(v, failed); err == nil || !strings.Contains(err.Error(), "access_denied") {
		v.t.Errorf("the program learns %v", err)
	}
	v.open("/conta")
	v.shows("Nenhum programa autorizado.")
}

// beAsked opens the page that asks for a decision.
func (v *visitor) beAsked() {
	a := &assistant{address: "http://localhost:1"}
	v.beAskedBy(a.registration())
}

// beAskedByALookAlike is beAsked by a website whose host is punycode (clаude.ai with a Cyrillic а).
func (v *visitor) beAskedByALookAlike() {
	v.beAskedBy(&oauthex.ClientRegistrationMetadata{
		ClientName: "Claude", RedirectURIs: []string{"https://xn--clude-5ve.assistentes-de-inteligencia-artificial.exemplo/callback"},
	})
}

func (v *visitor) beAskedBy(program *oauthex.ClientRegistrationMetadata) {
	v.enter()
	client, err := oauthex.RegisterClient(v.ctx, v.base+"/oauth/register", program, http.DefaultClient)
	if err != nil {
		v.t.Fatal(err)
	}
	config := oauth2.Config{
		ClientID: client.ClientID, RedirectURL: client.RedirectURIs[0], Endpoint: oauth2.Endpoint{AuthURL: v.base + "/oauth/authorize"},
	}
	v.open(config.AuthCodeURL("estado", oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))
}
