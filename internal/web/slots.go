package web

import (
	"context"
	"fmt"
	"net/netip"
	"sync"
	"time"
)

// slotWait is the Retry-After of who holds all the slots that one network may hold.
const slotWait = 5 * time.Second

// Slots is a semaphore of which one network can hold only a part, so that slow work for one client leaves room for others. It
// lives in one process, and is safe for concurrent use.
type Slots struct {
	free    chan struct{}
	perSite int

	mu   sync.Mutex
	held map[netip.Addr]int // including those that wait
}

// NewSlots returns total slots, of which one network holds or awaits at most perSite.
func NewSlots(total, perSite int) *Slots {
	return &Slots{free: make(chan struct{}, total), perSite: perSite, held: map[netip.Addr]int{}}
}

// Take waits for a slot and returns what gives it back. The errors are a *TooManyError, at once, for a client whose network has
// its part, and that of ctx.
func (s *Slots) Take(ctx context.Context, client netip.Addr) (release func(), err error) {
	site := Site(client)
	if !s.enter(site) {
		return nil, &TooManyError{Wait: slotWait}
	}
	select {
	case s.free <- struct{}{}:
		return func() { <-s.free; s.leave(site) }, nil
	case <-ctx.Done():
		s.leave(site)
		return nil, fmt.Errorf("wait for one of %d slots: %w", cap(s.free), ctx.Err())
	}
}

func (s *Slots) enter(site netip.Addr) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held[site] == s.perSite {
		return false
	}
	s.held[site]++
	return true
}

func (s *Slots) leave(site netip.Addr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held[site]--; s.held[site] == 0 {
		delete(s.held, site)
	}
}

// siteBits are the most that one customer of an IPv6 network is given (RFC 6177).
const siteBits = 48

// Site returns what shares of something scarce are counted by: an IPv4 address itself, an IPv6 address's /48. Rates are counted by the narrower Network.
func Site(a netip.Addr) netip.Addr {
	if !a.Is6() {
		return a
	}
	prefix, _ := a.Prefix(siteBits) // fails only for more than 128 bits
	return prefix.Addr()
}
