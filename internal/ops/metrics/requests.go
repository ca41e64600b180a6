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

	"razao/internal/people/account"
	"razao/internal/web"
)

// buckets are the upper bounds of the classic histogram in seconds. They are few because each is a
// series for every route, method and status. Native histograms, where Prometheus scrapes them, are
// finer.
var buckets = []float64{0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10}

// Resolution of native histograms: each bucket is nativeFactor times as wide as the one before, and
// a series has at most nativeBuckets.
const (
	nativeFactor  = 1.1
	nativeBuckets = 160
)

// requests measures HTTP requests.
type requests struct {
	duration *prometheus.HistogramVec
	bytes    *prometheus.CounterVec
	inFlight prometheus.Gauge
	refusals *prometheus.CounterVec
	overload error

	// known caches the series of each kind of request seen so far: looking series up by label
	// values takes longer than counting, and allocates. The map is copy-on-write, so reading it
	// takes no lock.
	known atomic.Pointer[map[kind]*series]
	mu    sync.Mutex // held while the map is replaced
}

// kind is the key by which requests are counted.
type kind struct {
	route, method string
	status        int
}

// series are the metrics of one kind of request.
type series struct {
	duration prometheus.Observer
	bytes    prometheus.Counter
}

// Values of the label limit of refusals.
const (
	byAccount  = "account"  // the account's calls per minute
	byAddress  = "address"  // a rate limit per client address
	byOverload = "overload" // load shedding
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

// Around returns the middleware that measures requests, or nil if m is nil. It must be the
// outermost, to see the final status and the whole time.
func (m *Metrics) Around() []gin.HandlerFunc {
	if m == nil {
		return nil
	}
	return []gin.HandlerFunc{m.measure}
}

// measure is the middleware of Around.
func (r *requests) measure(c *gin.Context) {
	start := time.Now()
	r.inFlight.Inc()
	defer func() { // deferred: http.ErrAbortHandler unwinds the stack by a panic
		r.inFlight.Dec()
		r.observe(c, time.Since(start))
	}()
	c.Next()
}

// observe counts a request that took so long.
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

// refused counts a 429 or 503 by the limit that caused it, which the error of the request tells. A
// 503 that is not overload is a failure and no refusal.
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

// add makes the series of a kind of request and, unless its method is undefined, caches it. All
// paths without a route are one label value, and so are all methods that HTTP does not define:
// clients make them up, and unbounded labels would fill the memory.
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
		return s // not cached: the cache would grow with every method that a client makes up
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

// defined reports whether HTTP defines a method (RFC 9110 §9.3, and PATCH).
func defined(method string) bool {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return true
	}
	return false
}
