package web

import (
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"golang.org/x/time/rate"

	"razao/internal/recent"
)

// maxClients is how many clients a Throttle remembers, in about 20 MB; beyond it the least recent are forgotten.
const maxClients = 100_000

// TooManyError means that a client exceeded a Throttle's rate.
type TooManyError struct {
	Wait time.Duration // until the next request is let through
}

// Error implements error.
func (e *TooManyError) Error() string {
	return fmt.Sprintf("too many requests from one address: blocked for %s", e.Wait)
}

// Seconds returns Wait as the value of Retry-After: seconds, rounded up, at least 1.
func (e *TooManyError) Seconds() string {
	return strconv.Itoa(max(1, int(math.Ceil(e.Wait.Seconds()))))
}

// Throttle is a rate limiter per client, a token bucket for each IPv4 address or IPv6 /64, and one sitesShare times as large for each
// IPv6 /48, which is what one customer may have. It lives in one process: n processes let n times the rate through. A nil Throttle
// blocks nobody. It is safe for concurrent use.
type Throttle struct {
	rate  rate.Limit
	burst int
	now   func() time.Time

	mu      sync.Mutex
	clients *recent.Map[netip.Prefix, *bucket]
}

// sitesShare is how many times the rate of a /64 all those of a /48 have. Mobile networks give each telephone a /64.
const sitesShare = 16

// bucket is a token bucket of which some tokens are reserved, guarded by the throttle's mutex.
type bucket struct {
	*rate.Limiter
	reserved int
}

// NewThrottle returns a throttle of perMinute requests a minute with bursts of up to burst. It is nil if perMinute is 0.
func NewThrottle(perMinute, burst int) *Throttle {
	if perMinute == 0 {
		return nil
	}
	return &Throttle{
		rate: rate.Limit(float64(perMinute) / time.Minute.Seconds()), burst: burst, now: time.Now,
		clients: recent.New[netip.Prefix, *bucket](maxClients),
	}
}

// Reservation is a token that is set aside until Keep or Cancel. The zero Reservation is of a nil Throttle.
type Reservation struct {
	throttle *Throttle
	buckets  []*bucket
}

// Reserve sets a token of a client aside, for who learns only later whether to take it. If there is none the error is a
// *TooManyError, and nothing is reserved.
func (t *Throttle) Reserve(client netip.Addr) (Reservation, error) {
	if t == nil {
		return Reservation{}, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	buckets := t.buckets(client)
	if err := t.check(buckets); err != nil {
		return Reservation{}, err
	}
	for _, b := range buckets {
		b.reserved++
	}
	return Reservation{t, buckets}, nil
}

// Keep takes the token.
func (r Reservation) Keep() { r.end(1) }

// Cancel gives the token back.
func (r Reservation) Cancel() { r.end(0) }

func (r Reservation) end(taken int) {
	if r.throttle == nil {
		return
	}
	r.throttle.mu.Lock()
	defer r.throttle.mu.Unlock()
	for _, b := range r.buckets {
		b.reserved--
		b.AllowN(r.throttle.now(), taken)
	}
}

// Take takes a token from a client's bucket. If there is none the error is a *TooManyError, and nothing is taken.
func (t *Throttle) Take(client netip.Addr) error {
	r, err := t.Reserve(client)
	if err == nil {
		r.Keep()
	}
	return err
}

// Check returns the *TooManyError that Take would return, and takes nothing.
func (t *Throttle) Check(client netip.Addr) error {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.check(t.buckets(client))
}

// check returns a *TooManyError unless each bucket has a token that is not reserved. The caller holds t.mu.
func (t *Throttle) check(buckets []*bucket) error {
	var wait time.Duration
	for _, b := range buckets {
		missing := 1 - b.TokensAt(t.now()) + float64(b.reserved)
		wait = max(wait, time.Duration(missing/float64(b.Limit())*float64(time.Second)))
	}
	if wait <= 0 {
		return nil
	}
	return &TooManyError{Wait: wait}
}

// buckets returns those of a client, who gets full ones when it was forgotten. The caller holds t.mu.
func (t *Throttle) buckets(client netip.Addr) []*bucket {
	buckets := []*bucket{t.bucket(netip.PrefixFrom(Network(client), client.BitLen()), 1)}
	if client.Is6() {
		buckets = append(buckets, t.bucket(netip.PrefixFrom(Site(client), siteBits), sitesShare))
	}
	return buckets
}

func (t *Throttle) bucket(network netip.Prefix, share int) *bucket {
	b, ok := t.clients.Get(network)
	if !ok {
		b = &bucket{Limiter: rate.NewLimiter(t.rate*rate.Limit(share), t.burst*share)}
		t.clients.Put(network, b)
	}
	return b
}

// Limit counts requests by client, and lets fail respond, with a *TooManyError, to those over the rate.
func Limit(t *Throttle, fail func(c *gin.Context, err error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		if err := t.Take(ClientOf(c)); err != nil {
			c.Abort()
			fail(c, err)
		}
	}
}

// Guard limits guessing by client address. A failure is a 401, or what its handler tells of by Failed.
//
// Of a request whose credential may be a guess a failure is reserved when it comes and given back when it was none, so that of any
// number of them at once no more get through than failures are left. One that is certainly no guess reserves nothing, so people
// behind one NAT do not block each other by being many; what fails of it is counted.
type Guard struct {
	Failures *Throttle
	// Known reports, from memory, whether a request's credential is certainly no guess. nil: every request is let through until
	// there were too many failures.
	Known func(*gin.Context) bool
	// Spare lets known requests through even from an address with too many failures.
	Spare bool
	// Fail responds to a *TooManyError.
	Fail func(c *gin.Context, err error)
}

// Limit is the middleware.
func (g Guard) Limit(c *gin.Context) {
	client := ClientOf(c)
	known := g.Known == nil || g.Known(c)
	var reserved Reservation
	var err error
	switch {
	case !known:
		reserved, err = g.Failures.Reserve(client)
	case !g.Spare:
		err = g.Failures.Check(client)
	}
	if err != nil {
		c.Abort()
		g.Fail(c, err)
		return
	}
	defer func() { // also when a handler panics
		failed := c.Writer.Status() == http.StatusUnauthorized || c.GetBool(failedKey)
		switch {
		case known && failed:
			_ = g.Failures.Take(client) // if the bucket is empty, the next request is refused
		case failed:
			reserved.Keep()
		default:
			reserved.Cancel()
		}
	}()
	c.Next()
}

const failedKey = "razao/web.failed"

// Failed tells the Guard of a request that its credential is wrong, where the status does not say so.
func Failed(c *gin.Context) { c.Set(failedKey, true) }

// ClientOf returns the address of the client, behind trusted proxies too; the zero Addr if it is not known.
func ClientOf(c *gin.Context) netip.Addr { return EventOf(c.Request.Context()).client }

// ShowRate writes the three headers that tell a client where its account stands: calls per minute, calls left, and when the next
// minute begins. A limit of 0 says nothing.
func ShowRate(header http.Header, limit, remaining int, reset time.Time) {
	if limit == 0 {
		return
	}
	header.Set("X-RateLimit-Limit", strconv.Itoa(limit))
	header.Set("X-RateLimit-Remaining", strconv.Itoa(remaining))
	header.Set("X-RateLimit-Reset", strconv.FormatInt(reset.Unix(), 10))
}
