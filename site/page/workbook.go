package page

import (
	"io"
	"math"
	"strconv"
	"time"
	"unicode/utf16"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zip"
	"github.com/xuri/excelize/v2"

	"razao/internal/data/datapackage"
	"razao/internal/data/record"
	"razao/internal/spreadsheet"
)

// The sheets of a workbook.
const (
	rowsSheet   = "Dados"
	originSheet = "Origem"
)

// workbook writes XLSX. The rows go to a temporary file, because the format has them inside a ZIP
// archive that is written at the end.
type workbook struct {
	w      io.Writer
	file   *excelize.File
	rows   *excelize.StreamWriter
	table  *Table
	origin *datapackage.Package
	cells  []any // of the row that is being written
	n      int   // rows written, with the header
	cut    int   // texts that are longer than a cell may be
	day    int   // the style of dates
	amount int   // and of amounts
	bold   int
	own    map[ownStyle]int
}

// ownStyle is the style of a cell that came with a format.
type ownStyle struct {
	format spreadsheet.Format
	bold   bool
}

func newWorkbook(w io.Writer, t *Table, origin *datapackage.Package) (*workbook, error) {
	b := &workbook{w: w, file: excelize.NewFile(), table: t, origin: origin, cells: make([]any, len(t.Of.Fields)), own: map[ownStyle]int{}}
	if err := b.begin(); err != nil {
		b.discard()
		return nil, err
	}
	return b, nil
}

// begin makes the sheet of the rows and its header.
func (b *workbook) begin() error {
	if err := b.file.SetSheetName(b.file.GetSheetName(0), rowsSheet); err != nil {
		return err
	}
	dates := "dd/mm/yyyy"
	var err error
	if b.day, err = b.file.NewStyle(&excelize.Style{CustomNumFmt: &dates}); err != nil {
		return err
	}
	const twoDecimals = 4 // #,##0.00, of those that every workbook has
	if b.amount, err = b.file.NewStyle(&excelize.Style{NumFmt: twoDecimals}); err != nil {
		return err
	}
	if b.bold, err = b.file.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}}); err != nil {
		return err
	}
	if b.rows, err = b.file.NewStreamWriter(rowsSheet); err != nil {
		return err
	}
	if err := b.rows.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	if err := b.rows.SetColWidth(1, len(b.cells), 20); err != nil {
		return err
	}
	header := make([]any, len(b.cells))
	for i := range header {
		header[i] = excelize.Cell{StyleID: b.bold, Value: b.table.Of.Fields[i].Heading()}
		if own := b.table.value(-1, i); own.Format != nil { // a month, above its amounts
			if header[i], err = b.value(own, true); err != nil {
				return err
			}
		}
	}
	return b.add(header)
}

// add appends a row of cells.
func (b *workbook) add(cells []any) error {
	b.n++
	return b.rows.SetRow("A"+strconv.Itoa(b.n), cells)
}

func (b *workbook) write(row []string) (err error) {
	for i, text := range row {
		if own := b.table.value(b.n-1, i); own.Format != nil {
			b.cells[i], err = b.value(own, false)
		} else {
			b.cells[i] = b.cell(&b.table.Of.Fields[i], text)
		}
		if err != nil {
			return err
		}
	}
	return b.add(b.cells)
}

// cell converts a text by its kind: numbers and days are what they are, everything else, codes included, is text.
// A workbook tells text from formulas, so nothing has to be defused.
func (b *workbook) cell(f *record.Field, text string) any {
	switch k := f.Kind; {
	case text == "":
		return nil
	case isNumber(k, text):
		if number, err := strconv.ParseFloat(text, 64); err == nil && k == record.Amount {
			return excelize.Cell{StyleID: b.amount, Value: number}
		} else if err == nil {
			return number
		}
	case k == record.Day || k == record.DayText:
		if day, err := time.Parse(time.DateOnly, text); err == nil && day.Year() >= 1900 { // the calendar of workbooks begins there
			return excelize.Cell{StyleID: b.day, Value: day}
		}
	}
	if len(text) > excelize.TotalCellChars && len(utf16.Encode([]rune(text))) > excelize.TotalCellChars { // the library cuts it
		b.cut++
	}
	return punctuate(f, text)
}

