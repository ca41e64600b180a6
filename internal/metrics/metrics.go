// Package metrics tells Prometheus what a server does, on an address of its own that only operators reach: requests by route, and on
// each scrape the counts and states that the other packages keep themselves. It is the only package that knows Prometheus. Labels are
// routes, statuses, sources, stages and names from this program, never what somebody typed: their number is bounded, and nothing in
// them is about a person.
package metrics

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"razao/internal/account"
	"razao/internal/indexstore"
	"razao/internal/mail"
	"razao/internal/registry"
	"razao/internal/snapshot"
)

// Pools are by name.
type Pools map[string]*pgxpool.Pool

// Config is what is measured.
type Config struct {
	Version string
	Live    *snapshot.Live
	Fetcher *indexstore.Node // nil: nothing is fetched
	Meter   *account.Meter
	Outbox  *mail.Outbox
	Store   *registry.Store // asked for the loads in service, once for each
	Pools   Pools
	Free    func() (int64, error) // bytes that may still be written to the data folder
	// Overload is what requests that were shed fail with (web.Event); nil: none are.
	Overload error
	// Health answers below /health/; nil: nothing does.
	Health http.Handler
	Log    *slog.Logger
}

// Metrics is what is counted, in a registry of its own. A nil Metrics counts nothing.
type Metrics struct {
	*requests
	registry *prometheus.Registry
	health   http.Handler
	log      *slog.Logger
	private  net.Listener // of Open
	addr     string       // of Open
}

// Open returns New's metrics, and opens addr, host:port, for Serve. Without an address it returns nil, and with a warning when another
// process has DefaultAddr. Other errors name the setting, RAZAO_PRIVATE_ADDR.
func Open(ctx context.Context, addr string, c Config) (*Metrics, error) {
	private, err := listen(ctx, addr, c.Log)
	if private == nil {
		return nil, err
	}
	m := New(c)
	m.private, m.addr = private, addr
	return m, nil
}

// New returns metrics of the parts of c.
func New(c Config) *Metrics {
	m := &Metrics{requests: newRequests(c.Overload), registry: prometheus.NewRegistry(), health: c.Health, log: c.Log}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "razao_build_info", Help: "Always 1: the program that runs.",
		ConstLabels: prometheus.Labels{"version": c.Version, "goversion": runtime.Version()},
	})
	build.Set(1)
	m.registry.MustRegister(
		build, m.duration, m.bytes, m.inFlight, m.refusals, newParts(c), newStored(c),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

// The bounds of a scrape. What it asks PostgreSQL for is bounded by askTimeout.
const (
	scrapeTimeout = 10 * time.Second
	scrapesAtOnce = 4
)

// Handler serves /metrics, /debug/pprof/ and, if there is a health handler, /health/, to whoever names the server as operators do: see
// misdirected.
func (m *Metrics) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorHandling: promhttp.ContinueOnError, MaxRequestsInFlight: scrapesAtOnce, Timeout: scrapeTimeout,
	}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	if m.health != nil {
		mux.Handle("GET /health/", m.health)
	}
	return m.refusing(mux)
}
