package spreadsheet

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"razao/internal/data/record"
)

// styled is a workbook with a cell of each kind: A1 has a CNPJ and B1 the cell, whose style 1 has the format. A number is one of those without
// a code.
func styled(t testing.TB, format, cell string, from1904 bool) []byte {
	t.Helper()
	id := format
	formats := ""
	if _, err := strconv.Atoi(format); err != nil {
		id, formats = "164", `<numFmts><numFmt numFmtId="164" formatCode="`+html.EscapeString(format)+`"/></numFmts>`
	}
	return parts(t, map[string]string{
		"xl/workbook.xml": fmt.Sprintf(`<workbook%s xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><workbookPr date1904="%t"/><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`, main, from1904),
		"xl/styles.xml":   "<styleSheet" + main + ">" + formats + `<cellXfs><xf numFmtId="0"/><xf numFmtId="` + id + `"/></cellXfs></styleSheet>`,
		sheetPart:         sheetBegin + `<row r="1"><c r="A1" t="str"><v>12345678000195</v></c>` + strings.Replace(cell, "<c", `<c r="B1" s="1"`, 1) + `<c r="C1" t="str"><v>x</v></c></row>` + sheetEnd,
	})
}

// TestValuesOfCells: what a cell holds, for programs and as Brazilians write it, with all its digits.
func TestValuesOfCells(t *testing.T) {
	t.Parallel()
	const reais, accounting = `"R$" #,##0.00`, `_-"R$"\ * #,##0.00_-;\-"R$"\ * #,##0.00_-;_-"R$"\ * "-"??_-;_-@_-`
	for _, c := range []struct {
		format, cell, shown, plain, local string
		kind                              record.Kind
	}{
		// Dates.
		{"14", "<c><v>46300</v></c>", "05/10/2026", "2026-10-05", "05/10/2026", record.Day},
		{"dd/mm/yyyy", "<c><v>46300</v></c>", "05/10/2026", "2026-10-05", "05/10/2026", record.Day},
		{`[$-416]d" de "mmmm" de "yyyy;@`, "<c><v>46300</v></c>", "05/10/2026", "2026-10-05", "05/10/2026", record.Day},
		{"[Magenta]mmm/yy", "<c><v>46300</v></c>", "05/10/2026", "2026-10-05", "05/10/2026", record.Day},
		{"dd/mm/yyyy", "<c><v>46300.75</v></c>", "05/10/2026", "2026-10-05T18:00:00", "05/10/2026 18:00:00", record.Text},
		{"22", "<c><v>46300.5</v></c>", "05/10/2026 12:00:00", "2026-10-05T12:00:00", "05/10/2026 12:00:00", record.Text},
		{"22", "<c><v>46300</v></c>", "05/10/2026 00:00:00", "2026-10-05T00:00:00", "05/10/2026 00:00:00", record.Text},
		{"22", "<c><v>46300.524265046299</v></c>", "05/10/2026 12:34:57", "2026-10-05T12:34:56.5", "05/10/2026 12:34:56,5", record.Text},
		{"22", "<c><v>0.25</v></c>", "06:00:00", "06:00:00", "06:00:00", record.Text},
		{"hh:mm", "<c><v>0.25</v></c>", "06:00:00", "06:00:00", "06:00:00", record.Text},
		{"hh:mm", "<c><v>46300.25</v></c>", "06:00:00", "2026-10-05T06:00:00", "05/10/2026 06:00:00", record.Text},
		{"14", "<c><v>1</v></c>", "01/01/1900", "1900-01-01", "01/01/1900", record.Day},
		{"14", "<c><v>59</v></c>", "28/02/1900", "1900-02-28", "28/02/1900", record.Day},
		{"14", "<c><v>60</v></c>", "60", "60", "60", record.Rate}, // a day that never was
		{"14", "<c><v>61</v></c>", "01/03/1900", "1900-03-01", "01/03/1900", record.Day},
		{"14", "<c><v>2958465</v></c>", "31/12/9999", "9999-12-31", "31/12/9999", record.Day},
		{"14", "<c><v>2958466</v></c>", "2958466", "2958466", "2958466", record.Rate},
		{"14", "<c><v>2958465.9999999999</v></c>", "2958466", "2958466", "2958466", record.Rate},
		{"14", "<c><v>-1</v></c>", "-1", "-1", "-1", record.Rate},
		{"14", "<c><v>0</v></c>", "0", "0", "0", record.Rate},
		{"0", `<c t="d"><v>2026-10-05T00:00:00</v></c>`, "05/10/2026", "2026-10-05", "05/10/2026", record.Day},
		{"22", `<c t="d"><v>2026-10-05T12:00:00</v></c>`, "05/10/2026", "2026-10-05T12:00:00", "05/10/2026 12:00:00", record.Text},
		{"14", `<c t="d"><v>1900-01-31</v></c>`, "31/01/1900", "1900-01-31", "31/01/1900", record.Day},
		{"14", `<c t="d"><v>1822-09-07</v></c>`, "07/09/1822", "", "", record.Text},
		// Durations.
		{"[h]:mm", "<c><v>1.5</v></c>", "1.5", "1.5", "36:00:00", record.Rate},
		{"46", "<c><v>0.0423611111111111</v></c>", "0.0423611111111111", "0.0423611111111111", "01:01:00", record.Rate},
		{"[mm]:ss", "<c><v>-1</v></c>", "-1", "-1", "-1", record.Rate},
		// Amounts.
		{reais, "<c><v>1234.56</v></c>", "1234.56", "1234.56", "R$ 1.234,56", record.Rate},
		{reais, "<c><v>99.5</v></c>", "99.5", "99.5", "R$ 99,50", record.Rate},
		{reais, "<c><v>-1234567.125</v></c>", "-1234567.125", "-1234567.125", "-R$ 1.234.567,125", record.Rate},
		{accounting, "<c><v>99.5</v></c>", "99.5", "99.5", "R$ 99,50", record.Rate},
		{`[$R$-416]\ #,##0.00`, "<c><v>99.5</v></c>", "99.5", "99.5", "R$ 99,50", record.Rate},
		{`[$US$-409]#,##0.00`, "<c><v>99.5</v></c>", "99.5", "99.5", "US$ 99,50", record.Rate},
		{`#,##0.00\ [$€-407]`, "<c><v>1000</v></c>", "1000", "1000", "€ 1.000,00", record.Rate},
		{"44", "<c><v>99.5</v></c>", "99.5", "99.5", "R$ 99,50", record.Rate},
		{"7", "<c><v>-99.5</v></c>", "-99.5", "-99.5", "-R$ 99,50", record.Rate},
		{"4", "<c><v>1234.5678</v></c>", "1234.5678", "1234.5678", "1.234,5678", record.Rate},
		{"0.00", "<c><v>1234.5</v></c>", "1234.5", "1234.5", "1234,50", record.Rate},
		{"0", "<c><v>1234.5599999999999</v></c>", "1234.56", "1234.56", "1234,56", record.Rate},
		{`"=cmd|' /C calc'!A0" 0`, "<c><v>2</v></c>", "2", "2", "2", record.Rate},
		{"0." + strings.Repeat("0", 250), "<c><v>2</v></c>", "2", "2", "2," + strings.Repeat("0", mostZeros), record.Rate},
		{"10", "<c><v>0.125</v></c>", "0.125", "0.125", "12,50%", record.Rate},
		{"0%", "<c><v>-0.005</v></c>", "-0.005", "-0.005", "-0,5%", record.Rate},
		{"0%", "<c><v>12</v></c>", "12", "12", "1200%", record.Rate},
		{"000000;@", "<c><v>2</v></c>", "2", "000002", "000002", record.Text},
		{"00000;@", "<c><v>1234567</v></c>", "1234567", "1234567", "1234567", record.Text},
		{strings.Repeat("0", mostZeros+1) + ";@", "<c><v>2</v></c>", "2", "2", "2", record.Rate},
		{"0.00E+00", "<c><v>51206531000176</v></c>", "51206531000176", "51206531000176", "51206531000176", record.Rate},
		// Numbers at the edges.
		{"0", "<c><v>1e308</v></c>", "1E+308", "1E+308", "1E+308", record.Text},
		{"0", "<c><v>-1.5e-300</v></c>", "-1.5E-300", "-1.5E-300", "-1,5E-300", record.Text},
		{"0", "<c><v>-0</v></c>", "-0", "-0", "-0", record.Rate},
		{"0", "<c><v>0.30000000000000004</v></c>", "0.30000000000000004", "0.30000000000000004", "0,30000000000000004", record.Rate},
		{"0", "<c><v>9007199254740993</v></c>", "9007199254740993", "", "", record.Text},
		{"0", "<c><v>12345678901234567890</v></c>", "12345678901234567890", "", "", record.Text},
		{"0", "<c><v>007</v></c>", "007", "", "", record.Text},
		{"0", "<c><v>1e400</v></c>", "1e400", "", "", record.Text},
		{"0", "<c><v>NaN</v></c>", "NaN", "", "", record.Text},
		{"0", "<c><v>-Inf</v></c>", "-Inf", "", "", record.Text},
		{"0", "<c><v>0x1p-2</v></c>", "0x1p-2", "", "", record.Text},
		// Texts, truths and formulas.
		{"14", `<c t="str"><v>46300</v></c>`, "46300", "", "", record.Text},
		{"14", `<c t="inlineStr"><is><t>1.235</t></is></c>`, "1.235", "", "", record.Text},
		{"14", `<c t="e"><v>#N/A</v></c>`, "#N/A", "", "", record.Text},
		{"14", `<c t="b"><v>1</v></c>`, "TRUE", "true", "VERDADEIRO", record.YesOrNo},
		{"14", `<c t="b"><v>0</v></c>`, "FALSE", "false", "FALSO", record.YesOrNo},
		{reais, "<c><f>1+1</f><v>2</v></c>", "2", "2", "R$ 2,00", record.Rate},
	} {
		l, err := Read(t.Context(), styled(t, c.format, c.cell, false), Options{})
		if err != nil {
			t.Errorf("%s %s: %v", c.format, c.cell, err)
			continue
		}
		v := l.Value(&l.Rows[0], 1)
		if shown := l.Rows[0].Cell(1); shown != c.shown || v.String() != c.plain || v.Local() != c.local || v.Kind() != c.kind {
			t.Errorf("%s %s: %q, %q, %q, %s, want %q, %q, %q, %s", c.format, c.cell, shown, v.String(), v.Local(), v.Kind(), c.shown, c.plain, c.local, c.kind)
		}
	}
}

