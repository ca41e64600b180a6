package page

import (
	"io"
	"strconv"
	"time"
	"unicode/utf16"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zip"
	"github.com/xuri/excelize/v2"

	"razao/internal/data/datapackage"
	"razao/internal/data/record"
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
	fields []record.Field
	origin *datapackage.Package
	cells  []any // of the row that is being written
	n      int   // rows written, with the header
	cut    int   // texts that are longer than a cell may be
	day    int   // the style of dates
	bold   int
}

func newWorkbook(w io.Writer, fields []record.Field, origin *datapackage.Package) (*workbook, error) {
	b := &workbook{w: w, file: excelize.NewFile(), fields: fields, origin: origin, cells: make([]any, len(fields))}
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
	if b.bold, err = b.file.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}}); err != nil {
		return err
	}
	if b.rows, err = b.file.NewStreamWriter(rowsSheet); err != nil {
		return err
	}
	if err := b.rows.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	if err := b.rows.SetColWidth(1, len(b.fields), 20); err != nil {
		return err
	}
	header := make([]any, len(b.fields))
	for i := range b.fields {
		header[i] = excelize.Cell{StyleID: b.bold, Value: b.fields[i].Name}
	}
	return b.add(header)
}

// add appends a row of cells.
func (b *workbook) add(cells []any) error {
	b.n++
	return b.rows.SetRow("A"+strconv.Itoa(b.n), cells)
}

func (b *workbook) write(row []string) error {
	for i, text := range row {
		b.cells[i] = b.cell(b.fields[i].Kind, text)
	}
	return b.add(b.cells)
}

// cell converts a value: numbers and days are what they are, everything else, codes included, is text.
// A workbook tells text from formulas, so nothing has to be defused.
func (b *workbook) cell(k record.Kind, text string) any {
	switch {
	case text == "":
		return nil
	case isNumber(k, text):
		if number, err := strconv.ParseFloat(text, 64); err == nil {
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
	return text
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
	lines := [][2]string{
		{"Título", b.origin.Title},
		{"O que é", b.origin.Description},
		{"Página", b.origin.Homepage},
		{"Competência", b.origin.Version},
		{"Publicada em", b.origin.Created},
		{"Linhas", strconv.Itoa(b.n - 1)},
	}
	if b.cut > 0 {
		lines = append(lines, [2]string{"Textos cortados", strconv.Itoa(b.cut) + ": uma célula tem no máximo 32.767 caracteres. O CSV os tem inteiros."})
	}
	for _, source := range b.origin.Sources {
		lines = append(lines, [2]string{"Fonte", source.Title + " " + source.Path})
	}
	lines = append(lines, [2]string{}, [2]string{"Coluna", "O que quer dizer"})
	for i := range b.fields {
		lines = append(lines, [2]string{b.fields[i].Name, b.fields[i].About})
	}
	for i, line := range lines {
		if err := sheet.SetRow("A"+strconv.Itoa(i+1), []any{excelize.Cell{StyleID: b.bold, Value: line[0]}, line[1]}); err != nil {
			return err
		}
	}
	return sheet.Flush()
}

// discard removes the temporary files.
func (b *workbook) discard() { _ = b.file.Close() }
