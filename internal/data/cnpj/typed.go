package cnpj

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Input is what a person wrote as a CNPJ: the 8 positions of a company, the 14 of an establishment,
// or from [ReadPart] some of them. A word can have that form too: see MeansNumber.
type Input struct {
	Text   string // without mask, upper case
	Digits int    // number of positions that are digits
	Spaced bool   // white space stands between positions
}

// maxTyped bounds the text of a number in characters, separators and label included.
const maxTyped = 40

// Read reads what a person typed or pasted as a CNPJ; ok is false if the text does not have the form
// of one. It does not check the check digits: ParseRoot and ParseFull do.
//
// The label CNPJ may come before the positions, anything but letters and digits stand between them
// (commas, line breaks, the dashes and blanks of Unicode), and they may be full width (１２３).
//
// Thirteen digits and twelve get back the zeros that a spreadsheet has dropped at their beginning, if
// they have right check digits then. Fewer digits are never completed: eleven are as many as those of a
// CPF or a mobile telephone, ten are a telephone too, and eight are a root.
func Read(text string) (t Input, ok bool) {
	t, ok = ReadPart(text)
	if padded := t.padded(); ok && padded.right() {
		t = padded
	}
	return t, ok && (t.IsRoot() || t.IsFull())
}

// ReadPart is Read for the beginning of a CNPJ, 1 to 14 positions: no zeros are added.
func ReadPart(text string) (t Input, ok bool) {
	text = strings.TrimSpace(text)
	if utf8.RuneCountInString(text) > maxTyped {
		return Input{}, false
	}
	t, odd, ok := positions(text)
	for _, label := range [...]*regexp.Regexp{numberLabel, ordinalLabel} {
		at := label.FindStringIndex(text)
		if at == nil || t.right() || t.isPlain(text) {
			break
		}
		text = text[at[1]:]
		t, odd, ok = positions(text)
	}
	return t, ok && t.Text != "" && (!odd || t.unlikeName())
}

// ReadFull returns the CNPJ of an establishment that a person wrote, as [Read] reads it. The error is
// ErrInvalid.
func ReadFull(text string) (Full, error) {
	t, _ := Read(text)
	return ParseFull(t.Text)
}

// What people write before a CNPJ: "CNPJ:", "C.N.P.J./MF", and then "nº".
var (
	numberLabel  = regexp.MustCompile(`(?i)^[^\pL\pN]*c\.?n\.?p\.?j(?:\.?\s*/\s*mf)?`)
	ordinalLabel = regexp.MustCompile(`(?i)^[^\pL\pN]*n(?:[o°º]|\.)`)
)

// positions returns the letters and digits of a text. ok is false if there are more than 14, or others
// than those of a CNPJ. odd reports whether marks stand between or beside them that its mask does not
// have.
func positions(text string) (t Input, odd, ok bool) {
	var out [14]byte
	n, space := 0, false
	for _, r := range text {
		const fullWidth = '０' - '0'
		if r > fullWidth+' ' && r <= fullWidth+'~' {
			r -= fullWidth
		}
		switch {
		case r >= '0' && r <= '9', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z':
			if n == len(out) {
				return Input{}, false, false
			}
			if r <= '9' {
				t.Digits++
			}
			out[n] = byte(unicode.ToUpper(r))
			n++
			t.Spaced = t.Spaced || space
		case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r), r == utf8.RuneError:
			return Input{}, false, false
		case unicode.IsSpace(r):
			space = n > 0
		default:
			odd = odd || r != '.' && r != '/' && r != '-'
		}
	}
	t.Text = string(out[:n])
	return t, odd, true
}

// padded returns the number with the zeros that twelve or thirteen digits may lack; others as they are.
func (t Input) padded() Input {
	if n := len(t.Text); t.Digits == n && (n == 12 || n == 13) {
		t.Text, t.Digits = strings.Repeat("0", 14-n)+t.Text, 14
	}
	return t
}

// right reports whether the text is that of an establishment, with its check digits.
func (t Input) right() bool {
	_, err := ParseFull(t.Text)
	return err == nil
}

// isPlain reports whether a text that begins like a label is the number itself, because it is written
// as such: CN.PJ1.234, CNPJ1234.
func (t Input) isPlain(text string) bool {
	return (t.IsRoot() || t.IsFull()) && strings.EqualFold(text, t.Masked()) || t.IsRoot() && strings.EqualFold(text, t.Text)
}

// unlikeName reports whether no name looks like that, whatever stands between the positions: 1,99 and
// H&M 12.345-6 are names, 12,345,678 is none.
func (t Input) unlikeName() bool {
	return t.Digits == len(t.Text) && (t.IsRoot() || t.IsFull()) || t.padded().right()
}

// IsRoot reports whether the text has the 8 positions of a company.
func (t Input) IsRoot() bool { return len(t.Text) == 8 }

// IsFull reports whether the text has the 14 positions of an establishment.
func (t Input) IsFull() bool { return len(t.Text) == 14 }

// MeansNumber reports whether a number was probably meant and not a name: at least half of the
// positions are digits.
func (t Input) MeansNumber() bool { return t.Digits >= len(t.Text)/2 }

// Masked returns the text as people write it, 12.345.678 or 12.345.678/0001-95, whether or not its
// check digits are right.
func (t Input) Masked() string {
	s := t.Text
	if t.IsRoot() {
		return s[:2] + "." + s[2:5] + "." + s[5:]
	}
	return s[:2] + "." + s[2:5] + "." + s[5:8] + "/" + s[8:12] + "-" + s[12:]
}

// Mistyped reports whether a text is meant as the CNPJ of an establishment but has wrong check
// digits.
func Mistyped(text string) bool {
	typed, ok := Read(text)
	return ok && typed.IsFull() && typed.MeansNumber() && !typed.right()
}
