package metrics

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/api"
	"razao/internal/people/account"
	"razao/internal/people/mail"
	"razao/internal/people/seal"
	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
	"razao/internal/web"
)

// whole is a measured API on loaded records.
type whole struct {
	*Metrics
	engine   *gin.Engine
	accounts *account.Store
	loaded   *fixture.Loaded
	config   Config
}

var errTooMuch = errors.New("too much")

func newWhole(t testing.TB) *whole {
	t.Helper()
	l := fixture.LoadRecords(t)
	log := slog.New(slog.DiscardHandler)
	sealer := seal.New("segredo")
	meter := account.OpenMeter(l.Pool, sealer, log)
	t.Cleanup(meter.Close)
	w := &whole{accounts: account.NewStore(l.Pool, sealer), loaded: l}
	w.config = Config{
		Version: "2.0.0", Live: l.Live, Meter: meter, Outbox: outboxOn(t, l.Pool), Store: l.Store, Overload: errTooMuch,
		Pools: Pools{"records": l.Pool}, Log: log, Free: func() (int64, error) { return 12345, nil },
	}
	w.Metrics = New(w.config)
	w.engine = web.NewEngine(web.Options{Log: log, Around: w.Around()})
	calls := api.New(api.Config{
		Live: l.Live, Admit: meter.Admit, Record: meter.Record, CursorKey: []byte("segredo"),
		Failures: web.NewThrottle(5, 5),
	})
	calls.Register(w.engine)
	w.engine.NoRoute(calls.NotFound)
	w.engine.NoMethod(calls.MethodNotAllowed)
	return w
}

func outboxOn(t testing.TB, pool *pgxpool.Pool) *mail.Outbox {
	t.Helper()
	o, err := mail.Open(pool, mail.Config{From: "razao@razao.example", Dir: filepath.Join(t.TempDir(), "mail"), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// ask sends a request with a key, which may be empty, and returns the status.
func (w *whole) ask(t testing.TB, method, path, key string) int {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, nil)
	r.RemoteAddr = "198.51.100.77:4000"
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	answer := httptest.NewRecorder()
	w.engine.ServeHTTP(answer, r)
	return answer.Code
}

// scrape returns what Prometheus gets, in the text format.
func (w *whole) scrape(t testing.TB) string {
	t.Helper()
	answer := httptest.NewRecorder()
	w.Handler().ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), "GET", "http://razao:9090/metrics", nil))
	if answer.Code != http.StatusOK {
		t.Fatalf("scrape: %d\n%s", answer.Code, answer.Body)
	}
	return answer.Body.String()
}

// expect looks for series, with their values, in a scrape.
func expect(t *testing.T, scrape string, series ...string) {
	t.Helper()
	for _, s := range series {
		if !strings.Contains(scrape, "\n"+s+"\n") {
			name, _, _ := strings.Cut(s, "{")
			found := regexp.MustCompile(`(?m)^`+regexp.QuoteMeta(name)+`.*$`).FindAllString(scrape, -1)
			t.Errorf("no %s among\n%s", s, strings.Join(found, "\n"))
		}
	}
}

