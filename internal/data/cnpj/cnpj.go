// Package cnpj parses, validates, formats and orders CNPJ, the identifiers of Brazilian companies
// and establishments, numeric and alphanumeric, and masks CPF inside names.
//
// A CNPJ has 14 positions: 8 of the company ([Root]), 4 of the establishment ([Order]) and 2 check
// digits (mod 11). Since July 2026 the first 12 may be letters. Root, Order and [Full] are base 36
// numbers with the digits 0–9, A–Z: they sort like their text in ASCII, and a Full fits a
// PostgreSQL bigint (36^12 < 2^63). Check digits and text are computed, not stored.
//
// Parse functions take text without mask: published text goes through [Unmask] first, what people type
// through [Read].
package cnpj

import (
	"errors"
	"fmt"
	"strings"
)

// ErrInvalid means that a text is not an identifier. Parse functions return it with a reason.
var ErrInvalid = errors.New("invalid CNPJ")

// The reasons, each an ErrInvalid. A mask is wrong characters, not a wrong length.
var (
	ErrCharacters  = fmt.Errorf("%w: characters", ErrInvalid)
	ErrLength      = fmt.Errorf("%w: length", ErrInvalid)
	ErrCheckDigits = fmt.Errorf("%w: check digits", ErrInvalid) // also of fourteen zeros, which were never issued
)

const (
	base = 36
	// Orders is the number of possible orders of one root, and the factor between a Root and its Full numbers.
	Orders = base * base * base * base
)

// Root is the company part of a CNPJ (CNPJ básico): 8 positions read as a base 36 number, 0 to
// 36^8-1.
type Root int64

// Order is the establishment part of a CNPJ: 4 positions read as a base 36 number, 0 to 36^4-1.
// Head offices mostly have 0001.
type Order int32

// Full is a complete CNPJ without its check digits, which follow from it: Root times Orders plus
// Order, 0 to 36^12-1. Values sort by company, then by establishment.
type Full int64

// Join returns the Full of an establishment of root.
func Join(root Root, order Order) Full { return Full(root)*Orders + Full(order) }

// Root returns the company part.
func (f Full) Root() Root { return Root(f / Orders) }

// Order returns the establishment part.
func (f Full) Order() Order { return Order(f % Orders) }

// String returns the 8 positions, upper case.
func (r Root) String() string { return string(r.Append(make([]byte, 0, 8))) }

// Append appends the 8 positions to dst.
func (r Root) Append(dst []byte) []byte { return appendBase36(dst, int64(r), 8) }

// String returns the 4 positions, upper case.
func (o Order) String() string { return string(o.Append(make([]byte, 0, 4))) }

// Append appends the 4 positions to dst.
func (o Order) Append(dst []byte) []byte { return appendBase36(dst, int64(o), 4) }

// String returns the 14 positions without mask, upper case.
func (f Full) String() string { return string(f.Append(make([]byte, 0, 14))) }

// Append appends the 14 positions to dst, check digits included.
func (f Full) Append(dst []byte) []byte {
	start := len(dst)
	dst = appendBase36(dst, int64(f), 12)
	d1, d2 := checkDigits(dst[start:])
	return append(dst, d1, d2)
}

// CheckDigits returns the last two of the 14 positions.
func (f Full) CheckDigits() string { return f.String()[12:] }

// Masked returns the number as people write it: 12.345.678/0001-95.
func (f Full) Masked() string {
	s := f.String()
	return s[:2] + "." + s[2:5] + "." + s[5:8] + "/" + s[8:12] + "-" + s[12:]
}

// Masked returns the root as people write it: 12.345.678.
func (r Root) Masked() string {
	s := r.String()
	return s[:2] + "." + s[2:5] + "." + s[5:]
}

// ParseRoot parses 8 positions without mask, letters in either case. The error is ErrInvalid.
func ParseRoot(s string) (Root, error) {
	if len(s) != 8 {
		return 0, OfWrongLength(s)
	}
	n, ok := parseBase36(s)
	if !ok {
		return 0, ErrCharacters
	}
	return Root(n), nil
}

// ParseOrder parses 4 positions, letters in either case. The error is ErrInvalid.
func ParseOrder(s string) (Order, error) {
	if len(s) != 4 {
		return 0, OfWrongLength(s)
	}
	n, ok := parseBase36(s)
	if !ok {
		return 0, ErrCharacters
	}
	return Order(n), nil
}

// ParseFull parses 14 positions without mask, letters in either case, and verifies the check
// digits. It refuses fourteen zeros, whose check digits are right. The error is ErrInvalid.
func ParseFull(s string) (Full, error) {
	if len(s) != 14 {
		return 0, OfWrongLength(s)
	}
	n, ok := parseBase36(s[:12])
	if !ok {
		return 0, ErrCharacters
	}
	f := Full(n)
	var buf [14]byte
	switch digits := string(f.Append(buf[:0])[12:]); {
	case n != 0 && digits == s[12:]:
		return f, nil
	case strings.Trim(s[12:], "0123456789") != "":
		return 0, ErrCharacters
	}
	return 0, ErrCheckDigits
}

// OfWrongLength returns the error of a text that has not as many positions as it should: ErrLength, or
// ErrCharacters if it has a mask, or others that no CNPJ has.
func OfWrongLength(s string) error {
	for i := range len(s) {
		if _, ok := parseBase36(s[i : i+1]); !ok {
			return ErrCharacters
		}
	}
	return ErrLength
}

// Unmask removes the punctuation that people put between the positions (dots, slash, hyphens,
// blanks, tabs) and converts ASCII letters to upper case. It does not validate the result.
func Unmask(s string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '.' || c == '/' || c == '-' || c == ' ' || c == '\t':
		case c >= 'a' && c <= 'z':
			out = append(out, c-'a'+'A')
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

// appendBase36 appends n in base 36, padded with zeros to width, at most 12. Higher digits are
// dropped.
func appendBase36(dst []byte, n int64, width int) []byte {
	var buf [12]byte
	for i := width - 1; i >= 0; i-- {
		d := byte(n % base)
		n /= base
		if d < 10 {
			buf[i] = '0' + d
		} else {
			buf[i] = 'A' + d - 10
		}
	}
	return append(dst, buf[:width]...)
}

// parseBase36 parses base 36 digits in either case. Callers bound the length, or n overflows.
func parseBase36(s string) (n int64, ok bool) {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			n = n*base + int64(c-'0')
		case c >= 'A' && c <= 'Z':
			n = n*base + int64(c-'A') + 10
		case c >= 'a' && c <= 'z':
			n = n*base + int64(c-'a') + 10
		default:
			return 0, false
		}
	}
	return n, true
}

// checkDigits computes both check digits of 12 upper case positions: weighted sums of (ASCII code -
// 48) mod 11, as published with IN RFB 2.229/2024. For numeric CNPJ that is the traditional rule.
func checkDigits(twelve []byte) (d1, d2 byte) {
	weights := [13]int{6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2}
	var sum1, sum2 int
	for i, c := range twelve[:12] {
		v := int(c) - '0'
		sum1 += v * weights[i+1]
		sum2 += v * weights[i]
	}
	d1 = checkDigit(sum1)
	d2 = checkDigit(sum2 + int(d1-'0')*weights[12])
	return d1, d2
}

// checkDigit returns the check digit of a weighted sum, of CNPJ and of CPF: 11 - sum mod 11, and 0
// for 10 and 11.
func checkDigit(sum int) byte {
	r := sum % 11
	if r < 2 {
		return '0'
	}
	return byte('0' + 11 - r)
}
