package main

import (
	"context"
	"fmt"
	"hash/crc32"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/people/account"
	"razao/internal/people/seal"
	"razao/internal/store/database"
	"razao/internal/testing/fixture"
)

// statements counts what reaches PostgreSQL through a pool.
type statements struct{ atomic.Int64 }

// TraceQueryStart implements pgx.QueryTracer.
func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	s.Add(1)
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// parallelCalls is how many calls a counted server has slots for: the tests are about guesses, and a
// slow machine must not shed their calls.
const parallelCalls = 52

// countedServer is all that a server serves, on a pool whose statements are counted.
type countedServer struct {
	*gin.Engine
	statements
	db *database.DB
}

func newCounted(t *testing.T, failures int) *countedServer {
	t.Helper()
	l := fixture.Empty(t)
	config := l.Pool.Config().Copy()
	c := &countedServer{}
	config.ConnConfig.Tracer = &c.statements
	config.MaxConns = parallelCalls / slotsPerConnection
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	c.db = &database.DB{Pool: pool, Control: pool, Health: pool}
	c.Engine, _ = assembled(t, c.db, l.Live, settings{Data: t.TempDir(), IPFailures: failures})
	return c
}

// forgery is a request with a credential that was never issued but is otherwise well-formed.
type forgery struct {
	name, method, path, token string
	form                      url.Values
}

// forgeries returns one request of each kind. n makes the credentials unique.
func forgeries(n int) []forgery {
	opaque := fmt.Sprintf("%043d", n)
	key := forgedKey(n)
	return []forgery{
		{"v1", http.MethodGet, "/v1/cnpj/00000000", key, nil},
		{"v2", http.MethodGet, "/v2/empresas/00000000/basic", key, nil},
		{"v1, another method", http.MethodPost, "/v1/cnpj/00000000", key, nil},
		{"mcp with a key", http.MethodPost, "/mcp", key, nil},
		{"mcp with a token", http.MethodPost, "/mcp", "rza_" + opaque, nil},
		{"a code", http.MethodPost, "/oauth/token", "", url.Values{
			"grant_type": {"authorization_code"}, "client_id": {"x"}, "code": {opaque}, "code_verifier": {opaque},
		}},
		{"a refresh token", http.MethodPost, "/oauth/token", "", url.Values{
			"grant_type": {"refresh_token"}, "client_id": {"x"}, "refresh_token": {"rzr_" + opaque},
		}},
		{"revoking", http.MethodPost, "/oauth/revoke", "", url.Values{"client_id": {"x"}, "token": {"rza_" + opaque}}},
	}
}

