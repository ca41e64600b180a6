package rows

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Buffers and bounds of reading a table, in bytes.
const (
	headBytes  = 1 << 20 // the header must lie within them
	blockBytes = 1 << 20 // what a parser gets at once
	maxRow     = 4 << 20 // a longer row is rejected; a page of contracts on one line has up to 2 MB
)

// Table describes a CSV file and what to do with its rows. It is immutable while it reads and may
// read several files at once.
type Table struct {
	Comma byte // separator, ASCII; 0: ';'
	// Quoted says that fields may stand in quotes, with line breaks inside. Otherwise a quote is a
	// character like any other.
	Quoted bool
	// Start finds the header among the lines before it; nil: the header is the first line.
	Start func(line string) bool
	// Columns are those to read. [Row.Value] knows them by their positions here.
	Columns []Column
	// Visit is called once for each goroutine that parses, before it begins and one after the
	// other, and returns the function that handles a row. The row and its values are valid only
	// during the call. An error made by [Reject] concerns that row; any other ends the load.
	Visit func(w *Writer) func(*Row) error
}

// Column is a column to read. Names are compared with the header after folding: trimmed, upper
// case, no accents, single blanks, plain hyphens. So layouts may reorder columns and vary their
// spelling.
type Column struct {
	Name     string
	Also     []string // other spellings, tried in order
	Optional bool     // if absent, its values are ""; else the file is refused
}

// Row is one row of a table, valid during the call that passes it.
type Row struct {
	Where Where

	fields []string // of the file, as published
	at     []int    // position of each table column in fields, -1 if absent
	decoder
}

// Value returns the value of a column, given its position in Table.Columns: decoded to UTF-8 and
// trimmed, "" if empty or absent. Line breaks inside are kept. A byte that Windows-1252 does not
// define becomes U+FFFD, and its row is marked "caractere_indefinido". The string is valid as long
// as the row: clone what is kept.
func (r *Row) Value(column int) string {
	i := r.at[column]
	if i < 0 {
		return ""
	}
	return r.text(r.fields[i])
}

// rejection is the error that [Reject] returns.
type rejection struct{ column, reason string }

// Error implements error.
func (r *rejection) Error() string { return cmp.Or(r.column, "row") + ": " + r.reason }

// Reject returns the error for a row that cannot be understood: the row is rejected, and reading
// goes on. column is "" if the row as a whole is at fault.
func Reject(column, reason string) error { return &rejection{column, reason} }

// Read reads the rows of a file and counts them in out. It uses in.Workers goroutines, one for
// quoted tables, and returns when all have ended.
//
// The encoding is UTF-8 if the file has a byte order mark or most of its first characters beyond
// ASCII are valid UTF-8, else Windows-1252. Empty lines are not rows. A row is rejected if its
// number of fields differs from the header's, or if a value is not valid in a file of UTF-8. A
// header without a required column refuses the file and lists the columns that it has; columns that
// the table does not know are ignored.
func (t *Table) Read(ctx context.Context, in *Input, f *File, out *Output) error {
	r, err := out.Open(f)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	b, err := t.begin(f, r)
	if err != nil {
		return err
	}
	if err := t.locate(b); err != nil {
		return err
	}
	if t.Quoted {
		return t.readQuoted(ctx, b, out)
	}
	return t.readLines(ctx, b, in.Workers, out)
}

// Header returns the folded names of a file's columns, without reading rows. Loaders use it to tell
// layouts apart.
func (t *Table) Header(f *File) ([]string, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	b, err := t.begin(f, r)
	if err != nil {
		return nil, err
	}
	return b.header, nil
}

// openedTable is a file that has been read up to its first row.
type openedTable struct {
	file   *File
	utf8   bool
	header []string      // folded names
	line   int64         // of the header, from 1
	at     []int         // position of each table column in the header, -1 if absent
	rest   *bufio.Reader // from the first row, unless quoted
	quoted *quotedReader // reads the rows of a quoted table
}

