package term

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns s in lower case without accents, the form in which words are compared. Compatibility
// forms become the plain letters they stand for (NFKD); each invalid UTF-8 byte becomes a blank.
func Fold(s string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			out = append(out, ' ')
		} else {
			out = appendFolded(out, r)
		}
		i += size
	}
	return string(out)
}

// appendFolded appends the lower-case base of r. A combining mark appends nothing. Letters that do
// not decompose (ß, æ, ø, …) are mapped by hand.
func appendFolded(dst []byte, r rune) []byte {
	switch {
	case r >= 'A' && r <= 'Z':
		return append(dst, byte(r)+'a'-'A')
	case r < utf8.RuneSelf:
		return append(dst, byte(r))
	case isMark(r):
		return dst
	}
	switch lower := unicode.ToLower(r); lower {
	case 'ß':
		return append(dst, "ss"...)
	case 'æ':
		return append(dst, "ae"...)
	case 'œ':
		return append(dst, "oe"...)
	case 'ø':
		return append(dst, 'o')
	case 'đ':
		return append(dst, 'd')
	case 'ł':
		return append(dst, 'l')
	}
	var raw [utf8.UTFMax]byte
	encoded := utf8.AppendRune(raw[:0], r)
	parts := norm.NFKD.Properties(encoded).Decomposition()
	if parts == nil {
		return utf8.AppendRune(dst, unicode.ToLower(r))
	}
	for len(parts) > 0 {
		part, size := utf8.DecodeRune(parts)
		if !isMark(part) {
			dst = utf8.AppendRune(dst, unicode.ToLower(part))
		}
		parts = parts[size:]
	}
	return dst
}
