package web

import (
	"net/http"
	"net/netip"
	"strings"
)

// clientAddress returns who sent r: the other end of the connection or, when that is a trusted proxy, whom it names in
// X-Forwarded-For. Each proxy adds the address it was called from at the end, so that the last one that is no proxy of ours
// is the client; what stands before it anybody may have written. The address is not valid when the connection has none.
func clientAddress(r *http.Request, trusted []netip.Prefix) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	client := peer.Addr().Unmap().WithZone("")
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && within(client, trusted); i-- {
		next, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		client = next.Unmap().WithZone("")
	}
	return client
}

func within(a netip.Addr, prefixes []netip.Prefix) bool {
	for _, p := range prefixes {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// Network returns the part of an address that one client has to itself: all of it, or the first 64 bits of IPv6.
func Network(a netip.Addr) netip.Addr {
	const whole = 64
	if !a.Is6() {
		return a
	}
	prefix, _ := a.Prefix(whole) // an address of IPv6 has so many bits
	return prefix.Addr()
}
