package rows

import (
	"fmt"
	"strings"
	"time"

	"razao/internal/data/cnpj"
)

// ParseOwner reads a published CNPJ, numeric or alphanumeric, with or without punctuation. Numbers
// of 12 and 13 digits are taken for CNPJs that lost leading zeros, if the check digits then match;
// 11 digits and fewer may be a CPF and are no CNPJ. ok is false for everything that is not a CNPJ:
// a CPF, a masked CPF, a foreign number, only zeros, nothing. With wrong check digits, or the order
// 0000, which no establishment has, the owner's Published is the 14 positions.
func ParseOwner(s string) (o Owner, ok bool) {
	var buf [14]byte
	n, digits := unmask(s, &buf)
	if n < 12 || n < 14 && !digits || n == 14 && !(isDigit(buf[12]) && isDigit(buf[13])) {
		return Owner{}, false
	}
	if n < 14 {
		return filled(buf[:n])
	}
	root, rootErr := cnpj.ParseRoot(string(buf[:8]))
	order, orderErr := cnpj.ParseOrder(string(buf[8:12]))
	if rootErr != nil || orderErr != nil || root == 0 && order == 0 {
		return Owner{}, false
	}
	o = Owner{Root: root, Order: order}
	var right [14]byte
	if order == 0 || string(cnpj.Join(root, order).Append(right[:0])) != string(buf[:]) {
		o.Published = string(buf[:])
	}
	return o, true
}

// unmask writes the positions of a CNPJ without punctuation to buf, letters in upper case. It
// returns how many there are and whether all are digits; n is 0 if s has another character or more
// than 14 positions.
func unmask(s string, buf *[14]byte) (n int, digits bool) {
	digits = true
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '.' || c == '/' || c == '-' || c == ' ' || c == '\t':
			continue
		case isDigit(c):
		case c >= 'a' && c <= 'z':
			c -= 'a' - 'A'
			digits = false
		case c >= 'A' && c <= 'Z':
			digits = false
		default:
			return 0, false
		}
		if n == len(buf) {
			return 0, false
		}
		buf[n] = c
		n++
	}
	return n, digits
}

// filled reads a number of 12 or 13 digits that lost leading zeros. Only matching check digits make
// it credible.
func filled(digits []byte) (Owner, bool) {
	full, err := cnpj.ParseFull("00"[:14-len(digits)] + string(digits))
	if err != nil || full.Order() == 0 {
		return Owner{}, false
	}
	return Owner{Root: full.Root(), Order: full.Order()}, true
}

// CompanyOf is [ParseOwner] for publishers whose documents must be valid. It returns the owner with
// rule "", or the rule under which the row is dropped: sem_documento, pessoa_fisica (11 positions
// or fewer) or documento_invalido.
func CompanyOf(document string) (o Owner, rule string) {
	const cpfLength = 11
	o, ok := ParseOwner(document)
	if ok && o.Published == "" {
		return o, ""
	}
	switch n := len(cnpj.Unmask(document)); {
	case n == 0:
		return o, "sem_documento"
	case n <= cpfLength:
		return o, "pessoa_fisica"
	}
	return o, "documento_invalido"
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// Decimal reads an amount in Brazilian or plain notation (1.234,56; 1234.56; .5) and returns it as
// a JSON number with the published decimals. With a comma, points separate thousands. Without one,
// a single point is the decimal point and several separate thousands. "", "-" and runs of hyphens
// give "".
func Decimal(s string) (string, error) {
	s = strings.TrimSpace(s)
	if strings.Trim(s, "-") == "" {
		return "", nil
	}
	unsigned, negative := strings.CutPrefix(s, "-")
	whole, fraction, comma := strings.Cut(unsigned, ",")
	if !comma && strings.Count(unsigned, ".") <= 1 {
		whole, fraction, _ = strings.Cut(unsigned, ".")
	}
	if strings.Contains(whole, ".") {
		if !thousands(whole) {
			return "", fmt.Errorf("%q is not an amount", s)
		}
		whole = strings.ReplaceAll(whole, ".", "")
	}
	if !allDigits(whole) || !allDigits(fraction) || whole == "" && fraction == "" {
		return "", fmt.Errorf("%q is not an amount", s)
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if fraction != "" {
		whole += "." + fraction
	}
	if negative {
		whole = "-" + whole
	}
	return whole, nil
}

// thousands reports whether points divide the digits into groups of three.
func thousands(s string) bool {
	for i, group := range strings.Split(s, ".") {
		if len(group) != 3 && (i > 0 || len(group) == 0 || len(group) > 3) {
			return false
		}
	}
	return true
}

func allDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return true
}

// Date reads DD/MM/AAAA and returns AAAAMMDD; "" gives "". Anything that is not a calendar day is
// an error.
func Date(s string) (string, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return "", nil
	}
	t, err := time.Parse("02/01/2006", s)
	if err != nil || t.Year() == 0 {
		return "", fmt.Errorf("%q is not a date DD/MM/AAAA", s)
	}
	return s[6:] + s[3:5] + s[:2], nil
}

// Descending inverts a key of digits, such as a date, so that ascending byte order serves the
// latest first: each digit becomes its complement to nine, other characters stay. A key that is a
// prefix of another sorts behind it, and "" sorts last.
func Descending(key string) string {
	out := make([]byte, len(key)+1)
	for i := range len(key) {
		if out[i] = key[i]; isDigit(key[i]) {
			out[i] = '0' + '9' - key[i]
		}
	}
	out[len(key)] = '~'
	return string(out)
}

// NewestFirst returns the part of a record's order that sorts by a date as published, the newest
// first. Anything that is not a day of the calendar sorts last.
func NewestFirst(date string) string {
	day, err := Date(date)
	if err != nil {
		day = ""
	}
	return Descending(day)
}
