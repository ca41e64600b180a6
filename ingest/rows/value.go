package rows

import (
	"fmt"
	"strings"
	"time"

	"razao/internal/cnpj"
)

// ParseOwner reads a published CNPJ, with or without mask, with zeros lost at its left (11 digits and less are no CNPJ:
// they may be a CPF; 12 and 13 digits are filled only when the check digits then hold). ok is false for everything that
// is not a CNPJ: a CPF, a masked CPF, a foreign number, zeros, nothing. Wrong check digits, and the order 0000 that no
// establishment has, give an owner with Published set to the 14 positions.
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

// unmask writes the positions of a CNPJ without mask, in upper case, and returns how many there are, 0 when something
// else is among them or when there are too many, and whether all are digits.
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

// filled reads a number that lost zeros at its left.
func filled(digits []byte) (Owner, bool) {
	full, err := cnpj.ParseFull("00"[:14-len(digits)] + string(digits))
	if err != nil || full.Order() == 0 {
		return Owner{}, false
	}
	return Owner{Root: full.Root(), Order: full.Order()}, true
}

// CompanyOf is ParseOwner for publishers whose documents must be valid: it returns the owner, or the rule by which the
// row is left out.
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

// MaskCPFs hides every natural person's number in a text: 11 digits, plain or written 000.000.000-00, also with some of
// the points and the hyphen left out, with valid check digits and no digit beside them, become ***456789**.
func MaskCPFs(text string) string {
	var out strings.Builder
	kept := 0 // what out holds of text
	for i := 0; i < len(text); {
		if !isDigit(text[i]) {
			i++
			continue
		}
		if masked, end := cpfAt(text, i); end > 0 {
			out.WriteString(text[kept:i])
			out.WriteString(masked)
			kept, i = end, end
			continue
		}
		for i < len(text) && isDigit(text[i]) {
			i++
		}
	}
	if kept == 0 {
		return text
	}
	out.WriteString(text[kept:])
	return out.String()
}

// cpfAt returns the masked form of the CPF that begins at i, where a run of digits begins, and where the CPF ends; 0 when
// there is none.
func cpfAt(text string, i int) (masked string, end int) {
	var buf [11]byte
	digits := buf[:0]
	for ; i < len(text) && len(digits) < len(buf); i++ {
		if n := len(digits); n > 0 && n%3 == 0 && isDigit(text[i-1]) && text[i] == "..-"[n/3-1] {
			continue
		}
		if !isDigit(text[i]) {
			return "", 0
		}
		digits = append(digits, text[i])
	}
	if len(digits) < len(buf) || i < len(text) && isDigit(text[i]) {
		return "", 0
	}
	number := string(digits)
	if masked = cnpj.MaskCPFTail(number); masked == number {
		return "", 0
	}
	return masked, i
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// Decimal reads an amount in either notation (1.234,56; 1234.56; .5) and returns it as a JSON number with the published
// digits after the point. Without a comma one point is the decimal point, several part thousands. "", "-" and runs of
// hyphens are "".
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

// thousands says whether points part a number into thousands.
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

// Date reads DD/MM/AAAA and returns AAAAMMDD, "" for "". What is no day of the calendar is an error.
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

// Descending turns a key of digits, such as a date, into one that sorts the other way round; other characters stay. ""
// sorts last, and a key sorts behind those that it begins.
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
