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

const (
	headBytes  = 1 << 20  // the header lies within them
	blockBytes = 1 << 20  // what a worker gets at once, cut between rows
	maxRow     = 64 << 20 // a longer one means that the file is no table of this kind
)

// Table says how the rows of a CSV file are written and what to do with them.
type Table struct {
	Comma   byte                   // 0 means ';'
	Quoted  bool                   // fields may stand in quotes, with line breaks inside; else a quote is a character like any other
	Start   func(line string) bool // finds the header among lines before it; nil: it is the first line
	Columns []Column
	// Visit is called once for each goroutine that parses, one after the other, and returns what to do with a row. The
	// row and its values are valid only during the call. An error made by Reject concerns the row alone; any other ends
	// the load.
	Visit func(w *Writer) func(*Row) error
}

// Column is a column that is read. Names are compared trimmed, in upper case, without accents, with single blanks and
// plain hyphens.
type Column struct {
	Name     string
	Also     []string // other spellings
	Optional bool     // its absence is an empty value; else it refuses the file
}

// Row is one row of a table.
type Row struct {
	Where Where

	fields []string // all of the file's, as published
	at     []int    // column of the table → field, -1 when absent
	decoder
}

// Value returns the value of a column, by its position in Table.Columns: UTF-8, trimmed, "" when empty or absent.
// Line breaks inside it are kept. A row with a byte that means nothing in Windows-1252 is marked "caractere_indefinido",
// and the value has U+FFFD in its place.
func (r *Row) Value(column int) string {
	i := r.at[column]
	if i < 0 {
		return ""
	}
	return r.text(r.fields[i])
}

// rejection is the error that Reject makes.
type rejection struct{ column, reason string }

// Error implements error.
func (r *rejection) Error() string { return cmp.Or(r.column, "row") + ": " + r.reason }

// Reject returns an error that keeps a row aside: it could not be understood. column is "" for the row as a whole.
func Reject(column, reason string) error { return &rejection{column, reason} }

// Read reads the rows of a file with as many goroutines as in allows; quoted tables are read by one. The encoding is
// UTF-8 with a byte order mark or when most of the first characters beyond ASCII are, else Windows-1252. Empty lines are
// no rows. A row with another number of fields than the header, or a value that is not in UTF-8 where the file is, is rejected. A header that lacks a column
// refuses the file, and says which and what the file has; further columns are ignored.
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

// Header returns the names of a file's columns, as they are compared.
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

// beginning is a file read up to its first row.
type beginning struct {
	file   *File
	utf8   bool
	header []string // folded
	line   int64    // of the header
	at     []int    // column of the table → field, -1 when absent
	rest   *bufio.Reader
	quoted *records // reads on from rest when the table is quoted
}

// begin reads the header.
func (t *Table) begin(f *File, r io.Reader) (*beginning, error) {
	b := &beginning{file: f, line: 1, rest: bufio.NewReaderSize(r, headBytes)}
	head, err := b.rest.Peek(headBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if b.utf8, err = encoding(f); err != nil {
		return nil, err
	}
	if bytes.HasPrefix(head, []byte(byteOrderMark)) {
		head = head[len(byteOrderMark):]
		_, _ = b.rest.Discard(len(byteOrderMark)) // it was peeked at
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

// encoding looks through a file until its encoding is beyond doubt, which are a few lines of nearly every file.
func encoding(f *File) (isInUTF8 bool, err error) {
	r, err := f.Open()
	if err != nil {
		return false, err
	}
	defer func() { _ = r.Close() }()
	return isUTF8(r)
}

// skipToHeader discards the lines before the header.
func (t *Table) skipToHeader(b *beginning, head []byte) error {
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

func (t *Table) headerFields(b *beginning) ([]string, error) {
	if t.Quoted {
		b.quoted = newRecords(b.file, b.rest, t.comma(), b.line)
		fields, err := b.quoted.next(0)
		if err != nil {
			return nil, err
		}
		b.line = b.quoted.line
		return fields, nil
	}
	for {
		line, err := b.rest.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if line = strings.TrimRight(line, "\r\n"); line != "" || err != nil {
			return strings.Split(line, string(t.comma())), nil
		}
		b.line++
	}
}

func (t *Table) comma() byte { return cmp.Or(t.Comma, ';') }

// locate finds the columns of the table in the header.
func (t *Table) locate(b *beginning) error {
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
	width int // fields of a row

	columns []Column
	fields  []string // of a row without quotes
}

func (t *Table) newVisitor(b *beginning, w *Writer) *visitor {
	return &visitor{
		row: Row{Where: Where{File: b.file.Index}, at: b.at, decoder: decoder{utf8: b.utf8}},
		w:   w, visit: t.Visit(w), file: b.file, width: len(b.header),
		columns: t.Columns, fields: make([]string, len(b.header)),
	}
}

// damagedColumn returns the first column whose value is not in the file's encoding, -1 when all are.
func (v *visitor) damagedColumn(fields []string) int {
	if !v.row.utf8 {
		return -1
	}
	return slices.IndexFunc(v.row.at, func(i int) bool { return i >= 0 && !utf8.ValidString(fields[i]) })
}

func wrongWidth(n, want int) string {
	return fmt.Sprintf("the row has %d columns, the header has %d", n, want)
}

// handle counts a row and hands it on, or keeps it aside. n is the number of its fields.
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
