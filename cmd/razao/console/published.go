package console

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"razao/ingest/rows"
)

// isUnseen reports whether a character is not shown but acted upon: control characters, some of which
// command terminals (ECMA-48), those that change the direction of text, and other invisible ones.
func isUnseen(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// visible returns a text as it is, but for characters that are not shown, in whose place stands what
// they are: \n, \x1b, \u202e. So does each byte that is not UTF-8.
func visible(text string) string {
	var b strings.Builder
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case isUnseen(r) && r < utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, r)
		case isUnseen(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Visible is visible for a text of several lines. Messages quote names that others chose, such as those of
// members of a zip.
func Visible(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = visible(line)
	}
	return strings.Join(lines, "\n")
}

// inUTF8 returns the letters of a published row in UTF-8. It is taken for UTF-8 if most of its characters
// beyond ASCII are, else for ISO-8859-1, of which other bytes stay as they are: 0x80 to 0x9f are control
// characters there, and printable ones in Windows-1252.
func inUTF8(raw []byte) string {
	if valid, stray, rest := rows.Characters(raw); valid > stray || stray == 0 && rest == len(raw) {
		return string(raw)
	}
	var b strings.Builder
	for _, c := range raw {
		if c >= 0xa0 {
			b.WriteRune(rune(c))
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// visibleRow returns a published row, without its line end, for people.
func visibleRow(raw []byte) string {
	if row, ended := bytes.CutSuffix(raw, []byte("\n")); ended {
		raw = bytes.TrimSuffix(row, []byte("\r"))
	}
	return visible(inUTF8(raw))
}

// EscapeUnseen escapes in JSON what encoding/json leaves as it is: the characters beyond the first 32
// that are not shown.
func EscapeUnseen(json string) string {
	var b strings.Builder
	for _, r := range json {
		switch high, low := utf16.EncodeRune(r); {
		case r < 0x7f || !isUnseen(r):
			b.WriteRune(r)
		case high == unicode.ReplacementChar:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		}
	}
	return b.String()
}
