package metrics

import (
	"errors"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"razao/internal/account"
	"razao/internal/web"
)

// buckets are the classic bounds in seconds, few because each is a series for every route, method and status. Native histograms, where
// Prometheus takes them, are finer.
var buckets = []float64{0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10}

// nativeFactor is how much wider a native bucket is than the one before it, and nativeBuckets how many a series has at the most.
const (
	nativeFactor  = 1.1
	nativeBuckets = 160
)

// requests measures requests.
type requests struct {
	duration *prometheus.HistogramVec
	bytes    *prometheus.CounterVec
	inFlight prometheus.Gauge
	refusals *prometheus.CounterVec
	overload error

	// The series of what was asked before, in a map that is replaced and never written to: finding them by label values takes longer
	// than counting, and allocates.
	known atomic.Pointer[map[kind]*series]
	mu    sync.Mutex // held to replace it
}

// kind is what requests are counted by.
type kind struct {
	route, method string
	status        int
}

type series struct {
	duration prometheus.Observer
	bytes    prometheus.Counter
}

// The reasons of refusals.
const (
	byAccount  = "account"  // the account's calls of a minute
	byAddress  = "address"  // the limits of an address
	byOverload = "overload" // more comes than can be answered
)

func newRequests(overload error) *requests {
	r := &requests{
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "razao_http_request_duration_seconds",
			Help:    "Time from a request's headers to the end of its handler, by route pattern.",
			Buckets: buckets, NativeHistogramBucketFactor: nativeFactor, NativeHistogramMaxBucketNumber: nativeBuckets,
			NativeHistogramMinResetDuration: time.Hour,
		}, []string{"route", "method", "status"}),
		bytes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "razao_http_response_bytes_total", Help: "Bytes of response bodies as they were sent.",
		}, []string{"route", "method"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "razao_http_requests_in_flight", Help: "Requests that are being answered.",
		}),
		refusals: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "razao_http_refusals_total", Help: "Requests that were refused because of a limit, by whose: account, address or overload.",
		}, []string{"limit"}),
		overload: overload,
	}
	for _, limit := range []string{byAccount, byAddress, byOverload} {
		r.refusals.WithLabelValues(limit)
	}
	r.known.Store(&map[kind]*series{})
	return r
}

// Around returns the middleware that measures requests, none when m is nil. It must go first, to see their final status.
func (m *Metrics) Around() []gin.HandlerFunc {
	if m == nil {
		return nil
	}
	return []gin.HandlerFunc{m.measure}
}

// measure is the middleware.
func (r *requests) measure(c *gin.Context) {
	start := time.Now()
	r.inFlight.Inc()
	defer func() { // also when http.ErrAbortHandler unwinds the stack
		r.inFlight.Dec()
		r.observe(c, time.Since(start))
	}()
	c.Next()
}

func (r *requests) observe(c *gin.Context, took time.Duration) {
	k := kind{c.FullPath(), c.Request.Method, c.Writer.Status()}
	s := (*r.known.Load())[k]
	if s == nil {
		s = r.add(k)
	}
	s.duration.Observe(took.Seconds())
	s.bytes.Add(float64(max(c.Writer.Size(), 0)))
	if k.status == http.StatusTooManyRequests || k.status == http.StatusServiceUnavailable {
		r.refused(web.EventOf(c.Request.Context()).Err(), k.status)
	}
}

// refused counts a response that may be a refusal because of a limit.
func (r *requests) refused(err error, status int) {
	var limit *account.LimitError
	switch {
	case r.overload != nil && errors.Is(err, r.overload):
		r.refusals.WithLabelValues(byOverload).Inc()
	case status != http.StatusTooManyRequests:
	case errors.As(err, &limit):
		r.refusals.WithLabelValues(byAccount).Inc()
	default:
		r.refusals.WithLabelValues(byAddress).Inc()
	}
}

// add makes the series of a kind of request. Paths without a route are one, and so are methods that HTTP does not define, because
// clients make them up.
func (r *requests) add(k kind) *series {
	labels := k
	if k.route == "" {
		labels.route = "unmatched"
	}
	if !defined(k.method) {
		labels.method = "other"
	}
	s := &series{
		r.duration.WithLabelValues(labels.route, labels.method, strconv.Itoa(k.status)),
		r.bytes.WithLabelValues(labels.route, labels.method),
	}
	if labels.method != k.method {
		return s // not remembered: there is no end to them
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	known := map[kind]*series{k: s}
	for other, of := range *r.known.Load() {
		known[other] = of
	}
	r.known.Store(&known)
	return s
}

func defined(method string) bool {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return true
	}
	return false
}
