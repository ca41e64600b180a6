package spreadsheet

import (
	"bytes"
	"encoding/gob"
	"fmt"
)

// storedList is a List as gob has it, without what was only needed to read it: numbers and names of rows are gone.
type storedList struct {
	Sheet         string
	Others        []string
	Heading       storedRow
	Titles, Rows  []storedRow
	Columns       Columns
	Answered      int
	Workbook      bool
	CustomFormats []storedFormat // behind those that every workbook has
	HasOwnFormats bool
}

type storedRow struct {
	Line    int
	Cells   []string
	Numbers []float64
	Formats []formatID
}

type storedFormat struct {
	BuiltIn int
	Code    string
}

// GobEncode implements gob.GobEncoder. What comes back has the cells, their values and the columns, and no numbers and names of rows.
func (l *List) GobEncode() ([]byte, error) {
	s := storedList{Sheet: l.Sheet, Others: l.Others, Heading: storedRowOf(&l.Heading), Titles: storedRows(l.Titles), Rows: storedRows(l.Rows), Columns: l.Columns, Answered: l.Answered, Workbook: l.Workbook}
	if common := len(newFormats().all); len(l.formats) >= common {
		s.HasOwnFormats = true
		for _, f := range l.formats[common:] {
			s.CustomFormats = append(s.CustomFormats, storedFormat{f.BuiltIn, f.Code})
		}
	}
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(&s); err != nil {
		return nil, fmt.Errorf("encode a list: %w", err)
	}
	return body.Bytes(), nil
}

// GobDecode implements gob.GobDecoder.
func (l *List) GobDecode(body []byte) error {
	var s storedList
	if err := gob.NewDecoder(bytes.NewReader(body)).Decode(&s); err != nil {
		return fmt.Errorf("decode a list: %w", err)
	}
	*l = List{Sheet: s.Sheet, Others: s.Others, Heading: s.Heading.row(), Titles: rowsOf(s.Titles), Rows: rowsOf(s.Rows), Columns: s.Columns, Answered: s.Answered, Workbook: s.Workbook}
	if s.HasOwnFormats {
		l.formats = newFormats().all
		for _, f := range s.CustomFormats {
			format := builtInFormat(f.BuiltIn)
			if f.BuiltIn == 0 {
				format = customFormat(f.Code)
			}
			l.formats = append(l.formats, format)
		}
	}
	return nil
}

func storedRowOf(r *Row) storedRow { return storedRow{r.Line, r.Cells, r.numbers, r.formats} }

func (s *storedRow) row() Row {
	return Row{Line: s.Line, Cells: s.Cells, numbers: s.Numbers, formats: s.Formats}
}

func storedRows(rows []Row) []storedRow {
	stored := make([]storedRow, len(rows))
	for i := range rows {
		stored[i] = storedRowOf(&rows[i])
	}
	return stored
}

func rowsOf(stored []storedRow) []Row {
	rows := make([]Row, len(stored))
	for i := range stored {
		rows[i] = stored[i].row()
	}
	return rows
}
