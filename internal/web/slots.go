package web

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// ErrOverload means that a request was shed: no slot was free soon enough, or there is no room for
// its body. Clients should come back later.
var ErrOverload = errors.New("overload")

// RequestWait is how long a request may wait for a slot.
const RequestWait = 100 * time.Millisecond

// maxWaiting bounds the queue for slots, which costs some 20 KB a request. Whoever finds it full is
// refused at once.
const maxWaiting = 256

// A queue stands when it has not been empty for standing times the wait; then the wait is divided by
// impatience.
const (
	standing   = 3
	impatience = 20
)

// Slots bounds how much of a resource is in use at once (bulkhead): requests of a class, so that
// latency stays bounded, or bytes of memory. It is a semaphore with a FIFO queue that is bounded in
// length and time; what finds no slot is shed. Behind a standing queue, one that has not been empty
// for a multiple of the wait, the wait is a fraction of it (controlled delay): bursts are absorbed,
// and in overload those that are served are served soon. Make one with NewSlots. It is safe for
// concurrent use. Nil bounds nothing.
type Slots struct {
	free    *semaphore.Weighted
	size    int64
	wait    time.Duration
	taken   atomic.Int64
	waiting atomic.Int64
	refused atomic.Int64
	made    time.Time
	emptyAt atomic.Int64 // nanoseconds after made when the queue was last seen empty
}

// NewSlots returns size slots, all free, for which Take waits up to wait; 0: not at all.
func NewSlots(size int64, wait time.Duration) *Slots {
	return &Slots{free: semaphore.NewWeighted(size), size: size, wait: wait, made: time.Now()}
}

// SlotStats are gauges of a moment: slots, those taken, callers that wait. Refused is a counter of
// all refusals so far.
type SlotStats struct{ Size, Taken, Waiting, Refused int64 }

// Stats returns the figures of this moment; zeros for nil.
func (s *Slots) Stats() SlotStats {
	if s == nil {
		return SlotStats{}
	}
	return SlotStats{Size: s.size, Taken: s.taken.Load(), Waiting: s.waiting.Load(), Refused: s.refused.Load()}
}

// Take takes n slots, to be given back with Release. The error is ErrOverload or that of ctx; then
// none is taken.
func (s *Slots) Take(ctx context.Context, n int64) error {
	if !s.free.TryAcquire(n) { // fails also while others wait: first come, first served
		if err := s.queue(ctx, n); err != nil {
			return err
		}
	}
	s.taken.Add(n)
	return nil
}

// queue waits until n slots are free.
func (s *Slots) queue(ctx context.Context, n int64) error {
	waiting := s.waiting.Add(1)
	now := int64(time.Since(s.made))
	if waiting == 1 {
		s.emptyAt.Store(now)
	}
	wait := s.wait
	if time.Duration(now-s.emptyAt.Load()) > standing*s.wait {
		wait /= impatience
	}
	if waiting <= maxWaiting && wait > 0 {
		ctx, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		if s.free.Acquire(ctx, n) == nil {
			s.waiting.Add(-1)
			return nil
		}
	}
	s.waiting.Add(-1)
	if err := ctx.Err(); err != nil {
		return err
	}
	s.refused.Add(1)
	return ErrOverload
}

// Release gives back n slots.
func (s *Slots) Release(n int64) {
	s.taken.Add(-n)
	s.free.Release(n)
}

// SharedSlots are Slots of which one network (Site) has a share at most, so that slow work for one
// client leaves room for others. Make one with NewSharedSlots. It is safe for concurrent use.
type SharedSlots struct {
	slots *Slots
	share int

	mu   sync.Mutex
	held map[netip.Addr]int // slots held or awaited, by Site; zeros are deleted
}

// NewSharedSlots returns size slots for which Take waits up to wait, of which one network holds or
// awaits at most share.
func NewSharedSlots(size int64, share int, wait time.Duration) *SharedSlots {
	return &SharedSlots{slots: NewSlots(size, wait), share: share, held: map[netip.Addr]int{}}
}

// Take takes a slot and returns its release function, to be called once. A client whose network has
// used up its share gets a *TooManyError at once; otherwise the errors are those of Slots.Take.
func (s *SharedSlots) Take(ctx context.Context, client netip.Addr) (release func(), err error) {
	site := Site(client)
	if !s.enter(site) {
		return nil, &TooManyError{Wait: s.slots.wait}
	}
	if err := s.slots.Take(ctx, 1); err != nil {
		s.leave(site)
		return nil, err
	}
	return func() { s.slots.Release(1); s.leave(site) }, nil
}

// enter counts a slot against the share of site; false if it is used up.
func (s *SharedSlots) enter(site netip.Addr) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held[site] == s.share {
		return false
	}
	s.held[site]++
	return true
}

func (s *SharedSlots) leave(site netip.Addr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held[site]--; s.held[site] == 0 {
		delete(s.held, site)
	}
}