// TestValuesFrom1904: dates are counted from 1900, durations and numbers are what they are.
func TestValuesFrom1904(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format, cell string
		want         float64
		shown        string
	}{
		{"14", "<c><v>44838</v></c>", 46300, "05/10/2026"},
		{"22", "<c><v>44838.5</v></c>", 46300.5, "05/10/2026 12:00:00"},
		{"14", "<c><v>0</v></c>", 1462, "01/01/1904"},
		{"14", "<c><v>-1</v></c>", -1, "-1"},
		{"[h]:mm", "<c><v>1.5</v></c>", 1.5, "1.5"},
		{"hh:mm", "<c><v>0.25</v></c>", 0.25, "06:00:00"},
		{"4", "<c><v>44838</v></c>", 44838, "44838"},
		{"0", `<c t="d"><v>2026-10-05</v></c>`, 46300, "05/10/2026"},
	} {
		l, err := Read(t.Context(), styled(t, c.format, c.cell, true), Options{})
		if err != nil || l.Value(&l.Rows[0], 1).Number != c.want || l.Rows[0].Cell(1) != c.shown {
			t.Errorf("%s %s: %v, %+v, %q", c.format, c.cell, err, l.Value(&l.Rows[0], 1), l.Rows[0].Cell(1))
		}
	}
}

