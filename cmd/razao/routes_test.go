package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/assist/messenger"
	"razao/internal/ops/health"
	"razao/internal/people/account"
	"razao/internal/people/signin"
	"razao/internal/store/database"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
	"razao/internal/testing/pgtest"
)

// withoutCookies are the routes of other methods than GET that programs call, which no cookie can speak for.
var withoutCookies = []string{
	"/mcp", "/mcp/", "/oauth/token", "/oauth/register", "/oauth/revoke", messenger.WhatsAppPath, messenger.TelegramPath,
	// The key speaks:
	"/v2/lote", "/v2/reconciliar", "/v2/reconciliar/", "/v2/conta/seguindo", "/v2/conta/webhooks", "/v2/conta/webhooks/:id", "/v2/conta/webhooks/:id/teste", "/v2/conta/webhooks/:id/ligar",
	"/avisos/cancelar", // the token in the address speaks (RFC 8058)
}

// whole is everything that the program serves, at an https address.
type whole struct {
	*gin.Engine
	base   string
	cookie string // of somebody who is signed in
	key    string // of their account

	pool     *pgxpool.Pool
	accounts *account.Store
	live     *snapshot.Live
}

func newWhole(t *testing.T) *whole {
	t.Helper()
	return wholeOn(t, pgtest.Pool(t), t.TempDir())
}

// wholeOn is newWhole on what is loaded into a database and a data folder. change may modify the
// settings.
func wholeOn(t *testing.T, pool *pgxpool.Pool, data string, change ...func(*settings)) *whole {
	t.Helper()
	s := settings{Data: data, IPFailures: 1, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("192.0.2.1/32")}} // where httptest's requests come from
	s.WhatsApp.AppSecret, s.WhatsApp.VerifyToken = "segredo", "senha"
	s.WhatsApp.Token, s.WhatsApp.PhoneID, s.WhatsApp.Number = "token", "123456789", "5511999990000"
	s.Telegram.Secret, s.Telegram.Username = "segredo", "razao_bot"
	s.Contact = "operador@razao.example"
	for _, set := range change {
		set(&s)
	}
	live := snapshot.Open(t.Context(), registry.NewStore(pool), s.indexDir(), fixture.Atlas(t), slog.New(slog.DiscardHandler))
	t.Cleanup(live.Close)
	handler, accounts := assembled(t, &database.DB{Pool: pool, Control: pool, Health: pool}, live, s)
	w := &whole{Engine: handler, base: publicAddress, pool: pool, accounts: accounts, live: live}
	w.be(t, "ana@exemplo.com.br")
	return w
}

// publicAddress is where the servers of these tests say they are.
const publicAddress = "https://razao.example"

// assembled returns all that a server with these settings answers, and the accounts.
func assembled(t *testing.T, db *database.DB, live *snapshot.Live, s settings) (*gin.Engine, *account.Store) {
	t.Helper()
	s.BaseURL, s.MailFrom = publicAddress, "Razão <razao@localhost>"
	a := &app{log: slog.New(slog.DiscardHandler), settings: s}
	who, err := a.people(db)
	if err != nil {
		t.Fatal(err)
	}
	meter := account.OpenMeter(db.Control, who.seal, a.log)
	t.Cleanup(meter.Close)
	handler, err := a.handler(db, live, meter, who, health.New(live, db.Health.Ping))
	if err != nil {
		t.Fatal(err)
	}
	chats, err := a.messengers(live)
	if err != nil {
		t.Fatal(err)
	}
	chats.Register(handler)
	return handler, who.accounts
}

// beSomebodyElse continues as a new person: limits of an account begin again.
func (w *whole) beSomebodyElse(t *testing.T) {
	t.Helper()
	w.be(t, strings.ToLower(rand.Text())+"@exemplo.com.br")
}

// be signs a person in, with a new key. The minute of the account does not end for at least another.
func (w *whole) be(t *testing.T, email string) {
	t.Helper()
	key, made, err := w.accounts.CreateKey(t.Context(), email, "chave")
	if err != nil {
		t.Fatal(err)
	}
	token, _, err := w.accounts.StartSession(t.Context(), made.Account, "", "")
	if err != nil {
		t.Fatal(err)
	}
	const nextMinute = `INSERT INTO admission (account_id, minute, calls)
		VALUES ($1, date_trunc('minute', now(), 'UTC') + interval '1 minute', 0) ON CONFLICT DO NOTHING`
	if _, err := w.pool.Exec(t.Context(), nextMinute, made.Account); err != nil {
		t.Fatal(err)
	}
	w.key, w.cookie = key, "__Host-razao="+token
}

