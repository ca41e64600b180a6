package rows

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
)

// maxColumns bounds the separators of a row from this many bytes on: encoding/csv keeps forty bytes for each.
const maxColumns, longRow = 10_000, 256 << 10

// readQuoted reads a table with quoted fields, with one goroutine: where a row ends is only known
// by parsing from the start.
func (t *Table) readQuoted(ctx context.Context, b *openedTable, out *Output) (err error) {
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

// brokenRow is the error of a row whose quotes span lines that together are no row. Only its first
// line is given up; reading resumes at the next one (resynchronization).
type brokenRow struct {
	reason string
	raw    []byte // the line; valid until the next row
}

// Error implements error.
func (r *brokenRow) Error() string { return r.reason }

// quotedReader reads quoted rows with encoding/csv and keeps track of offsets and lines, which
// encoding/csv loses when it is restarted. Fields are bytes as published: in every supported
// encoding the separators are ASCII.
type quotedReader struct {
	comma byte
	csv   *csv.Reader
	tape  *tape
	begin int64 // offset where csv began to read
	from  int64 // offset of the last row, with the empty lines before it
	first int64 // line number at begin
	here  int64 // line number at from
	line  int64 // on which the last row begins
}

// newQuotedReader reads from r, whose first line has the number line.
func newQuotedReader(r *bufio.Reader, comma byte, line int64) *quotedReader {
	s := &quotedReader{comma: comma, tape: &tape{r: r, comma: comma}}
	s.start(0, line)
	return s
}

// start reads on with a new csv.Reader at an offset on the tape, where the line with this number
// begins.
func (s *quotedReader) start(offset, line int64) {
	const buffer = 64 << 10
	s.begin, s.from, s.tape.next = offset, offset, offset
	s.first, s.here = line, line
	s.csv = csv.NewReader(bufio.NewReaderSize(s.tape, buffer))
	s.csv.Comma, s.csv.LazyQuotes, s.csv.ReuseRecord, s.csv.FieldsPerRecord = rune(s.comma), true, true, -1
}

// next returns the next row, io.EOF at the end. A quote inside a field, as some publishers write
// it, is tolerated within one line (LazyQuotes). A row that spans lines must be well-formed (RFC
// 4180) and have width fields, else it is a *brokenRow. Width 0 accepts any number.
func (s *quotedReader) next(width int) ([]string, error) {
	from := s.begin + s.csv.InputOffset()
	s.here += int64(bytes.Count(s.tape.bytes(s.from, from), []byte{'\n'}))
	s.from = from
	s.tape.forget(from)
	fields, err := s.csv.Read()
	if errors.Is(err, errLongRow) {
		if blank := s.tape.bytes(s.from, s.tape.end()); len(bytes.TrimLeft(blank, "\r\n")) == 0 {
			s.start(s.tape.end(), s.here+int64(bytes.Count(blank, []byte{'\n'})))
			return s.next(width)
		}
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

// wellFormed reports whether the last row parses without lazy quotes.
func (s *quotedReader) wellFormed() bool {
	strict := csv.NewReader(bytes.NewReader(s.raw()))
	strict.Comma, strict.FieldsPerRecord = rune(s.comma), -1
	_, err := strict.Read()
	return err == nil
}

// resume gives up the first line of the last row and continues at the next line. It returns the
// *brokenRow, or the error of the file.
func (s *quotedReader) resume(reason string) error {
	row := s.tape.bytes(s.from, s.tape.end())
	blank := len(row) - len(bytes.TrimLeft(row, "\r\n"))
	length := bytes.IndexByte(row[blank:], '\n') + 1
	line := s.here + int64(bytes.Count(row[:blank], []byte{'\n'}))
	next := s.from + int64(blank+length)
	if length == 0 { // longer than what is kept of it
		if err := s.tape.skipLine(); err != nil {
			return err
		}
		length, next = len(row)-blank, s.tape.at
	}
	s.start(next, line+1)
	s.line = line
	return &brokenRow{reason, row[blank : blank+length]}
}

// raw returns the bytes of the last row, valid until the next one.
func (s *quotedReader) raw() []byte {
	return bytes.TrimLeft(s.tape.bytes(s.from, s.begin+s.csv.InputOffset()), "\r\n")
}

// errLongRow ends the reading of a row: a quote that is never closed would swallow the rest of the file.
var errLongRow = errors.New("the row does not end within 4 MiB or 10,000 columns: a quote that is not closed, or not a table")

// tape is a reader that keeps what was read since the last row, so that reading can go back to a
// line inside it.
type tape struct {
	r     *bufio.Reader
	comma byte
	data  []byte
	at    int64 // offset of data[0]
	keep  int64 // offset from which bytes are still needed
	next  int64 // offset of the next byte to read
}

// Read implements io.Reader.
func (t *tape) Read(p []byte) (int, error) {
	if t.next < t.end() {
		n := copy(p, t.bytes(t.next, t.end()))
		t.next += int64(n)
		return n, nil
	}
	if t.keep > t.at { // else a long row would be moved on every read
		t.data, t.at = t.data[:copy(t.data, t.data[t.keep-t.at:])], t.keep
	}
	if len(t.data) > maxRow || len(t.data) > longRow && bytes.Count(t.data, []byte{t.comma}) > maxColumns {
		return 0, errLongRow
	}
	n, err := t.r.Read(p)
	t.data = append(t.data, p[:n]...)
	t.next += int64(n)
	return n, err
}

// skipLine forgets what is kept, and skips what follows it up to the end of the line.
func (t *tape) skipLine() error {
	t.at, t.data = t.end(), nil // whoever holds the bytes keeps them
	for {
		piece, err := t.r.ReadSlice('\n')
		t.at += int64(len(piece))
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}

// forget says that bytes before an offset are no longer needed.
func (t *tape) forget(before int64) { t.keep = before }

// end returns the offset behind the last byte kept.
func (t *tape) end() int64 { return t.at + int64(len(t.data)) }

func (t *tape) bytes(from, to int64) []byte { return t.data[from-t.at : to-t.at] }
