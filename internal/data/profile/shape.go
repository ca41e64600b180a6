package profile

import (
	"math/bits"
	"strings"
)

// shape is the set of kinds of characters that a value has, one bit for each, in the order of shapeNames.
type shape uint32

// The kinds of characters. A value whose text was decoded twice (mojibake), or lost characters to '?' or to
// U+FFFD, has a shape that its column does not have otherwise.
const (
	digit shape = 1 << iota
	upper
	lower
	accent // any letter beyond ASCII
	blank
	star
	dot
	comma
	hyphen
	slash
	at
	plus
	question
	other    // of ASCII
	control  // C0 and C1
	mojibake // UTF-8 that was read as another encoding, and U+FFFD
)

// shapeNames stand for the kinds in the name of a shape.
var shapeNames = [...]string{"9", "A", "a", "é", "_", "*", ".", ",", "-", "/", "@", "+", "?", "#", "^", "Ã"}

// String returns a character for each kind that the values of a shape have: "9", "9,", "A_", "9*".
func (s shape) String() string {
	if s == 0 {
		return "…"
	}
	var b strings.Builder
	for ; s != 0; s &= s - 1 {
		b.WriteString(shapeNames[bits.TrailingZeros32(uint32(s))])
	}
	return b.String()
}

var kindOf = func() (of [256]shape) {
	for b := range of {
		switch {
		case b < 0x20 || b == 0x7f:
			of[b] = control
		case b >= 0x80:
			of[b] = accent
		case b >= '0' && b <= '9':
			of[b] = digit
		case b >= 'A' && b <= 'Z':
			of[b] = upper
		case b >= 'a' && b <= 'z':
			of[b] = lower
		default:
			of[b] = other
		}
	}
	for _, k := range []struct {
		b    byte
		kind shape
	}{{' ', blank}, {'*', star}, {'.', dot}, {',', comma}, {'-', hyphen}, {'/', slash}, {'@', at}, {'+', plus}, {'?', question}} {
		of[k.b] = k.kind
	}
	return of
}()

// shapeOf returns the shape of a value.
func shapeOf(value string, latin1 bool) (s shape) {
	for i := range len(value) {
		s |= kindOf[value[i]]
	}
	if s&accent != 0 && isMojibake(value, latin1) {
		s |= mojibake
	}
	return s
}

// isMojibake reports whether a value has what UTF-8 becomes when it is read as ISO-8859-1 or Windows-1252, or
// U+FFFD: an Ã or Â before a character that no word has behind it.
func isMojibake(value string, latin1 bool) bool {
	if latin1 {
		for i := range len(value) - 1 {
			if (value[i] == 0xc2 || value[i] == 0xc3) && value[i+1] >= 0x80 && value[i+1] < 0xc0 {
				return true
			}
		}
		return false
	}
	before := ' '
	for _, r := range value {
		if r == '\ufffd' || (before == '\u00c2' || before == '\u00c3') && r >= 0x80 && (r < 0xc0 || r > 0xff) {
			return true
		}
		before = r
	}
	return false
}
