package web

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/time/rate"
)

// maxClients is how many networks or accounts a Throttle remembers. The least recent are forgotten,
// which gives them full buckets again.
const maxClients = 100_000

// TooManyError means that a client exceeded the rate of a Throttle or the share of SharedSlots.
type TooManyError struct {
	Wait   time.Duration // until the next request is let through
	AtOnce bool          // it has too much in progress, which will end, not too many requests a minute
}

// Error implements error.
func (e *TooManyError) Error() string {
	return fmt.Sprintf("too many requests of one client: blocked for %s", e.Wait)
}

// Seconds returns Wait as the value of Retry-After: seconds, rounded up, at least 1.
func (e *TooManyError) Seconds() string {
	return strconv.Itoa(max(1, int(math.Ceil(e.Wait.Seconds()))))
}

// Throttle is a rate limiter per client: a token bucket for each IPv4 address or IPv6 /64, and one
// sitesShare times as large for each IPv6 /48, which one customer may have. A request needs a token
// of both. Accounts have buckets of their own, see TakeAccount. It lives in one process: n processes
// let n times the rate through. A nil Throttle blocks nobody. It is safe for concurrent use.
type Throttle struct {
	rate  rate.Limit
	burst int
	now   func() time.Time

	mu      sync.Mutex
	clients *simplelru.LRU[subject, *rate.Limiter]
}

// subject is what has a bucket: a network, or an account.
type subject struct {
	network netip.Prefix
	account int64
}

// sitesShare is the rate of a /48 in multiples of that of a /64. It is not 1, because mobile
// networks give each phone a /64.
const sitesShare = 16

// NewThrottle returns a Throttle of perMinute requests a minute with bursts of up to burst. It is
// nil, which blocks nobody, if perMinute is 0.
func NewThrottle(perMinute, burst int) *Throttle {
	if perMinute == 0 {
		return nil
	}
	clients, _ := simplelru.NewLRU[subject, *rate.Limiter](maxClients, nil) // fails only for a size below 1
	return &Throttle{rate: rate.Limit(float64(perMinute) / time.Minute.Seconds()), burst: burst, now: time.Now, clients: clients}
}

// Take consumes a token of a client. If there is none, the error is a *TooManyError.
func (t *Throttle) Take(client netip.Addr) error { return t.TakeN(client, 1) }

// TakeN is Take for n tokens: all or none.
func (t *Throttle) TakeN(client netip.Addr, n int) error {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.take(t.buckets(client), n)
}

// Refund returns a token that a client took, for a caller that learns only later that the request
// does not count.
func (t *Throttle) Refund(client netip.Addr) { t.RefundN(client, 1) }

// RefundN is Refund for n tokens.
func (t *Throttle) RefundN(client netip.Addr, n int) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, b := range t.buckets(client) {
		b.AllowN(t.now(), -n) // a bucket that is full stays so
	}
}

// TakeAccount consumes a token of an account, wherever it calls from. If there is none, the error is
// a *TooManyError.
func (t *Throttle) TakeAccount(id int64) error {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.take([]*rate.Limiter{t.bucket(subject{account: id}, 1)}, 1)
}

// Check returns the *TooManyError that Take would return, and consumes nothing.
func (t *Throttle) Check(client netip.Addr) error {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.check(t.buckets(client), 1)
}

// take consumes n tokens of each bucket, or of none. The caller holds t.mu.
func (t *Throttle) take(buckets []*rate.Limiter, n int) error {
	if err := t.check(buckets, n); err != nil {
		return err
	}
	for _, b := range buckets {
		b.AllowN(t.now(), n)
	}
	return nil
}

// check returns a *TooManyError unless each bucket has n tokens. Wait is that of the slowest bucket.
// The caller holds t.mu.
func (t *Throttle) check(buckets []*rate.Limiter, n int) error {
	var wait time.Duration
	for _, b := range buckets {
		missing := float64(n) - b.TokensAt(t.now())
		wait = max(wait, time.Duration(missing/float64(b.Limit())*float64(time.Second)))
	}
	if wait <= 0 {
		return nil
	}
	return &TooManyError{Wait: wait}
}

