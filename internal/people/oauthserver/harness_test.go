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
	log      *bytes.Buffer // of server and engine; not locked: for tests that send one request at a time
}

func newHarness(t *testing.T, change ...func(*Config)) *harness {
	t.Helper()
	pool := pgtest.Pool(t)
	b := &harness{pool: pool, accounts: account.NewStore(pool, nil), log: &bytes.Buffer{}}
	log := slog.New(slog.NewJSONHandler(b.log, nil))
	c := Config{Pool: pool, Log: log, BaseURL: base, Seal: seal.New("secret of the tests")}
	for _, f := range change {
		f(&c)
	}
	var err error
	if b.Server, err = New(c); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	engine := web.NewEngine(web.Options{Log: log, BaseURL: c.BaseURL})
	b.Register(engine, page)
	b.Handler = engine
	return b
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
	if err != nil {
		t.Fatal(err)
	}
	_, session, err := b.accounts.StartSession(t.Context(), id, "Firefox", "")
	if err != nil {
		t.Fatal(err)
	}
	return session
}

func (b *harness) execute(t *testing.T, query string, arguments ...any) {
	t.Helper()
	if _, err := b.pool.Exec(t.Context(), query, arguments...); err != nil {
		t.Fatal(err)
	}
}

func (b *harness) count(t *testing.T, table string) (n int) {
	t.Helper()
	if err := b.pool.QueryRow(t.Context(), `SELECT count(*) FROM `+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
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
	body, err := json.Marshal(registration{Redirects: redirects, Name: "Assistente"})
	if err != nil {
		t.Fatal(err)
	}
	w := b.send(t, http.MethodPost, "/oauth/register", "application/json", string(body), "")
	if w.Code != http.StatusCreated {
		t.Fatalf("registration: %d %s", w.Code, w.Body)
	}
	return answerOf[registered](t, w).ID
}

// trusted returns the id of a new client of the operator, which gets errors by redirect.
func (b *harness) trusted(t *testing.T) string {
	t.Helper()
	added, err := b.AddClient(t.Context(), "Interno", []string{callback})
	if err != nil {
		t.Fatal(err)
	}
	return added.ID
}

func answerOf[T any](t *testing.T, w *httptest.ResponseRecorder) (answer T) {
	t.Helper()
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatalf("%v: %d %s", err, w.Code, w.Body)
	}
	return answer
}

// asking returns the parameters of a valid authorization request with the challenge of verifier.
func asking(client, redirect, verifier string) url.Values {
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
	if err != nil {
		t.Fatal(err)
	}
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

// consent approves an authorization request and returns the redirect URI with the response.
func (b *harness) consent(t *testing.T, who account.Session, parameters url.Values) *url.URL {
	t.Helper()
	id := b.requestID(t, parameters)
	if _, err := b.Request(t.Context(), id, who); err != nil {
		t.Fatal(err)
	}
	address, err := b.Approve(t.Context(), id, who)
	if err != nil {
		t.Fatal(err)
	}
	return parsed(t, address)
}

// code has a request approved and returns the form that exchanges its code.
func (b *harness) code(t *testing.T, who account.Session, client, redirect string) url.Values {
	t.Helper()
	verifier := oauth2.GenerateVerifier()
	answer := b.consent(t, who, asking(client, redirect, verifier)).Query()
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
