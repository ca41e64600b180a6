package oauthserver

import (
	"errors"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// plainHost matches a host name of ASCII letters, digits and hyphens (RFC 1123 §2.1), whose last
// label does not begin with a digit: those that do may be numbers, which browsers take for IPv4
// addresses in decimal, octal or hexadecimal (WHATWG URL, "ends in a number").
var plainHost = regexp.MustCompile(`^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)

const maxHost = 253 // characters of a host name (RFC 1035 §2.3.4)

// checkHost allows only hosts that people read as what they are, and that every parser of URLs takes
// for the same: plainHost, with internationalised names as valid punycode (RFC 5890 A-labels), and IP
// addresses in their one canonical form. Homographs of other scripts (cl%D0%B0ude.ai), full-width
// letters, fraction slashes, bidirectional and zero-width characters are none of that. Nor are a dot
// at the end, an empty port, leading zeros in one, and what is out of its range.
func checkHost(u *url.URL) error {
	host := u.Hostname()
	if port := u.Port(); port != "" || strings.HasSuffix(u.Host, ":") {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 || port[0] == '0' {
			return errors.New("its port is not a number from 1 to 65535")
		}
	}
	if a, err := netip.ParseAddr(host); err == nil {
		if a.String() != host || a.Zone() != "" || a.Is4In6() || a.Is6() != strings.HasPrefix(u.Host, "[") {
			return errors.New("its IP address is not in canonical form")
		}
		return nil
	}
	if len(host) > maxHost || !plainHost.MatchString(host) || strings.HasPrefix(u.Host, "[") {
		return errors.New("its host is not a name of ASCII letters, digits and hyphens (internationalised: punycode)")
	}
	if lower := strings.ToLower(host); strings.Contains(lower, "xn--") {
		if ascii, err := idna.Lookup.ToASCII(lower); err != nil || ascii != lower {
			return errors.New("its host is not valid punycode")
		}
	}
	return nil
}

// shownHost returns host and port of a URL that passes checkHost as browsers use it: in lower case,
// which tells an I from an l, as punycode, without the scheme's own port. It returns "" for any other
// URL.
func shownHost(u *url.URL) string {
	if checkHost(u) != nil {
		return ""
	}
	host := strings.ToLower(u.Host)
	switch u.Scheme {
	case "https":
		return strings.TrimSuffix(host, ":443")
	case "http":
		return strings.TrimSuffix(host, ":80")
	}
	return host
}

// isASCII reports whether text is printable ASCII, as a URI is (RFC 3986 §2).
func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
}

// maxMarks bounds the combining marks of one letter: names of all languages have two at most, and a
// pile of them is drawn over the lines around it.
const maxMarks = 2

// printable sanitizes untrusted text to one line of at most maxName characters, so that a client
// cannot disguise its name on the consent page or cover what stands beside it. It drops control,
// zero-width and bidirectional characters, letters that are drawn as nothing or as a space, and
// combining marks beyond maxMarks. The same text in two normal forms gives one name.
func printable(text string) string {
	text = strings.Join(strings.Fields(norm.NFC.String(strings.ToValidUTF8(text, ""))), " ")
	kept := make([]rune, 0, maxName)
	marks := maxMarks // no letter yet to put one on
	for _, r := range text {
		if len(kept) == maxName {
			break
		}
		if !unicode.IsPrint(r) || isInvisible(r) {
			continue
		}
		if unicode.Is(unicode.M, r) {
			marks++
			if marks > maxMarks {
				continue
			}
		} else {
			marks = 0
		}
		kept = append(kept, r)
	}
	return strings.Join(strings.Fields(string(kept)), " ")
}

// isInvisible reports whether a character that unicode.IsPrint allows is drawn as nothing
// (Default_Ignorable_Code_Point) or as a space (the empty Braille pattern).
func isInvisible(r rune) bool {
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) || r == '\u2800'
}