// begin detects the encoding and reads the header.
func (t *Table) begin(f *File, r io.Reader) (*openedTable, error) {
	b := &openedTable{file: f, line: 1, rest: bufio.NewReaderSize(r, headBytes)}
	head, err := b.rest.Peek(headBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if b.utf8, err = encoding(f); err != nil {
		return nil, err
	}
	if bytes.HasPrefix(head, []byte(ByteOrderMark)) {
		head = head[len(ByteOrderMark):]
		_, _ = b.rest.Discard(len(ByteOrderMark)) // it was peeked at
	}
	if len(bytes.TrimSpace(head)) == 0 {
		return nil, fmt.Errorf("%s is empty: fetch it again", f.Path)
	}
	if err := t.skipToHeader(b, head); err != nil {
		return nil, err
	}
	fields, err := t.headerFields(b)
	if err != nil {
		return nil, err
	}
	d := decoder{utf8: b.utf8}
	for _, field := range fields {
		b.header = append(b.header, fold(d.text(field)))
	}
	return b, nil
}

// encoding opens the file once more and reads until its encoding is certain, which takes a few
// lines of nearly every file.
func encoding(f *File) (isInUTF8 bool, err error) {
	r, err := f.Open()
	if err != nil {
		return false, err
	}
	defer func() { _ = r.Close() }()
	return isUTF8(r)
}

// skipToHeader discards the lines before the header, which must begin in head.
func (t *Table) skipToHeader(b *openedTable, head []byte) error {
	if t.Start == nil {
		return nil
	}
	d := decoder{utf8: b.utf8}
	for line := range bytes.Lines(head) {
		if t.Start(d.text(strings.TrimRight(view(line), "\r\n"))) {
			return nil
		}
		_, _ = b.rest.Discard(len(line)) // it was peeked at
		b.line++
	}
	return fmt.Errorf("%s: its first %d lines are no header of this table: the layout has changed, or this is another file", b.file.Path, b.line-1)
}

// headerFields reads the header and leaves the reader at the first row.
func (t *Table) headerFields(b *openedTable) ([]string, error) {
	if t.Quoted {
		b.quoted = newQuotedReader(b.rest, t.comma(), b.line)
		fields, err := b.quoted.next(0)
		if broken := (*brokenRow)(nil); errors.As(err, &broken) {
			return nil, fmt.Errorf("%s line %d: no header: %w", b.file.Path, b.quoted.line, err)
		}
		if err != nil {
			return nil, err
		}
		b.line = b.quoted.line
		return fields, nil
	}
	for {
		head, err := b.rest.ReadSlice('\n') // at most headBytes
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, fmt.Errorf("%s line %d: no header ends within %d bytes: not a file of this kind", b.file.Path, b.line, headBytes)
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		line := string(head)
		if line = strings.TrimRight(line, "\r\n"); line != "" || err != nil {
			return strings.Split(line, string(t.comma())), nil
		}
		b.line++
	}
}

func (t *Table) comma() byte { return cmp.Or(t.Comma, ';') }

// locate finds the columns of the table in the header and sets b.at.
func (t *Table) locate(b *openedTable) error {
	var missing []string
	for _, c := range t.Columns {
		i := slices.Index(b.header, fold(c.Name))
		for _, also := range c.Also {
			if i < 0 {
				i = slices.Index(b.header, fold(also))
			}
		}
		if i < 0 && !c.Optional {
			missing = append(missing, fold(c.Name))
		}
		b.at = append(b.at, i)
	}
	if len(missing) > 0 {
		return fmt.Errorf("%s: its header (line %d) lacks %s: the layout has changed, or this is another file; it has %s",
			b.file.Path, b.line, strings.Join(missing, ", "), strings.Join(b.header, ", "))
	}
	return nil
}

// visitor handles the rows that one goroutine parses.
type visitor struct {
	row   Row
	w     *Writer
	visit func(*Row) error
	file  *File
	width int // fields of the header

	columns []Column
	fields  []string // buffer for rows without quotes
}

func (t *Table) newVisitor(b *openedTable, w *Writer) *visitor {
	return &visitor{
		row: Row{Where: Where{File: b.file.Index}, at: b.at, decoder: decoder{utf8: b.utf8}},
		w:   w, visit: t.Visit(w), file: b.file, width: len(b.header),
		columns: t.Columns, fields: make([]string, len(b.header)),
	}
}

// damagedColumn returns the position of the first column whose value is not valid in a file of
// UTF-8, -1 if there is none. In Windows-1252 every byte sequence is valid.
func (v *visitor) damagedColumn(fields []string) int {
	if !v.row.utf8 {
		return -1
	}
	return slices.IndexFunc(v.row.at, func(i int) bool { return i >= 0 && !utf8.ValidString(fields[i]) })
}

func wrongWidth(n, want int) string {
	return fmt.Sprintf("the row has %d columns, the header has %d", n, want)
}

// handle counts a row and passes it to the loader, or rejects it. n is its number of fields, of
// which fields has as many as the header.
func (v *visitor) handle(fields []string, n int, line int64, raw []byte) error {
	v.w.Row()
	if n != v.width {
		return v.w.Reject(v.file, line, "", wrongWidth(n, v.width), raw)
	}
	if i := v.damagedColumn(fields); i >= 0 {
		return v.w.Reject(v.file, line, v.columns[i].Name, "the value holds a byte that is not UTF-8, the encoding of the file", raw)
	}
	v.row.reset()
	v.row.fields, v.row.Where.Line = fields, line
	err := v.visit(&v.row)
	if v.row.damaged {
		v.w.Mark("caractere_indefinido")
	}
	if err == nil {
		return nil
	}
	return v.w.Fault(v.file, line, err, raw)
}
