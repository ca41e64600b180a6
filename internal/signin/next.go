package signin

import (
	"net/url"
	"path"
	"strings"
	"unicode"
)

const maxNext = 2000 // bytes

// SafeNext returns where somebody goes after they have signed in: next when it is a plain path on this site, perhaps with a
// query, else "/". A browser reads some texts that begin like a path as the address of another site, before or after it
// decodes them: none of those is let through.
func SafeNext(next string) string {
	const home = "/"
	if len(next) > maxNext || !strings.HasPrefix(next, "/") || strings.ContainsRune(next, '\\') || hasControl(next) {
		return home
	}
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil {
		return home
	}
	// u.Path is decoded: a second slash, a backslash or a line break that was encoded shows here.
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
