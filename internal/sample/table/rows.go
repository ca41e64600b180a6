// Package table writes tables as their publishers do: separators, quotes, line ends and encoding.
package table

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Quoting says which fields stand in double quotes.
type Quoting int

// Ways of quoting.
const (
	Bare     Quoting = iota // none
	AsNeeded                // those that hold a separator, a quote or a line break
	Always
)

// Dialect is how a publisher writes a table, whose fields are parted by semicolons. Rows are given in UTF-8.
type Dialect struct {
	Quoting     Quoting
	PlainHeader bool   // the titles stand without quotes whatever the quoting
	Lead        string // before every row but the header
	End         string // after every row, the header too
	Windows     bool   // Windows-1252, for what occurs here the same as ISO-8859-1; else UTF-8
}

// Rows are rows in the making.
type Rows struct {
	Dialect
	Bytes []byte
	Count int
	open  bool // a row has begun
}

// Add appends fields to the row that is open, or begins one, and ends it.
func (r *Rows) Add(fields ...string) {
	r.Fields(fields...)
	r.Close()
}

// Fields appends fields to the row that is open, or begins one.
func (r *Rows) Fields(fields ...string) {
	for _, s := range fields {
		r.Field(s)
	}
}

// Field appends a field to the row that is open, or begins one.
func (r *Rows) Field(s string) {
	if r.open {
		r.Bytes = append(r.Bytes, ';')
	} else {
		r.open = true
		r.Bytes = append(r.Bytes, r.Lead...)
	}
	quoted := r.Quoting == Always || r.Quoting == AsNeeded && strings.ContainsAny(s, ";\"\r\n")
	if quoted {
		r.Bytes = append(r.Bytes, '"')
	}
	r.text(s, quoted)
	if quoted {
		r.Bytes = append(r.Bytes, '"')
	}
}

// Close ends the row.
func (r *Rows) Close() {
	r.Bytes = append(r.Bytes, r.End...)
	r.open = false
	r.Count++
}

// text appends a text in the dialect's encoding; in a quoted field quotes are doubled.
func (r *Rows) text(s string, quoted bool) {
	if quoted && strings.IndexByte(s, '"') >= 0 {
		s = strings.ReplaceAll(s, `"`, `""`)
	}
	if !r.Windows || ascii(s) {
		r.Bytes = append(r.Bytes, s...)
		return
	}
	for _, c := range s {
		r.Bytes = append(r.Bytes, windows(c))
	}
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// windows returns a character in Windows-1252. The few that occur outside ISO-8859-1 are named here.
func windows(c rune) byte {
	if i := strings.IndexRune("–’“”", c); i >= 0 {
		return "\x96\x92\x93\x94"[i/len("–")]
	}
	return byte(c)
}

// Digits returns n with at least width digits.
func Digits(n, width int) string {
	s := strconv.Itoa(n)
	if len(s) >= width {
		return s
	}
	return "000000000000000"[:width-len(s)] + s
}

// Cents returns a sum of money with two decimals.
func Cents(cents int, point string) string {
	return strconv.Itoa(cents/100) + point + Digits(cents%100, 2)
}
