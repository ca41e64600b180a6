package spreadsheet

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/unicode"
)

// parts returns a workbook with parts replaced or added.
func parts(t testing.TB, content map[string]string) []byte {
	t.Helper()
	return within(t, workbook(t, [][]any{{"x"}}), content)
}

// within is parts of a workbook that was made already.
func within(t testing.TB, book []byte, content map[string]string) []byte {
	t.Helper()
	writers := map[string]func(io.Writer) error{}
	for name, text := range content {
		writers[name] = repeated("", text, "", 1)
	}
	return []byte(rewrite(t, book, writers))
}

// TestValues reads each kind of cell: the value that it holds, whatever its format shows, and dates as Brazilians write them.
func TestValues(t *testing.T) {
	t.Parallel()
	const styles = "<styleSheet" + main + `><numFmts><numFmt numFmtId="164" formatCode="00\.000\.000/0000\-00"/><numFmt numFmtId="165" formatCode="[$-416]d&quot; de &quot;mmmm&quot; de &quot;yyyy;@"/>` +
		`<numFmt numFmtId="166" formatCode="&quot;dia&quot; [Red]#,##0.00;d"/><numFmt numFmtId="167" formatCode="[h]:mm"/><numFmt numFmtId="168" formatCode="mmm"/></numFmts>` +
		`<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="11"/><xf numFmtId="4"/><xf numFmtId="164"/><xf numFmtId="14"/>` +
		`<xf numFmtId="22"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="167"/><xf numFmtId="20"/><xf numFmtId="168"/></cellXfs></styleSheet>`
	const general, exponent, thousands, mask, day, dayAndTime, longDay, money, duration, hour, month = "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"
	for _, c := range []struct{ attributes, content, want string }{
		{`s="` + exponent + `"`, "<v>51206531000176</v>", "51206531000176"},
		{`s="` + thousands + `"`, "<v>51206531000176</v>", "51206531000176"},
		{`s="` + mask + `"`, "<v>191</v>", "191"},
		{`s="` + general + `"`, "<v>5.1206531000176E+13</v>", "51206531000176"},
		{``, "<v>1.2345678000195e13</v>", "12345678000195"},
		{``, "<v>51206531000176.0</v>", "51206531000176"},
		{``, "<v>0.30000000000000004</v>", "0.30000000000000004"},
		{``, "<v>1234.5599999999999</v>", "1234.56"},
		{``, "<v>-2.50</v>", "-2.5"},
		{``, "<v>1E+300</v>", "1E+300"},
		{``, "<v>12345678901234567890</v>", "12345678901234567890"},
		{`t="n"`, "<v> 191 </v>", "191"},
		{`s="99"`, "<v>46300</v>", "46300"},
		{`s="` + money + `"`, "<v>1234.56</v>", "1234.56"},
		{`s="` + day + `"`, "<v>46300</v>", "05/10/2026"},
		{`s="` + day + `"`, "<v>46300.75</v>", "05/10/2026"},
		{`s="` + longDay + `"`, "<v>46300</v>", "05/10/2026"},
		{`s="` + month + `"`, "<v>46300</v>", "05/10/2026"},
		{`s="` + dayAndTime + `"`, "<v>46300.5</v>", "05/10/2026 12:00:00"},
		{`s="` + hour + `"`, "<v>0.25</v>", "06:00:00"},
		{`s="` + duration + `"`, "<v>1.5</v>", "1.5"},
		{`s="` + day + `"`, "<v>1</v>", "01/01/1900"},
		{`s="` + day + `"`, "<v>61</v>", "01/03/1900"},
		{`s="` + day + `"`, "<v>-1</v>", "-1"},
		{`s="` + day + `"`, "<v>51206531000176</v>", "51206531000176"},
		{`s="` + day + `" t="str"`, "<v>46300</v>", "46300"},
		{`t="d"`, "<v>2026-10-05T00:00:00</v>", "05/10/2026"},
		{`t="b"`, "<v>1</v>", "TRUE"},
		{`t="b"`, "<v>0</v>", "FALSE"},
		{`t="e"`, "<v>#N/A</v>", "#N/A"},
		{`t="str"`, `<f>"191"&amp;A1</f><v>191</v>`, "191"},
		{``, "<f>1+1</f><v>2</v>", "2"},
		{`t="inlineStr"`, "<is><t>Padaria &amp; Cia</t></is>", "Padaria & Cia"},
		{`t="inlineStr"`, "<is><r><rPr><b/></rPr><t>Pada</t></r><r><t>ria </t></r><rPh sb=\"0\" eb=\"1\"><t>x</t></rPh></is>", "Padaria"},
		{`t="inlineStr"`, "<is><t>linha_x000D_\n outra _x005F_x000D_</t></is>", "linha outra _x000D_"},
		{`t="s"`, "<v>1</v>", "Rua A"},
		{`t="s"`, "<v>2</v>", "x"}, // blank, as the row goes on with x
	} {
		file := parts(t, map[string]string{
			"xl/styles.xml": styles,
			stringsPart:     "<sst" + main + "><si><t>x</t></si><si><r><t>Rua</t></r><r><t xml:space=\"preserve\"> A</t></r></si><si/></sst>",
			sheetPart:       sheetBegin + `<row r="3"><c r="B3" ` + c.attributes + ">" + c.content + `</c><c r="D3" t="s"><v>0</v></c></row>` + sheetEnd,
		})
		rows, err := new(List).readRows(t.Context(), file, Options{})
		want := []Row{{Line: 3, Cells: []string{"", c.want, "", "x"}}}
		if c.want == "x" {
			want[0].Cells[1] = ""
		}
		if diff := cmp.Diff(want, rows, cmpopts.IgnoreUnexported(Row{})); err != nil || diff != "" {
			t.Errorf("%s %s: %v\n%s", c.attributes, c.content, err, diff)
		}
	}
}

