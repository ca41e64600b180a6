package oauthserver

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

const maxRedirect = 2000 // bytes of a redirect URI

// privateScheme matches a private-use URI scheme that is a reversed domain name (RFC 8252 §7.1).
// Schemes without a dot belong to the browser (javascript), the operating system (search-ms,
// intent) or whichever program registers them first.
var privateScheme = regexp.MustCompile(`^[a-z]{2,}(\.[a-z0-9][a-z0-9-]*)+$`)

// knownSchemes lists the schemes without a dot that are allowed all the same: well-known MCP
// clients.
var knownSchemes = [...]string{"cursor", "vscode", "vscode-insiders"}

// checkRedirects validates the redirect URIs that a client registers: 1 to maxRedirects of them.
// The error's text is sent to the client.
func checkRedirects(addresses []string) error {
	if len(addresses) == 0 || len(addresses) > maxRedirects {
		return fmt.Errorf("a client has 1 to %d redirect URIs, not %d", maxRedirects, len(addresses))
	}
	for _, address := range addresses {
		if err := checkRedirect(address); err != nil {
			return fmt.Errorf("redirect URI %.80q: %w", address, err)
		}
	}
	return nil
}

// checkRedirect allows https, http on loopback and private-use schemes (RFC 8252 §7), in ASCII as all
// URIs. It refuses what could send the browser to another host than the consent page shows: hosts that
// read like another (checkHost), user information, and characters that URL parsers read differently.
// It refuses fragments (RFC 6749 §3.1.2), and opaque URIs such as javascript:… or mailto:…, which
// cannot take response parameters. Hosts of private-use schemes are not shown: only their program
// knows what they mean.
func checkRedirect(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || len(address) > maxRedirect || !isASCII(address) || strings.ContainsAny(address, " \\\"<>^`{|}"):
		return errors.New("it is not a URI")
	case u.Fragment != "" || strings.Contains(address, "#"):
		return errors.New("it has a fragment")
	case u.User != nil:
		return errors.New("it names a user")
	case u.Opaque != "":
		return errors.New("it has no path")
	case u.Scheme == "https" && u.Hostname() == "", u.Scheme == "http" && !isLoopback(u.Hostname()):
		return errors.New("it is neither https nor of the own computer")
	case !isAllowedScheme(u.Scheme):
		return errors.New("its scheme is neither https nor a reversed domain name, as in com.example.app:/callback")
	case isWeb(u):
		return checkHost(u)
	}
	return nil
}

// isAllowedScheme is an allow-list, because a block-list cannot be complete: every operating system
// has handlers of its own that start programs.
func isAllowedScheme(scheme string) bool {
	return scheme == "https" || scheme == "http" || slices.Contains(knownSchemes[:], scheme) || privateScheme.MatchString(scheme)
}

// isWeb reports whether browsers open a URL themselves.
func isWeb(u *url.URL) bool { return u.Scheme == "https" || u.Scheme == "http" }

// isLoopback reports whether a host, without brackets, is loopback.
func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback() && a.Zone() == ""
}

// allowsRedirect reports whether a redirect URI is registered, by exact string comparison (RFC 9700
// §4.1.3). Only on loopback may the port differ (RFC 8252 §7.3), because native programs listen on
// any free one. checkRedirect runs again: its rules may be stricter than when the client
// registered.
func (c Client) allowsRedirect(address string) bool {
	if checkRedirect(address) != nil {
		return false
	}
	if slices.Contains(c.RedirectURIs, address) {
		return true
	}
	portless, ok := withoutPort(address)
	return ok && slices.ContainsFunc(c.RedirectURIs, func(own string) bool {
		registered, ok := withoutPort(own)
		return ok && registered == portless
	})
}

// withoutPort returns a loopback http URI without its port and with path "/" for none; ok is false
// for any other URI.
func withoutPort(address string) (portless string, ok bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" || !isLoopback(u.Hostname()) || checkRedirect(address) != nil {
		return "", false
	}
	if u.Path == "" {
		u.Path = "/"
	}
	u.Host = u.Hostname()
	return u.String(), true
}

// Destination is where the authorization response goes. The consent page shows it, because the
// client's name proves nothing: who receives the code is decided by the redirect URI alone.
type Destination struct {
	Scheme string // for the form-action of the consent page's CSP (web.AllowFormsTo)
	Host   string // as browsers use it: "claude.ai", "xn--clude-5ve.ai", "localhost:33418"; of a private-use scheme "cursor://"
	Local  bool   // loopback: any program on the user's computer can impersonate the client
	App    bool   // private-use scheme: any program that registers it gets the response
}

// Punycode reports whether the host has an internationalised name, which is shown as it is: its
// letters could be look-alikes (homographs) of others.
func (d Destination) Punycode() bool { return !d.App && strings.Contains(d.Host, "xn--") }

// destinationOf returns the destination of a redirect URI, and the zero value for what checkRedirect
// does not allow.
func destinationOf(address string) Destination {
	u, err := url.Parse(address)
	if err != nil || checkRedirect(address) != nil {
		return Destination{}
	}
	d := Destination{Scheme: u.Scheme, Host: shownHost(u)}
	switch u.Scheme {
	case "https":
	case "http":
		d.Local = true
	default:
		d.App, d.Host = true, u.Scheme+"://"
	}
	return d
}

// withParameters adds query parameters to a redirect URI and keeps those it has (RFC 6749 §3.1.2).
func withParameters(address string, answer url.Values) string {
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	return address + separator + answer.Encode()
}
