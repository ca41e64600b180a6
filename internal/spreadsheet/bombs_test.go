package spreadsheet

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/flate"
	"github.com/xuri/excelize/v2"
)

const (
	sheetPart   = "xl/worksheets/sheet1.xml"
	stringsPart = "xl/sharedStrings.xml"
	main        = ` xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	sheetBegin  = "<worksheet" + main + "><sheetData>"
	sheetEnd    = "</sheetData></worksheet>"
)

// oneRow is a sheet that begins with a list of one number.
const oneRow = sheetBegin + `<row r="1"><c r="A1"><v>191</v></c></row>`

// bombs are uploads of at most 4 MB that cost much to read, or did: each with what becomes of it, nil for a list.
var bombs = []struct {
	name string
	make func(testing.TB) string
	want error
}{
	// Elements, attributes and texts of a workbook.
	{"attributes of the workbook", part("xl/workbook.xml", "<workbook"+main, ` a=""`, "/>", 12_000_000), ErrTooLarge},
	{"attributes of a cell", part(sheetPart, sheetBegin+`<row r="1"><c r="A1"`, ` a=""`, "/></row>"+sheetEnd, 12_000_000), ErrTooLarge},
	{"attributes of many cells", part(sheetPart, sheetBegin, "<row><c"+strings.Repeat(` a=""`, 250)+"/></row>", sheetEnd, 48_000), ErrTooLarge},
	{"value of an attribute", part(sheetPart, sheetBegin+`<row a="`, strings.Repeat("x", 1000), `"/>`+sheetEnd, 20_000), ErrTooLarge},
	{"name of an element", part(sheetPart, sheetBegin+"<", strings.Repeat("x", 1000), "/>"+sheetEnd, 20_000), ErrTooLarge},
	{"namespaces", part(sheetPart, sheetBegin, "<row"+numbered(` xmlns:a%d="b"`, 50)+">", sheetEnd, 20_000), ErrTooLarge},
	{"depth", part(sheetPart, sheetBegin, "<a>", sheetEnd, 4_000_000), ErrTooLarge},
	{"comment", part(sheetPart, oneRow+"<!--", strings.Repeat("<a>", 300), "-->"+sheetEnd, 20_000), ErrTooLarge},
	{"comments", part(sheetPart, oneRow, "<!---->", sheetEnd, 8_000_000), ErrTooLarge},
	{"instruction", part(sheetPart, oneRow+"<?a ", strings.Repeat("x", 1000), "?>"+sheetEnd, 20_000), ErrTooLarge},
	{"text between cells", part(sheetPart, sheetBegin+"<row>", strings.Repeat("x", 1000), "</row>"+sheetEnd, 20_000), ErrTooLarge},
	{"text of a cell", part(sheetPart, sheetBegin+`<row><c t="str"><v>`, strings.Repeat("x", 1000), "</v></c></row>"+sheetEnd, 20_000), errLongCell},
	{"text of a cell in pieces", part(sheetPart, sheetBegin+`<row><c t="inlineStr"><is>`, "<r><t>"+strings.Repeat("x", 200)+"</t></r>", "</is></c></row>"+sheetEnd, 250_000), errLongCell},
	{"escapes", part(sheetPart, sheetBegin+`<row><c t="str"><v>`, "&lt;", "</v></c></row>"+sheetEnd, 4_000_000), ErrTooLarge},
	{"entities", part(sheetPart, `<!DOCTYPE a [<!ENTITY a "`+strings.Repeat("x", 1000)+`">`, `<!ENTITY b "&a;&a;">`, "]>"+sheetBegin+"<row><c><v>&b;</v></c></row>"+sheetEnd, 1_000_000), ErrTooLarge},
	{"blanks", part(sheetPart, "", strings.Repeat(" ", 1000), "", 20_000), ErrTooLarge},

	// Lists of 10,000 lines with a heading, of fifty columns without a blank.
	{"fifty columns as spreadsheets write them", asSpreadsheets, nil},
	{"fifty columns as programs write them", asPrograms, nil},
	{"fifty columns of numbers", ofNumbers("&quot;R$&quot; #,##0.00"), nil},
	{"fifty columns of dates", ofNumbers("yyyy\\-mm\\-dd"), nil},

	// Rows and cells.
	{"rows", part(sheetPart, sheetBegin, "<row/>", sheetEnd, 5_000_000), errFormat},
	{"blank rows of the last column", part(sheetPart, oneRow, `<row><c r="XFD1" t="str"><v> </v></c></row>`, sheetEnd, 166_000), nil},
	{"rows of the last column", part(sheetPart, oneRow, `<row><c r="XFD1"><v>1</v></c></row>`, sheetEnd, 100_000), errTooWide},
	{"cells", part(sheetPart, sheetBegin, "<row>"+strings.Repeat("<c><v>1</v></c>", 45)+"</row>", sheetEnd, 10_000), nil},
	{"blank cells of a row", part(sheetPart, sheetBegin+"<row>", "<c/>", "</row>"+sheetEnd, 4_000_000), errFormat},
	{"rows of 200 columns with one cell", part(sheetPart, sheetBegin, `<row><c r="GR1"><v>1</v></c></row>`, sheetEnd, 10_000), ErrTooLarge},
	{"merged cells that are filled", part(sheetPart, sheetBegin+`<row r="1"><c r="GR1"><v>1</v></c></row>`, `<row><c><v>1</v></c></row>`, `</sheetData><mergeCells><mergeCell ref="GR1:GR10000"/></mergeCells></worksheet>`, 9_000), ErrTooLarge},
	{"many sheets", func(t testing.TB) string { return manySheets(t, asPrograms(t)) }, ErrTooLarge},
	{"many sheets of words", func(t testing.TB) string {
		return rewrite(t, []byte(manySheets(t, string(workbook(t, [][]any{{"cnpj"}})))), map[string]func(io.Writer) error{
			stringsPart: repeated("<sst"+main+"><si><t>", "A B C D E F G H ", "</t></si></sst>", 8),
			sheetPart:   repeated(sheetBegin, `<row><c t="s"><v>0</v></c></row>`, sheetEnd, 9000),
		})
	}, nil},
	{"shared formulas", part(sheetPart, sheetBegin, `<row><c><f t="shared" ref="A1:XFD1048576" si="0">`+strings.Repeat("A1+", 1000)+"1</f><v>1</v></c></row>", sheetEnd, 10_000), nil},
	{"merged cells", part(sheetPart, oneRow+"</sheetData><mergeCells>", `<mergeCell ref="A1:XFD1048576"/>`, "</mergeCells></worksheet>", 1_500_000), ErrTooLarge},

	// Other parts.
	{"content types", part("[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">`, "<Default/>", "</Types>", 4_000_000), nil},
	{"relations", part("xl/_rels/workbook.xml.rels", "<Relationships>", `<Relationship Id="r" Type="/worksheet" Target="s"/>`, "</Relationships>", 1_200_000), ErrTooLarge},
	{"relations of the package", part("_rels/.rels", "<Relationships>", `<Relationship Id="r" Type="/x" Target="s"/>`, "</Relationships>", 1_200_000), ErrTooLarge},
	{"sheets", part("xl/workbook.xml", "<workbook"+main+"><sheets>", `<sheet name="a" state="hidden"/>`, "</sheets></workbook>", 2_000_000), ErrTooLarge},
	{"defined names", part("xl/workbook.xml", "<workbook"+main+"><definedNames>", `<definedName name="a">A1</definedName>`, "</definedNames></workbook>", 2_000_000), ErrTooLarge},
	{"formats", part("xl/styles.xml", "<styleSheet"+main+"><numFmts>", numbered(`<numFmt numFmtId="%d" formatCode="d"/>`, 1000), "</numFmts></styleSheet>", 1500), ErrTooLarge},
	{"formats of a megabyte", part("xl/styles.xml", "<styleSheet"+main+`><numFmts><numFmt numFmtId="164" formatCode="`, strings.Repeat("0", 1000), `"/></numFmts></styleSheet>`, 1000), ErrTooLarge},
	{"formats as long as they may be", formatsOf(strings.Repeat("€", longestCode-7)), nil},
	{"formats that are too long", part("xl/styles.xml", "<styleSheet"+main+"><numFmts>", `<numFmt numFmtId="9" formatCode="`+strings.Repeat(`#\[d];`, 25_000)+`"/>`, "</numFmts></styleSheet>", 300), nil},
	{"styles", part("xl/styles.xml", "<styleSheet"+main+"><cellXfs>", "<xf/>", "</cellXfs></styleSheet>", 4_000_000), ErrTooLarge},
	{"shared strings", func(t testing.TB) string {
		return rewrite(t, []byte(bomb(t, stringsPart, "<sst"+main+">", "<si/>", "</sst>", 12_000_000)), map[string]func(io.Writer) error{
			sheetPart: repeated(sheetBegin, `<row><c t="s"><v>11999999</v></c></row>`, sheetEnd, 1),
		})
	}, ErrTooLarge},
	{"a shared string in every cell", sharedEverywhere, ErrTooLarge},
	{"comments on cells", part("xl/comments1.xml", "<comments>", "<comment/>", "</comments>", 5_000_000), nil},
	{"picture", part("xl/media/image1.png", "", strings.Repeat("\x00", 1000), "", 100_000), nil},

	// The archive.
	{"empty members", emptyMembers, ErrTooLarge},
	{"members over members", overlapping, nil},

	// Texts.
	{"a field", func(testing.TB) string { return strings.Repeat("x", most) }, errLongCell},
	{"separators", func(testing.TB) string { return strings.Repeat(",", most) }, errLongCell},
	{"separators between quoted line ends", func(testing.TB) string { return strings.Repeat("\"\n\""+strings.Repeat(",", 100), most/103) }, errTooLong},
	{"quotes never closed", func(testing.TB) string { return "cnpj\n\"" + strings.Repeat("191\n", most/4-2) }, errTooLong},
	{"digits that may be a CPF", func(testing.TB) string { return "CNPJ\n" + strings.Repeat(strings.Repeat("1 ", 16_350)+"\n", 120) }, nil},
	{"masks that may be one", func(testing.TB) string {
		return "CNPJ\n" + strings.Repeat(strings.Repeat("***.982.247-** ", 2000)+"\n", 130)
	}, nil},
	{"the same digits in every cell", func(t testing.TB) string {
		return rewrite(t, workbook(t, [][]any{{"cnpj"}}), map[string]func(io.Writer) error{
			stringsPart: repeated("<sst"+main+"><si><t>", "1 ", "</t></si></sst>", 16_000),
			sheetPart:   repeated(sheetBegin, `<row><c t="s"><v>0</v></c></row>`, sheetEnd, 240),
		})
	}, nil},
	{"quotes that may be closed later", func(testing.TB) string { return strings.Repeat(`";`+strings.Repeat(";", 97)+"\n", most/100) }, errTooLong},
	{"quotes", func(testing.TB) string { return "\"" + strings.Repeat("\"\"", most/2-1) }, errLongCell},
	{"line ends", func(testing.TB) string { return strings.Repeat("\n", most) }, errTooLong},
	{"blank rows", func(testing.TB) string { return strings.Repeat(";;;\n", most/5) }, errEmpty},
	{"short cells", func(testing.TB) string { return strings.Repeat(strings.Repeat("1;", 199)+"1\n", 10_000) }, ErrTooLarge},
	{"a wide row", func(testing.TB) string { return strings.Repeat(";", 199) + "x\n" + strings.Repeat("191\n", 10_000) }, nil},
	{"long heading", func(testing.TB) string { return strings.Repeat("x", 30_000) + "\n" + strings.Repeat("191\n", 10_000) }, nil},
	{"Windows-1252", func(testing.TB) string { return strings.Repeat(strings.Repeat("\x80", 399)+"\n", 10_000) }, ErrTooLarge},
	{"UTF-16", func(testing.TB) string {
		return "\xff\xfe" + strings.Repeat(strings.Repeat("\xac\x20", 199)+"\n\x00", 10_000)
	}, nil},
}

