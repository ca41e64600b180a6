package webhook

import (
	"encoding/hex"
	"net/netip"
	"net/url"
	"path"
	"regexp"
	"strings"

	"golang.org/x/net/idna"
)

// normal returns an address in the one of its spellings that stands for all (RFC 3986 sections 6.2.2 and 6.2.3), for comparisons: what is
// posted to is the address as it was written. Servers drop empty queries and repeated slashes, too. An address that check refuses stays.
func normal(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	where := path.Clean("/" + unescaped(u.EscapedPath()))
	if strings.HasSuffix(u.Path, "/") && where != "/" {
		where += "/"
	}
	all := u.Scheme + "://" + normalHost(u.Hostname())
	if port := strings.TrimLeft(u.Port(), "0"); port != "" && (u.Scheme != "https" || port != "443") && (u.Scheme != "http" || port != "80") {
		all += ":" + port
	}
	if all += where; u.RawQuery != "" {
		all += "?" + unescaped(u.RawQuery)
	}
	return all
}

// normalHost returns a name in lower case and ASCII, without the dot of the root, or an address of IPv6 in its shortest form; one that maps an IPv4 address is that.
func normalHost(host string) string {
	if ip, err := netip.ParseAddr(host); err == nil {
		if ip = ip.Unmap(); ip.Is6() {
			return "[" + ip.String() + "]"
		}
		return ip.String()
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		return ascii
	}
	return host
}

var escape = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

// unreserved are the characters that need no escape (section 2.3).
var unreserved = regexp.MustCompile(`^[0-9A-Za-z._~-]$`)

// unescaped writes escapes in upper case, and what needs none without.
func unescaped(text string) string {
	return escape.ReplaceAllStringFunc(text, func(code string) string {
		if char, err := hex.DecodeString(code[1:]); err == nil && unreserved.Match(char) {
			return string(char)
		}
		return strings.ToUpper(code)
	})
}
