package web

import (
	"context"
	"fmt"
	"net/netip"
	"sync"
	"time"
)

// slotWait is the Retry-After for a network that holds its share of the slots.
const slotWait = 5 * time.Second

// Slots is a semaphore with a quota per network (Site), so that slow work for one client leaves
// room for others. Make one with NewSlots. It lives in one process and is safe for concurrent use.
type Slots struct {
	free    chan struct{}
	perSite int

	mu   sync.Mutex
	held map[netip.Addr]int // slots held or awaited, by Site; zeros are deleted
}

// NewSlots returns total slots, of which one network holds or awaits at most perSite.
func NewSlots(total, perSite int) *Slots {
	return &Slots{free: make(chan struct{}, total), perSite: perSite, held: map[netip.Addr]int{}}
}

// Take waits for a slot and returns its release function, to be called once. A client whose network
// has used up its quota gets a *TooManyError at once; otherwise the error is that of ctx, wrapped.
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

// enter counts a slot against the quota of site; false if it is used up.
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

// siteBits is the prefix length of the largest network that one IPv6 customer gets (RFC 6177).
const siteBits = 48

// Site returns what shares of a scarce resource are counted by: an IPv4 address itself, the /48 of
// an IPv6 address. Rates are counted by the narrower Network.
func Site(a netip.Addr) netip.Addr {
	if !a.Is6() {
		return a
	}
	prefix, _ := a.Prefix(siteBits) // fails only for more than 128 bits
	return prefix.Addr()
}
