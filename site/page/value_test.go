package page

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"iter"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"razao/internal/data/record"
	"razao/internal/spreadsheet"
)

// brought is a workbook as a person brings it: cells as XML, each with one of these formats, below a heading and beside a CNPJ.
func brought(t testing.TB, from1904 bool, formats []string, cells ...string) []byte {
	t.Helper()
	const namespace = ` xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	const relations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	const kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	var codes, styles, rows bytes.Buffer
	for i, code := range formats {
		id := i + 164
		if number, err := strconv.Atoi(code); err == nil { // one without a code
			id = number
		} else {
			fmt.Fprintf(&codes, `<numFmt numFmtId="%d" formatCode="`, id)
			_ = xml.EscapeText(&codes, []byte(code))
			codes.WriteString(`"/>`)
		}
		fmt.Fprintf(&styles, `<xf numFmtId="%d"/>`, id)
	}
	for _, cell := range cells {
		rows.WriteString(`<row><c t="str"><v>12.345.678/0001-95</v></c>` + cell + `<c t="str"><v>x</v></c></row>`)
	}
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for name, text := range map[string]string{
		"_rels/.rels":                relations + `<Relationship Id="r1" Type="` + kind + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml":            fmt.Sprintf(`<workbook%s xmlns:r="%s"><workbookPr date1904="%t"/><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`, namespace, kind, from1904),
		"xl/_rels/workbook.xml.rels": relations + `<Relationship Id="r1" Type="` + kind + `/worksheet" Target="sheet.xml"/><Relationship Id="r2" Type="` + kind + `/styles" Target="styles.xml"/></Relationships>`,
		"xl/styles.xml":              "<styleSheet" + namespace + "><numFmts>" + codes.String() + "</numFmts><cellXfs>" + styles.String() + "</cellXfs></styleSheet>",
		"xl/sheet.xml":               "<worksheet" + namespace + `><sheetData><row><c t="str"><v>CNPJ</v></c><c t="str"><v>valor</v></c><c t="str"><v>nota</v></c></row>` + rows.String() + "</sheetData></worksheet>",
	} {
		w, err := archive.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// back writes the rows of a list, as /lista does.
func back(t testing.TB, l *spreadsheet.List, format Format) []byte {
	t.Helper()
	fields := make([]record.Field, l.Width())
	for i := range fields {
		fields[i] = record.Field{Name: strconv.Itoa(i), Title: l.Heading.Cell(i), Kind: record.Text}
	}
	table := &Table{
		Of: record.Table{Fields: fields},
		Rows: func(context.Context) iter.Seq2[[]string, error] {
			return func(yield func([]string, error) bool) {
				for i := range l.Rows {
					row := make([]string, len(fields))
					copy(row, l.Rows[i].Cells)
					if !yield(row, nil) {
						return
					}
				}
			}
		},
		Value: func(row, column int) spreadsheet.Value {
			if row < 0 {
				return l.Value(&l.Heading, column)
			}
			return l.Value(&l.Rows[row], column)
		},
	}
	var out bytes.Buffer
	if err := table.encode(t.Context(), &out, format, (&Server{}).origin(nil, table)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func read(t testing.TB, file []byte, sheet string) *spreadsheet.List {
	t.Helper()
	l, err := spreadsheet.Read(t.Context(), file, spreadsheet.Options{Sheet: sheet})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// manyFormats are formats as people have them, and cells in each.
var (
	manyFormats = []string{
		"0", "dd/mm/yyyy", `"R$" #,##0.00`, "0.00%", "[h]:mm", "14", "44", "7", `_-"R$"\ * #,##0.00_-;\-"R$"\ * #,##0.00_-;_-"R$"\ * "-"??_-;_-@_-`,
		`[$-416]d" de "mmmm" de "yyyy;@`, `00\.000\.000\/0000\-00`, `"=cmd|' /C calc'!A0" 0`, "0.00E+00", "22", "49", `"<&>'" 0;[Red]-0`, "[>=100]0;0.0", "# ??/??",
	}
	manyCells = []string{
		`<c s="1"><v>46300</v></c>`, `<c s="2"><v>1234.56</v></c>`, `<c s="3"><v>0.125</v></c>`, `<c s="4"><v>1.5</v></c>`, `<c s="5"><v>46301</v></c>`, `<c s="6"><v>99.5</v></c>`,
		`<c s="7"><v>-99.5</v></c>`, `<c s="8"><v>1234.5</v></c>`, `<c s="9"><v>46302</v></c>`, `<c s="10"><v>51206531000176</v></c>`, `<c s="11"><v>2</v></c>`,
		`<c s="12"><v>51206531000176</v></c>`, `<c s="13"><v>46300.75</v></c>`, `<c s="13"><v>37706.48515046296</v></c>`, `<c s="14"><v>7</v></c>`, `<c s="15"><v>-3</v></c>`, `<c s="16"><v>100</v></c>`, `<c s="17"><v>0.5</v></c>`,
		`<c><v>0.30000000000000004</v></c>`, `<c s="3"><v>0.7999999999999999</v></c>`, `<c><v>1e308</v></c>`, `<c><v>1.7976931348623157e308</v></c>`, `<c><v>-1.5e-300</v></c>`, `<c><v>5e-324</v></c>`,
		`<c><v>9007199254740992</v></c>`, `<c><v>9007199254740993</v></c>`, `<c><v>8.853386709237756e17</v></c>`, `<c s="1"><v>-5</v></c>`, `<c s="1"><v>2958466</v></c>`, `<c s="99"><v>7</v></c>`,
		`<c t="b"><v>1</v></c>`, `<c t="b"><v>0</v></c>`, `<c s="1" t="str"><v>007</v></c>`, `<c t="str"><v>1.235</v></c>`, `<c s="2"><f>A1+1</f><v>3</v></c>`, `<c t="str"><v>=1+1</v></c>`, `<c t="e"><v>#N/A</v></c>`,
		`<c s="1" t="d"><v>2026-10-05</v></c>`, `<c s="1" t="str"><v>05/10/2026</v></c>`, `<c/>`,
	}
)

// TestCellsComeBack: what a person's workbook has in its cells comes back as it was, with its formats: read, written and read again it is
// the same.
func TestCellsComeBack(t *testing.T) {
	t.Parallel()
	for _, from1904 := range []bool{false, true} {
		sameAgain(t, read(t, brought(t, from1904, manyFormats, manyCells...), ""))
	}
}

// sameAgain compares a list with what is read of it when it has come back.
func sameAgain(t *testing.T, l *spreadsheet.List) {
	t.Helper()
	again := read(t, back(t, l, XLSX), rowsSheet)
	if len(l.Rows) != len(again.Rows) {
		t.Fatalf("%d rows of %d", len(again.Rows), len(l.Rows))
	}
	for i := range l.Rows {
		want, got := l.Value(&l.Rows[i], 1), again.Value(&again.Rows[i], 1)
		switch {
		case want.Format == nil && (got.Format != nil || l.Rows[i].Cell(1) != again.Rows[i].Cell(1)):
			t.Errorf("%q comes back as %q, %+v", l.Rows[i].Cell(1), again.Rows[i].Cell(1), got)
		case want.Format == nil:
		case want.Kind() == record.Text && strings.Contains(want.String(), ":") && got.Number != want.Number && want.Number*86400 == math.Round(want.Number*86400) && want.Number < 100_000:
			t.Errorf("%q: %v comes back as %v", want, want.Number, got.Number) // a time to the second has all its digits
		case got.Format == nil || *got.Format != *want.Format || math.Abs(got.Number-want.Number) > 1e-14*math.Abs(want.Number):
			t.Errorf("%q: %v in %+v comes back as %v in %+v", l.Rows[i].Cell(1), want.Number, want.Format, got.Number, got.Format)
		}
	}
}

// TestCellsComeBackAsText writes the same cells for people and for programs.
func TestCellsComeBackAsText(t *testing.T) {
	t.Parallel()
	l := read(t, brought(t, false, manyFormats, manyCells...), "")
	want := [][2]string{
		{"2026-10-05", "05/10/2026"},
		{"1234.56", "R$ 1.234,56"},
		{"0.125", "12,50%"},
		{"1.5", "36:00:00"},
		{"2026-10-06", "06/10/2026"},
		{"99.5", "R$ 99,50"},
		{"-99.5", "-R$ 99,50"},
		{"1234.5", "R$ 1.234,50"},
		{"2026-10-07", "07/10/2026"},
		{"51206531000176", `="51206531000176"`},
		{"2", "2"},
		{"51206531000176", `="51206531000176"`},
		{"2026-10-05T18:00:00", "05/10/2026 18:00:00"},
		{"2003-03-26T11:38:37", "26/03/2003 11:38:37"},
		{"7", "7"},
		{"-3", "-3"},
		{"100", "100"},
		{"0.5", "0,5"},
		{"0.30000000000000004", "0,30000000000000004"},
		{"0.7999999999999999", "79,99999999999999%"},
		{"1E+308", "1E+308"},
		{"1.7976931348623157E+308", "1,7976931348623157E+308"},
		{"-1.5E-300", "-1,5E-300"},
		{"5E-324", "5E-324"},
		{"9007199254740992", `="9007199254740992"`},
		{"9007199254740993", `="9007199254740993"`},
		{"885338670923775600", `="885338670923775600"`},
		{"-5", "-5"},
		{"2958466", "2958466"},
		{"7", "7"},
		{"true", "VERDADEIRO"},
		{"false", "FALSO"},
		{"007", `="007"`},
		{"1.235", `="1.235"`},
		{"3", "R$ 3,00"},
		{"'=1+1", "'=1+1"},
		{"#N/A", "#N/A"},
		{"2026-10-05", "05/10/2026"},
		{"05/10/2026", "05/10/2026"},
		{"", ""},
	}
	var got [][2]string
	for i, row := range cells(t, back(t, l, Plain), ',')[1:] {
		got = append(got, [2]string{row[1], cells(t, back(t, l, Excel), ';')[1:][i][1]})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func cells(t testing.TB, file []byte, separator rune) [][]string {
	t.Helper()
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(file, []byte("\uFEFF"))))
	r.Comma = separator
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestManyFormatsComeBack: a spreadsheet takes so many formats; what has another is shown in one that is like it.
func TestManyFormatsComeBack(t *testing.T) {
	t.Parallel()
	formats, lines := []string{"0"}, []string(nil)
	for i := range 9_000 {
		formats = append(formats, fmt.Sprintf(`yyyy"%d"`, i))
		lines = append(lines, fmt.Sprintf(`<c s="%d"><v>46300</v></c>`, i+1))
	}
	lines = append(lines, `<c><v>51206531000176</v></c>`)
	file := back(t, read(t, brought(t, false, formats, lines...), ""), XLSX)
	book, err := excelize.OpenReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	if n := len(book.Styles.NumFmts.NumFmt); n > mostFormats+1 { // and that of our dates
		t.Errorf("%d formats", n)
	}
	again := read(t, file, rowsSheet)
	for i, want := range map[int]string{0: `yyyy"0"`, mostFormats - 1: fmt.Sprintf(`yyyy"%d"`, mostFormats-1), mostFormats: "", 8_999: ""} {
		if v := again.Value(&again.Rows[i], 1); v.Format.Code != want || v.String() != "2026-10-05" {
			t.Errorf("line %d: %s in %+v", i, v, v.Format)
		}
	}
	if v := again.Value(&again.Rows[9_000], 1); v.Format.BuiltIn != 1 {
		t.Errorf("the number of a company: %+v", v.Format)
	}
}

// TestNumbersOfCompaniesComeBackWhole: of all companies of a list, however many it has.
func TestNumbersOfCompaniesComeBackWhole(t *testing.T) {
	t.Parallel()
	var lines []string
	for range 3 * mostFormats {
		lines = append(lines, `<c><v>51206531000176</v></c>`)
	}
	again := read(t, back(t, read(t, brought(t, false, []string{"11"}, lines...), ""), XLSX), rowsSheet)
	for i := range again.Rows {
		if v := again.Value(&again.Rows[i], 1); v.Format.BuiltIn != 1 || v.String() != "51206531000176" {
			t.Fatalf("line %d: %s in %+v", i, v, v.Format)
		}
	}
}

// FuzzCellsComeBack: whatever a cell and its format are, it comes back as it was, and as no formula.
func FuzzCellsComeBack(f *testing.F) {
	for i, format := range manyFormats {
		f.Add(format, fmt.Sprint(i, ".25"), "n", false)
	}
	f.Add("dd/mm/yyyy", "-1", "", true)
	f.Add("General", "2026-10-05T12:00:00Z", "d", true)
	f.Add("\"\x01\" 0;;;@", "1E999", "n", false)
	f.Fuzz(func(t *testing.T, format, text, kind string, from1904 bool) {
		var cell bytes.Buffer
		cell.WriteString(`<c s="1" t="`)
		_ = xml.EscapeText(&cell, []byte(kind))
		cell.WriteString(`"><v>`)
		_ = xml.EscapeText(&cell, []byte(text))
		cell.WriteString("</v></c>")
		l, err := spreadsheet.Read(t.Context(), brought(t, from1904, []string{"0", format}, cell.String(), `<c t="str"><v>y</v></c>`), spreadsheet.Options{})
		if err != nil || len(l.Heading.Cells) == 0 || len(l.Rows) != 2 {
			return
		}
		sameAgain(t, l)
		for _, as := range []Format{Plain, Excel} {
			for _, separator := range ",;|" {
				for _, found := range evaluated(back(t, l, as), separator) {
					if v := l.Value(&l.Rows[0], 1); v.Format == nil || found != v.String() && found != v.Local() {
						t.Errorf("%q split at %c: %q", as, separator, found)
					}
				}
			}
		}
	})
}

// TestLibreOfficeReadsWhatComesBack converts the workbook with LibreOffice, if installed: dates are dates and amounts are amounts, since they
// are shown in their formats.
func TestLibreOfficeReadsWhatComesBack(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("soffice"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "lista.xlsx"), back(t, read(t, brought(t, false, manyFormats, manyCells...), ""), XLSX), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "soffice", "-env:UserInstallation=file://"+filepath.Join(dir, "profile"), "--headless",
		"--convert-to", "csv:Text - txt - csv (StarCalc):9,34,76,1,,1046,false,true", "--outdir", dir, filepath.Join(dir, "lista.xlsx"))
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got, err := os.ReadFile(filepath.Join(dir, "lista.csv"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", got)
	for _, want := range []string{"\t05/10/2026\t", "\tR$ 1,234.56\t", "\t12.50%\t", "\t36:00\t", "\t007\t", "\t1.235\t", "\tTRUE\t"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%q is missing", want)
		}
	}
}