func TestRequestsByRoute(t *testing.T) {
	t.Parallel()
	w := newWhole(t)
	key, _, err := w.accounts.CreateKey(t.Context(), "ana@exemplo.com.br", "chave")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []struct {
		method, path, key string
		status            int
	}{
		{"GET", "/v2/empresas/" + fixture.Bakery + "/full", key, 200},
		{"GET", "/v2/empresas/" + fixture.Bakery + "/full?limite=5", key, 200},
		{"GET", "/v2/empresas/99999999/full", key, 404},
		{"GET", "/v1/cnpj/" + fixture.Bakery, "", 401},
		{"GET", "/segredo/12345678909", "", 404},
		{"GET", "/joao@exemplo.com.br", "", 404},
		{"BATATA", "/v1/cnpj/1", "", 405},
	} {
		if got := w.ask(t, r.method, r.path, r.key); got != r.status {
			t.Errorf("%s %s: %d", r.method, r.path, got)
		}
	}
	scrape := w.scrape(t)
	const count = "razao_http_request_duration_seconds_count"
	expect(t, scrape,
		count+`{method="GET",route="/v2/empresas/:documento/full",status="200"} 2`,
		count+`{method="GET",route="/v2/empresas/:documento/full",status="404"} 1`,
		count+`{method="GET",route="/v1/cnpj/:cnpj",status="401"} 1`,
		count+`{method="GET",route="unmatched",status="404"} 2`,
		count+`{method="other",route="unmatched",status="405"} 1`,
		`razao_http_requests_in_flight 0`,
		`razao_admissions_total{outcome="admitted"} 3`,
		`razao_admissions_total{outcome="missing"} 1`,
		`razao_source_answers_total{source="pgfn",status="encontrado"} 2`,
		`razao_source_failing{source="pgfn"} 0`,
		`razao_database_up 1`, `razao_records_served 1`, `razao_index_whole 1`, `razao_snapshot_trouble 0`, `razao_outbox_mails 0`,
		`razao_data_free_bytes 12345`, `razao_load_rows{source="ceis",what="rejected"} 0`,
	)
	families, err := w.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if h := f.GetMetric()[0].GetHistogram(); f.GetName() == "razao_http_request_duration_seconds" && (h.GetZeroThreshold() == 0 || len(h.GetPositiveSpan()) == 0) {
			t.Errorf("no native histogram: %v", h)
		}
	}
	labels := regexp.MustCompile(`(?m) \S+$`).ReplaceAllString(scrape, "") // values have digits of our own
	for _, secret := range []string{
		"12345678909", fixture.Bakery, "99999999", "exemplo", "198.51", key, "BATATA", "segredo",
	} {
		if strings.Contains(labels, secret) {
			t.Errorf("the scrape has %q", secret)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	w := newWhole(t)
	web.Get(w.engine, "/fail", func(c *gin.Context) { c.Status(http.StatusServiceUnavailable) })
	web.Get(w.engine, "/shed", func(c *gin.Context) {
		web.EventOf(c.Request.Context()).Fail(errTooMuch)
		c.Status(http.StatusServiceUnavailable)
	})
	key, _, err := w.accounts.CreateKey(t.Context(), "ana@exemplo.com.br", "chave")
	if err != nil {
		t.Fatal(err)
	}
	for range 2*account.CallsPerMinute + 1 { // in two minutes, one of them refuses
		w.ask(t, "GET", "/v1/cnpj/"+fixture.Bakery, key)
	}
	w.ask(t, "GET", "/fail", "")
	w.ask(t, "GET", "/shed", "")
	for w.ask(t, "GET", "/v1/cnpj/"+fixture.Bakery, "") != http.StatusTooManyRequests {
	}
	scrape := w.scrape(t)
	expect(t, scrape, `razao_http_refusals_total{limit="overload"} 1`, `razao_http_refusals_total{limit="address"} 1`)
	if strings.Contains(scrape, `razao_http_refusals_total{limit="account"} 0`) || strings.Contains(scrape, `razao_admissions_total{outcome="limited"} 0`) {
		t.Error("nobody was over the limit of an account")
	}
}

// TestDatabaseIsAskedSeldom counts the statements of a hundred scrapes, and scrapes while the
// database is down.
func TestDatabaseIsAskedSeldom(t *testing.T) {
	t.Parallel()
	w := newWhole(t)
	pool, err := pgxpool.NewWithConfig(t.Context(), w.loaded.Pool.Config().Copy()) // which nobody else uses
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	w.config.Store, w.config.Outbox = registry.NewStore(pool), outboxOn(t, pool)
	w.Metrics = New(w.config)
	w.scrape(t)
	before := pool.Stat().AcquireCount()
	begun := time.Now()
	for range 100 {
		w.scrape(t)
	}
	const perAnswer = 1 // all loads are known
	if n, most := pool.Stat().AcquireCount()-before, perAnswer*(1+int64(time.Since(begun)/askEvery)); n > most {
		t.Errorf("%d statements, want %d at the most", n, most)
	}

	pool.Close()
	w.Metrics = New(w.config) // which has not asked before
	scrape := w.scrape(t)
	expect(t, scrape, `razao_database_up 0`, `razao_records_served 1`)
	if strings.Contains(scrape, "\nrazao_outbox_mails") {
		t.Error("the outbox is told without a database")
	}
}

func TestSearches(t *testing.T) {
	t.Parallel()
	w := newWhole(t)
	snap := fixture.Acquire(t, w.loaded.Live)
	for range 2 {
		if _, err := snap.Suggest(t.Context(), "padaria", 5); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _ = snap.Suggest(ctx, "mercado", 5)
	expect(t, w.scrape(t),
		`razao_index_queries_total{ending="answered",kind="suggest"} 2`,
		`razao_index_queries_total{ending="left",kind="suggest"} 1`,
		`razao_index_limiter_waits_total 0`,
	)
}

func TestOpen(t *testing.T) {
	t.Parallel()
	if l, err := net.Listen("tcp", DefaultAddr); err == nil { // else another process has it
		defer func() { _ = l.Close() }()
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	for _, tt := range []struct{ name, addr, fails, warns string }{
		{"none", "", "", ""},
		{"taken", taken.Addr().String(), "RAZAO_PRIVATE_ADDR", ""},
		{"the default, taken", DefaultAddr, "", "RAZAO_PRIVATE_ADDR"},
		{"no address", "256.0.0.1:1", "RAZAO_PRIVATE_ADDR", ""},
	} {
		var log strings.Builder
		m, err := Open(t.Context(), tt.addr, Config{Log: slog.New(slog.NewTextHandler(&log, nil))})
		if m != nil || (err != nil) != (tt.fails != "") || err != nil && !strings.Contains(err.Error(), tt.fails) ||
			(log.Len() > 0) != (tt.warns != "") || !strings.Contains(log.String(), tt.warns) {
			t.Errorf("%s: %v, %v; logged %s", tt.name, m, err, log.String())
		}
		if m.Around() != nil || m.Serve(t.Context()) != nil {
			t.Errorf("%s: nothing does something", tt.name)
		}
	}
}

// TestServe requests every path, and ends the context while a profile is being made.
func TestServe(t *testing.T) {
	t.Parallel()
	w := newWhole(t)
	w.config.Health = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.URL.Path) })
	m, err := Open(t.Context(), "127.0.0.1:0", w.config)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.Serve(ctx) }()
	base := (&url.URL{Scheme: "http", Host: m.private.Addr().String()}).String()
	for path, want := range map[string]string{
		"/metrics": "razao_build_info{", "/debug/pprof/": "goroutine", "/debug/pprof/goroutine?debug=1": "goroutine profile",
		"/health/ready": "/health/ready", "/health/live": "/health/live",
	} {
		resp, err := http.Get(base + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || resp.StatusCode != 200 || !strings.Contains(string(body), want) {
			t.Errorf("%s: %d %.200s, %v", path, resp.StatusCode, body, err)
		}
	}
	profile := make(chan struct{})
	go func() {
		defer close(profile)
		if resp, err := http.Get(base + "/debug/pprof/trace?seconds=200"); err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
	}()
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	<-profile
}