// ask sends a request with the session of somebody who is signed in.
func (w *whole) ask(t *testing.T, method, path, body string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, w.base+path, strings.NewReader(body))
	r.Header.Set("Cookie", w.cookie)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer := httptest.NewRecorder()
	w.ServeHTTP(answer, r)
	return answer.Result()
}

// address returns an address that a route takes.
func address(route string) string {
	parts := strings.Split(route, "/")
	for i, part := range parts {
		switch {
		case part == ":cnpj":
			parts[i] = fixture.Bakery + "000195"
		case part == ":documento" && slices.Contains(parts, "empresas"):
			parts[i] = fixture.Bakery
		case part == ":documento":
			parts[i] = fixture.Bakery + "000195"
		case part == ":uf":
			parts[i] = "sp"
		case part != "" && (part[0] == ':' || part[0] == '*'):
			parts[i] = "1"
		}
	}
	return strings.Join(parts, "/")
}

// foreignSenders returns the headers of requests that no page of ours sends, by what they claim to be.
func foreignSenders(key string) map[string][]string {
	return map[string][]string{
		"another site":                            {"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"},
		"another site that hides its name":        {"Sec-Fetch-Site", "cross-site", "Origin", "null"},
		"another host of the domain":              {"Sec-Fetch-Site", "same-site", "Origin", "https://evil.razao.example"},
		"another site, old browser":               {"Origin", "https://evil.example"},
		"another site, old browser, hidden":       {"Origin", "null"},
		"another port of ours, old browser":       {"Origin", "https://razao.example:8443"},
		"a name that begins like ours":            {"Origin", "https://razao.example.evil.example"},
		"a sender that does not say where it is":  {},
		"a sender that says nothing of its site":  {"Sec-Fetch-Mode", "navigate"},
		"another site that says to be a program":  {"Sec-Fetch-Site", "cross-site", "Authorization", "Bearer " + key},
		"another site that asks for another verb": {"Sec-Fetch-Site", "cross-site", "X-HTTP-Method-Override", "GET"},
	}
}

// TestFormsOfOtherSites sends every form of the program as a page of another site would make a browser send it, so that a form
// without protection is found on the day it is added.
func TestFormsOfOtherSites(t *testing.T) {
	t.Parallel()
	w := newWhole(t)
	forms := 0
	for _, route := range w.Routes() {
		reads := route.Method == http.MethodGet || route.Method == http.MethodHead || route.Method == http.MethodOptions
		if reads || slices.Contains(withoutCookies, route.Path) {
			continue
		}
		forms++
		for name, header := range foreignSenders(w.key) {
			resp := w.ask(t, route.Method, address(route.Path), "email=ana%40exemplo.com.br&nome=x", header...)
			if resp.StatusCode != http.StatusForbidden || len(resp.Cookies()) > 0 {
				t.Errorf("%s %s from %s: status %d, cookies %v", route.Method, route.Path, name, resp.StatusCode, resp.Cookies())
			}
		}
		own := w.ask(t, route.Method, address(route.Path), "", "Sec-Fetch-Site", "same-origin", "Origin", "https://razao.example")
		if own.StatusCode == http.StatusForbidden {
			t.Errorf("%s %s from our own page: status %d", route.Method, route.Path, own.StatusCode)
		}
	}
	if forms == 0 {
		t.Error("the program has no forms")
	}
}

// forAnyOrigin says whether scripts of other sites may read what a route answers: that programs find out how to ask for people,
// and ask, which no cookie takes part in.
func forAnyOrigin(route string) bool {
	oauth := strings.HasPrefix(route, "/.well-known/oauth-") || strings.HasPrefix(route, "/.well-known/openid-")
	return oauth || slices.Contains([]string{"/oauth/token", "/oauth/register", "/oauth/revoke"}, route)
}