// TestWorkbooks reads workbooks as programs write them.
func TestWorkbooks(t *testing.T) {
	t.Parallel()
	const rows = `<row><c><v>191</v></c></row><row r="4"><c t="inlineStr"><is><t>Ação</t></is></c><c/><c><v>2</v></c></row>`
	const strict = ` xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main"`
	const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	utf16 := func(text string) string {
		text, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	sheets := func(list string) string {
		return "<workbook" + main + ` xmlns:r="` + relations + `"><workbookPr date1904="1"/><sheets>` + list + "</sheets></workbook>"
	}
	related := func(list string) string {
		return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` + list + "</Relationships>"
	}
	to := func(id, kind, target string) string {
		return `<Relationship Id="` + id + `" Type="` + relations + "/" + kind + `" Target="` + target + `"/>`
	}
	const workbookPart, relationsPart, other = "xl/workbook.xml", "xl/_rels/workbook.xml.rels", sheetBegin + "<row><c><v>0</v></c></row>" + sheetEnd
	for name, content := range map[string]map[string]string{
		"without references": {sheetPart: sheetBegin + rows + sheetEnd},
		"strict":             {sheetPart: "<worksheet" + strict + "><sheetData>" + rows + sheetEnd},
		"no namespace":       {sheetPart: "<worksheet><sheetData>" + rows + sheetEnd},
		"prefixed":           {sheetPart: strings.NewReplacer("</", "</x:", "<", "<x:", "xmlns=", "xmlns:x=").Replace(sheetBegin + rows + sheetEnd)},
		"extensions": {sheetPart: sheetBegin + strings.Replace(rows, "<v>191</v>", `<v>191</v><extLst><ext><z:v xmlns:z="urn:z">7</z:v><v>7</v><c r="B1"><v>7</v></c></ext></extLst>`, 1) +
			`<z:row xmlns:z="urn:z" r="9"><c><v>7</v></c></z:row>` + sheetEnd},
		"UTF-16":            {sheetPart: utf16(`<?xml version="1.0" encoding="UTF-16"?>` + sheetBegin + rows + sheetEnd)},
		"UTF-8 with a mark": {sheetPart: "\uFEFF" + `<?xml version="1.0" encoding="utf-8"?>` + sheetBegin + rows + sheetEnd},
		"a hidden sheet": {
			workbookPart:              sheets(`<sheet name="a" sheetId="1" state="hidden" r:id="r1"/><sheet name="b" sheetId="2" r:id="r2"/>`),
			relationsPart:             related(to("r1", "worksheet", "worksheets/other.xml") + to("r2", "worksheet", "/xl/worksheets/sheet1.xml")),
			"xl/worksheets/other.xml": other, sheetPart: sheetBegin + rows + sheetEnd,
		},
		"nothing but hidden sheets": {
			workbookPart:              sheets(`<sheet name="a" sheetId="1" state="veryHidden" r:id="r1"/><sheet name="b" sheetId="2" state="hidden" r:id="r2"/>`),
			relationsPart:             related(to("r2", "worksheet", "worksheets/other.xml") + to("r1", "worksheet", `worksheets\Sheet1.xml`)),
			"xl/worksheets/other.xml": other, sheetPart: sheetBegin + rows + sheetEnd,
		},
		"a sheet with a chart": {
			workbookPart:      sheets(`<sheet name="a" sheetId="1" r:id="r1"/><sheet name="b" sheetId="2" r:id="r2"/>`),
			relationsPart:     related(to("r1", "chartsheet", "charts/a.xml") + to("r2", "worksheet", "worksheets/sheet1.xml")),
			"xl/charts/a.xml": other, sheetPart: sheetBegin + rows + sheetEnd,
		},
		"other names": {
			"_rels/.rels":            related(to("r1", "officeDocument", "/a/livro.xml")),
			"a/livro.xml":            sheets(`<sheet name="a" sheetId="1" r:id="r1"/>`),
			"a/_rels/livro.xml.rels": related(to("r1", "worksheet", "../b/planilha.xml")),
			`B\Planilha.xml`:         sheetBegin + rows + sheetEnd,
		},
	} {
		got, err := new(List).readRows(t.Context(), parts(t, content), Options{})
		if diff := cmp.Diff([]Row{{Line: 1, Cells: []string{"191"}}, {Line: 4, Cells: []string{"Ação", "", "2"}}}, got, cmpopts.IgnoreUnexported(Row{})); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
	dated := map[string]string{
		workbookPart: sheets(`<sheet name="Sheet1" sheetId="1" r:id="rId1"/>`), relationsPart: related(to("rId1", "worksheet", "worksheets/sheet1.xml") + to("rId2", "styles", "styles.xml")),
		"xl/styles.xml": "<styleSheet" + main + `><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>`, sheetPart: sheetBegin + `<row><c s="0"><v>44838</v></c></row>` + sheetEnd,
	}
	if got, err := new(List).readRows(t.Context(), parts(t, dated), Options{}); err != nil || got[0].Cells[0] != "05/10/2026" {
		t.Errorf("from 1904: %v, %v", got, err)
	}
}

// TestExcelizeAgrees compares what is read with what the library reads that wrote it.
func TestExcelizeAgrees(t *testing.T) {
	t.Parallel()
	file := workbook(t, [][]any{
		{"CNPJ", "Razão", "Valor", "Sim"},
		{12345678000195, "Padaria & Cia <nova>", 10.25, true},
		{"00.000.000/0001-91", "_x0041_", -3, false},
		{nil, "só o nome", nil, nil},
		{},
		{1e13, "x", 0.1 + 0.2, "1E5"},
	})
	book, err := excelize.OpenReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	all, err := book.GetRows("Sheet1")
	if err != nil {
		t.Fatal(err)
	}
	var want [][]string
	for _, cells := range all {
		if len(cells) > 0 {
			want = append(want, cells)
		}
	}
	rows, err := new(List).readRows(t.Context(), file, Options{})
	if diff := cmp.Diff(want, cellsOf(rows)); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

// TestWorkbookRefused: what is damaged or ambiguous is refused, not half read.
func TestWorkbookRefused(t *testing.T) {
	t.Parallel()
	const row191 = `<row><c><v>191</v></c></row>`
	good := parts(t, map[string]string{sheetPart: sheetBegin + row191 + sheetEnd + "<!-- -->"})
	if _, err := new(List).readRows(t.Context(), good, Options{}); err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(good)
	at := bytes.LastIndex(damaged, []byte(sheetPart)) - 30 // the checksum in the directory
	damaged[at] ^= 1
	for name, c := range map[string]struct {
		file []byte
		want error
	}{
		"checksum":                {damaged, errFormat},
		"cut":                     {good[:len(good)/2], errFormat},
		"document type":           {parts(t, map[string]string{sheetPart: "<!DOCTYPE worksheet>" + sheetBegin + row191 + sheetEnd}), errFormat},
		"entity":                  {parts(t, map[string]string{sheetPart: sheetBegin + "<row><c><v>&a;</v></c></row>" + sheetEnd}), errFormat},
		"charset":                 {parts(t, map[string]string{sheetPart: `<?xml version="1.0" encoding="EBCDIC"?>` + sheetBegin + row191 + sheetEnd}), errFormat},
		"unbalanced":              {parts(t, map[string]string{sheetPart: sheetBegin + "<row><c></row></c>" + sheetEnd}), errFormat},
		"ended too early":         {parts(t, map[string]string{sheetPart: sheetBegin + row191}), errFormat},
		"ended twice":             {parts(t, map[string]string{sheetPart: "</worksheet>" + sheetBegin + row191 + sheetEnd}), errFormat},
		"no such shared string":   {parts(t, map[string]string{sheetPart: sheetBegin + `<row><c t="s"><v>9</v></c></row>` + sheetEnd, stringsPart: "<sst><si/></sst>"}), errFormat},
		"no shared strings":       {parts(t, map[string]string{sheetPart: sheetBegin + `<row><c t="s"><v>-1</v></c></row>` + sheetEnd}), errFormat},
		"a row before the first":  {parts(t, map[string]string{sheetPart: sheetBegin + `<row r="-1"><c><v>1</v></c></row>` + sheetEnd}), errFormat},
		"a column after the last": {parts(t, map[string]string{sheetPart: sheetBegin + `<row><c r="XFE1"><v>1</v></c></row>` + sheetEnd}), errFormat},
		"two parts of one name":   {parts(t, map[string]string{sheetPart: sheetBegin + row191 + sheetEnd, "XL/worksheets/sheet1.xml": ""}), errFormat},
		"no such part":            {parts(t, map[string]string{"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Type="/worksheet" Target="none.xml"/></Relationships>`}), errFormat},
		"no sheet":                {parts(t, map[string]string{"xl/workbook.xml": "<workbook/>"}), errEmpty},
		"a wide shared string":    {parts(t, map[string]string{sheetPart: sheetBegin + `<row><c r="GS1" t="s"><v>0</v></c></row>` + sheetEnd, stringsPart: "<sst><si><t>x</t></si></sst>"}), errTooWide},
		"a long cell":             {parts(t, map[string]string{sheetPart: sheetBegin + `<row><c t="str"><v>` + strings.Repeat("é", maxCell+1) + "</v></c></row>" + sheetEnd}), errLongCell},
	} {
		if rows, err := new(List).readRows(t.Context(), c.file, Options{}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v, want %v", name, rows, err, c.want)
		}
	}
	if _, err := new(List).readRows(t.Context(), parts(t, map[string]string{sheetPart: sheetBegin + `<row><c t="str"><v>` + strings.Repeat("&quot;", maxCell) + "</v></c></row>" + sheetEnd}), Options{}); err != nil {
		t.Errorf("the longest cell: %v", err)
	}
}