// BenchmarkMiddleware measures the middleware around a handler that does nothing.
func BenchmarkMiddleware(b *testing.B) {
	for name, around := range map[string][]gin.HandlerFunc{"plain": nil, "measured": {newRequests(nil).measure}} {
		engine := gin.New()
		engine.Use(around...)
		engine.GET("/v2/empresas/:documento/basic", func(c *gin.Context) { c.Status(200) })
		r := httptest.NewRequest("GET", "/v2/empresas/"+fixture.Bakery+"/basic", nil)
		w := httptest.NewRecorder()
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				engine.ServeHTTP(w, r)
			}
		})
	}
}

// TestPrivateNames sends Host headers as operators do and as a page does whose name resolves to the
// private address (DNS rebinding).
func TestPrivateNames(t *testing.T) {
	t.Parallel()
	m := New(Config{})
	m.addr = "Metricas.interno.example:9090"
	for host, status := range map[string]int{
		"127.0.0.1:9090": 200, "[::1]:9090": 200, "10.0.0.7": 200, "::1": 200, "localhost:9090": 200, "razao.localhost:9090": 200,
		"razao:9090": 200, "": 200, "metricas.INTERNO.example.:9090": 200, "metricas.interno.example": 200,
		"evil.example": 421, "evil.example:9090": 421, "127.0.0.1.evil.example:9090": 421, "x.metricas.interno.example": 421, "localhost.evil.example.": 421,
	} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/debug/pprof/cmdline", nil)
		r.Host = host
		w := httptest.NewRecorder()
		m.Handler().ServeHTTP(w, r)
		if w.Code != status {
			t.Errorf("%q: %d, want %d", host, w.Code, status)
		}
	}
}

// TestLimits has one request take the only slot and a second one refused.
func TestLimits(t *testing.T) {
	t.Parallel()
	slots, bodies := web.NewRequestSlots(1, 1), web.NewSharedSlots(1<<20, web.Share{}, 0)
	w := newWhole(t)
	w.Watch(map[string]*web.Slots{"api": slots}, bodies)
	taken, leave := make(chan struct{}), make(chan struct{})
	engine := web.NewEngine(web.Options{Log: slog.New(slog.DiscardHandler), Bodies: bodies})
	refuse := func(c *gin.Context, _ error) { c.Status(http.StatusServiceUnavailable) }
	web.Get(engine, "/:who", web.Shed(slots, refuse), func(c *gin.Context) {
		if err := web.EventOf(c.Request.Context()).Hold(1 << 20); err != nil {
			t.Error(err)
		}
		taken <- struct{}{}
		<-leave
	})
	ask := func() *http.Request { return httptest.NewRequestWithContext(t.Context(), "GET", "/one", nil) }
	done := make(chan struct{})
	go func() { defer close(done); engine.ServeHTTP(httptest.NewRecorder(), ask()) }()
	<-taken
	engine.ServeHTTP(httptest.NewRecorder(), ask())
	expect(t, w.scrape(t),
		`razao_slots{class="api"} 1`, `razao_slots_taken{class="api"} 1`, `razao_slots_waiting{class="api"} 0`,
		`razao_slots_refused_total{class="api"} 1`, `razao_bodies_max_bytes 1.048576e+06`, `razao_bodies_held_bytes 1.048576e+06`,
	)
	leave <- struct{}{}
	<-done
	expect(t, w.scrape(t), `razao_slots_taken{class="api"} 0`, `razao_bodies_held_bytes 0`, `razao_bodies_refused_total 0`)
}
