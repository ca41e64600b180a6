package receita

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
)

// scanner splits bytes in the release's dialect into records: fields in double quotes, separated by
// semicolons, one record a line. It returns exactly what a strict encoding/csv reader with the same
// number of fields returns, which a fuzz test checks. Plain records are split without copying; any
// other is left to encoding/csv. After a record that cannot be read it resumes at the next line.
type scanner struct {
	data   []byte
	pos    int
	hasCR  bool // encoding/csv rewrites CR LF inside fields, so such data are never split here
	fields [][]byte
	width  int // how many fields the last record that was an error has; 0: it is no record at all
}

// newScanner returns a scanner of records with n fields.
func newScanner(n int) *scanner { return &scanner{fields: make([][]byte, n)} }

// reset starts over with data, of which the fields of plain records are views.
func (s *scanner) reset(data []byte) {
	s.data, s.pos = data, 0
	s.hasCR = bytes.IndexByte(data, '\r') >= 0
}

// next returns the fields of the next record and its offsets in the data. The fields are valid
// until the next call. At the end the error is io.EOF; any other is a *csv.ParseError that concerns
// this record only.
func (s *scanner) next() (fields [][]byte, start, end int, err error) {
	start = s.pos
	if !s.hasCR && s.split() {
		return s.fields, start, s.pos, nil
	}
	fields, err = s.careful()
	return fields, start, s.pos, err
}

// split reads a record in the plain dialect. If the record is not plain it returns false and does
// not move.
func (s *scanner) split() bool {
	data, pos := s.data[:min(len(s.data), s.pos+maxRecord)], s.pos
	last := len(s.fields) - 1
	for i := range s.fields {
		if pos >= len(data) || data[pos] != '"' {
			return false
		}
		n := bytes.IndexByte(data[pos+1:], '"')
		if n < 0 {
			return false
		}
		end := pos + 1 + n
		s.fields[i] = data[pos+1 : end]
		pos = end + 1
		switch {
		case i < last && pos < len(data) && data[pos] == ';':
			pos++
		case i == last && pos < len(data) && data[pos] == '\n':
			pos++
		case i == last && pos == len(s.data):
		default:
			return false // a doubled quote, another number of fields, too long, or damage
		}
	}
	s.pos = pos
	return true
}

// maxRecord bounds a record in bytes: encoding/csv keeps forty bytes for each separator. Real ones have a few
// thousand.
const maxRecord = 256 << 10

// errLongRecord is the cause of a csv.ParseError.
var errLongRecord = errors.New("the row has more than 256 KiB")

// careful reads a record with encoding/csv. Of one that cannot be read it gives up only the first
// line, because an unclosed quote must not swallow the records behind it.
func (s *scanner) careful() ([][]byte, error) {
	data := s.data[s.pos:]
	cut := len(data) > maxRecord
	r := csv.NewReader(bytes.NewReader(data[:min(len(data), maxRecord)]))
	r.Comma = ';'
	r.FieldsPerRecord = len(s.fields)
	record, err := r.Read()
	switch {
	case cut && errors.Is(err, io.EOF): // blank lines
		s.pos += maxRecord
		return s.careful()
	case cut && (err == nil && r.InputOffset() == maxRecord || err != nil && !bytes.ContainsRune(bytes.TrimLeft(data[:maxRecord], "\r\n"), '\n')):
		err = &csv.ParseError{Err: errLongRecord}
	}
	switch {
	case errors.Is(err, io.EOF):
		s.pos = len(s.data)
		return nil, err
	case err != nil:
		s.width = 0
		if errors.Is(err, csv.ErrFieldCount) {
			s.width = len(record)
		}
		s.skipLine()
		return nil, err
	}
	s.pos += int(r.InputOffset())
	for i, field := range record {
		s.fields[i] = []byte(field)
	}
	return s.fields, nil
}

// skipLine moves behind the next line that is not empty.
func (s *scanner) skipLine() {
	for line := range bytes.Lines(s.data[s.pos:]) {
		s.pos += len(line)
		if text := string(line); text != "\n" && text != "\r\n" {
			return
		}
	}
}

// recordStart returns the last offset in data, greater than 0, at which a record certainly begins,
// or -1: after a line end, a quoted root of eight characters followed by another quoted field.
// Inside a field these quotes would have to be doubled, so a match is never inside one.
func recordStart(data []byte) int {
	for end := len(data); ; {
		i := bytes.LastIndexByte(data[:end], '\n')
		if i < 1 {
			return -1
		}
		if beginsRecord(data[i+1:]) && (data[i-1] == '"' || data[i-1] == '\r') {
			return i + 1
		}
		end = i
	}
}

// beginsRecord reports whether a line begins with a quoted root and another quoted field.
func beginsRecord(line []byte) bool {
	const root = 8
	if len(line) < root+4 || line[0] != '"' || line[root+1] != '"' || line[root+2] != ';' || line[root+3] != '"' {
		return false
	}
	for _, c := range line[1 : root+1] {
		if (c < '0' || c > '9') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}