// buckets returns the buckets of a client, one for IPv4, two for IPv6. The prefix length is part of
// the key, so a /64 and a /48 with the same address differ. The caller holds t.mu.
func (t *Throttle) buckets(client netip.Addr) []*rate.Limiter {
	buckets := []*rate.Limiter{t.bucket(subject{network: netip.PrefixFrom(Network(client), client.BitLen())}, 1)}
	if client.Is6() {
		buckets = append(buckets, t.bucket(subject{network: netip.PrefixFrom(Site(client), siteBits)}, sitesShare))
	}
	return buckets
}

// bucket returns the bucket of a subject, a full one if it is new or forgotten. The caller holds
// t.mu.
func (t *Throttle) bucket(of subject, share int) *rate.Limiter {
	b, ok := t.clients.Get(of)
	if !ok {
		b = rate.NewLimiter(t.rate*rate.Limit(share), t.burst*share)
		t.clients.Add(of, b)
	}
	return b
}

// Limit returns middleware that takes a token for each request and lets fail respond, with a
// *TooManyError, to those over the rate.
func Limit(t *Throttle, fail func(c *gin.Context, err error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		if err := t.Take(ClientOf(c)); err != nil {
			c.Abort()
			fail(c, err)
		}
	}
}

// Guard limits guessing of credentials by client address. A failure is a response with status 401,
// or one whose handler calls Failed.
//
// A request whose credential may be a guess takes a failure when it arrives and returns it if it
// succeeds. So of any number of parallel guesses no more get through than failures are left (no
// race between check and count). A request whose credential is certainly genuine takes nothing, so
// many people behind one NAT do not block each other; if it fails all the same, the failure is
// counted.
type Guard struct {
	Failures *Throttle
	// Known reports from memory whether the credential of a request is certainly no guess, as
	// account.Meter.Knows does. If nil, no request takes one: failures are counted afterwards, and
	// requests are refused once too many were counted.
	Known func(*gin.Context) bool
	// Spare lets known requests through even from an address without failures left.
	Spare bool
	// Fail responds to a *TooManyError.
	Fail func(c *gin.Context, err error)
}

// Limit is the middleware of g.
func (g Guard) Limit(c *gin.Context) {
	client := ClientOf(c)
	known := g.Known == nil || g.Known(c)
	var err error
	switch {
	case !known:
		err = g.Failures.Take(client)
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
		case !known && !failed:
			g.Failures.Refund(client)
		}
	}()
	c.Next()
}

const failedKey = "razao/web.failed"

// Failed tells the Guard of a request that its credential is wrong, for handlers that respond with
// another status than 401.
func Failed(c *gin.Context) { c.Set(failedKey, true) }

// ClientOf returns the address of the client, behind trusted proxies too; the zero Addr if it is
// unknown, as on a Unix socket.
func ClientOf(c *gin.Context) netip.Addr { return ClientIn(c.Request.Context()) }

// ClientIn is ClientOf for the context of a request.
func ClientIn(ctx context.Context) netip.Addr { return EventOf(ctx).client }

// SiteOf returns the network (Site) that the request of ctx came from; the zero Addr outside a request.
func SiteOf(ctx context.Context) netip.Addr { return Site(EventOf(ctx).client) }

// ShowRate sets X-RateLimit-Limit (calls per minute of the account), X-RateLimit-Remaining and
// X-RateLimit-Reset (Unix seconds of the next minute), and beside them the fields of
// draft-ietf-httpapi-ratelimit-headers-11, in which the wait is in seconds from now, as in Retry-After. A limit of 0 sets nothing.
func ShowRate(header http.Header, limit, remaining int, now, reset time.Time) {
	if limit == 0 {
		return
	}
	const policy = `"conta"`
	wait := (reset.Sub(now) + time.Second - 1) / time.Second
	header.Set("RateLimit-Policy", fmt.Sprintf(policy+";q=%d;w=60", limit))
	header.Set("RateLimit", fmt.Sprintf(policy+";r=%d;t=%d", remaining, max(0, wait)))
	header.Set("X-RateLimit-Limit", strconv.Itoa(limit))
	header.Set("X-RateLimit-Remaining", strconv.Itoa(remaining))
	header.Set("X-RateLimit-Reset", strconv.FormatInt(reset.Unix(), 10))
}
