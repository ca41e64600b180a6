package signin

import (
	"net/url"
	"path"
	"strings"
	"unicode"
)

const maxNext = 2000 // bytes

// SafeNext prevents open redirects: it returns next if it is a path of this site, with or without a query, else "/". It refuses
// what browsers resolve to another host, encoded or not: //host, /\host, paths with dot segments and control characters.
func SafeNext(next string) string {
	const home = "/"
	if len(next) > maxNext || !strings.HasPrefix(next, "/") || strings.ContainsRune(next, '\\') || hasControl(next) {
		return home
	}
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil {
		return home
	}
	// u.Path is decoded: %2F, %5C and %0A show here.
	plain := strings.TrimSuffix(u.Path, "/")
	if plain != "" && path.Clean(plain) != plain || strings.ContainsRune(u.Path, '\\') || hasControl(u.Path) {
		return home
	}
	local := url.URL{Path: u.Path, RawPath: u.RawPath, RawQuery: u.RawQuery}
	return local.String()
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) || r == unicode.ReplacementChar
	})
}
