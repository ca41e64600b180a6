package intent

import (
	"strings"

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
// least three positions, as [cnpj.ReadPart] reads them. A text that may be a name is not a number: one
// without a digit (unless it has the eight positions of a root), or a prefix that has letters with
// blanks between.
func ParseNumber(text string) Number {
	t, ok := cnpj.ReadPart(text)
	letters := len(t.Text) - t.Digits
	if !ok || len(t.Text) < minNumberPrefix || t.Digits == 0 && !t.IsRoot() || letters > 0 && t.Spaced && !t.IsFull() {
		return Number{}
	}
	r := rangeOf(t.Text)
	r.Digits = letters == 0 && r.Prefix != ""
	return r
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
