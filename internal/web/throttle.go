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

// Throttle is a rate limiter per client, a token bucket for each IPv4 address or IPv6 /64. It lives in one process: n
// processes let n times the rate through. A nil Throttle blocks nobody. It is safe for concurrent use.
type Throttle struct {
	rate  rate.Limit
	burst int
	now   func() time.Time

	mu      sync.Mutex
	clients *recent.Map[netip.Addr, *rate.Limiter]
}

// NewThrottle returns a throttle of perMinute requests a minute with bursts of up to burst. It is nil if perMinute is 0.
func NewThrottle(perMinute, burst int) *Throttle {
	if perMinute == 0 {
		return nil
	}
	return &Throttle{
		rate: rate.Limit(float64(perMinute) / time.Minute.Seconds()), burst: burst, now: time.Now,
		clients: recent.New[netip.Addr, *rate.Limiter](maxClients),
	}
}

// Take takes a token from a client's bucket. If there is none the error is a *TooManyError, and nothing is taken.
func (t *Throttle) Take(client netip.Addr) error {
	if t == nil {
		return nil
	}
	if t.limiter(client).AllowN(t.now(), 1) {
		return nil
	}
	return t.Check(client)
}

// Check returns the *TooManyError that Take would return, and takes nothing.
func (t *Throttle) Check(client netip.Addr) error {
	if t == nil {
		return nil
	}
	missing := 1 - t.limiter(client).TokensAt(t.now())
	if missing <= 0 {
		return nil
	}
	return &TooManyError{Wait: time.Duration(missing / float64(t.rate) * float64(time.Second))}
}

// limiter returns a client's bucket. A client that was forgotten gets a full one.
func (t *Throttle) limiter(client netip.Addr) *rate.Limiter {
	client = Network(client)
	t.mu.Lock()
	defer t.mu.Unlock()
	l, ok := t.clients.Get(client)
	if !ok {
		l = rate.NewLimiter(t.rate, t.burst)
		t.clients.Put(client, l)
	}
	return l
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

// LimitFailures limits guessing: it counts 401 responses by client, and lets fail respond, with a *TooManyError, to every
// request of a client that had too many. Other responses cost nothing, so people behind one NAT do not block each other.
func LimitFailures(t *Throttle, fail func(c *gin.Context, err error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		client := ClientOf(c)
		if err := t.Check(client); err != nil {
			c.Abort()
			fail(c, err)
			return
		}
		c.Next()
		if c.Writer.Status() == http.StatusUnauthorized {
			_ = t.Take(client) // if the bucket is empty, the next request is refused
		}
	}
}

// ClientOf returns the address of the client, behind trusted proxies too; the zero Addr if it is not known.
func ClientOf(c *gin.Context) netip.Addr { return EventOf(c.Request.Context()).client }
