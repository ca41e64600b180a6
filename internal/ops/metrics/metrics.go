// Package metrics exposes Prometheus metrics, pprof profiles and health on a private address that
// only operators reach. It is the only package that knows Prometheus.
//
// Requests are counted by a middleware ([Metrics.Around]) as they end. Everything else is read
// during a scrape by three collectors: parts (counts and states that other packages keep in
// memory), limits (load shedding) and stored (what is in PostgreSQL, asked at most once in 5
// seconds however many servers scrape). So packages do not depend on Prometheus, and a scrape costs
// the database next to nothing.
//
// Labels are route patterns, statuses, source ids, stages and names from this program, never
// anything that a client sent: cardinality is bounded, and no metric is about a person. The address
// has no authentication; requests that name it by a foreign name are refused against DNS rebinding
// (see foreignHost).
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

	"razao/internal/people/account"
	"razao/internal/people/mail"
	"razao/internal/store/indexstore"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
)

// Pools are connection pools by the name that their metrics have as label.
type Pools map[string]*pgxpool.Pool

// Config holds what is measured.
type Config struct {
	Version string // of the program
	Live    *snapshot.Live
	Fetcher *indexstore.Node // nil: nothing is fetched
	Meter   *account.Meter
	Outbox  *mail.Outbox
	Store   *registry.Store // read for each load in service, once
	Pools   Pools
	Free    func() (int64, error) // free bytes in the data folder
	// Overload is the error of requests that were shed (web.Event.Err); nil: none are shed.
	Overload error
	// Health serves the paths below /health/; nil: they are not found.
	Health http.Handler
	Log    *slog.Logger
}

// Metrics counts requests and serves the private address, with a Prometheus registry of its own.
// Open, Around, Watch and Serve make or accept a nil Metrics, which does nothing. It is safe for
// concurrent use.
type Metrics struct {
	*requests
	registry *prometheus.Registry
	health   http.Handler
	log      *slog.Logger
	private  net.Listener // of Open
	addr     string       // of Open
}

// Open returns the Metrics of New and listens on addr, host:port, for Serve. It returns nil, nil if
// addr is "", and also, with a warning, if addr is DefaultAddr and in use: metrics must not keep
// the server from starting beside a Prometheus. Other errors name the setting, RAZAO_PRIVATE_ADDR.
func Open(ctx context.Context, addr string, c Config) (*Metrics, error) {
	private, err := listen(ctx, addr, c.Log)
	if private == nil {
		return nil, err
	}
	m := New(c)
	m.private, m.addr = private, addr
	return m, nil
}

// New returns Metrics that do not listen; Handler serves them. Tests and Open use it.
func New(c Config) *Metrics {
	m := &Metrics{requests: newRequests(c.Overload), registry: prometheus.NewRegistry(), health: c.Health, log: c.Log}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "razao_build_info", Help: "Always 1: the program that runs.",
		ConstLabels: prometheus.Labels{"version": c.Version, "goversion": runtime.Version()},
	})
	build.Set(1)
	m.registry.MustRegister(
		build, m.duration, m.bytes, m.inFlight, m.refusals, &parts{Config: c}, newStored(c),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

// Bounds of a scrape. Its statements have their own, askTimeout.
const (
	scrapeTimeout = 10 * time.Second
	scrapesAtOnce = 4
)

// Handler serves /metrics, /debug/pprof/ and, with Config.Health, /health/. It refuses requests
// whose Host header is foreign.
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
	return m.checkHost(mux)
}
