package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"

	"razao/internal/web"
)

// Errors of a visit.
var (
	errNowhere = errors.New("no address that may be connected to")
	errBusy    = errors.New("the share of the receiver's network is used up")
)

// networksOfOne is to how many networks one request may connect: those of IPv6 and of IPv4.
const networksOfOne = 2

// visit is one request on its way to the addresses that its host has: it holds a slot of each network
// that it connects to. The network is that of the connection (dial time), which no name in DNS changes.
type visit struct {
	reachable func(netip.Addr) bool
	networks  *web.SharedSlots

	mu   sync.Mutex
	held map[netip.Addr]func() // releases the slots of networks, by Site
	busy string                // a network that was passed over because it has its share
	over bool
}

// mayConnect reports whether an address may be connected to. It is called for several at once.
func (v *visit) mayConnect(a netip.Addr) bool {
	if !v.reachable(a) {
		return false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	a = a.Unmap()
	if v.over || len(v.held) == networksOfOne || v.held[web.Site(a)] != nil {
		return !v.over && v.held[web.Site(a)] != nil
	}
	release, err := v.networks.Take(context.Background(), a) // does not wait
	if err != nil {
		v.busy = web.Site(a).String()
		return false
	}
	v.held[web.Site(a)] = release
	return true
}

// explain returns errBusy or errNowhere, wrapping err, if nothing was connected to.
func (v *visit) explain(err error) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case len(v.held) > 0:
		return err
	case v.busy != "":
		return errBusy
	}
	return fmt.Errorf("%w: %w", errNowhere, err)
}

// end releases the slots, and returns a network that was connected to, or that is busy; "" if there is none.
func (v *visit) end() (network string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.over, network = true, v.busy
	for site, release := range v.held {
		release()
		network = site.String()
	}
	return network
}