// TestFormatsOfCells: a format is kept as the file has it; one that no spreadsheet takes is the general one.
func TestFormatsOfCells(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("€", longestCode)
	for format, want := range map[string]Format{
		"0": {}, "14": {BuiltIn: 14}, "44": {BuiltIn: 44}, "49": {BuiltIn: 49}, "30": {}, "-1": {},
		"7":          {Code: `"R$" #,##0.00;-"R$" #,##0.00`},
		"dd/mm/yyyy": {Code: "dd/mm/yyyy"}, `"<&>" 0`: {Code: `"<&>" 0`}, "General": {}, "": {},
		long: {Code: long}, long + "0": {}, "0\n": {}, "0\x7f": {},
	} {
		l, err := Read(t.Context(), styled(t, format, "<c><v>5</v></c>", false), Options{})
		if err != nil {
			t.Errorf("%q: %v", format, err)
			continue
		}
		if got := l.Value(&l.Rows[0], 1).Format; got == nil || got.BuiltIn != want.BuiltIn || got.Code != want.Code {
			t.Errorf("%q: %+v, want %+v", format, got, want)
		}
	}
	for _, style := range []string{"2", "-1", "99999999999999999999", "x", ""} {
		l, err := Read(t.Context(), within(t, styled(t, "14", "<c><v>5</v></c>", false), map[string]string{
			sheetPart: sheetBegin + `<row><c><v>12345678000195</v></c><c s="` + style + `"><v>5</v></c></row>` + sheetEnd,
		}), Options{})
		if err != nil || l.Value(&l.Rows[0], 1).Format != unformatted {
			t.Errorf("style %q: %v, %+v", style, err, l.Value(&l.Rows[0], 1))
		}
	}
}