// value converts a value that came with a format.
func (b *workbook) value(v spreadsheet.Value, bold bool) (any, error) {
	if is, ok := v.Truth(); ok {
		return is, nil
	}
	style, err := b.style(ownStyle{*v.Format, bold})
	if err != nil {
		return nil, err
	}
	return excelize.Cell{StyleID: style, Value: exact(v.Number, style)}, nil
}

// exact returns a number as the library writes all its digits. Of floats it writes fifteen, as many as spreadsheets show, and cuts the others
// off: 0.7999999999999999, as sums come out, would no longer be shown as 0.8. Of durations, which are days, it writes all, and so days with a
// time that somebody looks up are found.
func exact(number float64, style int) any {
	if number == math.Trunc(number) {
		if whole, err := strconv.ParseInt(strconv.FormatFloat(number, 'f', -1, 64), 10, 64); err == nil {
			return whole
		}
	}
	const day = 24 * time.Hour
	if days := number * float64(day); style != 0 && math.Abs(days) < math.MaxInt64 { // without a style it would get one
		if d := time.Duration(math.Round(days)); d.Seconds()/day.Seconds() == number {
			return d
		}
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(number, 'e', 14, 64), 64)
	if err != nil { // above the largest
		return number
	}
	return rounded
}

const mostFormats = 200 // that cells may come with: a spreadsheet takes no more with codes of their own

// style returns the number of a style.
func (b *workbook) style(own ownStyle) (number int, err error) {
	number, known := b.own[own]
	if known {
		return number, nil
	}
	format, style := &own.format, &excelize.Style{}
	if format.Code != "" && len(b.own) >= mostFormats {
		format = format.Common()
	}
	if style.NumFmt = format.BuiltIn; format.Code != "" {
		style.CustomNumFmt = &format.Code
	}
	if own.bold {
		style.Font = &excelize.Font{Bold: true}
	}
	number, err = b.file.NewStyle(style)
	b.own[own] = number
	return number, err
}

// close writes the sheet that says where the rows come from, and the archive.
func (b *workbook) close() error {
	if err := b.rows.Flush(); err != nil {
		return err
	}
	if err := b.describe(); err != nil {
		return err
	}
	// The library would collect the archive in memory. What it writes goes to the reader instead.
	b.file.SetZipWriter(func(io.Writer) excelize.ZipWriter {
		archive := zip.NewWriter(b.w)
		archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
		return archive
	})
	_, err := b.file.WriteToBuffer()
	return err
}

// describe writes the sheet of the origin.
func (b *workbook) describe() error {
	if _, err := b.file.NewSheet(originSheet); err != nil {
		return err
	}
	sheet, err := b.file.NewStreamWriter(originSheet)
	if err != nil {
		return err
	}
	if err := sheet.SetColWidth(1, 1, 28); err != nil {
		return err
	}
	if err := sheet.SetColWidth(2, 2, 100); err != nil {
		return err
	}
	if err := sheet.SetColWidth(3, 3, 36); err != nil {
		return err
	}
	lines := [][]string{
		{"Título", b.origin.Title},
		{"O que é", b.origin.Description},
		{"Página", b.origin.Homepage},
		{"Competência", b.origin.Version},
		{"Publicada em", b.origin.Created},
		{"Linhas", strconv.Itoa(b.n - 1)},
	}
	if b.cut > 0 {
		lines = append(lines, []string{"Textos cortados", strconv.Itoa(b.cut) + ": uma célula tem no máximo 32.767 caracteres. O CSV os tem inteiros."})
	}
	for _, source := range b.origin.Sources {
		lines = append(lines, []string{"Fonte", source.Title + " " + source.Path})
	}
	lines = append(lines, []string{""}, []string{"Coluna", "O que quer dizer", "Nome no CSV e no NDJSON"})
	for i := range b.table.Of.Fields {
		f := &b.table.Of.Fields[i]
		lines = append(lines, []string{f.Heading(), f.About, f.Name})
	}
	for i, line := range lines {
		cells := []any{excelize.Cell{StyleID: b.bold, Value: line[0]}}
		for _, text := range line[1:] {
			cells = append(cells, text)
		}
		if err := sheet.SetRow("A"+strconv.Itoa(i+1), cells); err != nil {
			return err
		}
	}
	return sheet.Flush()
}

// discard removes the temporary files.
func (b *workbook) discard() { _ = b.file.Close() }
