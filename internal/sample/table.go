package sample

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"razao/internal/sample/country"
)

// file declares a table: where it stands, its dialect, and the function that makes its rows. The
// rows belong to positions 0 to positions-1 (from to to-1 for a part), and what a position yields
// depends on nothing else.
type file struct {
	folder   string    // path below the directory of the sample
	name     string    // of the file; neighbours in a list with the same zip are its members
	member   string    // name inside the zip, "" when the table is not zipped
	group    string    // what its rows are counted as; "" for text that is no table
	modified time.Time // modification time to set, zero for none
	dialect  dialect
	header   string // stands before the rows
	from, to int
	rows     func(r *rowBuffer, x int) // appends the rows of a position
}

// quoting says which fields stand in double quotes; quotes inside them are doubled (RFC 4180).
type quoting int

const (
	bare     quoting = iota // none, whatever they hold
	asNeeded                // fields with a semicolon, a quote or a line break
	always                  // all
)

// dialect is how a publisher writes a table, with semicolons between the fields.
type dialect struct {
	quoting quoting
	lead    string // written before every row but the header
	end     string // written after every row and the header
	windows bool   // Windows-1252, also for publishers of ISO-8859-1; else UTF-8
}

// rowBuffer is a buffer of encoded rows.
type rowBuffer struct {
	dialect
	bytes   []byte
	count   int
	open    bool       // a row has begun
	scratch [30]string // of the longest row
}

// add appends fields to the current row and ends it.
func (r *rowBuffer) add(fields ...string) {
	r.fields(fields...)
	r.bytes = append(r.bytes, r.end...)
	r.open = false
	r.count++
}

// fields appends fields to the current row, or begins one with them, and leaves it open.
func (r *rowBuffer) fields(fields ...string) {
	for _, s := range fields {
		if r.open {
			r.bytes = append(r.bytes, ';')
		} else {
			r.open = true
			r.bytes = append(r.bytes, r.lead...)
		}
		if r.quoting == bare || r.quoting == asNeeded && !strings.ContainsAny(s, ";\"\r\n") {
			r.text(s)
			continue
		}
		r.bytes = append(r.bytes, '"')
		if strings.IndexByte(s, '"') >= 0 {
			s = strings.ReplaceAll(s, `"`, `""`)
		}
		r.text(s)
		r.bytes = append(r.bytes, '"')
	}
}

// text appends a text in the dialect's encoding.
func (r *rowBuffer) text(s string) {
	if !r.windows || ascii(s) {
		r.bytes = append(r.bytes, s...)
		return
	}
	for _, c := range s {
		if c == '–' { // the only character beyond ISO-8859-1 that occurs
			c = 0x96
		}
		r.bytes = append(r.bytes, byte(c))
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

// row alternates titles of columns and the texts in them.
type row []string

// titled sets the rows and the header of a table whose rows all have the titles of an example in its order; a position
// may have no row.
func (f file) titled(example row, of func(x int) row) file {
	r := rowBuffer{dialect: dialect{quoting: f.dialect.quoting, end: f.dialect.end}}
	var titles []string
	for i := 0; i < len(example); i += 2 {
		titles = append(titles, example[i])
	}
	r.add(titles...)
	f.header = string(r.bytes)

	f.rows = func(r *rowBuffer, x int) {
		cells := of(x)
		if cells == nil {
			return
		}
		for i := 1; i < len(cells); i += 2 {
			r.fields(cells[i])
		}
		r.add()
	}
	return f
}

// cents formats an amount in cents with two decimals behind point.
func cents(n int, point string) string {
	return strconv.Itoa(n/100) + point + country.Digits(n%100, 2)
}