const most = 4<<20 + 64<<10 // bytes of a form at /lista

// part returns a maker of workbooks one part of which unpacks to n times content between begin and end.
func part(name, begin, content, end string, n int) func(testing.TB) string {
	return func(t testing.TB) string { return bomb(t, name, begin, content, end, n) }
}

func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i+2)
	}
	return b.String()
}

// bomb is a small workbook one part of which unpacks to n times content between begin and end.
func bomb(t testing.TB, part, begin, content, end string, n int) string {
	t.Helper()
	return rewrite(t, workbook(t, [][]any{{"cnpj"}, {191}, {12.5}}), map[string]func(io.Writer) error{part: repeated(begin, content, end, n)})
}

// repeated writes n times content between begin and end.
func repeated(begin, content, end string, n int) func(io.Writer) error {
	return func(w io.Writer) error {
		block := strings.Repeat(content, min(n, 1000))
		_, err := io.WriteString(w, begin)
		for range n / min(n, 1000) {
			if err == nil {
				_, err = io.WriteString(w, block)
			}
		}
		if err == nil {
			_, err = io.WriteString(w, end)
		}
		return err
	}
}

// rewrite returns a workbook with parts replaced or added.
func rewrite(t testing.TB, book []byte, parts map[string]func(io.Writer) error) string {
	t.Helper()
	from, err := zip.NewReader(bytes.NewReader(book), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	to := zip.NewWriter(&b)
	to.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	for _, f := range from.File {
		if parts[f.Name] != nil {
			continue
		}
		if err := to.Copy(f); err != nil {
			t.Fatal(err)
		}
	}
	for name, write := range parts {
		w, err := to.Create(name)
		if err == nil {
			err = write(w)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil || b.Len() > most {
		t.Fatalf("%d bytes, %v", b.Len(), err)
	}
	return b.String()
}

// asSpreadsheets is a list of fifty columns with the cells and shared texts of Excel and the rows of LibreOffice, which say more.
func asSpreadsheets(t testing.TB) string {
	var texts strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&texts, `<si><t xml:space="preserve">nome %d</t></si>`, i)
	}
	return rewrite(t, workbook(t, [][]any{{"cnpj"}}), map[string]func(io.Writer) error{
		stringsPart: repeated("<sst"+main+">", texts.String(), "</sst>", 1),
		sheetPart: sheetOf(`<row r="%d" customFormat="false" ht="12.8" hidden="false" customHeight="false" outlineLevel="0" collapsed="false">`, func(name string, n int) string {
			return fmt.Sprintf(`<c r="%s" s="1" t="s"><v>%d</v></c>`, name, n%200_000)
		}),
	})
}

// asPrograms is a list of fifty columns with the texts in the cells, as libraries write them that keep no rows.
func asPrograms(t testing.TB) string {
	return rewrite(t, workbook(t, [][]any{{"cnpj"}}), map[string]func(io.Writer) error{
		sheetPart: sheetOf(`<row r="%d">`, func(name string, n int) string {
			return fmt.Sprintf(`<c r="%s" s="1" t="inlineStr"><is><t>nome %d</t></is></c>`, name, n%1000)
		}),
	})
}

// ofNumbers returns a maker of lists of fifty columns of numbers, each cell with one of as many formats as may be.
func ofNumbers(code string) func(testing.TB) string {
	return func(t testing.TB) string {
		return rewrite(t, []byte(formatsOf(code)(t)), map[string]func(io.Writer) error{
			sheetPart: sheetOf(`<row r="%d">`, func(name string, n int) string {
				return fmt.Sprintf(`<c r="%s" s="%d"><v>%d.25</v></c>`, name, n%mostOwn, n)
			}),
		})
	}
}

const mostOwn = maxFormats - 3 // formats of a file; the others every file has

// formatsOf returns a maker of workbooks with as many formats as may be, each with a style. Their codes begin with code.
func formatsOf(code string) func(testing.TB) string {
	return func(t testing.TB) string {
		var formats, styles strings.Builder
		for i := range mostOwn {
			fmt.Fprintf(&formats, `<numFmt numFmtId="%d" formatCode="%s&quot;%05d&quot;"/>`, i+200, code, i)
			fmt.Fprintf(&styles, `<xf numFmtId="%d"/>`, i+200)
		}
		return bomb(t, "xl/styles.xml", "<styleSheet"+main+"><numFmts>", formats.String(), "</numFmts><cellXfs>"+styles.String()+"</cellXfs></styleSheet>", 1)
	}
}

// sheetOf writes a sheet of 10,001 rows of fifty cells.
func sheetOf(row string, cell func(name string, n int) string) func(io.Writer) error {
	return func(w io.Writer) error {
		out, n := bufio.NewWriter(w), 0
		_, _ = out.WriteString(sheetBegin)
		for line := range MaxLines + 1 {
			fmt.Fprintf(out, row, line+1)
			for column := range 50 {
				name, err := excelize.CoordinatesToCellName(column+1, line+1)
				if err != nil {
					return err
				}
				_, _ = out.WriteString(cell(name, n))
				n++
			}
			_, _ = out.WriteString("</row>")
		}
		_, _ = out.WriteString(sheetEnd)
		return out.Flush()
	}
}

// sharedEverywhere is a workbook whose every cell has one long text.
func sharedEverywhere(t testing.TB) string {
	return rewrite(t, workbook(t, [][]any{{"cnpj"}}), map[string]func(io.Writer) error{
		stringsPart: repeated("<sst"+main+"><si><t>", "x ", "</t></si></sst>", 15_000),
		sheetPart:   repeated(sheetBegin, "<row>"+strings.Repeat(`<c t="s"><v>0</v></c>`, 20)+"</row>", sheetEnd, 10_000),
	})
}

// manySheets is a workbook with fifty sheets, all of them the part of its first.
func manySheets(t testing.TB, book string) string {
	var sheets strings.Builder
	for i := range 50 {
		fmt.Fprintf(&sheets, `<sheet name="s%d" sheetId="%d" r:id="rId1"/>`, i, i+1)
	}
	return rewrite(t, []byte(book), map[string]func(io.Writer) error{
		"xl/workbook.xml": repeated("<workbook"+main+` xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>`, sheets.String(), "</sheets></workbook>", 1),
	})
}

// emptyMembers is an archive of as many members as fit.
func emptyMembers(testing.TB) string {
	const header = 46
	n := most/header - 2
	var b bytes.Buffer
	b.WriteString("PK\x03\x04" + strings.Repeat("\x00", 26))
	begin := b.Len()
	for range n {
		b.WriteString("PK\x01\x02" + strings.Repeat("\x00", header-4))
	}
	end := binary.LittleEndian.AppendUint32([]byte("PK\x05\x06\x00\x00\x00\x00"), uint32(n&0xffff)|uint32(n&0xffff)<<16)
	end = binary.LittleEndian.AppendUint32(end, uint32(b.Len()-begin))
	end = binary.LittleEndian.AppendUint32(end, uint32(begin))
	b.Write(append(end, 0, 0))
	return b.String()
}

// overlapping is a workbook with 5,000 members more that all are one of 60 MB.
func overlapping(t testing.TB) string {
	book := bomb(t, "x", "", strings.Repeat("\x00", 1000), "", 20_000)
	at := strings.LastIndex(book, "PK\x05\x06")
	end := []byte(book[at:])
	size, begin := binary.LittleEndian.Uint32(end[12:]), binary.LittleEndian.Uint32(end[16:])
	directory := book[begin:at]
	last := directory[strings.LastIndex(directory, "PK\x01\x02"):]
	var more strings.Builder
	for i := range 5000 {
		name := fmt.Sprintf("y%d", i)
		header := []byte(last[:46])
		binary.LittleEndian.PutUint16(header[28:], uint16(len(name)))
		binary.LittleEndian.PutUint16(header[30:], 0)
		binary.LittleEndian.PutUint16(header[32:], 0)
		more.WriteString(string(header) + name)
	}
	n := binary.LittleEndian.Uint16(end[10:]) + 5000
	binary.LittleEndian.PutUint16(end[8:], n)
	binary.LittleEndian.PutUint16(end[10:], n)
	binary.LittleEndian.PutUint32(end[12:], size+uint32(more.Len()))
	return book[:at] + more.String() + string(end)
}

// TestBombs reads what was made to cost memory and time: no upload takes more than 64 MB above rest. It prints what each costs. It runs
// alone, and so sees its own memory only.
func TestBombs(t *testing.T) {
	const mostMemory = 64 << 10 // KB
	for _, b := range bombs {
		t.Run(b.name, func(t *testing.T) {
			file := []byte(b.make(t))
			rest, begun := fromNow(t), processorTime(t)
			list, err := Read(t.Context(), file, Options{})
			spent, memory := processorTime(t)-begun, memory(t, "VmHWM")-rest
			runtime.KeepAlive(list)
			t.Logf("%9d bytes %6d ms of CPU %6d KB: %v", len(file), spent.Milliseconds(), memory, err)
			if !errors.Is(err, b.want) || memory > mostMemory {
				t.Errorf("%d KB, %v, want %v", memory, err, b.want)
			}
		})
	}
}

// fromNow frees what is not used, and returns the memory of the process in KB, above which memory(t, "VmHWM") is the peak from now on.
func fromNow(t *testing.T) int {
	t.Helper()
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil { // proc(5): resets the peak
		t.Skip(err)
	}
	return memory(t, "VmRSS")
}

// memory returns a figure of /proc/self/status in KB.
func memory(t *testing.T, name string) (kb int) {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(string(text), name+":")
	if _, err := fmt.Sscan(line, &kb); err != nil {
		t.Fatal(err)
	}
	return kb
}

// processorTime returns the CPU time of the process.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
