package receita

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
)

// scanner splits bytes in the release's dialect into records: fields in double quotes, joined by semicolons, one record
// a line. It gives exactly what a strict encoding/csv reader with the same field count gives; the dialect that all but a
// few records keep to is split without copying, and anything else is left to encoding/csv itself, record by record. Behind
// a record that cannot be read it goes on at the next line.
type scanner struct {
	data   []byte
	pos    int
	hasCR  bool // encoding/csv rewrites CR LF inside fields, so such data is never split here
	fields [][]byte
}

// newScanner returns a scanner of records with n fields.
func newScanner(n int) *scanner { return &scanner{fields: make([][]byte, n)} }

// reset begins with new data. The fields of earlier records become invalid when the caller reuses their memory.
func (s *scanner) reset(data []byte) {
	s.data, s.pos = data, 0
	s.hasCR = bytes.IndexByte(data, '\r') >= 0
}

// next returns the fields of the next record and where it lies in the data. They are valid until the following call. At
// the end the error is io.EOF; any other error concerns this record alone and is a *csv.ParseError.
func (s *scanner) next() (fields [][]byte, start, end int, err error) {
	start = s.pos
	if !s.hasCR && s.split() {
		return s.fields, start, s.pos, nil
	}
	fields, err = s.careful()
	return fields, start, s.pos, err
}

// split reads a record in the plain dialect. It returns false and moves nothing when the record is not plain.
func (s *scanner) split() bool {
	data, pos := s.data, s.pos
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
		case i == last && pos == len(data):
		default:
			return false // a doubled quote, another number of fields, or damage
		}
	}
	s.pos = pos
	return true
}

// careful reads a record with encoding/csv. Of one that cannot be read only the first line is given up: a quote that is
// not closed must not swallow the records behind it.
func (s *scanner) careful() ([][]byte, error) {
	r := csv.NewReader(bytes.NewReader(s.data[s.pos:]))
	r.Comma = ';'
	r.FieldsPerRecord = len(s.fields)
	record, err := r.Read()
	switch {
	case errors.Is(err, io.EOF):
		s.pos = len(s.data)
		return nil, err
	case err != nil:
		s.skipLine()
		return nil, err
	}
	s.pos += int(r.InputOffset())
	for i, field := range record {
		s.fields[i] = []byte(field)
	}
	return s.fields, nil
}

// skipLine goes behind the next line that is not empty.
func (s *scanner) skipLine() {
	for line := range bytes.Lines(s.data[s.pos:]) {
		s.pos += len(line)
		if text := string(line); text != "\n" && text != "\r\n" {
			return
		}
	}
}

// recordStart finds the last place in data, behind the first byte, where a record certainly begins, or -1. A record
// begins behind a line end with a quoted eight-character root and a further field. Inside a field that text would need
// doubled quotes, so a match is never inside one.
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
