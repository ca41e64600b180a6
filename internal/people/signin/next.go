package signin

import (
	"net/url"
	"path"
	"strings"
	"unicode"
)

// maxNext is the maximum length in bytes of the path to go to after sign-in. It has room for the
// longest authorization_id of the consent page, and fits into the headers of a request (16 KB).
const maxNext = 9 << 10

// SafeNext prevents open redirects. It returns next if it is a path of this site, with or without a
// query, and "/" otherwise. Browsers resolve //host and /\host to another host, drop tabs and line
// feeds from URLs and decode dot segments, so all of these are refused, percent-encoded or not. The
// fragment is dropped.
func SafeNext(next string) string {
	const home = "/"
	if len(next) > maxNext || !strings.HasPrefix(next, "/") || strings.ContainsRune(next, '\\') || hasControl(next) {
		return home
	}
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil {
		return home
	}
	// u.Path is percent-decoded, so encoded slashes, backslashes and control characters show here.
	plain := strings.TrimSuffix(u.Path, "/")
	if plain != "" && path.Clean(plain) != plain || strings.ContainsRune(u.Path, '\\') || hasControl(u.Path) {
		return home
	}
	local := url.URL{Path: u.Path, RawPath: u.RawPath, RawQuery: u.RawQuery}
	return local.String()
}

// hasControl reports whether s has control characters, Unicode line separators, which some parsers
// take for line ends, or invalid UTF-8.
func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) || r == unicode.ReplacementChar
	})
}
