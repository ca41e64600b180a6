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

// maxClients is how many clients a Throttle remembers, in about 20 MB. With more at a time it forgets those that were quiet
// for longest.
const maxClients = 100_000

// TooManyError is the error of a client that a Throttle blocks.
type TooManyError struct {
	Wait time.Duration
}

// Error implements error.
func (e *TooManyError) Error() string {
	return fmt.Sprintf("too many of these from one address: blocked for %s", e.Wait)
}

// Seconds returns Wait as Retry-After says it: a whole number of seconds, at least one.
func (e *TooManyError) Seconds() string {
	return strconv.Itoa(max(1, int(math.Ceil(e.Wait.Seconds()))))
}

// Throttle limits how often something may come from one client, which is an address or, with IPv6, its /64. It belongs to
// one process, so that several processes let several times as much through. A nil Throttle blocks nobody.
type Throttle struct {
	rate  rate.Limit
	burst int
	now   func() time.Time

	mu      sync.Mutex
	clients *recent.Map[netip.Addr, *rate.Limiter]
}

// NewThrottle returns a throttle for so many a minute, of which so many may come at once. It is nil when perMinute is 0.
func NewThrottle(perMinute, burst int) *Throttle {
	if perMinute == 0 {
		return nil
	}
	return &Throttle{
		rate: rate.Limit(float64(perMinute) / time.Minute.Seconds()), burst: burst, now: time.Now,
		clients: recent.New[netip.Addr, *rate.Limiter](maxClients),
	}
}

// Take counts one for the client at an address. The error is a *TooManyError when there were too many; it is then not counted.
func (t *Throttle) Take(client netip.Addr) error {
	if t == nil {
		return nil
	}
	if t.limiter(client).AllowN(t.now(), 1) {
		return nil
	}
	return t.Check(client)
}

// Check returns the *TooManyError that Take would return, and counts nothing.
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

// limiter returns the state of a client. One that is not remembered has been quiet.
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

// Limit lets fail answer, with a *TooManyError, the requests of clients that send too many.
func Limit(t *Throttle, fail func(c *gin.Context, err error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		if err := t.Take(ClientOf(c)); err != nil {
			c.Abort()
			fail(c, err)
		}
	}
}

// LimitFailures counts the answers that were 401, and lets fail answer, with a *TooManyError, the requests of clients that had
// too many. Answers of any other kind cost nothing, so that many people behind one address do not block each other.
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
			_ = t.Take(client) // this answer was given; the next request is refused
		}
	}
}

// ClientOf returns the address that a request came from, which is not valid when there is none.
func ClientOf(c *gin.Context) netip.Addr { return EventOf(c.Request.Context()).client }
