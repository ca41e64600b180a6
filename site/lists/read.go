package lists

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

const (
	maxLines   = 10_000
	maxColumns = 200
	maxCells   = 50 * (maxLines + 1) // of all rows, with blank ones before others
	maxCell    = 32_767              // characters of a cell, as in spreadsheets
	maxText    = 8 << 20             // bytes of all cells, a shared text counted for each
)

// problem is what is wrong with a list, in words.
type problem string

func (p problem) Error() string { return "list refused: " + string(p) }

const (
	errEmpty        problem = "A lista está vazia."
	errFormat       problem = "O arquivo não é um CSV nem uma planilha XLSX que possamos ler."
	errOldExcel     problem = "Este é o formato antigo do Excel (XLS). Salve o arquivo como XLSX ou CSV e envie de novo."
	errTooManyNames problem = "A lista tem mais de 1.000 linhas a procurar pelo nome. Divida-a e envie as partes."
	errTooLong      problem = "A lista tem mais de 10.000 linhas. Divida-a e envie as partes."
	errUpload       problem = "O arquivo passa de 4 MB. Deixe nele só a lista e as colunas de que precisa, ou envie-o em partes."
	errTooWide      problem = "A lista tem mais de 200 colunas."
	errLongCell     problem = "Uma célula da lista tem mais de 32.767 caracteres. Em um CSV, pode ser que faltem as aspas que a fecham."
	errTooLarge     problem = "A lista é grande demais para ser lida. Deixe nela só as linhas e as colunas de que precisa, ou divida-a."
)

// row is a row of the list that is not blank.
type row struct {
	line  int      // in the list, from 1
	cells []string // of one line each, up to the last that is not blank
}

// cell returns a cell of a row, "" if the row ends before it.
func (r *row) cell(column int) string {
	if column < 0 || column >= len(r.cells) {
		return ""
	}
	return r.cells[column]
}

// width returns the number of columns of rows.
func width(rows []row) (n int) {
	for i := range rows {
		n = max(n, len(rows[i].cells))
	}
	return n
}

// readRows reads a pasted text, a CSV file or the first visible sheet of a workbook. The error is a problem, or that of ctx.
func readRows(ctx context.Context, file []byte) ([]row, error) {
	var l list
	var err error
	switch {
	case isWorkbook(file):
		err = l.readWorkbook(ctx, file)
	case bytes.HasPrefix(file, []byte("\xd0\xcf\x11\xe0")):
		return nil, errOldExcel
	default:
		err = l.readText(ctx, file)
	}
	if err != nil {
		return nil, err
	}
	if len(l.rows) == 0 {
		return nil, errEmpty
	}
	return l.rows, nil
}

// isWorkbook reports whether a file is a ZIP archive.
func isWorkbook(file []byte) bool { return bytes.HasPrefix(file, []byte("PK\x03\x04")) }

// list is the rows that are kept. Its errors are problems.
type list struct {
	rows        []row
	cells, text int // kept so far
}

// grow counts what is kept.
func (l *list) grow(cells, text int) error {
	l.cells += cells
	l.text += text
	if l.cells > maxCells || l.text > maxText {
		return errTooLarge
	}
	return nil
}

// add appends a row unless it is blank. Its cells have been through oneLine.
func (l *list) add(line int, cells []string) error {
	for len(cells) > 0 && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1]
	}
	switch {
	case len(cells) == 0:
		return nil
	case len(l.rows) > maxLines: // one more than that: the first may be a heading
		return errTooLong
	case len(cells) > maxColumns:
		return errTooWide
	}
	l.rows = append(l.rows, row{line, cells})
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
		n, err = 0, errTooLarge
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
		return 0, errTooLarge
	}
	return n, err
}

// refusal returns why a list is not read: err if it is a problem or the request has ended. Any other error of a parser means that the
// file is none that we read.
func refusal(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if refused, ok := errors.AsType[problem](err); ok {
		return refused
	}
	return errFormat
}
