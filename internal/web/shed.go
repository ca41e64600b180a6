package web

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"
)

// Shed returns middleware that takes a slot for each request (load shedding), or lets refuse respond
// with ErrOverload or the error of the request's context. The slot is released when the response is
// handed over for sending: a slow reader holds none.
func Shed(s *Slots, refuse func(c *gin.Context, err error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		if s == nil {
			return
		}
		if err := s.Take(c.Request.Context(), 1); err != nil {
			c.Abort()
			refuse(c, err)
			return
		}
		e := EventOf(c.Request.Context())
		e.release = func() { s.Release(1) }
		defer e.releaseSlot()
		c.Next()
	}
}

// releaseSlot releases the slot of the request, if it has one.
func (e *Event) releaseSlot() {
	if e.release != nil {
		e.release()
		e.release = nil
	}
}

// heldSize is the size of a body, in bytes, from which on it counts against Options.Bodies. Smaller
// ones fit the socket buffers, so slow readers do not keep them in memory.
const heldSize = 64 << 10

// Hold reserves n bytes of Options.Bodies, in all, for the body of the request or of its response until
// the request is over; a later call extends the reservation. Call it before a large body is rendered if
// its size is known. If it fails the body must not be made: with ErrOverload, or with a *TooManyError
// where the client's others hold its share. A body larger than the share reserves all of it. Bodies
// below 64 KB are free.
func (e *Event) Hold(n int) error {
	if e.bodies == nil || n < heldSize {
		return nil
	}
	more := min(int64(n), e.bodies.most(e)) - e.held
	if more <= 0 {
		return nil
	}
	release, err := e.bodies.take(context.Background(), e, more) // which does not wait
	if err != nil {
		return err
	}
	e.held += more
	e.bytes = append(e.bytes, release)
	return nil
}

// releaseBytes returns the bytes that Hold reserved.
func (e *Event) releaseBytes() {
	for _, release := range e.bytes {
		release()
	}
	e.held, e.bytes = 0, nil
}

// shedLogEvery is the interval of the log line that stands for all requests shed meanwhile.
const shedLogEvery = time.Second

// shedLog counts shed requests until they are logged. Its fields are atomic: the hot path under
// overload takes no lock.
type shedLog struct {
	log   *slog.Logger
	began time.Time
	count atomic.Int64
	next  atomic.Int64 // nanoseconds after began when the next line is due
}

// add counts a shed request. The first since the last line sets when the next is due.
func (r *shedLog) add() {
	if r.count.Add(1) == 1 {
		r.next.Store(int64(time.Since(r.began) + shedLogEvery))
	}
}

// flush logs the count if a line is due. Every request calls it, so the last count is logged by the
// next request after overload.
func (r *shedLog) flush() {
	if r.count.Load() == 0 || time.Since(r.began) < time.Duration(r.next.Load()) {
		return
	}
	if n := r.count.Swap(0); n > 0 {
		r.log.Error("requests refused", "count", n, "error", ErrOverload)
	}
}
