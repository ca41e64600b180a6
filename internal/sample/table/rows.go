// Package table writes tables in the dialects of their publishers: separators, quoting, line ends,
// encoding. A [File] declares one table by functions that make its rows from a position, so any
// range of positions can be written on its own; package press does that in parallel.
package table

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Quoting says which fields stand in double quotes; quotes inside them are doubled (RFC 4180).
type Quoting int

// Ways of quoting.
const (
	Bare     Quoting = iota // none, whatever they hold
	AsNeeded                // fields with a semicolon, a quote or a line break
	Always                  // all
)

// Dialect is how a publisher writes a table. Fields are separated by semicolons. Callers pass
// UTF-8.
type Dialect struct {
	Quoting     Quoting
	PlainHeader bool   // the header is never quoted
	Lead        string // written before every row but the header
	End         string // written after every row and the header
	Windows     bool   // Windows-1252 (for most characters that occur also ISO-8859-1), else UTF-8
}

// Rows is a buffer of encoded rows. Change the embedded Dialect between rows only.
type Rows struct {
	Dialect
	Bytes []byte // encoded so far
	Count int    // rows closed
	open  bool   // a row has begun
}

// Add appends fields to the current row and ends it. The next field begins a new row.
func (r *Rows) Add(fields ...string) {
	r.Fields(fields...)
	r.Close()
}

// Fields appends fields to the current row and leaves it open.
func (r *Rows) Fields(fields ...string) {
	for _, s := range fields {
		r.Field(s)
	}
}

// Field appends one field to the current row, or begins a row with it.
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

// Close ends the current row and counts it.
func (r *Rows) Close() {
	r.Bytes = append(r.Bytes, r.End...)
	r.open = false
	r.Count++
}

// text appends a text in the dialect's encoding, with quotes doubled if the field is quoted.
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

// windows returns a character in Windows-1252. Besides ISO-8859-1 only the four that occur are
// known: – ’ “ ”.
func windows(c rune) byte {
	if i := strings.IndexRune("–’“”", c); i >= 0 {
		return "\x96\x92\x93\x94"[i/len("–")]
	}
	return byte(c)
}

// Digits returns n in decimal, padded with zeros to width, at most 15.
func Digits(n, width int) string {
	s := strconv.Itoa(n)
	if len(s) >= width {
		return s
	}
	return "000000000000000"[:width-len(s)] + s
}

// Cents formats an amount in cents with two decimals behind point.
func Cents(cents int, point string) string {
	return strconv.Itoa(cents/100) + point + Digits(cents%100, 2)
}
