package oauthserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/oauth2"

	"razao/internal/people/account"
	"razao/internal/people/seal"
	"razao/internal/testing/pgtest"
	"razao/internal/web"
)

const (
	base     = "https://razao.exemplo"
	callback = "https://assistente.exemplo/callback"
)

// harness is a Server with its database, accounts, HTTP engine and log.
type harness struct {
	*Server
	http.Handler
	pool     *pgxpool.Pool
	accounts *account.Store
	ana, bia account.Session // of two accounts
	log      *bytes.Buffer   // of server and engine, which lock it for writing: read it when no request is under way
}

// newHarness makes a test parallel and returns a server with an empty database for it.
func newHarness(t *testing.T, change ...func(*Config)) *harness {
	t.Helper()
	t.Parallel()
	pool := pgtest.Pool(t)
	b := &harness{pool: pool, accounts: account.NewStore(pool, nil), log: &bytes.Buffer{}}
	b.ana, b.bia = b.visitor(t, "ana@exemplo.com"), b.visitor(t, "bia@exemplo.com")
	b.serve(t, change...)
	return b
}

// serve replaces server and engine by new ones on the same database.
func (b *harness) serve(t *testing.T, change ...func(*Config)) {
	t.Helper()
	c := Config{Pool: b.pool, Log: slog.New(slog.NewJSONHandler(b.log, nil)), BaseURL: base, Seal: seal.New("secret of the tests")}
	for _, f := range change {
		f(&c)
	}
	var err error
	b.Server, err = New(c)
	must(t, err)
	t.Cleanup(b.Server.Close)
	engine := web.NewEngine(web.Options{Log: c.Log, BaseURL: c.BaseURL})
	b.Register(engine, page)
	b.Handler = engine
}

// beside returns a second server, with a log of its own, on the same database.
func (b *harness) beside(t *testing.T, change ...func(*Config)) *harness {
	t.Helper()
	other := *b
	other.log = &bytes.Buffer{}
	other.serve(t, change...)
	return &other
}

// otherSecret gives a server another secret.
func otherSecret(c *Config) { c.Seal = seal.New("another secret of the tests") }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// page is the error page of the site: 400 and 429 for refusals, 503 for failures.
func page(c *gin.Context, err error) {
	status := http.StatusServiceUnavailable
	var busy *web.TooManyError
	switch {
	case errors.As(err, &busy):
		status = http.StatusTooManyRequests
	case errors.Is(err, ErrUnknownClient), errors.Is(err, ErrMetadataDocument), errors.Is(err, ErrRedirectURI),
		errors.Is(err, ErrBadRequest):
		status = http.StatusBadRequest
	}
	c.Header("Content-Type", "text/html")
	c.String(status, "%v", err)
}

// visitor returns the session of a signed-in user.
func (b *harness) visitor(t *testing.T, email string) account.Session {
	t.Helper()
	id, err := b.accounts.ByEmail(t.Context(), email)
	must(t, err)
	_, session, err := b.accounts.StartSession(t.Context(), id, "Firefox", "")
	must(t, err)
	return session
}

func (b *harness) execute(t *testing.T, query string, arguments ...any) {
	t.Helper()
	_, err := b.pool.Exec(t.Context(), query, arguments...)
	must(t, err)
}

func (b *harness) count(t *testing.T, table string) (n int) {
	t.Helper()
	must(t, b.pool.QueryRow(t.Context(), `SELECT count(*) FROM `+table).Scan(&n))
	return n
}

// keeps fails unless a table has so many rows.
func (b *harness) keeps(t *testing.T, table string, want int) {
	t.Helper()
	if n := b.count(t, table); n != want {
		t.Errorf("%s has %d rows, want %d", table, n, want)
	}
}

// send sends a request from the address from, or from httptest's if that is "".
func (b *harness) send(t *testing.T, method, target, contentType, body, from string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	if from != "" {
		r.RemoteAddr = net.JoinHostPort(from, "1234")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	b.ServeHTTP(w, r)
	return w
}

func (b *harness) post(t *testing.T, path string, fields url.Values, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	return b.send(t, http.MethodPost, path, "application/x-www-form-urlencoded", fields.Encode(), "", header...)
}

// register returns the id of a new client.
func (b *harness) register(t *testing.T, redirects ...string) string {
	t.Helper()
	return b.registerFrom(t, "", redirects...)
}

func (b *harness) registerFrom(t *testing.T, from string, redirects ...string) string {
	t.Helper()
	body, err := json.Marshal(registration{Redirects: redirects, Name: "Assistente"})
	must(t, err)
	w := b.send(t, http.MethodPost, "/oauth/register", "application/json", string(body), from)
	if w.Code != http.StatusCreated {
		t.Fatalf("registration: %d %s", w.Code, w.Body)
	}
	return answerOf[clientInformation](t, w).ID
}

// trusted returns the id of a new client of the operator, which gets errors by redirect.
func (b *harness) trusted(t *testing.T) string {
	t.Helper()
	added, err := b.AddClient(t.Context(), "Interno", []string{callback})
	must(t, err)
	return added.ID
}

func answerOf[T any](t *testing.T, w *httptest.ResponseRecorder) (answer T) {
	t.Helper()
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatalf("%v: %d %s", err, w.Code, w.Body)
	}
	return answer
}

// asking returns the parameters of a valid authorization request.
func asking(client string) url.Values { return askingFor(client, callback, oauth2.GenerateVerifier()) }

