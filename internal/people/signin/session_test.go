package signin

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gin-contrib/sessions"
	"github.com/gin-gonic/gin"
	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/people/account"
	"razao/internal/people/seal"
	"razao/internal/testing/pgtest"
	"razao/internal/web"
)

// testSite is a small site with sessions.
type testSite struct {
	http.Handler
	accounts *account.Store
	log      *bytes.Buffer // not locked: for tests that send one request at a time
}

// newTestSite returns a site that responds 503 if the look-up fails and 401 if nobody is signed in.
func newTestSite(pool *pgxpool.Pool, baseURL string) *testSite {
	accounts := account.NewStore(pool, nil)
	s := NewSessions(accounts, baseURL)
	log := &bytes.Buffer{}
	engine := web.NewEngine(web.Options{Log: slog.New(slog.NewTextHandler(log, nil)), BaseURL: baseURL})
	engine.Use(s.Middleware())
	answer := func(c *gin.Context, text string, err error) {
		switch {
		case errors.Is(err, ErrSignedOut):
			c.Status(http.StatusUnauthorized)
		case err != nil:
			c.Status(http.StatusServiceUnavailable)
		default:
			c.String(http.StatusOK, text)
		}
	}
	engine.POST("/enter/:account", func(c *gin.Context) {
		id, err := strconv.ParseInt(c.Param("account"), 10, 64)
		if err == nil {
			_, err = s.Begin(c, account.ID(id))
		}
		answer(c, "", err)
	})
	engine.POST("/leave", func(c *gin.Context) { answer(c, "", s.End(c)) })
	engine.POST("/notice", func(c *gin.Context) {
		session := sessions.Default(c)
		session.AddFlash("Chave revogada.")
		answer(c, "", session.Save())
	})
	engine.GET("/who", func(c *gin.Context) {
		who, err := Current(c)
		answer(c, who.Email, err)
	})
	engine.GET("/notices", func(c *gin.Context) {
		session := sessions.Default(c)
		texts := ""
		for _, f := range session.Flashes() {
			texts += f.(string)
		}
		answer(c, texts, session.Save())
	})
	engine.GET("/browser", func(c *gin.Context) { c.String(http.StatusOK, s.Browser(c)) })
	return &testSite{engine, accounts, log}
}

// ask sends a request with cookies and returns the response and the cookies that the browser has
// afterwards.
func (site *testSite) ask(t *testing.T, method, path string, cookies map[string]string) (status int, body string, after map[string]string) {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	after = map[string]string{}
	for name, value := range cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
		after[name] = value
	}
	w := httptest.NewRecorder()
	site.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if after[c.Name] = c.Value; c.MaxAge < 0 {
			delete(after, c.Name)
		}
	}
	return w.Code, w.Body.String(), after
}

func (site *testSite) newAccount(t *testing.T, email string) (id account.ID, enter string) {
	t.Helper()
	id, err := site.accounts.ByEmail(t.Context(), email)
	if err != nil {
		t.Fatal(err)
	}
	return id, "/enter/" + strconv.FormatInt(int64(id), 10)
}

// A read-only database, as during a failover, keeps nobody out: sessions are looked up, and that
// their use cannot be recorded is logged once a minute.
func TestSessionsOfAReadOnlyDatabase(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	site := newTestSite(pool, "http://127.0.0.1:8080")
	_, enter := site.newAccount(t, "ana@exemplo.com")
	_, _, cookies := site.ask(t, "POST", enter, nil)
	read := func(on string) {
		t.Helper()
		for _, query := range []string{
			`UPDATE session SET last_seen_at = now() - interval '2 hours'`,
			`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = ` + on + `', current_database()); END $$`,
		} {
			if _, err := pool.Exec(t.Context(), `BEGIN READ WRITE; `+query+`; COMMIT`); err != nil {
				t.Fatal(err)
			}
		}
		pool.Reset()
	}
	_, enterToo := site.newAccount(t, "bia@exemplo.com")
	read("on")
	_, _, seen := site.ask(t, "POST", enterToo, nil) // fails: nobody signs in
	for range 3 {
		if status, body, _ := site.ask(t, "GET", "/who", cookies); status != 200 || body != "ana@exemplo.com" {
			t.Errorf("status %d, %q", status, body)
		}
		if status, _, _ := site.ask(t, "GET", "/who", seen); status != 401 {
			t.Errorf("who could not sign in: status %d", status)
		}
	}
	if n := strings.Count(site.log.String(), "record the use of a session"); n != 1 {
		t.Errorf("logged %d times, want once: %s", n, site.log)
	}
	read("off")
	if status, _, _ := site.ask(t, "GET", "/who", cookies); status != 200 {
		t.Errorf("when it can be written to again: status %d", status)
	}
}

