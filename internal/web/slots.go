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

// Requests wait for a slot after CoDel (RFC 8289 §3). A burst may wait for up to requestWait. When
// requests wait and nobody has got a slot within standing for a whole requestWait, the queue is a
// standing one. For the time of overload there are then fewer slots, and requests that find none are
// refused at once. After it comes a trial of requestWait, in which a request that has to wait for
// longer than standing begins the next overload. So bursts are absorbed, overload adds little latency
// to those served, and it ends when there is room, whatever was refused meanwhile: with fewer slots,
// or clients that come again at once, many requests are refused even at moderate load.
const (
	requestWait = 100 * time.Millisecond
	standing    = 50 * time.Millisecond
	overload    = time.Second
	maxWaiting  = 1024 // requests
)

// Slots bounds how much of a resource is in use at once (bulkhead): requests of a class, so that
// latency stays bounded, or bytes of memory. It is a semaphore with a FIFO queue that is bounded in
// time; what finds no slot is shed. Make one with NewRequestSlots or NewSlots. It is safe for
// concurrent use. Nil bounds nothing.
type Slots struct {
	free       *semaphore.Weighted
	size       int64
	wait       time.Duration
	inOverload int64 // slots in overload; 0: the delay is not controlled
	taken      atomic.Int64
	waiting    atomic.Int64
	refused    atomic.Int64
	made       time.Time
	quickAt    atomic.Int64 // nanoseconds after made: last slot taken within standing, or end of overload
	overUntil  atomic.Int64 // nanoseconds after made: end of the latest overload; 0: there was none
}

// NewSlots returns size slots, all free, for which Take waits up to wait; 0: not at all.
func NewSlots(size int64, wait time.Duration) *Slots {
	return &Slots{free: semaphore.NewWeighted(size), size: size, wait: wait, made: time.Now()}
}

// NewRequestSlots returns size slots for requests, all free, of which inOverload are given in
// overload.
func NewRequestSlots(size, inOverload int64) *Slots {
	s := NewSlots(size, requestWait)
	s.inOverload = inOverload
	return s
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
	came := time.Since(s.made)
	if came < time.Duration(s.overUntil.Load()) {
		return s.takeInOverload(n)
	}
	if !s.free.TryAcquire(n) { // fails also while others wait: first come, first served
		if err := s.queue(ctx, n, came); err != nil {
			return err
		}
	}
	if now := time.Since(s.made); now-came < standing {
		s.quickAt.Store(max(int64(now), s.quickAt.Load()))
	}
	s.taken.Add(n)
	return nil
}

// queue waits until n slots are free, unless a queue stands.
func (s *Slots) queue(ctx context.Context, n int64, came time.Duration) error {
	others := s.waiting.Add(1) - 1
	defer s.waiting.Add(-1)
	controlled := s.inOverload > 0
	// Slow answers without a queue are no overload.
	if controlled && others > 0 && came-time.Duration(s.quickAt.Load()) > requestWait {
		s.beginOverload(came)
		return s.refuse()
	}
	if others >= maxWaiting || s.wait == 0 {
		return s.refuse()
	}
	patience, until := s.wait, time.Duration(s.overUntil.Load())
	trial := controlled && until > 0 && came-until < requestWait
	if trial {
		patience = standing
	}
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if s.free.Acquire(waiting, n) == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if trial {
		s.beginOverload(time.Since(s.made))
	}
	return s.refuse()
}

func (s *Slots) beginOverload(now time.Duration) {
	until := int64(now + overload)
	s.overUntil.Store(until)
	s.quickAt.Store(until)
}

// takeInOverload takes n slots of those that there are in overload, or refuses.
func (s *Slots) takeInOverload(n int64) error {
	if s.taken.Add(n) <= s.inOverload && s.free.TryAcquire(n) {
		return nil
	}
	s.taken.Add(-n)
	return s.refuse()
}

// refuse counts a refusal.
func (s *Slots) refuse() error {
	s.refused.Add(1)
	return ErrOverload
}

// Release gives back n slots.
func (s *Slots) Release(n int64) {
	s.taken.Add(-n)
	s.free.Release(n)
}

// Share is what one client may hold or await of SharedSlots: an account, wherever it calls from, and a
// network (Site), however many accounts it has, since one person may have many of either. 0: all.
type Share struct{ Account, Network int64 }

// SharedSlots are Slots of which one client has a share at most, so that what is done for it, or held
// because it is slow, leaves room for others. Make one with NewSharedSlots. It is safe for concurrent use.
type SharedSlots struct {
	slots *Slots
	share Share

	mu   sync.Mutex
	held map[subject]int64 // slots held or awaited; zeros are deleted
}

// NewSharedSlots returns size slots for which Take waits up to wait, of which a client has a share.
func NewSharedSlots(size int64, share Share, wait time.Duration) *SharedSlots {
	return &SharedSlots{slots: NewSlots(size, wait), share: share, held: map[subject]int64{}}
}

// Take takes a slot for a network and returns its release function, to be called once. A client that
// has used up its share gets a *TooManyError at once; otherwise the errors are those of Slots.Take.
func (s *SharedSlots) Take(ctx context.Context, client netip.Addr) (release func(), err error) {
	return s.take(ctx, &Event{client: client}, 1)
}

// Stats returns the figures of this moment; zeros for nil.
func (s *SharedSlots) Stats() SlotStats {
	if s == nil {
		return SlotStats{}
	}
	return s.slots.Stats()
}

// take is Take for n slots, and for the account and the network of a request.
func (s *SharedSlots) take(ctx context.Context, e *Event, n int64) (release func(), err error) {
	network, account := subject{network: netip.PrefixFrom(Site(e.client), e.client.BitLen())}, subject{account: e.Account}
	if !s.enter(network, account, n) {
		s.slots.refused.Add(1)
		return nil, &TooManyError{Wait: s.slots.wait, AtOnce: true}
	}
	if err := s.slots.Take(ctx, n); err != nil {
		s.enter(network, account, -n)
		return nil, err
	}
	return func() { s.slots.Release(n); s.enter(network, account, -n) }, nil
}

// most returns the largest n that take takes for a request: what a larger body reserves.
func (s *SharedSlots) most(e *Event) int64 {
	most := s.slots.size
	if s.share.Network > 0 {
		most = min(most, s.share.Network)
	}
	if s.share.Account > 0 && e.Account != 0 {
		most = min(most, s.share.Account)
	}
	return most
}

// enter counts n slots, or those that are given back, against the shares of a network and an account;
// false if one of them is used up. Who is not signed in shares the network's.
func (s *SharedSlots) enter(network, account subject, n int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isOver(network, n, s.share.Network) || account.account != 0 && s.isOver(account, n, s.share.Account) {
		return false
	}
	s.count(network, n)
	if account.account != 0 {
		s.count(account, n)
	}
	return true
}

func (s *SharedSlots) isOver(who subject, n, share int64) bool {
	return n > 0 && share > 0 && s.held[who]+n > share
}

func (s *SharedSlots) count(who subject, n int64) {
	if s.held[who] += n; s.held[who] == 0 {
		delete(s.held, who)
	}
}
