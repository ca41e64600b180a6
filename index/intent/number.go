package intent

import (
	"strings"
	"unicode"

	"razao/internal/data/cnpj"
)

// Number is the range of CNPJs that a query text stands for, First to Last, both included. The zero
// value stands for none.
type Number struct {
	First, Last cnpj.Full
	Prefix      string // as typed, without mask, upper case; "" when the text is not a number
	Digits      bool   // Prefix has no letter
}

const (
	numberPositions = 12 // without the check digits
	minNumberPrefix = 3
)

// ParseNumber reads a CNPJ of 14 positions with correct check digits, a root, or any prefix of at
// least three positions, masked or not, in upper or lower case, optionally after the word CNPJ;
// fourteen digits also with other separators. A text that may be a name is not a number: one
// without a digit (unless it has the eight positions of a root), or letters with blanks between.
func ParseNumber(text string) Number {
	var none Number
	text = strings.TrimSpace(text)
	if len(text) > maxNumberText {
		return none
	}
	text = strings.TrimSpace(withoutLabel(text))
	s := cnpj.Unmask(text)
	if digits, ok := onlyDigits(text); ok && len(digits) == numberPositions+2 {
		s = digits
	}
	if len(s) < minNumberPrefix || len(s) > numberPositions+2 {
		return none
	}
	letters := 0
	for i := range len(s) {
		switch {
		case s[i] >= 'A' && s[i] <= 'Z':
			letters++
		case s[i] < '0' || s[i] > '9':
			return none
		}
	}
	if letters == len(s) && letters != 8 || letters > 0 && strings.ContainsAny(text, " \t") {
		return none
	}
	r := rangeOf(s)
	r.Digits = letters == 0 && r.Prefix != ""
	return r
}

// maxNumberText bounds the text of a number in bytes, mask and label included.
const maxNumberText = 40

// withoutLabel strips what people write before a CNPJ: "CNPJ nº", "CNPJ/MF:".
func withoutLabel(text string) string {
	rest, labelled := text, false
	for _, label := range [...]string{"cnpj", "/mf", "nº", "n°", "no", "n."} {
		rest = strings.TrimLeft(rest, " .:-")
		if len(rest) >= len(label) && strings.EqualFold(rest[:len(label)], label) && (labelled || label == "cnpj") {
			rest, labelled = rest[len(label):], true
		}
	}
	if !labelled {
		return text
	}
	return strings.TrimLeft(rest, " .:-")
}

// onlyDigits returns the ASCII digits of a text, false when it has a letter or another digit.
func onlyDigits(text string) (string, bool) {
	var digits []byte
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9':
			digits = append(digits, byte(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			return "", false
		}
	}
	return string(digits), true
}

// rangeOf returns the CNPJs that begin with s. Positions 13 and 14 are check digits: s must agree
// with them.
func rangeOf(s string) Number {
	twelve := s[:min(len(s), numberPositions)]
	fill := numberPositions - len(twelve)
	first, ok := parseTwelve(twelve + strings.Repeat("0", fill))
	last, ok2 := parseTwelve(twelve + strings.Repeat("Z", fill))
	if !ok || !ok2 || len(s) > numberPositions && !strings.HasPrefix(first.String(), s) {
		return Number{}
	}
	return Number{First: first, Last: last, Prefix: s}
}

// parseTwelve joins the root and the order of twelve positions.
func parseTwelve(s string) (cnpj.Full, bool) {
	root, err := cnpj.ParseRoot(s[:8])
	if err != nil {
		return 0, false
	}
	order, err := cnpj.ParseOrder(s[8:])
	return cnpj.Join(root, order), err == nil
}