func TestSessionOfABrowser(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	site := newTestSite(pool, "http://127.0.0.1:8080")
	id, enter := site.newAccount(t, "ana@exemplo.com")
	if status, _, after := site.ask(t, "GET", "/who", nil); status != 401 || len(after) != 0 {
		t.Errorf("before: status %d, cookies %v", status, after)
	}
	_, _, cookies := site.ask(t, "POST", enter, nil)
	if status, body, _ := site.ask(t, "GET", "/who", cookies); status != 200 || body != "ana@exemplo.com" {
		t.Errorf("signed in: status %d, %q", status, body)
	}
	if status, _, _ := site.ask(t, "POST", "/notice", cookies); status != 200 {
		t.Errorf("notice: status %d", status)
	}
	for _, want := range []string{"Chave revogada.", ""} { // shown once
		if status, body, _ := site.ask(t, "GET", "/notices", cookies); status != 200 || body != want {
			t.Errorf("notices: status %d, %q, want %q", status, body, want)
		}
	}
	if _, err := pool.Exec(t.Context(), `UPDATE session SET data = 'de outra versão'`); err != nil {
		t.Fatal(err)
	}
	if status, body, _ := site.ask(t, "GET", "/notices", cookies); status != 200 || body != "" {
		t.Errorf("notices that cannot be read: status %d, %q", status, body)
	}
	status, _, after := site.ask(t, "POST", "/leave", cookies)
	if status != 200 || len(after) != 0 {
		t.Errorf("sign-out: status %d, cookies %v", status, after)
	}
	for range 2 {
		if status, _, _ := site.ask(t, "GET", "/who", cookies); status != 401 {
			t.Errorf("after the sign-out: status %d", status)
		}
		if status, _, _ := site.ask(t, "POST", "/leave", cookies); status != 200 {
			t.Errorf("second sign-out: status %d", status)
		}
	}
	if status, _, _ := site.ask(t, "POST", "/notice", cookies); status != 401 {
		t.Errorf("notice for nobody: status %d", status)
	}
	if open, err := site.accounts.Sessions(t.Context(), id); err != nil || len(open) != 0 {
		t.Errorf("open sessions %v, %v", open, err)
	}
	if status, _, after := site.ask(t, "POST", "/enter/404", nil); status != 503 || len(after) != 0 {
		t.Errorf("session of no account: status %d, cookies %v", status, after)
	}
}

func TestSessionFixation(t *testing.T) {
	t.Parallel()
	site := newTestSite(pgtest.Pool(t), "http://127.0.0.1:8080")
	_, enterAna := site.newAccount(t, "ana@exemplo.com")
	_, enterEve := site.newAccount(t, "eve@exemplo.com")
	_, _, evil := site.ask(t, "POST", enterEve, nil)
	for name, planted := range map[string]map[string]string{
		"session of the attacker": evil,
		"token that nobody has":   {"razao": seal.RandomToken()},
		"nonsense":                {"razao": "x"},
	} {
		_, _, after := site.ask(t, "POST", enterAna, planted)
		if after["razao"] == planted["razao"] || len(after["razao"]) != 43 {
			t.Errorf("%s: the browser keeps the token %q", name, after["razao"])
		}
		if status, body, _ := site.ask(t, "GET", "/who", planted); status != 401 {
			t.Errorf("%s: who planted it is signed in as %q", name, body)
		}
		if _, body, _ := site.ask(t, "GET", "/who", after); body != "ana@exemplo.com" {
			t.Errorf("%s: signed in as %q", name, body)
		}
	}
}

