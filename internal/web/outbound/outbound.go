// Package outbound makes requests to addresses that strangers name: the documents of OAuth clients,
// webhooks. Every one is a potential SSRF.
package outbound

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// ErrNotPublic is the error of a request to an address that is not reachable for strangers.
var ErrNotPublic = errors.New("not a public address")

const maxHeader = 16 << 10 // bytes of a response

// Client is an HTTP client for addresses that strangers name.
type Client struct {
	http.Client
	Dialer *net.Dialer
}

// New returns a client that connects only to addresses for which reachable is true; see [IsPublic].
// This is the SSRF guard: it runs at dial time on the resolved address, which also defeats DNS
// rebinding, where a name resolves to a public address when checked and to a private one when used.
// Redirects are not followed, responses are not decompressed (zip bombs), and each request has its
// own connection. timeout bounds a request as a whole.
func New(timeout time.Duration, reachable func(netip.Addr) bool) *Client {
	dialer := &net.Dialer{Timeout: timeout, Control: func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil || !reachable(to.Addr()) {
			return ErrNotPublic
		}
		return nil
	}}
	transport := &http.Transport{ // no Proxy: it would connect for us and bypass the check
		DialContext: dialer.DialContext, DisableKeepAlives: true, DisableCompression: true, TLSHandshakeTimeout: timeout,
		MaxResponseHeaderBytes: maxHeader,
	}
	return &Client{Dialer: dialer, Client: http.Client{
		Transport: transport, Timeout: timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// notPublic lists the special-purpose networks of the IANA registries (RFC 6890) that netip's
// predicates do not cover, tunnels of IPv4 in IPv6 included (6to4 2002::/16, Teredo in 2001::/23).
var notPublic = [...]netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
	netip.MustParsePrefix("3fff::/20"),
}

// global is IPv6 global unicast (RFC 4291 §2.4). NAT64 and other embeddings of IPv4 lie outside it.
var global = netip.MustParsePrefix("2000::/3")

// IsPublic reports whether an address is on the public Internet: neither loopback, link-local
// (cloud metadata services at 169.254.169.254), private, multicast, zoned nor special-purpose.
// IPv4-mapped IPv6 addresses are judged as IPv4.
func IsPublic(a netip.Addr) bool {
	a = a.Unmap()
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.Zone() != "" || a.Is6() && !global.Contains(a) {
		return false
	}
	for _, p := range notPublic {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// IsPublicOrLoopback is IsPublic, and true for this machine: for a server that only its own machine
// can reach, as developers run one.
func IsPublicOrLoopback(a netip.Addr) bool {
	return IsPublic(a) || a.Unmap().IsLoopback() && a.Zone() == ""
}
