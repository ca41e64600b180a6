package oauthserver

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

const maxRedirect = 2000 // bytes of an address

// notPrograms are schemes that a browser answers itself, or hands to something that is not the client's program.
var notPrograms = [...]string{
	"about", "blob", "chrome", "chrome-extension", "content", "data", "file", "filesystem", "ftp", "intent", "javascript", "jar",
	"mailto", "resource", "sms", "tel", "vbscript", "view-source", "ws", "wss",
}

// checkRedirects says whether a client may lead people back to these addresses.
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

// checkRedirect lets through https, http of the person's own computer, and the schemes that programs have to themselves.
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
	case u.Scheme == "" || slices.Contains(notPrograms[:], u.Scheme):
		return errors.New("its scheme belongs to no program")
	}
	return nil
}

// isLoopback says whether a host, without brackets, is the computer of the browser.
func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback() && a.Zone() == ""
}

// allows says whether a client may be led back to an address: to one of its own, to the letter. On the person's own computer
// the port may be another, because programs take there what is free.
func (c Client) allows(address string) bool {
	if slices.Contains(c.RedirectURIs, address) {
		return true
	}
	portless, ok := withoutPort(address)
	return ok && slices.ContainsFunc(c.RedirectURIs, func(own string) bool {
		registered, ok := withoutPort(own)
		return ok && registered == portless
	})
}

// withoutPort returns an address on the person's own computer without its port. ok is false for addresses elsewhere.
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

// Destination is where an answer goes.
type Destination struct {
	Scheme string // of the address, for the protection of the page that leads there
	Host   string // "claude.ai", "localhost:33418", or the scheme of a program with "://"
	Local  bool   // a program on the person's own computer, of which any could say that it is the client
	App    bool   // a program that the computer opens for its scheme
}

// destinationOf returns where an address leads, which checkRedirect let through.
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

// withAnswer adds the parameters of an answer to an address. What it already asks stays as it is.
func withAnswer(address string, answer url.Values) string {
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	return address + separator + answer.Encode()
}
