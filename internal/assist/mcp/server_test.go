package mcp

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5/pgxpool"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"razao/internal/assist/assistant"
	"razao/internal/people/account"
	"razao/internal/people/oauthserver"
	"razao/internal/people/seal"
	"razao/internal/testing/fixture"
	"razao/internal/testing/pgtest"
	"razao/internal/web"
)

// Access tokens of the tests and their properties.
const (
	goodToken    = "good"
	lastingToken = "lasting"  // never expires
	oldToken     = "old"      // has expired
	smallToken   = "small"    // lacks the scope
	unclearToken = "unclear"  // nobody can decide
	strangeToken = "whatever" // unknown
)

// testServer is a running server with an account and its key.
type testServer struct {
	t       *testing.T
	url     string // of /mcp
	base    string
	key     string
	account account.ID
	store   *account.Store
	server  *Server
	engine  *gin.Engine
	log     *bytes.Buffer // read it after the last answer only
	stop    func()        // writes the history
}

// serveRecords starts a server over the invented release.
func serveRecords(t *testing.T) *testServer {
	t.Helper()
	return serveOn(t, fixture.Shared(t), pgtest.Pool(t), func(*Config) {})
}

func newAssistant(t testing.TB, served *fixture.Served, baseURL string) *assistant.Assistant {
	t.Helper()
	return assistant.New(assistant.Config{Live: served.Live, BaseURL: baseURL})
}

func serve(t *testing.T, l *fixture.Loaded) *testServer {
	t.Helper()
	return serveOn(t, &l.Served, l.Pool, func(*Config) {})
}

// serveOn serves records with a separate database for accounts. change may modify the
// configuration.
func serveOn(t *testing.T, records *fixture.Served, accounts *pgxpool.Pool, change func(*Config)) *testServer {
	t.Helper()
	s := &testServer{t: t, store: account.NewStore(accounts, seal.New("secret of the tests")), log: &bytes.Buffer{}, base: "https://razao.example"}
	plain, key, err := s.store.CreateKey(t.Context(), "assistente@exemplo.com.br", "testes")
	if err != nil {
		t.Fatal(err)
	}
	s.key, s.account = plain, key.Account
	log := slog.New(slog.NewJSONHandler(s.log, nil))
	meter := account.OpenMeter(accounts, seal.New("secret of the tests"), log)
	c := Config{
		Assistant: newAssistant(t, records, s.base), BaseURL: s.base, Version: "2.0.0", Log: slog.New(slog.DiscardHandler),
		Verify: verifier(key.Account), Meter: meter,
	}
	change(&c)
	server, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	engine := web.NewEngine(web.Options{Log: log, BaseURL: s.base})
	server.Register(engine)
	s.server, s.engine = server, engine
	running := httptest.NewServer(engine)
	s.url = running.URL + "/mcp"
	closed := false
	s.stop = func() {
		if !closed {
			closed = true
			running.Close()
			meter.Close()
		}
	}
	t.Cleanup(s.stop)
	return s
}

// verifier accepts the tokens of the tests.
func verifier(id account.ID) func(context.Context, string) (oauthserver.Access, error) {
	return func(_ context.Context, token string) (oauthserver.Access, error) {
		access := oauthserver.Access{Account: id, Scopes: []string{"outro", oauthserver.ScopeRead}, Expires: time.Now().Add(time.Hour)}
		switch token {
		case goodToken:
			return access, nil
		case lastingToken:
			access.Expires = time.Time{}
			return access, nil
		case oldToken:
			access.Expires = time.Now().Add(-time.Second)
			return access, nil
		case smallToken:
			access.Scopes = []string{"outro"}
			return access, nil
		case unclearToken:
			return oauthserver.Access{}, io.ErrUnexpectedEOF
		}
		return oauthserver.Access{}, oauthserver.ErrInvalidToken
	}
}

// bearer sends a token with every request.
type bearer struct{ token string }

func (b bearer) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(req)
}

// connect connects the client of the SDK; version is "" for the newest one.
func (s *testServer) connect(token, version string) *sdk.ClientSession {
	s.t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	transport := &sdk.StreamableClientTransport{
		Endpoint: s.url, HTTPClient: &http.Client{Transport: bearer{token}}, MaxRetries: -1, DisableStandaloneSSE: true,
	}
	session, err := client.Connect(s.t.Context(), transport, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = session.Close() })
	return session
}

// call calls a tool and returns its result.
func call(t testing.TB, session *sdk.ClientSession, tool string, arguments any) *sdk.CallToolResult {
	t.Helper()
	result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, arguments, err)
	}
	return result
}

// textOf returns the text content of a result.
func textOf(t testing.TB, result *sdk.CallToolResult) string {
	t.Helper()
	if len(result.Content) != 1 {
		t.Fatalf("%d contents", len(result.Content))
	}
	text, ok := result.Content[0].(*sdk.TextContent)
	if !ok {
		t.Fatalf("content %T", result.Content[0])
	}
	return text.Text
}

// reply is a complete HTTP response.
type reply struct {
	status int
	header http.Header
	body   string
}

// post sends a body as an MCP client does. headers are pairs of name and value that add to or
// replace the defaults.
func (s *testServer) post(body string, headers ...string) reply {
	s.t.Helper()
	return s.send(http.MethodPost, s.url, body, append([]string{
		"Authorization", "Bearer " + s.key, "Content-Type", "application/json", "Accept", "application/json, text/event-stream",
	}, headers...)...)
}

func (s *testServer) send(method, url, body string, headers ...string) reply {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return reply{resp.StatusCode, resp.Header, string(got)}
}

// toolCall is the body of a call.
func toolCall(tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
}
