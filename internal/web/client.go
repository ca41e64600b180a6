package web

import (
	"net/http"
	"net/netip"
	"strings"
)

// clientAddress returns the client's address: the peer's, or the rightmost untrusted address of X-Forwarded-For when the peer
// is a trusted proxy. Each proxy appends the address it was called from, so everything left of that one may be spoofed. The
// result is the zero Addr when the connection has no address, as on a Unix socket.
//
// An element that is no address, such as "unknown", ends the walk at the proxy that appended it: the
// clients it does not name share that proxy's limits. What stands left of such an element may be the
// client's own choice. Forwarded (RFC 7239) is not read, so that there is no second header for a
// client to write where its proxy sets only the first.
func clientAddress(r *http.Request, trusted []netip.Prefix) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	client := peer.Addr().Unmap().WithZone("")
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && containedIn(client, trusted); i-- {
		next, err := parseHop(hops[i])
		if err != nil {
			break
		}
		client = next.Unmap().WithZone("")
	}
	return client
}

// parseHop parses an element of X-Forwarded-For: an address as proxies write it, which may be quoted,
// an IPv6 address in brackets, and either followed by a port (Azure, IIS).
func parseHop(element string) (netip.Addr, error) {
	hop := strings.TrimSpace(element)
	if len(hop) > 1 && hop[0] == '"' && hop[len(hop)-1] == '"' {
		hop = hop[1 : len(hop)-1]
	}
	if strings.HasPrefix(hop, "[") && strings.HasSuffix(hop, "]") {
		hop += ":0"
	}
	if withPort, err := netip.ParseAddrPort(hop); err == nil {
		return withPort.Addr(), nil
	}
	return netip.ParseAddr(hop)
}

// containedIn reports whether one of the prefixes contains a.
func containedIn(a netip.Addr, prefixes []netip.Prefix) bool {
	for _, p := range prefixes {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// Network returns what rates are counted by: an IPv4 address itself, the /64 of an IPv6 address.
// One subscriber gets at least a /64 and may use any address in it. The zero Addr stays zero, so
// clients of unknown address share one count.
func Network(a netip.Addr) netip.Addr { return first6(a, 64) }

// first6 returns the first address of the network of an IPv6 address, an IPv4 address itself.
func first6(a netip.Addr, bits int) netip.Addr {
	if !a.Is6() {
		return a
	}
	prefix, _ := a.Prefix(bits) // fails only for more than 128 bits
	return prefix.Addr()
}

// wideNetwork returns the network that the log shows, too wide to identify a subscriber: the /24 of
// an IPv4 address, the /48 of an IPv6 one; the zero Prefix if the address is unknown.
func wideNetwork(a netip.Addr) netip.Prefix {
	bits := 24
	if a.Is6() {
		bits = siteBits
	}
	network, _ := a.Prefix(bits) // fails only for the zero Addr
	return network
}

// siteBits is the prefix length of the largest network that one IPv6 customer gets (RFC 6177).
const siteBits = 48

// Site returns what shares of a scarce resource are counted by: an IPv4 address itself, the /48 of
// an IPv6 address. Rates are counted by the narrower Network.
func Site(a netip.Addr) netip.Addr { return first6(a, siteBits) }