// send sends a forgery from an address and returns the status of its answer.
func (c *countedServer) send(t *testing.T, f forgery, from string) int {
	body, contentType := `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "application/json"
	if f.form != nil {
		body, contentType = f.form.Encode(), "application/x-www-form-urlencoded"
	}
	r := httptest.NewRequestWithContext(t.Context(), f.method, f.path, strings.NewReader(body))
	r.RemoteAddr = from + ":1234"
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Accept", "application/json, text/event-stream")
	if f.token != "" {
		r.Header.Set("Authorization", "Bearer "+f.token)
	}
	w := httptest.NewRecorder()
	c.ServeHTTP(w, r)
	return w.Code
}

// settle waits until the server's background queries are done.
func (c *countedServer) settle() {
	for before := int64(-1); before != c.Load(); time.Sleep(100 * time.Millisecond) {
		before = c.Load()
	}
}

// learn lets the server find out, in the background, that there are no credentials of another secret.
func (c *countedServer) learn(t *testing.T) {
	t.Helper()
	for n, deadline := 2, time.Now().Add(30*time.Second); ; n++ {
		before := c.Load()
		for i, f := range forgeries(n) {
			c.send(t, f, fmt.Sprintf("192.0.%d.%d", n%250, i))
		}
		asked := c.Load() - before
		if c.settle(); asked == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("forged credentials cost %d statements after the server knew all there is to know", asked)
		}
	}
}

// TestForgedCredentialsCostNoStatement sends forged credentials to every route that takes
// credentials.
func TestForgedCredentialsCostNoStatement(t *testing.T) {
	t.Parallel()
	c := newCounted(t, 0)
	c.learn(t)
	for _, f := range forgeries(1) {
		before := c.Load()
		status := c.send(t, f, "198.51.100.1")
		if n := c.Load() - before; n != 0 {
			t.Errorf("%s: %d statements, status %d", f.name, n, status)
		}
		if status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests {
			t.Errorf("%s: status %d", f.name, status)
		}
	}
}

// TestParallelGuesses sends 200 wrong guesses at once while credentials of another secret exist, so
// that guesses have to be looked up: no more of them reach the database than failures are allowed.
func TestParallelGuesses(t *testing.T) {
	t.Parallel()
	const failures, guesses = 10, 200
	for kind := range forgeries(0) {
		if kind == 2 {
			continue // which is refused without a look-up
		}
		name := forgeries(0)[kind].name
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCounted(t, failures)
			c.oldCredentials(t)
			before := c.Load()
			var all sync.WaitGroup
			var let atomic.Int64
			for n := range guesses {
				all.Go(func() {
					if c.send(t, forgeries(n)[kind], "198.51.100.1") != http.StatusTooManyRequests {
						let.Add(1)
					}
				})
			}
			all.Wait()
			if n := c.Load() - before; n == 0 || n > 6*failures {
				t.Errorf("%d statements for %d failures", n, failures)
			}
			if let.Load() != failures {
				t.Errorf("%d of %d guesses were let through, want %d", let.Load(), guesses, failures)
			}
		})
	}
}

// oldCredentials stores an unsealed key and refresh token, and returns the key.
func (c *countedServer) oldCredentials(t *testing.T) (key string) {
	t.Helper()
	key, made, err := account.NewStore(c.db.Pool, seal.New("another secret")).CreateKey(t.Context(), "ana@exemplo.com.br", "antiga")
	if err != nil {
		t.Fatal(err)
	}
	const rows = `
		WITH old AS (UPDATE api_key SET seal = NULL WHERE id = $1 RETURNING account_id),
		client AS (INSERT INTO oauth_client (id, origin, name, redirect_uris) VALUES ('old', 'operator', 'old', '{}') RETURNING id),
		allowed AS (INSERT INTO oauth_grant (account_id, client_id, scopes) SELECT account_id, id, '{}' FROM old, client RETURNING id),
		code AS (
			INSERT INTO oauth_code (hash, grant_id, redirect_uri, code_challenge, resource) SELECT '', id, '', '', '' FROM allowed RETURNING id)
		INSERT INTO oauth_refresh_token (hash, code_id, expires_at) SELECT '', id, now() + interval '1 day' FROM code`
	if _, err := c.db.Pool.Exec(t.Context(), rows, made.ID); err != nil {
		t.Fatal(err)
	}
	return key
}

// TestOldKeysBesideGuesses uses an unsealed key from the address of somebody who is guessing, and
// from others. It is admitted, and after the first use also many times at once.
func TestOldKeysBesideGuesses(t *testing.T) {
	t.Parallel()
	c := newCounted(t, 2)
	ask := forgery{"an old key", http.MethodGet, "/v1/cnpj/abc", c.oldCredentials(t), nil}
	if status := c.send(t, ask, "198.51.100.1"); status != http.StatusBadRequest {
		t.Fatalf("the first time: status %d", status)
	}
	var all sync.WaitGroup
	for range parallelCalls {
		all.Go(func() {
			if status := c.send(t, ask, "198.51.100.1"); status != http.StatusBadRequest {
				t.Errorf("among others: status %d", status)
			}
		})
	}
	all.Wait()
}

// forgedKey returns a key with a right checksum.
func forgedKey(n int) string {
	secret := fmt.Sprintf("%034d", n)
	sum, digits := crc32.ChecksumIEEE([]byte(secret)), ""
	for range 6 {
		digits = string("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[sum%62]) + digits
		sum /= 62
	}
	return "rz_" + secret + digits
}