// checkGuards looks at the headers and cookies of an answer of a route.
func checkGuards(t *testing.T, what, route string, resp *http.Response) {
	t.Helper()
	readers, referrer := "", "same-origin"
	if forAnyOrigin(route) {
		readers = "*"
	}
	if route == signin.CallbackPath { // its address holds a token
		referrer = "no-referrer"
	}
	policy := resp.Header.Get("Content-Security-Policy")
	for _, rule := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, rule) {
			t.Errorf("%s: the policy %q lacks %s", what, policy, rule)
		}
	}
	for _, loose := range []string{"unsafe", "*", "http:"} {
		if strings.Contains(policy, loose) {
			t.Errorf("%s: the policy %q has %s", what, policy, loose)
		}
	}
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": referrer, "Strict-Transport-Security": "max-age=31536000",
		"Access-Control-Allow-Origin": readers, "Access-Control-Allow-Credentials": "", "Server": "", "X-Powered-By": "",
	} {
		if got := resp.Header.Get(name); got != want {
			t.Errorf("%s: %s %q, want %q", what, name, got, want)
		}
	}
	if resp.Header.Get("X-Request-ID") == "" {
		t.Errorf("%s: no X-Request-ID", what)
	}
	for _, c := range resp.Cookies() {
		if !strings.HasPrefix(c.Name, "__Host-") || !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" {
			t.Errorf("%s: cookie %s", what, c.Raw)
		}
	}
	if body, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode >= 500 && resp.Header.Get("Cache-Control") != "no-store" && resp.Header.Get("Cache-Control") != "no-cache" {
		t.Errorf("%s: status %d, %v, %d bytes, may be kept: %v", what, resp.StatusCode, err, len(body), resp.Header)
	}
}

// TestEveryAnswerIsGuarded looks at the headers and cookies of every route, and of answers that no route gives.
func TestEveryAnswerIsGuarded(t *testing.T) {
	t.Parallel()
	w := newWhole(t)
	seen := map[int]bool{}
	for _, route := range w.Routes() {
		for _, header := range [][]string{
			{"Sec-Fetch-Site", "same-origin"},
			{"Sec-Fetch-Site", "same-origin", "Cookie", ""},
			{"Sec-Fetch-Site", "cross-site"},
			{"Authorization", "Bearer " + w.key},
			{"Accept", "text/html"},
		} {
			resp := w.ask(t, route.Method, address(route.Path), "", header...)
			seen[resp.StatusCode] = true
			checkGuards(t, fmt.Sprint(route.Method, " ", route.Path, " ", header, " ", resp.StatusCode), route.Path, resp)
		}
	}
	for what, resp := range map[string]*http.Response{
		"no such page":           w.ask(t, "GET", "/um/dois/tres", ""),
		"no such call":           w.ask(t, "GET", "/v2/nada", ""),
		"no such method":         w.ask(t, "PUT", "/busca", ""),
		"no such method, API":    w.ask(t, "DELETE", "/v1/cnpj/1", ""),
		"form that is too large": w.ask(t, "POST", "/conta/chaves", "nome="+strings.Repeat("x", 64<<10), "Sec-Fetch-Site", "same-origin"),
		"sign-in":                w.ask(t, "GET", "/auth/callback?token=x", ""),
		"bad input":              w.ask(t, "GET", "/v1/cnpj/abc", "", "Authorization", "Bearer "+w.key, "X-Forwarded-For", "198.51.100.1"),
		"sign-out":               w.ask(t, "POST", "/conta/sair", "", "Sec-Fetch-Site", "same-origin"),
	} {
		seen[resp.StatusCode] = true
		checkGuards(t, what, map[string]string{"sign-in": signin.CallbackPath}[what], resp)
	}
	for _, status := range []int{200, 303, 400, 401, 403, 404, 405, 413, 429, 503} {
		if !seen[status] {
			t.Errorf("no answer had status %d", status)
		}
	}
}