func TestSessionsEndFromElsewhere(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	here, there := newTestSite(pool, "http://127.0.0.1:8080"), newTestSite(pool, "http://127.0.0.1:8080")
	id, enter := here.newAccount(t, "ana@exemplo.com")
	_, _, first := here.ask(t, "POST", enter, nil)
	_, _, second := there.ask(t, "POST", enter, nil)
	open, err := here.accounts.Sessions(t.Context(), id)
	if err != nil || len(open) != 2 {
		t.Fatalf("open sessions %v, %v, want two", open, err)
	}
	if err := there.accounts.EndSession(t.Context(), id, open[1].ID); err != nil {
		t.Fatal(err)
	}
	if status, _, _ := here.ask(t, "GET", "/who", first); status != 401 {
		t.Errorf("ended session: status %d", status)
	}
	if status, _, _ := here.ask(t, "GET", "/who", second); status != 200 {
		t.Errorf("the other session: status %d", status)
	}
	if err := here.accounts.Delete(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if status, _, _ := there.ask(t, "GET", "/who", second); status != 401 {
		t.Errorf("session of a deleted account: status %d", status)
	}
}

func TestDatabaseOutageIsNotSignedOut(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	site := newTestSite(pool, "http://127.0.0.1:8080")
	_, enter := site.newAccount(t, "ana@exemplo.com")
	_, _, cookies := site.ask(t, "POST", enter, nil)
	pool.Close()
	for _, r := range []struct{ method, path string }{{"GET", "/who"}, {"GET", "/notices"}, {"POST", "/notice"}, {"POST", "/leave"}, {"POST", enter}} {
		status, _, after := site.ask(t, r.method, r.path, cookies)
		if status != 503 || !cmp.Equal(after, cookies) {
			t.Errorf("%s %s: status %d, cookies %v, want 503 and the same cookies", r.method, r.path, status, after)
		}
	}
	if status, _, _ := site.ask(t, "GET", "/who", nil); status != 401 {
		t.Errorf("without a cookie nobody needs to look: status %d", status)
	}
}

func TestCookies(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	tests := []struct {
		base, prefix string
		secure       bool
	}{
		{"https://razao.example", "__Host-", true},
		{"http://127.0.0.1:8080", "", false},
	}
	for _, tt := range tests {
		site := newTestSite(pool, tt.base)
		_, enter := site.newAccount(t, "ana@exemplo.com")
		for _, r := range []struct {
			method, path, name string
			age                int
		}{
			{"POST", enter, "razao", 90 * 24 * 3600},
			{"GET", "/browser", "razao-entrada", 3600},
		} {
			w := httptest.NewRecorder()
			site.ServeHTTP(w, httptest.NewRequest(r.method, r.path, nil))
			cookies := w.Result().Cookies()
			if len(cookies) != 1 {
				t.Fatalf("%s: cookies %v, want one", r.path, cookies)
			}
			got := *cookies[0]
			if len(got.Value) != 43 {
				t.Errorf("%s: value %q is not 32 random bytes", r.path, got.Value)
			}
			got.Value, got.Raw = "", ""
			want := http.Cookie{
				Name: tt.prefix + r.name, Path: "/", MaxAge: r.age, Secure: tt.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", r.path, diff)
			}
		}
	}
}

func TestBrowserIsRecognised(t *testing.T) {
	t.Parallel()
	site := newTestSite(pgtest.Pool(t), "https://razao.example")
	_, first, cookies := site.ask(t, "GET", "/browser", nil)
	if _, again, _ := site.ask(t, "GET", "/browser", cookies); again != first || first == "" {
		t.Errorf("the browser is %q, then %q", first, again)
	}
	if _, other, _ := site.ask(t, "GET", "/browser", nil); other == first {
		t.Error("two browsers are the same")
	}
	for _, bad := range []string{"", "x", strings.Repeat("x", 5000)} {
		if _, token, _ := site.ask(t, "GET", "/browser", map[string]string{"__Host-razao-entrada": bad}); token == bad {
			t.Errorf("the browser is %.20q", bad)
		}
	}
}

// patience is a pgx tracer that counts session look-ups and keeps the longest deadline that they
// had.
type patience struct {
	mu      sync.Mutex
	longest time.Duration
	asked   int
}

func (p *patience) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	if !strings.Contains(q.SQL, "WHERE s.token_hash") {
		return ctx
	}
	left := time.Duration(math.MaxInt64)
	if deadline, ok := ctx.Deadline(); ok {
		left = time.Until(deadline)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked++
	p.longest = max(p.longest, left)
	return ctx
}

func (p *patience) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TestDatabaseThatHangs locks the session table, so that the database takes a statement and does
// not respond.
func TestDatabaseThatHangs(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	config := pool.Config()
	noted := &patience{}
	config.ConnConfig.Tracer = noted
	watched, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer watched.Close()
	site := newTestSite(watched, "http://127.0.0.1:8080")
	_, enter := site.newAccount(t, "ana@exemplo.com")
	_, _, cookies := site.ask(t, "POST", enter, nil)
	hold, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := hold.Exec(t.Context(), `LOCK TABLE session IN ACCESS EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	if status, _, after := site.ask(t, "GET", "/who", cookies); status != 503 || !cmp.Equal(after, cookies) {
		t.Errorf("status %d, cookies %v, want 503 and the same cookies", status, after)
	}
	if noted.asked != 1 || noted.longest > lookUpTimeout {
		t.Errorf("%d statements, the longest may take %s, want one of at most %s", noted.asked, noted.longest, lookUpTimeout)
	}
	if err := hold.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if status, _, _ := site.ask(t, "GET", "/who", cookies); status != 200 {
		t.Errorf("when it answers again: status %d", status)
	}
}
