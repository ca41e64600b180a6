package ptbr

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Slug returns a name as the readable part of a URL: lower case ASCII letters and digits, without
// accents (NFKD), every run of other characters one hyphen, none at the ends. "São João d'Aliança"
// becomes "sao-joao-d-alianca"; a name with nothing that ASCII can write becomes "". It is idempotent,
// and fixed: published addresses contain slugs.
func Slug(name string) string {
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
