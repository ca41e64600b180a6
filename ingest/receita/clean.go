package receita

import (
	"strings"
	"unsafe"

	"razao/ingest/rows"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/data/territory"
)

// cleaner turns published bytes into values, for one goroutine. Its texts are views of the source
// or of scratch, valid until the next reset or as long as the source, whichever ends first.
type cleaner struct {
	maxYear  int              // dates after it are not believed
	atlas    *territory.Atlas // has the states
	scratch  []byte           // decoded texts since the last reset
	repaired map[string]int64 // by kind of column: unreadable values that became null
}

// newCleaner returns a cleaner that believes dates up to the end of the year after releaseYear, and the
// states of atlas.
func newCleaner(releaseYear int, atlas *territory.Atlas) *cleaner {
	return &cleaner{maxYear: releaseYear + 1, atlas: atlas, repaired: map[string]int64{}}
}

func (c *cleaner) reset() { c.scratch = c.scratch[:0] }

// text decodes ISO-8859-1 to UTF-8, replaces control characters (C0, DEL, C1) by blanks, which part
// the words beside them, trims blanks and masks CPFs. Inner blanks stay as published. Clean ASCII
// without a CPF is returned without copying.
func (c *cleaner) text(raw []byte) string { return c.masked(raw, cnpj.MaskCPFs) }

// person is text for the name or the document of a natural person.
func (c *cleaner) person(raw []byte) string { return c.masked(raw, cnpj.MaskPerson) }

func (c *cleaner) masked(raw []byte, mask func(string) string) string {
	text, controls := c.decode(raw, true)
	if controls { // a CPF that one of them divides is one nevertheless
		whole, _ := c.decode(raw, false)
		if masked := mask(whole); masked != whole && mask(text) == text {
			return masked
		}
	}
	return mask(text)
}

// email is text for an e-mail address, which has no blanks: control characters are dropped.
func (c *cleaner) email(raw []byte) string {
	text, _ := c.decode(raw, false)
	return cnpj.MaskCPFs(text)
}

// list is text for a list of codes, and leaves nothing between them but single commas, whatever
// separates them.
func (c *cleaner) list(raw []byte) string {
	s := c.text(raw)
	if !strings.ContainsAny(s, " ;") && !strings.Contains(s, ",,") && strings.Trim(s, ",") == s {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ';' || r == ' ' }), ",")
}

// decode decodes ISO-8859-1 and trims blanks. A line feed becomes a blank; so does any other control
// character that stands between words if part is true, else it is dropped. controls reports whether
// there were such.
func (c *cleaner) decode(raw []byte, part bool) (text string, controls bool) {
	if rows.Printable(view(raw)) {
		return view(trim(raw)), false
	}
	start := len(c.scratch)
	for i, b := range raw {
		switch {
		case b == '\n':
			c.scratch = append(c.scratch, ' ')
		case isControl(b):
			controls = true
			between := i+1 < len(raw) && raw[i+1] != ' ' && !isControl(raw[i+1]) && !endsBlank(c.scratch[start:])
			if part && between {
				c.scratch = append(c.scratch, ' ')
			}
		case b < 0x80:
			c.scratch = append(c.scratch, b)
		default:
			c.scratch = append(c.scratch, 0xc0|b>>6, 0x80|b&0x3f) // Latin-1 is U+0000 to U+00FF
		}
	}
	return view(trim(c.scratch[start:])), controls
}

func isControl(b byte) bool { return b < 0x20 || b >= 0x7f && b <= 0x9f }

func endsBlank(b []byte) bool { return len(b) == 0 || b[len(b)-1] == ' ' }

// keep copies s to scratch.
func (c *cleaner) keep(s string) string {
	start := len(c.scratch)
	c.scratch = append(c.scratch, s...)
	return view(c.scratch[start:])
}

// view returns the bytes as a string without copying.
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

// date reads AAAAMMDD. "" and zeros are no date. Anything that is not a calendar day from 1800 to
// maxYear becomes no date too and is counted as repaired.
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

// capital reads an amount such as 1061004829,23, in which points separate thousands. "" is NoCents.
// A negative amount, more than two decimals or any other text becomes NoCents too and is counted as
// repaired.
func (c *cleaner) capital(raw []byte) record.Cents {
	raw = trim(raw)
	if len(raw) == 0 {
		return record.NoCents
	}
	const tooMuch = int64(1e17) // cents; keeps cents*10 within an int64
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

// cep restores the leading zero of a postal code that has seven digits.
func (c *cleaner) cep(raw []byte) string {
	s := c.text(raw)
	if len(s) == 7 && digitsOnly(s) {
		return c.keep("0" + s)
	}
	return s
}

// state reads a UF, or EX for abroad. Any other text becomes "" and is counted as repaired: UFs name files
// and are part of addresses.
func (c *cleaner) state(raw []byte) string {
	s := c.text(raw)
	uf, known := c.atlas.UF(s)
	if !known && s != "" {
		c.repaired["uf"]++
	}
	return uf.Code
}

// country pads a country code to three digits; 000 is none.
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

// flag reads S or N; anything else is unknown.
func flag(raw []byte) record.Flag {
	switch string(trim(raw)) {
	case "S":
		return record.Yes
	case "N":
		return record.No
	}
	return record.Unknown
}
