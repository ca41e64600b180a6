package main

import (
	"context"
	"log/slog"
	"net"
	"net/netip"

	"razao/ingest/publisher"
	"razao/internal/store/loads"
	"razao/internal/store/snapshot"
)

// announce logs what a server is and what it serves.
func (a *app) announce(ctx context.Context, live *snapshot.Live) {
	loaded := []any{"version", version, "address", a.settings.Addr, "url", a.settings.BaseURL}
	s, err := live.Acquire()
	if err != nil { // which Live has logged
		a.log.Info("serving", append(loaded, "loads", 0)...)
		return
	}
	defer s.Release()
	var periods []any
	for _, id := range publisher.IDs() {
		if l, ok, err := loads.Of(ctx, s, id); ok && err == nil {
			periods = append(periods, slog.String(id, l.Period))
		}
	}
	a.log.Info("serving", append(loaded, "snapshot", s.ID(), "loads", len(periods), slog.Group("sources", periods...))...)
}

// warnOfExposure warns of settings that open to strangers what is meant for operators.
func (a *app) warnOfExposure() {
	if isPublic(a.settings.PrivateAddr, interfaceAddrs()) {
		a.log.Warn("metrics and profiles have no authentication, and their address is public: keep strangers out with a firewall, or use 127.0.0.1",
			"setting", "RAZAO_PRIVATE_ADDR", "address", a.settings.PrivateAddr)
	}
	var wide []netip.Prefix
	for _, p := range a.settings.TrustedProxies {
		if isTooWide(p) {
			wide = append(wide, p)
		}
	}
	if len(wide) > 0 {
		a.log.Warn("clients choose the address that their limits are counted by: name only the networks of your proxies",
			"setting", "RAZAO_TRUSTED_PROXIES", "networks", wide)
	}
}

// interfaceAddrs returns the addresses of this machine, as far as they can be read.
func interfaceAddrs() (all []netip.Addr) {
	found, _ := net.InterfaceAddrs()
	for _, a := range found {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			all = append(all, p.Addr())
		}
	}
	return all
}

// isPublic reports whether a listen address can be reached from outside its private network. A
// wildcard address is any of the machine's.
func isPublic(address string, machine []netip.Addr) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false // "": none
	}
	ip, err := netip.ParseAddr(host)
	switch {
	case host == "" || err == nil && ip.IsUnspecified():
		for _, own := range machine {
			if isGlobal(own) {
				return true
			}
		}
		return false
	case err != nil:
		return false // a name, such as localhost
	}
	return isGlobal(ip)
}

func isGlobal(ip netip.Addr) bool {
	ip = ip.Unmap()
	return ip.IsGlobalUnicast() && !ip.IsPrivate()
}

// isTooWide reports whether a network holds clients too: wider than any that one operator has, except
// those for private use (RFC 1918, RFC 4193).
func isTooWide(p netip.Prefix) bool {
	private := netip.MustParsePrefix("fc00::/7")
	switch {
	case p.Addr().Is4():
		return p.Bits() < 8
	case private.Contains(p.Addr()):
		return p.Bits() < private.Bits()
	}
	return p.Bits() < 16
}
