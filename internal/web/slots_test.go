package web

import (
	"context"
	"errors"
	"net/netip"
	"testing"
	"time"
)

func TestSharedSlots(t *testing.T) {
	t.Parallel()
	s := NewSharedSlots(3, Share{Network: 2}, 5*time.Second)
	take := func(ctx context.Context, address string) (func(), error) {
		return s.Take(ctx, netip.MustParseAddr(address))
	}
	must := func(address string) func() {
		t.Helper()
		release, err := take(t.Context(), address)
		if err != nil {
			t.Fatalf("%s: %v", address, err)
		}
		return release
	}
	first, second := must("2001:db8:1::1"), must("2001:db8:1:ffff::1")
	var busy *TooManyError
	if _, err := take(t.Context(), "2001:db8:1:2::1"); !errors.As(err, &busy) || busy.Seconds() != "5" {
		t.Errorf("a third of one network: %v", err)
	}
	other := must("198.51.100.9")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for range 3 { // who stops waiting holds nothing
		if _, err := take(ended, "203.0.113.7"); !errors.Is(err, context.Canceled) {
			t.Errorf("when all slots are held: %v", err)
		}
	}
	waited := make(chan func())
	go func() { waited <- must("203.0.113.7") }()
	first()
	last := <-waited
	for _, release := range []func(){second, other, last} {
		release()
	}
	if taken := s.slots.Stats().Taken; len(s.held) != 0 || taken != 0 {
		t.Errorf("left: %v, %d slots", s.held, taken)
	}
}

// TestShares has one person take all that an account, and then a network, may have: others in the network, and
// in other networks, are served, whether they are signed in or not.
func TestShares(t *testing.T) {
	t.Parallel()
	s := NewSharedSlots(4, Share{Account: 1, Network: 3}, 0)
	home, office := netip.MustParseAddr("198.51.100.1"), netip.MustParseAddr("2001:db8:1::1")
	take := func(client netip.Addr, account int64) (func(), error) {
		return s.take(t.Context(), &Event{client: client, Account: account}, 1)
	}
	var releases []func()
	for _, tt := range []struct {
		client  netip.Addr
		account int64
		refused bool
	}{
		{office, 1, false},
		{office, 1, true},
		{home, 1, true}, // the account again, from elsewhere
		{office, 2, false},
		{office, 0, false},
		{netip.MustParseAddr("2001:db8:1:ffff::1"), 3, true},
		{office, 0, true},
		{home, 3, false},
	} {
		release, err := take(tt.client, tt.account)
		if many, ok := errors.AsType[*TooManyError](err); tt.refused != ok || ok && !many.AtOnce || !ok && err != nil {
			t.Errorf("account %d at %s: %v, want refused: %v", tt.account, tt.client, err, tt.refused)
		}
		if err == nil {
			releases = append(releases, release)
		}
	}
	if _, err := take(netip.MustParseAddr("203.0.113.7"), 9); !errors.Is(err, ErrOverload) {
		t.Errorf("when all slots are held: %v", err)
	}
	for _, release := range releases {
		release()
	}
	if stats := s.Stats(); len(s.held) != 0 || stats != (SlotStats{Size: 4, Refused: 5}) {
		t.Errorf("left: %v, %+v", s.held, stats)
	}
}