// TestCommon: every format has one that every workbook has.
func TestCommon(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]int{
		"yyyy-mm-dd": 14, "d/m/yy h:mm": 22, "h:mm:ss.000": 21, "[h]:mm": 46, "0.0%": 10, `"R$" #,##0.000`: 4, "000": 0,
	} {
		if got := customFormat(code).Common(); got.BuiltIn != want || got.Code != "" {
			t.Errorf("%s: %+v, want %d", code, got, want)
		}
	}
}

// TestNumbersOfCompaniesAreWhole: a number that is a CNPJ is shown with all its digits, in whatever column; another as its format shows it.
func TestNumbersOfCompaniesAreWhole(t *testing.T) {
	t.Parallel()
	const mask = `00\.000\.000\/0000\-00`
	for _, c := range []struct {
		format, number string
		want           Format
	}{
		{"0.00E+00", "51206531000176", Format{BuiltIn: 1}},
		{"48", "5.1206531000176E+13", Format{BuiltIn: 1}},
		{"General", "51206531000176", Format{BuiltIn: 1}},
		{"General", "7654321000159", Format{BuiltIn: 1}},
		{"General", "191", Format{}},
		{"General", "51206531000177", Format{}}, // wrong check digits
		{"0.00E+00", "1.5", Format{Code: "0.00E+00"}},
		{"0.00E+00", "1.7418678870099", Format{Code: "0.00E+00"}}, // the digits of a CNPJ, and no number of one
		{"0.00E+00", "51206531000177", Format{Code: "0.00E+00"}},
		{mask, "191", Format{Code: mask}},
		{"#,##0", "51206531000176", Format{Code: "#,##0"}},
	} {
		l, err := Read(t.Context(), styled(t, c.format, "<c><v>"+c.number+"</v></c>", false), Options{Number: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Value(&l.Rows[0], 1); got.Format.BuiltIn != c.want.BuiltIn || got.Format.Code != c.want.Code {
			t.Errorf("%s %s: %+v", c.format, c.number, got.Format)
		}
	}
	l, err := Read(t.Context(), styled(t, "11", "<c><v>51206531000177</v></c>", false), Options{Number: 2})
	if err != nil || l.Value(&l.Rows[0], 1).Format.BuiltIn != wholeNumber || l.Value(&l.Rows[0], 1).Number != 51206531000177 {
		t.Errorf("in the column of the numbers: %v, %+v", err, l)
	}
}

// TestValuesMoveWithTheirCells: merged cells have the value of the first, a cell that comes twice has the last, and lists of numbers alone keep
// theirs.
func TestValuesMoveWithTheirCells(t *testing.T) {
	t.Parallel()
	file := book(t, map[string][][]any{"A": {{"CNPJ", "Valor", "Nota"}, {51206531000176, 1.5, "x"}, {nil, nil, "y"}, {55085785000134, "x", "z"}}}, func(f *excelize.File) {
		for _, cells := range [][2]string{{"A2", "A3"}, {"B2", "B3"}} {
			if err := f.MergeCell("A", cells[0], cells[1]); err != nil {
				t.Fatal(err)
			}
		}
	})
	l, err := Read(t.Context(), file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := l.Value(&l.Rows[1], 1); got.Number != 1.5 || l.Value(&l.Rows[1], 0).Number != 51206531000176 || l.Value(&l.Rows[2], 1).Format != nil {
		t.Errorf("merged: %+v", got)
	}
	twice := parts(t, map[string]string{
		sheetPart:   sheetBegin + `<row><c r="A1"><v>12345678000195</v></c><c r="B1" t="s"><v>0</v></c><c r="B1"><v>7</v></c><c r="C1"><v>7</v></c><c r="C1" t="str"><v>x</v></c></row>` + sheetEnd,
		stringsPart: "<sst" + main + "><si><t>y</t></si></sst>",
	})
	if l, err = Read(t.Context(), twice, Options{}); err != nil || l.Rows[0].Cell(1) != "y" || l.Value(&l.Rows[0], 1).Format != nil || l.Rows[0].Cell(2) != "x" || l.Value(&l.Rows[0], 2).Format != nil {
		t.Errorf("twice: %v, %+v", err, l.Rows)
	}
	if l, err = Read(t.Context(), workbook(t, [][]any{{51206531000176, 55085785000134}}), Options{}); err != nil || len(l.Rows) != 2 || l.Value(&l.Rows[1], 0).Number != 55085785000134 {
		t.Errorf("one by one: %v, %+v", err, l)
	}
	if l, err = Read(t.Context(), []byte("cnpj;valor\n51206531000176;1.5"), Options{}); err != nil || l.Workbook || l.Value(&l.Rows[0], 1).Format != nil {
		t.Errorf("a text: %v, %+v", err, l)
	}
	for _, column := range []int{None, 2, 1000} {
		if v := l.Value(&l.Rows[0], column); v.Format != nil {
			t.Errorf("column %d: %+v", column, v)
		}
	}
}

// harmless matches what values are written as: nothing that a workbook brought as a text.
var harmless = regexp.MustCompile(`^(?:-?(?:(?:R\$|US\$|[$€£]) )?[0-9][0-9.,/: ]*(?:E[+-][0-9]+)?%?|VERDADEIRO|FALSO)$`)

// holdsValues: a value has a text, and is written with all its digits.
func holdsValues(t *testing.T, l *List, r *Row) {
	t.Helper()
	for i, cell := range r.Cells {
		v := l.Value(r, i)
		if v.Format == nil {
			continue
		}
		if cell == "" || !harmless.MatchString(v.Local()) {
			t.Errorf("%q holds %v, written %q", cell, v, v.Local())
		}
		if _, ok := v.Truth(); ok {
			continue
		}
		if _, has := v.moment(); has == 0 {
			if number, err := strconv.ParseFloat(v.String(), 64); err != nil || number != v.Number {
				t.Errorf("%v is written %q", v, v.String())
			}
		}
	}
	if len(r.formats) > len(r.Cells) && len(r.Cells) > 0 {
		for _, f := range r.formats[len(r.Cells):] {
			if f != ofText {
				t.Errorf("values behind the last cell of %q", r.Cells)
			}
		}
	}
}

// TestListsAreStored: a list that was encoded and decoded has the cells, values and columns that it had.
func TestListsAreStored(t *testing.T) {
	t.Parallel()
	for name, file := range map[string][]byte{
		"a workbook": styled(t, `"R$" #,##0.00`, `<c><v>1234.5</v></c>`, false),
		"a day":      styled(t, "14", `<c><v>46300</v></c>`, true),
		"a truth":    styled(t, "0", `<c t="b"><v>1</v></c>`, false),
		"a text":     []byte("Relatório\n\nCNPJ;Valor\n12345678000195;1,5\n"),
	} {
		l, err := Read(t.Context(), file, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var body bytes.Buffer
		var got List
		if err := errors.Join(gob.NewEncoder(&body).Encode(l), gob.NewDecoder(&body).Decode(&got)); err != nil {
			t.Fatal(err)
		}
		if got.Sheet != l.Sheet || got.Workbook != l.Workbook || got.Columns.Number != l.Columns.Number || len(got.Rows) != len(l.Rows) || len(got.Titles) != len(l.Titles) {
			t.Fatalf("%s: %+v, want %+v", name, got, l)
		}
		for i, rows := range [][2][]Row{{got.Rows, l.Rows}, {got.Titles, l.Titles}, {{got.Heading}, {l.Heading}}} {
			for k := range rows[1] {
				has, had := &rows[0][k], &rows[1][k]
				if has.Line != had.Line || !slices.Equal(has.Cells, had.Cells) {
					t.Errorf("%s, %d: %v, want %v", name, i, has, had)
				}
				for column := range had.Cells {
					if a, b := got.Value(has, column), l.Value(had, column); a.Number != b.Number || a.String() != b.String() || a.Local() != b.Local() || a.Kind() != b.Kind() {
						t.Errorf("%s, column %d: %v, want %v", name, column, a, b)
					}
				}
			}
		}
	}
}
