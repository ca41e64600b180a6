package web

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"
	"golang.org/x/sync/semaphore"
)

// ErrOverload means that a request was refused, at once, because more of them come than can be answered.
var ErrOverload = errors.New("overload")

// How long a request waits for a place, after CoDel (RFC 8289 §3): a burst may wait for the interval, but once nobody has waited for
// less than waitStanding during an interval, the queue stands, and nobody waits until a second has passed without a refusal. So a
// burst is answered, and overload costs nobody time.
const (
	waitInterval = 100 * time.Millisecond
	waitStanding = 50 * time.Millisecond
	waitCalm     = time.Second
	maxWaiting   = 1024 // requests; some 20 KB each
)

// Places bound how many requests of a class are worked on at once (load shedding): enough to keep the database and the processors
// busy, and no more, so that each is answered soon and memory is bounded. Make them with NewPlaces. Nil bounds nothing.
type Places struct {
	places  *semaphore.Weighted
	size    int64
	taken   atomic.Int64
	waiting atomic.Int64
	refused atomic.Int64
	began   time.Time
	quickAt atomic.Int64 // since began: somebody last waited for less than waitStanding
	shedAt  atomic.Int64 // since began: somebody was last refused; 0: nobody was
}

// NewPlaces returns n places.
func NewPlaces(n int) *Places {
	return &Places{places: semaphore.NewWeighted(int64(n)), size: int64(n), began: time.Now()}
}

// PlacesStats are the counts of a moment; Refused only grows.
type PlacesStats struct{ Size, Taken, Waiting, Refused int64 }

// Stats returns the counts of this moment.
func (p *Places) Stats() PlacesStats {
	if p == nil {
		return PlacesStats{}
	}
	return PlacesStats{Size: p.size, Taken: p.taken.Load(), Waiting: p.waiting.Load(), Refused: p.refused.Load()}
}

// enter takes a place. The error is ErrOverload, or that of ctx.
func (p *Places) enter(ctx context.Context) error {
	came := time.Since(p.began)
	if !p.places.TryAcquire(1) { // also when others wait
		if err := p.wait(ctx, came); err != nil {
			return err
		}
	}
	if now := time.Since(p.began); now-came < waitStanding {
		p.quickAt.Store(int64(now))
	}
	p.taken.Add(1)
	return nil
}

// wait waits for a place, when there is no overload.
func (p *Places) wait(ctx context.Context, came time.Duration) error {
	if p.overloaded(came) {
		return p.refuse()
	}
	defer p.waiting.Add(-1)
	if p.waiting.Add(1) > maxWaiting {
		return p.refuse()
	}
	waiting, cancel := context.WithTimeout(ctx, waitInterval)
	defer cancel()
	if p.places.Acquire(waiting, 1) == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return p.refuse()
}

func (p *Places) overloaded(now time.Duration) bool {
	shed := p.shedAt.Load()
	return shed > 0 && now-time.Duration(shed) < waitCalm || now-time.Duration(p.quickAt.Load()) > waitInterval
}

func (p *Places) refuse() error {
	p.shedAt.Store(int64(time.Since(p.began)))
	p.refused.Add(1)
	return ErrOverload
}

func (p *Places) leave() {
	p.taken.Add(-1)
	p.places.Release(1)
}

// Shed lets a request take one of p's places, or refuse respond to it. The place is given up when the response is sent, before the
// client has read it: a slow reader holds none.
func Shed(p *Places, refuse func(c *gin.Context, err error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		if p == nil {
			return
		}
		if err := p.enter(c.Request.Context()); err != nil {
			c.Abort()
			refuse(c, err)
			return
		}
		e := EventOf(c.Request.Context())
		e.places = p
		defer e.leavePlace()
		c.Next()
	}
}

// leavePlace gives up the place of a request that has one.
func (e *Event) leavePlace() {
	if e.places != nil {
		e.places.leave()
		e.places = nil
	}
}

// heldSize is the size of a body, in bytes, from which on it counts while it is held. Smaller ones fit the buffers of a socket.
const heldSize = 64 << 10

// Budget bounds the bytes of large bodies that are being made or sent, which slow readers hold for as long as a minute. Nil bounds
// nothing.
type Budget struct {
	bytes   *semaphore.Weighted
	size    int64
	held    atomic.Int64
	refused atomic.Int64
}

// NewBudget returns a budget of so many bytes.
func NewBudget(size int64) *Budget { return &Budget{bytes: semaphore.NewWeighted(size), size: size} }

// Stats returns the bytes of the budget, how many are held at this moment, and how many bodies were refused so far.
func (b *Budget) Stats() (size, held, refused int64) {
	if b == nil {
		return 0, 0, 0
	}
	return b.size, b.held.Load(), b.refused.Load()
}

// Hold counts a body of n bytes, in all, against the budget until the request is over, before it is made if its size is known. The
// error is ErrOverload: it must not be made. One that is larger than the budget takes all of it.
func (e *Event) Hold(n int) error {
	b := e.budget
	if b == nil || n < heldSize {
		return nil
	}
	more := min(int64(n), b.size) - e.held
	if more <= 0 {
		return nil
	}
	if !b.bytes.TryAcquire(more) {
		b.refused.Add(1)
		return ErrOverload
	}
	e.held += more
	b.held.Add(more)
	return nil
}

// letGo ends what Hold has begun.
func (e *Event) letGo() {
	if e.held > 0 {
		e.budget.bytes.Release(e.held)
		e.budget.held.Add(-e.held)
		e.held = 0
	}
}