// TestKeysCannotBeGuessed sends wrong keys from many addresses, through a proxy that is trusted, also
// one that appends addresses with their ports, as those of Azure and IIS do: guesses lock out the
// address that made them, from whatever port, and no other.
func TestKeysCannotBeGuessed(t *testing.T) {
	t.Parallel()
	w := newWhole(t)
	ask := func(from, peer, key string) *http.Response {
		t.Helper()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/cnpj/abc", nil)
		r.Header.Set("Authorization", "Bearer "+key)
		r.Header.Set("X-Forwarded-For", from)
		r.Header.Set("Forwarded", "for="+rand.Text()) // RFC 7239, by which a client might choose its address
		if peer != "" {
			r.RemoteAddr = peer + ":1234"
		}
		answer := httptest.NewRecorder()
		w.ServeHTTP(answer, r)
		return answer.Result()
	}
	wrong := "rz_" + strings.Repeat("x", len(w.key)-len("rz_"))
	for i, tt := range []struct {
		name, from, peer, key string
		want                  int
	}{
		{"first guess", "198.51.100.7", "", wrong, 401},
		{"one too many", "198.51.100.7", "", wrong, 429},
		{"even with the right key", "198.51.100.7", "", w.key, 429},
		{"an address that the client makes up before its own", "203.0.113.1, 198.51.100.7", "", w.key, 429},
		{"another client", "198.51.100.8", "", w.key, 400},
		{"whose failure is its first", "198.51.100.8", "", "", 401},
		{"IPv6", "2001:db8:1:2::1", "", "abc", 401},
		{"its neighbour", "2001:db8:1:2:ffff::2", "", wrong, 429},
		{"another network", "2001:db8:1:3::1", "", wrong, 401},
		{"no proxy of ours", "203.0.113.1", "198.51.100.9", wrong, 401},
		{"no proxy of ours, who names somebody", "203.0.113.2", "198.51.100.9", wrong, 429},
		{"whom it named", "203.0.113.2", "", w.key, 400},
		{"with a port", "8.8.4.1:1111", "", wrong, 401},
		{"another port", "8.8.4.1:1112", "", wrong, 429},
		{"no port", "8.8.4.1", "", wrong, 429},
		{"quoted", `"8.8.4.1:1113"`, "", wrong, 429},
		{"in IPv6, with a port", "[::ffff:8.8.4.1]:1114", "", wrong, 429},
		{"behind an address of its choice", "203.0.113.9:80, 8.8.4.1:1116", "", w.key, 429},
		{"another address with a port", "8.8.4.2:2222", "", wrong, 401},
		{"IPv6 with a port", "[2001:db8:9::1]:3333", "", wrong, 401},
	} {
		resp := ask(tt.from, tt.peer, tt.key)
		if resp.StatusCode != tt.want || (resp.Header.Get("Retry-After") != "") != (tt.want == 429) {
			t.Errorf("%d, %s: status %d, headers %v, want %d", i, tt.name, resp.StatusCode, resp.Header, tt.want)
		}
	}
}

// TestHealthBesideSaturation takes all connections for records, those of the control pool and all slots of calls, and never gives
// them back. Health checks must not wait for any: a balancer that removes a busy server shifts its load to the others.
func TestHealthBesideSaturation(t *testing.T) {
	t.Parallel()
	l := fixture.LoadRecords(t)
	pool := func() *pgxpool.Pool {
		p, err := pgxpool.NewWithConfig(t.Context(), l.Pool.Config())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		return p
	}
	db := &database.DB{Pool: l.Pool, Control: pool(), Health: pool()}
	handler, accounts := assembled(t, db, l.Live, settings{Data: t.TempDir(), IPRequests: 1})
	key, _, err := accounts.CreateKey(t.Context(), "ana@exemplo.com.br", "chave")
	if err != nil {
		t.Fatal(err)
	}
	call := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(context.Background(), "GET", path, nil)
		r.Header.Set("Authorization", "Bearer "+key)
		handler.ServeHTTP(w, r)
		return w
	}
	for _, p := range []*pgxpool.Pool{db.Pool, db.Control} {
		for range p.Config().MaxConns {
			conn, err := p.Acquire(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(conn.Release)
		}
	}
	refused, cancel := context.WithCancel(t.Context())
	defer cancel()
	var calls sync.WaitGroup
	defer calls.Wait()
	for range 2 * slotsPerConnection * db.Pool.Config().MaxConns {
		calls.Go(func() {
			if w := call("/v2/empresas/" + fixture.Bakery + "/basic"); w.Code == 503 {
				cancel() // the others have the slots
			}
		})
	}
	<-refused.Done()
	for _, path := range []string{"/health", "/health/ready", "/health/live", "/health", "/health/ready"} {
		if w := call(path); w.Code != 200 || !strings.HasPrefix(w.Body.String(), `{"status":"ok"`) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}
