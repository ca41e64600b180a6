package lists

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
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

func cellsOf(rows []row) (cells [][]string) {
	for _, r := range rows {
		cells = append(cells, r.cells)
	}
	return cells
}

// TestReadRows reads one list in every form in which it may come.
func TestReadRows(t *testing.T) {
	t.Parallel()
	want := [][]string{{"Razão", "CNPJ", "Valor"}, {"Padaria, e \"Cia\"", "12345678000195", "10"}, {"Ação", "191", ""}}
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
		rows, err := readRows([]byte(file))
		if diff := cmp.Diff(want, cellsOf(rows)); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		} else if rows[2].line != 4 {
			t.Errorf("%s: the last row is said to be line %d", name, rows[2].line)
		}
	}
}

// bomb is a small workbook one part of which unpacks to n times content between begin and end.
func bomb(t *testing.T, part, begin, content, end string, n int) string {
	t.Helper()
	book := workbook(t, [][]any{{"cnpj"}, {191}, {12.5}})
	from, err := zip.NewReader(bytes.NewReader(book), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	to := zip.NewWriter(&b)
	for _, f := range from.File {
		if f.Name == part {
			continue
		}
		if err := to.Copy(f); err != nil {
			t.Fatal(err)
		}
	}
	w, err := to.Create(part)
	if err == nil {
		_, err = io.WriteString(w, begin)
	}
	thousand := strings.Repeat(content, 1000)
	for range n / 1000 {
		if err == nil {
			_, err = io.WriteString(w, thousand)
		}
	}
	if err == nil {
		_, err = io.WriteString(w, end)
	}
	if err == nil {
		err = to.Close()
	}
	if err != nil || b.Len() > maxUpload {
		t.Fatalf("%d bytes, %v", b.Len(), err)
	}
	return b.String()
}

// TestZipBombs: a workbook of some kilobytes becomes gigabytes, as bytes or as the elements that its reader keeps of
// them. It is refused unread.
func TestZipBombs(t *testing.T) {
	t.Parallel()
	const namespace = ` xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`
	for name, file := range map[string]string{
		"blanks":  bomb(t, "xl/worksheets/sheet1.xml", "", strings.Repeat(" ", 1000), "", maxUnpacked/1000+1000),
		"rows":    bomb(t, "xl/worksheets/sheet1.xml", "<worksheet"+namespace+"<sheetData>", "<row/>", "</sheetData></worksheet>", 2_000_000),
		"strings": bomb(t, "xl/sharedStrings.xml", "<sst"+namespace, "<si/>", "</sst>", 2_000_000),
		"styles":  bomb(t, "xl/styles.xml", "<styleSheet"+namespace+"<cellXfs>", "<xf/>", "</cellXfs></styleSheet>", 200_000),
		"sheets":  bomb(t, "xl/workbook.xml", "<workbook"+namespace+"<sheets>", "<sheet/>", "</sheets></workbook>", 200_000),
		"files":   bomb(t, "xl/media/image1.png", "", strings.Repeat("\x00", 1000), "", maxUnpacked/1000+1000),
	} {
		if _, err := readRows([]byte(file)); !errors.Is(err, errTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLongestWorkbook: what the page promises is read, with a usual number of columns.
func TestLongestWorkbook(t *testing.T) {
	t.Parallel()
	lines := make([][]any, maxLines+1)
	for i := range lines {
		for column := range 10 {
			lines[i] = append(lines[i], strconv.Itoa(i)+"/"+strconv.Itoa(column))
		}
	}
	rows, err := readRows(workbook(t, lines))
	if err != nil || len(rows) != len(lines) || rows[maxLines].cells[9] != strconv.Itoa(maxLines)+"/9" {
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
		"long":        {strings.Repeat("191\n", maxLines+2), errTooLong},
		"wide":        {strings.Repeat(";", maxColumns) + "x", errTooWide},
		"other a zip": {string(func() []byte { var b bytes.Buffer; zip.NewWriter(&b).Close(); return b.Bytes() }()), errFormat},
		"long workbook": {string(workbook(t, func() [][]any {
			rows := make([][]any, maxLines+2)
			for i := range rows {
				rows[i] = []any{191}
			}
			return rows
		}())), errTooLong},
	} {
		if _, err := readRows([]byte(c.file)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestColumnOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"191\n192": 0,
		"nome;cep;documento\nA;13024100;12345678000195\nB;13024-100;11222333000181":         2,
		"cep;cnpj\n13024100;12345678\n13024101;11222333":                                    1,
		"cep;raiz\n13024-100;12345678000195\n13024-101;":                                    1,
		"cnpj;fornecedor\n;12345678000195\n;11222333000181":                                 1,
		"id;cnpj do fornecedor;valor\n1;7654321000159;12345\n2;12.345.678/0001-95;98765432": 1,
	} {
		rows, err := readRows([]byte(text))
		if got, found := columnOf(rows); err != nil || got != want || !found {
			t.Errorf("%q: column %d, want %d; %v", text, got, want, err)
		}
	}
}

// FuzzReadRows reads anything without a panic: rows of one length within the bounds, or a problem.
func FuzzReadRows(f *testing.F) {
	f.Add([]byte("cnpj;nome\n191;x"))
	f.Add([]byte("\xff\xfea\x00;\x00"))
	f.Add(workbook(f, [][]any{{"cnpj"}, {191}}))
	f.Fuzz(func(t *testing.T, file []byte) {
		rows, err := readRows(file)
		var refused problem
		switch {
		case err != nil:
			if !errors.As(err, &refused) {
				t.Errorf("%v", err)
			}
		case len(rows) == 0 || len(rows) > maxLines+1 || len(rows[0].cells) > maxColumns:
			t.Errorf("%d rows", len(rows))
		default:
			for _, r := range rows {
				if len(r.cells) != len(rows[0].cells) {
					t.Errorf("%d cells, then %d", len(rows[0].cells), len(r.cells))
				}
			}
			if column, _ := columnOf(rows); column >= len(rows[0].cells) {
				t.Errorf("column %d", column)
			}
		}
	})
}
