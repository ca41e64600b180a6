package rows

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// maxQuoted bounds a row with its line breaks: a quote that is never closed would swallow the rest of the file.
const maxQuoted = 8 << 20

// readQuoted reads a table with quotes.
func (t *Table) readQuoted(ctx context.Context, b *beginning, out *Output) (err error) {
	w := out.Writer()
	defer func() {
		if closed := w.Close(); err == nil {
			err = closed
		}
	}()
	v := t.newVisitor(b, w)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		fields, err := b.quoted.next(v.width)
		var broken *brokenRow
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &broken):
			w.Row()
			err = w.Reject(v.file, b.quoted.line, "", broken.reason, broken.raw)
		case err == nil:
			err = v.handle(fields, len(fields), b.quoted.line, b.quoted.raw())
		}
		if err != nil {
			return err
		}
	}
}

// brokenRow is a row whose quotes run over the end of its line without making a row of the lines together. Only its first
// line is lost: reading goes on behind it.
type brokenRow struct {
	reason string
	raw    []byte // the line, valid until the next row
}

// Error implements error.
func (r *brokenRow) Error() string { return r.reason }

// records reads quoted rows. Fields are as published: every encoding that is read has the ASCII bytes in their places.
type records struct {
	file  *File
	comma byte
	csv   *csv.Reader
	tape  *tape
	begin int64 // where csv began to read
	from  int64 // where the last row begins, empty lines before it included
	first int64 // number of the line at begin
	here  int64 // number of the line at from
	line  int64 // on which the last row begins
}

// newRecords reads from r, whose first line has this number.
func newRecords(f *File, r io.Reader, comma byte, line int64) *records {
	s := &records{file: f, comma: comma, tape: &tape{r: r}}
	s.start(0, line)
	return s
}

// start reads on at an offset, where the line with this number begins.
func (s *records) start(offset, line int64) {
	const buffer = 64 << 10
	s.begin, s.from, s.tape.next = offset, offset, offset
	s.first, s.here = line, line
	s.csv = csv.NewReader(bufio.NewReaderSize(s.tape, buffer))
	s.csv.Comma, s.csv.LazyQuotes, s.csv.ReuseRecord, s.csv.FieldsPerRecord = rune(s.comma), true, true, -1
}

// next returns the next row, io.EOF at the end. Lazy quotes, as some publishers write them, are for one line: a row of more
// lines must be well-formed (RFC 4180) and have as many fields as width says, else it is a *brokenRow. A width of 0 is
// any.
func (s *records) next(width int) ([]string, error) {
	from := s.begin + s.csv.InputOffset()
	s.here += int64(bytes.Count(s.tape.bytes(s.from, from), []byte{'\n'}))
	s.from = from
	s.tape.forget(from)
	fields, err := s.csv.Read()
	if errors.Is(err, errLongRow) {
		return nil, s.resume(errLongRow.Error())
	}
	if err != nil {
		return nil, err
	}
	line, _ := s.csv.FieldPos(0)
	s.line = s.first + int64(line) - 1
	switch {
	case !slices.ContainsFunc(fields, func(field string) bool { return strings.IndexByte(field, '\n') >= 0 }):
	case width != 0 && len(fields) != width:
		return nil, s.resume(wrongWidth(len(fields), width))
	case !s.wellFormed():
		return nil, s.resume("a quote is not closed on its line, and those behind it do not go on with the row")
	}
	return fields, nil
}

func (s *records) wellFormed() bool {
	strict := csv.NewReader(bytes.NewReader(s.raw()))
	strict.Comma, strict.FieldsPerRecord = rune(s.comma), -1
	_, err := strict.Read()
	return err == nil
}

// resume gives the first line of a row up and goes to the next one. It returns the error to return.
func (s *records) resume(reason string) error {
	row := s.tape.bytes(s.from, s.tape.end())
	blank := len(row) - len(bytes.TrimLeft(row, "\r\n"))
	length := bytes.IndexByte(row[blank:], '\n') + 1
	line := s.here + int64(bytes.Count(row[:blank], []byte{'\n'}))
	if length == 0 {
		return fmt.Errorf("%s line %d: %s", s.file.Path, line, reason)
	}
	s.start(s.from+int64(blank+length), line+1)
	s.line = line
	return &brokenRow{reason, row[blank : blank+length]}
}

// raw returns the bytes of the last row, valid until the next one.
func (s *records) raw() []byte {
	return bytes.TrimLeft(s.tape.bytes(s.from, s.begin+s.csv.InputOffset()), "\r\n")
}

// errLongRow ends the reading of what is surely no table.
var errLongRow = errors.New("the row does not end within 8 MiB: a quote that is not closed, or not a table")

// tape remembers what was read from r since the last row.
type tape struct {
	r    io.Reader
	data []byte
	at   int64 // offset of data[0]
	keep int64 // offset from which bytes are still needed
	next int64 // offset of what is read next
}

// Read implements io.Reader.
func (t *tape) Read(p []byte) (int, error) {
	if t.next < t.end() {
		n := copy(p, t.bytes(t.next, t.end()))
		t.next += int64(n)
		return n, nil
	}
	if t.keep > t.at { // else a long row would be moved again and again
		t.data, t.at = t.data[:copy(t.data, t.data[t.keep-t.at:])], t.keep
	}
	if len(t.data) > maxQuoted {
		return 0, errLongRow
	}
	n, err := t.r.Read(p)
	t.data = append(t.data, p[:n]...)
	t.next += int64(n)
	return n, err
}

func (t *tape) forget(before int64) { t.keep = before }

func (t *tape) end() int64 { return t.at + int64(len(t.data)) }

func (t *tape) bytes(from, to int64) []byte { return t.data[from-t.at : to-t.at] }
