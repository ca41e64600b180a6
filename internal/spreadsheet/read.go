// Package spreadsheet reads the lists of companies that people bring: pasted, or a CSV or XLSX file as spreadsheets, public portals and accounting
// programs write them. What comes of it is rows of cells, of a workbook with what they hold and how it shows it, the columns with numbers, names, places and activities, and of each row the CNPJ
// that it says or why it says none. Who is meant by it is for package reconcile to find.
//
// Every line of a list is accounted for: it is a row, the heading, a title above it, or blank.
package spreadsheet

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

const (
	// MaxLines is how many rows a list may have, without its heading.
	MaxLines   = 10_000
	maxColumns = 200
	maxCells   = 50 * (MaxLines + 1) // of all rows, with blank ones before others
	maxCell    = 32_767              // characters of a cell, as in spreadsheets
	maxText    = 8 << 20             // bytes of all cells, a shared text counted for each
)

// Problem is what is wrong with a list, in words for whoever brought it.
type Problem string

func (p Problem) Error() string { return "list refused: " + string(p) }

const (
	errEmpty    Problem = "A lista está vazia."
	errFormat   Problem = "O arquivo não é um CSV nem uma planilha XLSX que possamos ler. Abra-o no programa que o fez e salve como XLSX ou CSV."
	errOldExcel Problem = "Este é o formato antigo do Excel (XLS). Salve o arquivo como XLSX ou CSV e envie de novo."
	errODS      Problem = "Este é o formato do LibreOffice (ODS). Salve o arquivo como XLSX ou CSV e envie de novo."
	errNoSheet  Problem = "O arquivo não tem uma planilha com este nome."
	errTooLong  Problem = "A lista tem mais de 10.000 linhas. Divida-a e envie as partes."
	errTooWide  Problem = "A lista tem mais de 200 colunas."
	errLongCell Problem = "Uma célula da lista tem mais de 32.767 caracteres. Em um CSV, pode ser que faltem as aspas que a fecham."
	ErrTooLarge Problem = "A lista é grande demais para ser lida. Deixe nela só as linhas e as colunas de que precisa, ou divida-a."
)

// List is a list that was read.
type List struct {
	Sheet    string   // of a workbook with several: the one that was read
	Others   []string // its other visible sheets
	Titles   []Row    // lines above the heading, and headings that come again
	Heading  Row      // of the columns; without cells: there is none
	Rows     []Row
	Columns  Columns
	Answered int  // columns of a former answer, which are left out
	Workbook bool // its cells have values: one that has none is a text, whatever it looks like

	formats []*Format    // by formatID
	persons map[int]bool // columns whose heading says that they have CPFs
}

// Row is a row of a list that is not blank.
type Row struct {
	Line  int      // in the list, from 1
	Cells []string // of one line each, up to the last that is not blank

	numbers []float64 // of the cells that are no texts, up to the last of them
	formats []formatID
	number  Number
	name    string
}

// Cell returns a cell, "" if the row ends before it or column is None.
func (r *Row) Cell(column int) string {
	if column < 0 || column >= len(r.Cells) {
		return ""
	}
	return r.Cells[column]
}

// held is what a cell has beside its text. The zero held is that of a text.
type held struct {
	number float64
	format formatID
}

// held returns what a cell has beside its text.
func (r *Row) held(column int) held {
	if column >= len(r.formats) {
		return held{}
	}
	return held{r.numbers[column], r.formats[column]}
}

// set sets a cell, which may be beyond the last.
func (r *Row) set(column int, text string, h held) {
	for len(r.Cells) <= column {
		r.Cells = append(r.Cells, "")
	}
	r.Cells[column] = text
	if h.format == ofText && column >= len(r.formats) {
		return
	}
	for len(r.formats) <= column {
		r.numbers, r.formats = append(r.numbers, 0), append(r.formats, ofText)
	}
	r.numbers[column], r.formats[column] = h.number, h.format
}

// until returns the row up to a column.
func (r *Row) until(column int) Row {
	cut := *r
	cut.Cells = r.Cells[:min(column, len(r.Cells)):min(column, len(r.Cells))]
	cut.numbers, cut.formats = r.numbers[:min(column, len(r.numbers))], r.formats[:min(column, len(r.formats))]
	return cut
}

// width returns the number of columns of rows.
func width(rows []Row) (n int) {
	for i := range rows {
		n = max(n, len(rows[i].Cells))
	}
	return n
}

// Options say how a list is to be read.
type Options struct {
	Sheet  string   // of a workbook; "": the visible one with the most CNPJs
	Number int      // column of the CNPJs, from 1; 0: the one with the most of them, or the one whose heading says so
	Name   int      // column of the names, from 1; 0: the one whose heading says so, or the one with the most different words
	Answer []string // headings that a former answer begins with: they and what follows is left out
	Own    bool     // the file is that of whoever runs this program: a hundred times as many lines and cells
	Places Places   // tells names of places from others in a list without a heading; nil: nothing does
}

