package spreadsheet

import (
	"archive/zip"
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// workbook returns an XLSX file with these cells.
func workbook(t testing.TB, rows [][]any) []byte {
	t.Helper()
	book := excelize.NewFile()
	defer book.Close()
	for i, cells := range rows {
		at, err := excelize.CoordinatesToCellName(1, i+1)
		if err == nil {
			err = book.SetSheetRow("Sheet1", at, &cells)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := book.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func cellsOf(rows []Row) (cells [][]string) {
	for _, r := range rows {
		cells = append(cells, r.Cells)
	}
	return cells
}

// TestReadRows reads one list in every form in which it may come.
func TestReadRows(t *testing.T) {
	t.Parallel()
	want := [][]string{{"Razão", "CNPJ", "Valor"}, {"Padaria, e \"Cia\"", "12345678000195", "10"}, {"Ação", "191"}}
	semicolons := "Razão;CNPJ;Valor\r\n\"Padaria, e \"\"Cia\"\"\";12345678000195;10\r\n\r\nAção;191\r\n"
	windows, err := charmap.Windows1252.NewEncoder().String(semicolons)
	if err != nil {
		t.Fatal(err)
	}
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(strings.ReplaceAll(semicolons, ";", "\t"))
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]string{
		"semicolons":   semicolons,
		"byte mark":    "\uFEFF" + semicolons,
		"windows-1252": windows,
		"utf-16":       utf16,
		"pasted":       strings.ReplaceAll(strings.ReplaceAll(semicolons, ";", "\t"), "\r", ""),
		"bars":         strings.ReplaceAll(semicolons, ";", "|"),
		"commas":       "Razão,CNPJ,Valor\n\"Padaria, e \"\"Cia\"\"\",12345678000195,10\n , ,\nAção,191,\n",
		"workbook":     string(workbook(t, [][]any{{"Razão", "CNPJ", "Valor"}, {"Padaria,  e \"Cia\" ", 12345678000195, 10}, {}, {"Ação", 191}})),
	} {
		rows, err := new(List).readRows(t.Context(), []byte(file), Options{})
		if diff := cmp.Diff(want, cellsOf(rows)); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		} else if rows[2].Line != 4 {
			t.Errorf("%s: the last row is said to be line %d", name, rows[2].Line)
		}
	}
}

// TestLongestWorkbook: what the page promises is read, with a usual number of columns.
func TestLongestWorkbook(t *testing.T) {
	t.Parallel()
	lines := make([][]any, MaxLines+1)
	for i := range lines {
		for column := range 10 {
			lines[i] = append(lines[i], strconv.Itoa(i)+"/"+strconv.Itoa(column))
		}
	}
	rows, err := new(List).readRows(t.Context(), workbook(t, lines), Options{})
	if err != nil || len(rows) != len(lines) || rows[MaxLines].Cells[9] != strconv.Itoa(MaxLines)+"/9" {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

func TestReadRowsRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file string
		want error
	}{
		"nothing":     {"", errEmpty},
		"blanks":      {" \n\t\n;;\n", errEmpty},
		"old Excel":   {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", errOldExcel},
		"no workbook": {"PK\x03\x04 etc.", errFormat},
		"a picture":   {"\x89PNG\r\n\x1a\n\x00\x00\x00", errFormat},
		"long":        {strings.Repeat("191\n", MaxLines+2), errTooLong},
		"wide":        {strings.Repeat(";", maxColumns) + "x", errTooWide},
		"other a zip": {string(func() []byte { var b bytes.Buffer; zip.NewWriter(&b).Close(); return b.Bytes() }()), errFormat},
		"long workbook": {string(workbook(t, func() [][]any {
			rows := make([][]any, MaxLines+2)
			for i := range rows {
				rows[i] = []any{191}
			}
			return rows
		}())), errTooLong},
	} {
		if _, err := Read(t.Context(), []byte(c.file), Options{}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestNumberColumn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"191\n192": 0,
		"nome;cep;documento\nA;13024100;12345678000195\nB;13024-100;11222333000181":         2,
		"cep;cnpj\n13024100;12345678\n13024101;11222333":                                    1,
		"cep;raiz\n13024-100;12345678000195\n13024-101;":                                    1,
		"cnpj;fornecedor\n;12345678000195\n;11222333000181":                                 1,
		"id;cnpj do fornecedor;valor\n1;7654321000159;12345\n2;12.345.678/0001-95;98765432": 1,
	} {
		l, err := Read(t.Context(), []byte(text), Options{})
		if err != nil || l.Columns.Number != want {
			t.Errorf("%q: %+v, want column %d; %v", text, l, want, err)
		}
	}
}

// FuzzReadRows reads anything without a panic: rows within the bounds, or a problem.
func FuzzReadRows(f *testing.F) {
	f.Add([]byte("cnpj;nome\n191;x"))
	f.Add([]byte("\xff\xfea\x00;\x00"))
	f.Add(workbook(f, [][]any{{"cnpj"}, {191}}))
	f.Fuzz(func(t *testing.T, file []byte) { holds(t, file) })
}

// holds reads a file: rows within the bounds, or a problem.
func holds(t *testing.T, file []byte) {
	t.Helper()
	l, err := Read(t.Context(), file, Options{})
	if err != nil {
		if _, refused := errors.AsType[Problem](err); !refused {
			t.Errorf("%v", err)
		}
		return
	}
	rows := slices.Concat(l.Titles, l.Rows)
	if len(l.Rows) == 0 || len(l.Rows) > MaxLines+1 || len(l.Titles) > mostTitles || width(rows) > maxColumns {
		t.Errorf("%d rows of %d columns", len(rows), width(rows))
	}
	for _, r := range rows {
		if n := len(r.Cells); n == 0 || r.Cells[n-1] == "" {
			t.Errorf("line %d ends with a blank cell: %q", r.Line, r.Cells)
		}
	}
	for i := range rows {
		holdsValues(t, l, &rows[i])
	}
	holdsValues(t, l, &l.Heading)
	if width := max(width(rows), len(l.Heading.Cells)); l.Columns.Number >= width || l.Columns.Name >= width {
		t.Errorf("columns %+v of %d", l.Columns, width)
	}
	for i := range l.Rows {
		if l.Number(&l.Rows[i]).Wrong == Person && l.Name(&l.Rows[i]) != "" {
			t.Errorf("a person is looked up: %q", l.Rows[i].Cells)
		}
	}
}

// TestOneLine: the short way for cells that are one line already is the long one.
func TestOneLine(t *testing.T) {
	t.Parallel()
	for _, cell := range []string{"", " ", "a", "a b", " a", "a ", "a  b", "a\tb", "a\nb", "a\u00a0b", "ação", "\u2003a", "a\x85b", "\x1fa"} {
		if got, want := oneLine(cell), strings.Join(strings.Fields(cell), " "); got != want {
			t.Errorf("%q: %q, want %q", cell, got, want)
		}
	}
}
