package web

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"
	"golang.org/x/sync/semaphore"
)

// ErrOverload means that a request was shed: Places has no place for it, or the Budget no room for
// its body. Clients should come back later.
var ErrOverload = errors.New("overload")

// A request waits for a place after CoDel (RFC 8289 §3). A burst may wait for up to waitInterval. When
// requests wait and nobody has entered within waitStanding for a whole interval, the queue is taken
// for a standing one. For the time of overload there are then fewer places, and requests that find
// none are refused at once. After it comes an interval of trial, in which a request that has to wait
// for longer than waitStanding begins the next overload. So bursts are absorbed, overload adds little
// latency to those served, and it ends when there is room, whatever was refused meanwhile: with fewer
// places, or clients that come again at once, many requests are refused even at moderate load.
const (
	waitInterval = 100 * time.Millisecond
	waitStanding = 50 * time.Millisecond
	overload     = time.Second
	maxWaiting   = 1024 // requests; some 20 KB each
)

// Places bounds how many requests of a class are in progress (load shedding): enough to keep the
// database and the processors busy, and no more, so that latency and memory stay bounded. Make one
// with NewPlaces. It is safe for concurrent use. Nil bounds nothing.
type Places struct {
	places     *semaphore.Weighted
	size       int64
	inOverload int64
	taken      atomic.Int64
	waiting    atomic.Int64
	refused    atomic.Int64
	began      time.Time
	quickAt    atomic.Int64 // nanoseconds after began: last entry after a wait below waitStanding, or end of overload
	overUntil  atomic.Int64 // nanoseconds after began: end of the latest overload; 0: there was none
}

// NewPlaces returns n places, all free, of which inOverload are given in overload.
func NewPlaces(n, inOverload int) *Places {
	return &Places{places: semaphore.NewWeighted(int64(n)), size: int64(n), inOverload: int64(inOverload), began: time.Now()}
}

// PlacesStats are gauges of a moment: places, those taken, requests that wait. Refused is a counter
// of all refusals so far.
type PlacesStats struct{ Size, Taken, Waiting, Refused int64 }

// Stats returns the figures of this moment; zeros for nil.
func (p *Places) Stats() PlacesStats {
	if p == nil {
		return PlacesStats{}
	}
	return PlacesStats{Size: p.size, Taken: p.taken.Load(), Waiting: p.waiting.Load(), Refused: p.refused.Load()}
}

// enter takes a place, waiting if it may. The error is ErrOverload or that of ctx.
func (p *Places) enter(ctx context.Context) error {
	came := time.Since(p.began)
	if came < time.Duration(p.overUntil.Load()) {
		return p.squeeze()
	}
	if !p.places.TryAcquire(1) { // fails also while others wait: first come, first served
		if err := p.wait(ctx, came); err != nil {
			return err
		}
	}
	if now := time.Since(p.began); now-came < waitStanding {
		p.quickAt.Store(max(int64(now), p.quickAt.Load()))
	}
	p.taken.Add(1)
	return nil
}

// wait waits for a place, unless a queue stands. Beyond maxWaiting waiting requests it refuses at once.
func (p *Places) wait(ctx context.Context, came time.Duration) error {
	others := p.waiting.Add(1) - 1
	defer p.waiting.Add(-1)
	// Slow answers without a queue are no overload.
	if others > 0 && came-time.Duration(p.quickAt.Load()) > waitInterval {
		p.overloaded(came)
		return p.refuse()
	}
	if others >= maxWaiting {
		return p.refuse()
	}
	patience, until := waitInterval, time.Duration(p.overUntil.Load())
	trial := until > 0 && came-until < waitInterval
	if trial {
		patience = waitStanding
	}
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if p.places.Acquire(waiting, 1) == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if trial {
		p.overloaded(time.Since(p.began))
	}
	return p.refuse()
}

// overloaded begins an overload.
func (p *Places) overloaded(now time.Duration) {
	until := int64(now + overload)
	p.overUntil.Store(until)
	p.quickAt.Store(until)
}

// squeeze takes a place in overload, or refuses.
func (p *Places) squeeze() error {
	if p.taken.Add(1) <= p.inOverload && p.places.TryAcquire(1) {
		return nil
	}
	p.taken.Add(-1)
	return p.refuse()
}

// refuse counts a refusal.
func (p *Places) refuse() error {
	p.refused.Add(1)
	return ErrOverload
}

func (p *Places) leave() {
	p.taken.Add(-1)
	p.places.Release(1)
}

// Shed returns middleware that takes a place of p for each request, or lets refuse respond with
// ErrOverload or the error of the request's context. The place is given up when the response is
// handed over for sending: a slow reader holds none.
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

// leavePlace gives up the place of the request, if it has one.
func (e *Event) leavePlace() {
	if e.places != nil {
		e.places.leave()
		e.places = nil
	}
}

// heldSize is the size of a body, in bytes, from which on it counts against a Budget. Smaller ones
// fit the socket buffers, so slow readers do not keep them in memory.
const heldSize = 64 << 10

// Budget bounds the bytes of large bodies that are being rendered or sent, which slow readers can
// hold for up to writeTimeout. Nobody waits for it: a body that does not fit is refused. Make one
// with NewBudget. It is safe for concurrent use. Nil bounds nothing.
type Budget struct {
	bytes   *semaphore.Weighted
	size    int64
	held    atomic.Int64
	refused atomic.Int64
}

// NewBudget returns a Budget of size bytes.
func NewBudget(size int64) *Budget { return &Budget{bytes: semaphore.NewWeighted(size), size: size} }

// Stats returns the size of the Budget and the bytes held, in bytes, and the number of bodies
// refused so far; zeros for nil.
func (b *Budget) Stats() (size, held, refused int64) {
	if b == nil {
		return 0, 0, 0
	}
	return b.size, b.held.Load(), b.refused.Load()
}

// Hold reserves n bytes of the Budget, in all, for the body of the request until the request is
// over; a later call extends the reservation. Call it before a large body is rendered if its size
// is known. The error is ErrOverload: the body must not be made. A body larger than the whole
// Budget reserves all of it. Bodies below 64 KB are free.
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

// releaseBytes returns the bytes that Hold reserved.
func (e *Event) releaseBytes() {
	if e.held > 0 {
		e.budget.bytes.Release(e.held)
		e.budget.held.Add(-e.held)
		e.held = 0
	}
}