// leaving is a request whose client leaves after it was looked at some times.
type leaving struct {
	context.Context
	looks int
}

func (l *leaving) Err() error {
	if l.looks--; l.looks < 0 {
		return context.Canceled
	}
	return nil
}

func (*leaving) Deadline() (time.Time, bool) { return time.Time{}, false }

// TestReadingEndsWithTheRequest: a client that leaves, or a deadline, ends the reading of each kind of list where it is.
func TestReadingEndsWithTheRequest(t *testing.T) {
	t.Parallel()
	long := repeated(sheetBegin, "<row><c><v>191</v></c></row>", sheetEnd, 9_000)
	for name, file := range map[string][]byte{
		"text":     bytes.Repeat([]byte("12345678000195 \n"), 9_000),
		"workbook": []byte(rewrite(t, workbook(t, [][]any{{"x"}}), map[string]func(io.Writer) error{sheetPart: long})),
		"rest of a sheet": []byte(rewrite(t, workbook(t, [][]any{{"x"}}), map[string]func(io.Writer) error{
			sheetPart: repeated(sheetBegin+"</sheetData>", strings.Repeat("<a/>", 1000), "</worksheet>", 9_000),
		})),
	} {
		client := &leaving{t.Context(), 30}
		if rows, err := new(List).readRows(client, file, Options{}); !errors.Is(err, context.Canceled) || client.looks < -3 {
			t.Errorf("%s: %d rows, %v, looked at %d times after it had left", name, len(rows), err, -client.looks)
		}
	}
}

// FuzzWorkbook reads the parts of a workbook without a panic: rows within the bounds, or a problem.
func FuzzWorkbook(f *testing.F) {
	f.Add(sheetBegin+`<row r="2"><c r="B2" t="s" s="1"><v>0</v></c><c><f>1</f><v>1E5</v></c></row>`+sheetEnd, "<sst><si><t>x</t></si></sst>", `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="d"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`, "<workbook><sheets/></workbook>")
	f.Add(sheetBegin+`<row><c s="0"><v>2958465.9999999</v></c><c t="inlineStr"><is><rPh><t>a</t></rPh><t>_xD800_</t></is></c></row>`+sheetEnd, "\xff\xfe<\x00", `<styleSheet><cellXfs><xf numFmtId="22"/></cellXfs></styleSheet>`, "")
	base := workbook(f, [][]any{{"x"}})
	f.Fuzz(func(t *testing.T, sheet, texts, styles, book string) {
		content := map[string]string{sheetPart: sheet, stringsPart: texts, "xl/styles.xml": styles}
		if book != "" {
			content["xl/workbook.xml"] = book
		}
		holds(t, within(t, base, content))
	})
}