// askingFor is asking with a redirect URI, and the challenge of verifier.
func askingFor(client, redirect, verifier string) url.Values {
	return url.Values{
		"response_type": {"code"}, "client_id": {client}, "redirect_uri": {redirect}, "state": {"estado&1"}, "scope": {"consulta"},
		"resource": {base + "/mcp"}, "code_challenge": {oauth2.S256ChallengeFromVerifier(verifier)}, "code_challenge_method": {"S256"},
	}
}

func with(values url.Values, name string, to ...string) url.Values {
	changed := url.Values{}
	for k, v := range values {
		changed[k] = v
	}
	changed[name] = to
	return changed
}

func (b *harness) authorize(t *testing.T, parameters url.Values) *httptest.ResponseRecorder {
	t.Helper()
	return b.send(t, http.MethodGet, "/oauth/authorize?"+parameters.Encode(), "", "", "")
}

// location returns the target of a redirect, and fails the test if the response is none.
func location(t *testing.T, w *httptest.ResponseRecorder) *url.URL {
	t.Helper()
	if w.Code != http.StatusSeeOther {
		t.Fatalf("status %d, want 303: %s", w.Code, w.Body)
	}
	return parsed(t, w.Header().Get("Location"))
}

func parsed(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	must(t, err)
	return u
}

// requestID sends a valid authorization request and returns its id.
func (b *harness) requestID(t *testing.T, parameters url.Values) string {
	t.Helper()
	u := location(t, b.authorize(t, parameters))
	if id := u.Query().Get("authorization_id"); u.Host == "" && u.Path == ConsentPath && id != "" {
		return id
	}
	t.Fatalf("the request leads to %s", u)
	return ""
}

// opened sends a valid authorization request, opens it in a session, and returns its id.
func (b *harness) opened(t *testing.T, who account.Session, parameters url.Values) string {
	t.Helper()
	id := b.requestID(t, parameters)
	b.open(t, id, who)
	return id
}

func (b *harness) open(t *testing.T, id string, who account.Session) Request {
	t.Helper()
	shown, err := b.Request(t.Context(), id, who)
	must(t, err)
	return shown
}

// approve returns the redirect URI with the response.
func (b *harness) approve(t *testing.T, id string, who account.Session) string {
	t.Helper()
	address, err := b.Approve(t.Context(), id, who)
	must(t, err)
	return address
}

// noRequest fails if a session can open or decide a request.
func (b *harness) noRequest(t *testing.T, name, id string, who account.Session) {
	t.Helper()
	_, shown := b.Request(t.Context(), id, who)
	_, approved := b.Approve(t.Context(), id, who)
	_, denied := b.Deny(t.Context(), id, who)
	for _, err := range []error{shown, approved, denied} {
		if !errors.Is(err, ErrNoRequest) {
			t.Errorf("%s: %v, want ErrNoRequest", name, err)
		}
	}
}

// consent approves an authorization request and returns the redirect URI with the response.
func (b *harness) consent(t *testing.T, who account.Session, parameters url.Values) *url.URL {
	t.Helper()
	return parsed(t, b.approve(t, b.opened(t, who, parameters), who))
}

// code has a request approved and returns the form that exchanges its code.
func (b *harness) code(t *testing.T, who account.Session, client, redirect string) url.Values {
	t.Helper()
	verifier := oauth2.GenerateVerifier()
	answer := b.consent(t, who, askingFor(client, redirect, verifier)).Query()
	if answer.Get("code") == "" {
		t.Fatalf("no code in %v", answer)
	}
	return url.Values{
		"grant_type": {"authorization_code"}, "client_id": {client}, "code": {answer.Get("code")}, "redirect_uri": {redirect},
		"code_verifier": {verifier}, "resource": {base + "/mcp"},
	}
}

// tokens sends a token request, which must succeed.
func (b *harness) tokens(t *testing.T, form url.Values) tokens {
	t.Helper()
	w := b.post(t, "/oauth/token", form)
	if w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("tokens: %d %s", w.Code, w.Body)
	}
	return answerOf[tokens](t, w)
}

// signedUp registers a client and returns its tokens.
func (b *harness) signedUp(t *testing.T, who account.Session) (client string, issued tokens) {
	t.Helper()
	client = b.register(t, callback)
	return client, b.tokens(t, b.code(t, who, client, callback))
}

func refreshing(client, token string) url.Values {
	return url.Values{"grant_type": {"refresh_token"}, "client_id": {client}, "refresh_token": {token}}
}

// refused fails unless a token request gets this error.
func (b *harness) refused(t *testing.T, form url.Values, status int, code string) {
	t.Helper()
	w := b.post(t, "/oauth/token", form)
	if got := answerOf[protocolError](t, w); w.Code != status || got.Code != code || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("got %d %s, want %d %s", w.Code, w.Body, status, code)
	}
}

// dead fails unless an access token is invalid.
func (b *harness) dead(t *testing.T, token string) {
	t.Helper()
	if _, err := b.Verify(t.Context(), token); !errors.Is(err, ErrInvalidToken) {
		t.Errorf("the token is not refused: %v", err)
	}
}

// alive fails unless an access token is valid.
func (b *harness) alive(t *testing.T, token string) Access {
	t.Helper()
	access, err := b.Verify(t.Context(), token)
	if err != nil {
		t.Fatalf("the token is refused: %v", err)
	}
	return access
}
