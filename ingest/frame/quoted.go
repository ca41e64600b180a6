package frame

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
)

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
		fields, err := b.quoted.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := v.handle(fields, len(fields), b.quoted.line, b.quoted.raw()); err != nil {
			return err
		}
	}
}

// records reads quoted rows. Fields are as published: every encoding that is read has the ASCII bytes in their places.
type records struct {
	file  *File
	csv   *csv.Reader
	tape  *tape
	from  int64 // where the last row begins, empty lines before it included
	first int64 // number of the first line
	line  int64 // on which the last row begins
}

// newRecords reads from r, whose first line has this number.
func newRecords(f *File, r io.Reader, comma byte, line int64) *records {
	const buffer = 64 << 10
	s := &records{file: f, tape: &tape{r: r}, first: line, line: line - 1}
	s.csv = csv.NewReader(bufio.NewReaderSize(s.tape, buffer))
	s.csv.Comma, s.csv.LazyQuotes, s.csv.ReuseRecord, s.csv.FieldsPerRecord = rune(comma), true, true, -1
	return s
}

// next returns the next row, io.EOF at the end.
func (s *records) next() ([]string, error) {
	s.from = s.csv.InputOffset()
	s.tape.forget(s.from)
	fields, err := s.csv.Read()
	if errors.Is(err, errLongRow) {
		return nil, fmt.Errorf("%s, the row after line %d: %w", s.file.Path, s.line, err)
	}
	if err != nil {
		return nil, err
	}
	line, _ := s.csv.FieldPos(0)
	s.line = s.first + int64(line) - 1
	return fields, nil
}

// raw returns the bytes of the last row, valid until the next one.
func (s *records) raw() []byte {
	return bytes.TrimLeft(s.tape.bytes(s.from, s.csv.InputOffset()), "\r\n")
}

// errLongRow ends the reading of what is surely no table: a quote that is never closed swallows the rest of a file.
var errLongRow = errors.New("it does not end within 64 MiB: a quote that is not closed, or not a table")

// tape remembers what was read from r since the last row.
type tape struct {
	r    io.Reader
	data []byte
	at   int64 // offset of data[0]
	keep int64 // offset from which bytes are still needed
}

// Read implements io.Reader.
func (t *tape) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	if t.keep > t.at { // else a long row would be moved again and again
		t.data, t.at = t.data[:copy(t.data, t.data[t.keep-t.at:])], t.keep
	}
	t.data = append(t.data, p[:n]...)
	if len(t.data) > maxRow {
		return 0, errLongRow
	}
	return n, err
}

func (t *tape) forget(before int64) { t.keep = before }

func (t *tape) bytes(from, to int64) []byte { return t.data[from-t.at : to-t.at] }
