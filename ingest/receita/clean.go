package receita

import (
	"unsafe"

	"razao/ingest/rows"
	"razao/internal/record"
)

// cleaner turns published bytes into values. The texts that it returns are valid until the next reset or as long as
// the bytes they came from, whichever ends first.
type cleaner struct {
	maxYear  int    // later dates are not believed
	scratch  []byte // texts that could not be used where they lie
	repaired map[string]int64
}

func newCleaner(releaseYear int) *cleaner {
	return &cleaner{maxYear: releaseYear + 1, repaired: map[string]int64{}}
}

func (c *cleaner) reset() { c.scratch = c.scratch[:0] }

// text decodes ISO-8859-1, turns line breaks into blanks, drops the other control characters and trims. Inner blanks
// stay as published.
func (c *cleaner) text(raw []byte) string {
	if rows.Printable(view(raw)) {
		return view(trim(raw))
	}
	start := len(c.scratch)
	for _, b := range raw {
		switch {
		case b == '\n':
			c.scratch = append(c.scratch, ' ')
		case b < 0x20 || b >= 0x7f && b <= 0x9f:
		case b < 0x80:
			c.scratch = append(c.scratch, b)
		default:
			c.scratch = append(c.scratch, 0xc0|b>>6, 0x80|b&0x3f)
		}
	}
	return view(trim(c.scratch[start:]))
}

// keep copies s into memory that outlives the cleaner's source.
func (c *cleaner) keep(s string) string {
	start := len(c.scratch)
	c.scratch = append(c.scratch, s...)
	return view(c.scratch[start:])
}

func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func trim(b []byte) []byte {
	for len(b) > 0 && b[0] == ' ' {
		b = b[1:]
	}
	for len(b) > 0 && b[len(b)-1] == ' ' {
		b = b[:len(b)-1]
	}
	return b
}

// date reads AAAAMMDD. Nothing, zeros, and what is no calendar day or lies before 1800 or after the year that follows
// the release is no date; only the latter two are counted.
func (c *cleaner) date(raw []byte) record.Date {
	raw = trim(raw)
	if allZeros(raw) {
		return 0
	}
	if len(raw) == 8 {
		n := 0
		for _, b := range raw {
			if b < '0' || b > '9' {
				n = -1
				break
			}
			n = n*10 + int(b-'0')
		}
		if year := n / 10000; n > 0 && year <= c.maxYear {
			if d := record.MakeDate(year, n/100%100, n%100); d != 0 {
				return d
			}
		}
	}
	c.repaired["data"]++
	return 0
}

func allZeros(raw []byte) bool {
	for _, b := range raw {
		if b != '0' {
			return false
		}
	}
	return true
}

// capital reads 1061004829,23; dots are thousands. Nothing, a negative amount, or what is not an amount with at most
// two decimals is absent; only the latter two are counted.
func (c *cleaner) capital(raw []byte) record.Cents {
	raw = trim(raw)
	if len(raw) == 0 {
		return record.NoCents
	}
	const tooMuch = int64(1e17)
	var cents int64
	digits, decimals := 0, -1 // decimals: -1 before the comma
	for _, b := range raw {
		switch {
		case b >= '0' && b <= '9' && cents < tooMuch && decimals < 2:
			cents = cents*10 + int64(b-'0')
			digits++
			if decimals >= 0 {
				decimals++
			}
		case b == '.' && decimals < 0:
		case b == ',' && decimals < 0 && digits > 0:
			decimals = 0
		default:
			c.repaired["capital_social"]++
			return record.NoCents
		}
	}
	if digits == 0 {
		c.repaired["capital_social"]++
		return record.NoCents
	}
	for range 2 - max(decimals, 0) {
		cents *= 10
	}
	return record.Cents(cents)
}

// cep pads the seven digits of a postal code that lost its zero.
func (c *cleaner) cep(raw []byte) string {
	s := c.text(raw)
	if len(s) == 7 && digitsOnly(s) {
		return c.keep("0" + s)
	}
	return s
}

// country pads a code to three digits; 000 is none.
func (c *cleaner) country(raw []byte) string {
	s := c.text(raw)
	if s == "" || len(s) >= 3 || !digitsOnly(s) {
		if s == "000" {
			return ""
		}
		return s
	}
	if s = "000"[len(s):] + s; s == "000" {
		return ""
	}
	return c.keep(s)
}

func digitsOnly(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

func flag(raw []byte) record.Flag {
	switch string(trim(raw)) {
	case "S":
		return record.Yes
	case "N":
		return record.No
	}
	return record.Unknown
}