// Read reads a pasted text, a CSV file, or a sheet of a workbook. The error is a Problem, or that of ctx.
func Read(ctx context.Context, file []byte, o Options) (*List, error) {
	l := &List{}
	rows, err := l.readRows(ctx, file, o)
	if err != nil {
		return nil, err
	}
	l.divide(rows, o)
	switch {
	case len(l.Rows) == 0:
		return nil, errEmpty
	case len(l.Rows)+min(len(l.Heading.Cells), 1) > o.times()*MaxLines+1: // without a heading, the first may be one that we do not know
		return nil, errTooLong
	}
	return l, nil
}

// times is how many times the bounds are.
func (o *Options) times() int {
	if o.Own {
		return 100
	}
	return 1
}

// readRows returns all rows that are not blank.
func (l *List) readRows(ctx context.Context, file []byte, o Options) ([]Row, error) {
	t := table{times: o.times()}
	var err error
	switch {
	case bytes.HasPrefix(file, []byte("PK\x03\x04")): // a ZIP archive
		err = l.readWorkbook(ctx, file, o.Sheet, &t)
	case bytes.HasPrefix(file, []byte("\xd0\xcf\x11\xe0")):
		return nil, errOldExcel
	default:
		err = t.readText(ctx, file)
	}
	if err == nil && len(t.rows) == 0 {
		err = errEmpty
	}
	return t.rows, err
}

// table is the rows that are kept. Its errors are problems.
type table struct {
	rows        []Row
	cells, text int // kept so far
	times       int // see Options.times
}

// grow counts what is kept.
func (t *table) grow(cells, text int) error {
	t.cells += cells
	t.text += text
	if t.cells > t.times*maxCells || t.text > t.times*maxText {
		return ErrTooLarge
	}
	return nil
}

// add appends a row unless it is blank. Its cells have been through oneLine.
func (t *table) add(r Row) error {
	for len(r.Cells) > 0 && r.Cells[len(r.Cells)-1] == "" {
		r.Cells = r.Cells[:len(r.Cells)-1]
	}
	switch {
	case len(r.Cells) == 0:
		return nil
	case len(t.rows) > t.times*MaxLines+mostTitles: // more than the heading and what stands above it
		return errTooLong
	case len(r.Cells) > maxColumns:
		return errTooWide
	}
	t.rows = append(t.rows, r)
	return nil
}

// oneLine makes a cell a single line without blanks around it.
func oneLine(cell string) string {
	if isOneLine(cell) { // as nearly all are: of half a million cells no copies are made
		return cell
	}
	return strings.Join(strings.Fields(cell), " ")
}

// isOneLine reports whether a cell has no blanks but single ones between words of ASCII.
func isOneLine(cell string) bool {
	blank := true // before the cell
	for _, c := range []byte(cell) {
		if c < ' ' || c >= utf8.RuneSelf || blank && c == ' ' {
			return false
		}
		blank = c == ' '
	}
	return !blank
}

// isLong reports whether a cell is longer than a spreadsheet may have it.
func isLong(cell string) bool { return len(cell) > maxCell && utf8.RuneCountInString(cell) > maxCell }

const (
	maxRead   = 64 << 20  // bytes of all parts of a workbook that are read
	maxMarks  = 6_500_000 // of elements, attributes and escapes in them: nine to twelve in a usual cell
	maxBeside = 2_000_000 // of those before the sheet: in what leads to it, and in 64,000 styles
	maxAtOnce = 256 << 10 // bytes of a line of a CSV, of a tag, of a text
)

// source reads what a stranger has sent until the request ends. It bounds what a parser has to do, whatever it reads for:
// bytes, marks of XML, and the bytes from one step of the parser to the next, since a parser keeps a whole line, tag or
// text, at many times its length.
type source struct {
	ctx    context.Context
	from   io.Reader
	work   *work
	atOnce int   // bytes since the last step
	err    error // which ended it; a bufio.Reader forgets what Peek ran into
}

// work is what was read so far, of all sources of an upload, and how many marks it may be.
type work struct{ bytes, marks, most int }

// step begins the next line, tag or text.
func (s *source) step() { s.atOnce = 0 }

// Read implements io.Reader. The errors are problems, those of the context, and those of the reader beneath.
func (s *source) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.skip(p)
	for _, mark := range []byte("<=/&") {
		s.work.marks += bytes.Count(p[:n], []byte{mark})
	}
	switch s.atOnce += n; {
	case s.atOnce > maxAtOnce || s.work.marks > s.work.most:
		n, err = 0, ErrTooLarge
	case bytes.IndexByte(p[:n], 0) >= 0:
		n, err = 0, errFormat
	}
	s.err = err
	return n, err
}

// skip is Read of what no parser gets.
func (s *source) skip(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := s.from.Read(p)
	if s.work.bytes += n; s.work.bytes > maxRead {
		return 0, ErrTooLarge
	}
	return n, err
}

// refusal returns why a list is not read: err if it is a problem or the request has ended. Any other error of a parser means that the
// file is none that we read.
func refusal(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if refused, ok := errors.AsType[Problem](err); ok {
		return refused
	}
	return errFormat
}
