package sample

import (
	"bytes"
	"unicode/utf8"
)

// quoting says which fields of a dialect stand in double quotes.
type quoting int

const (
	bare     quoting = iota // none
	asNeeded                // those that hold a separator, a quote or a line break
	always
)

// dialect is how a publisher writes a table. Rows are made in UTF-8.
type dialect struct {
	quoting quoting
	lead    string // before every row but the header
	eol     string // after every row, the header too
	windows bool   // Windows-1252, else UTF-8
}

// header returns the first line: column names parted by semicolons.
func (q dialect) header(columns string) []byte {
	b := []byte(columns)
	if q.quoting == always {
		b = append(append([]byte{'"'}, bytes.ReplaceAll(b, []byte(";"), []byte(`";"`))...), '"')
	}
	return q.encode(append(b, q.eol...), 0)
}

// rows returns a function that makes one row for every position.
func (q dialect) rows(row func(l *line, x int)) func([]byte, int, int) ([]byte, int) {
	return func(b []byte, from, to int) ([]byte, int) {
		start := len(b)
		l := line{b: b}
		for x := from; x < to; x++ {
			l.begin(q)
			row(&l, x)
			l.end()
		}
		return q.encode(l.b, start), to - from
	}
}

// encode turns what b holds from start on into the dialect's encoding.
func (q dialect) encode(b []byte, start int) []byte {
	if !q.windows {
		return b
	}
	return b[:start+len(narrow(b[start:]))]
}

// line appends the fields of one row, which are written to b between the calls of next.
type line struct {
	b       []byte
	dialect dialect
	at      int // beginning of the open field, -1 before the first
}

func (l *line) begin(q dialect) {
	l.dialect, l.at = q, -1
	l.b = append(l.b, q.lead...)
}

// next closes a field and opens the following one.
func (l *line) next() {
	if l.at >= 0 {
		l.close()
		l.b = append(l.b, ';')
	}
	l.at = len(l.b)
}

func (l *line) close() {
	q := l.dialect.quoting
	if q == always || q == asNeeded && bytes.ContainsAny(l.b[l.at:], ";\"\r\n") {
		l.b = quote(l.b, l.at)
	}
}

func (l *line) end() {
	l.close()
	l.b = append(l.b, l.dialect.eol...)
}

// field appends a whole field, given in parts.
func (l *line) field(parts ...string) {
	l.next()
	for _, s := range parts {
		l.b = append(l.b, s...)
	}
}

// empty appends n empty fields.
func (l *line) empty(n int) {
	for range n {
		l.next()
	}
}

// number appends a field of digits.
func (l *line) number(n int) {
	l.next()
	l.b = appendInt(l.b, n, 1)
}

// quote puts what b holds from at on in quotes, and doubles those inside.
func quote(b []byte, at int) []byte {
	from := len(b) - 1
	to := len(b) + bytes.Count(b[at:], []byte{'"'})
	b = append(b, make([]byte, to-from+1)...)
	b[to+1] = '"'
	for ; from >= at; from-- {
		b[to] = b[from]
		to--
		if b[from] == '"' {
			b[to] = '"'
			to--
		}
	}
	b[at] = '"'
	return b
}

// narrow turns UTF-8 into Windows-1252 in place. The few characters that occur outside ISO-8859-1 are named here.
func narrow(b []byte) []byte {
	out := b[:0]
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			out = append(out, b[i])
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		i += size
		switch r {
		case '–':
			out = append(out, 0x96)
		case '’':
			out = append(out, 0x92)
		case '“':
			out = append(out, 0x93)
		case '”':
			out = append(out, 0x94)
		default:
			out = append(out, byte(r))
		}
	}
	return out
}

// plain turns the Latin-1 text that b holds from at on into the one that most publishers have: without accents, without
// quotes, without blanks at its ends.
func plain(b []byte, at int) []byte {
	tail := bytes.Trim(b[at:], " ")
	out := b[:at]
	for _, c := range tail {
		if c == '"' {
			continue
		}
		out = append(out, plainLetter(c))
	}
	return out
}

func plainLetter(c byte) byte {
	switch {
	case c < 0xC0:
		return c
	case c <= 0xC5:
		return 'A'
	case c == 0xC7:
		return 'C'
	case c <= 0xCB:
		return 'E'
	case c <= 0xCF:
		return 'I'
	case c >= 0xD2 && c <= 0xD6:
		return 'O'
	case c >= 0xD9 && c <= 0xDC:
		return 'U'
	}
	return ' '
}
