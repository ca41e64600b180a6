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

const maxRedirect = 2000 // bytes

// privateScheme is a private-use URI scheme: a reversed domain name (RFC 8252 §7.1), which begins with a top-level domain. Names
// without a dot belong to the browser, the operating system or whoever takes them first.
var privateScheme = regexp.MustCompile(`^[a-z]{2,}(\.[a-z0-9][a-z0-9-]*)+$`)

// knownSchemes are those without a dot that are allowed all the same, of well-known MCP clients.
var knownSchemes = [...]string{"cursor", "vscode", "vscode-insiders"}

// checkRedirects validates the redirect URIs that a client registers. The error's text is sent to the client.
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

// checkRedirect allows https, http on loopback and private-use schemes (RFC 8252 §7).
func checkRedirect(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || len(address) > maxRedirect || clean(address) != address || strings.ContainsAny(address, " \\\"<>^`{|}"):
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
	}
	return nil
}

// isAllowedScheme is a list of what is allowed: systems have more handlers of their own than could be listed.
func isAllowedScheme(scheme string) bool {
	return scheme == "https" || scheme == "http" || slices.Contains(knownSchemes[:], scheme) || privateScheme.MatchString(scheme)
}

// isLoopback reports whether a host, without brackets, is loopback.
func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback() && a.Zone() == ""
}

// allowsRedirect reports whether a redirect URI is registered, by exact string comparison (RFC 9700 §4.1.3), except that on
// loopback the port may differ (RFC 8252 §7.3), because native programs listen on any free one. checkRedirect is asked again: it
// may be stricter than when the client was registered.
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

// withoutPort returns a loopback URI without its port; ok is false for any other URI.
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

// Destination is where the authorization response goes, as the consent page shows it.
type Destination struct {
	Scheme string // for form-action of the consent page (web.AllowFormsTo)
	Host   string // "claude.ai", "localhost:33418", or "cursor://" for a private-use scheme
	Local  bool   // loopback: any program on the user's computer can impersonate the client
	App    bool   // a private-use scheme
}

// destinationOf returns the destination of a valid redirect URI.
func destinationOf(address string) Destination {
	u, err := url.Parse(address)
	if err != nil {
		return Destination{}
	}
	d := Destination{Scheme: u.Scheme, Host: u.Host}
	switch u.Scheme {
	case "https":
	case "http":
		d.Local = true
	default:
		d.App, d.Host = true, u.Scheme+"://"
	}
	return d
}

// withParameters adds query parameters to a redirect URI and keeps its own (RFC 6749 §3.1.2).
func withParameters(address string, answer url.Values) string {
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	return address + separator + answer.Encode()
}
