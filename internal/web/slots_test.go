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
	s := NewSharedSlots(3, 2, 5*time.Second)
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
