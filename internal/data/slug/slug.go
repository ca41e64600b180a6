// Package slug turns names into the readable part of a URL. A slug is fixed: published addresses
// contain it.
package slug

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Make returns name as lower case ASCII letters and digits: accents are removed (NFKD), and every
// run of other characters becomes one hyphen, none at the ends. "São João d'Aliança" becomes
// "sao-joao-d-alianca". The result is "" if name has neither letters nor digits that ASCII can
// write. Make is idempotent.
func Make(name string) string {
	var b strings.Builder
	b.Grow(len(name))
	gap := false
	for _, r := range norm.NFKD.String(name) {
		if unicode.Is(unicode.Mn, r) {
			continue
		}
		r = unicode.ToLower(r)
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte('-')
			gap = false
		}
		b.WriteRune(r)
	}
	return b.String()
}
