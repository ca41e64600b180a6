package lists

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"razao/internal/recovery"
)

const (
	maxLines   = 10_000
	maxColumns = 200
	// Bounds of a workbook, which is a ZIP archive of XML: kilobytes may unpack to gigabytes (zip bomb), of which the library
	// keeps some 400 bytes for each element.
	maxUnpacked = 64 << 20  // bytes of all its files
	maxTags     = 1_000_000 // in all its files: four a cell
	maxOther    = 100_000   // of them in files that are neither sheets nor their texts
	maxInMemory = 4 << 20   // bytes of a sheet; a larger one is unpacked to a temporary file
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
	errTooWide      problem = "A lista tem mais de 200 colunas."
	errTooLarge     problem = "A planilha é grande demais para ser lida. Deixe nela só a lista e as colunas de que precisa, ou envie um CSV."
)

// row is a row of the list that is not blank.
type row struct {
	line  int // in the list, from 1
	cells []string
}

// readRows reads a pasted text, a CSV file or the first sheet of a workbook. All rows have the same number of cells.
// The error is a problem.
func readRows(file []byte) (rows []row, err error) {
	switch {
	case isWorkbook(file):
		rows, err = readWorkbook(file)
	case bytes.HasPrefix(file, []byte("\xd0\xcf\x11\xe0")):
		return nil, errOldExcel
	default:
		rows, err = readText(file)
	}
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, errEmpty
	}
	width := 0
	for _, r := range rows {
		width = max(width, len(r.cells))
	}
	for i := range rows {
		rows[i].cells = append(rows[i].cells, make([]string, width-len(rows[i].cells))...)
	}
	return rows, nil
}

// isWorkbook reports whether a file is a ZIP archive.
func isWorkbook(file []byte) bool { return bytes.HasPrefix(file, []byte("PK\x03\x04")) }

// add appends a row unless it is blank. The error is a problem.
func add(rows []row, line int, cells []string) ([]row, error) {
	blank := true
	for i := range cells {
		cells[i] = oneLine(cells[i])
		blank = blank && cells[i] == ""
	}
	switch {
	case blank:
		return rows, nil
	case len(rows) > maxLines: // one more than that: the first may be a heading
		return nil, errTooLong
	case len(cells) > maxColumns:
		return nil, errTooWide
	}
	return append(rows, row{line, cells}), nil
}

// readText reads delimited text: commas, semicolons, tabs or bars, in UTF-8, UTF-16 with a byte order mark, or
// Windows-1252, in which spreadsheets of Brazil save CSV.
func readText(file []byte) (rows []row, err error) {
	text, err := decode(file)
	if err != nil || strings.ContainsRune(text, 0) {
		return nil, errFormat
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = delimiter(text), -1, true
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, errFormat
		}
		line, _ := r.FieldPos(0)
		if rows, err = add(rows, line, cells); err != nil {
			return nil, err
		}
	}
}

// decode returns the text of a file.
func decode(file []byte) (string, error) {
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		if bytes.HasPrefix(file, []byte(mark)) {
			text, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(file)
			return string(text), err
		}
	}
	file = bytes.TrimPrefix(file, []byte("\uFEFF"))
	if utf8.Valid(file) {
		return string(file), nil
	}
	text, err := charmap.Windows1252.NewDecoder().Bytes(file)
	return string(text), err
}

// delimiter returns the separator that stands most often in the first kilobyte; tabs before others, since
// pasted cells have them and texts do not.
func delimiter(text string) rune {
	head := text[:min(1<<10, len(text))]
	best, most := ',', 0
	for _, candidate := range "\t;,|" {
		if n := strings.Count(head, string(candidate)); n > most {
			best, most = candidate, n
		}
	}
	return best
}

// oneLine makes a cell a single line without blanks around it.
func oneLine(cell string) string { return strings.Join(strings.Fields(cell), " ") }

// readWorkbook reads the first sheet as it is shown. What the library cannot read is no workbook for us,
// a panic of it included.
func readWorkbook(file []byte) (rows []row, err error) {
	if err := measure(file); err != nil {
		return nil, err
	}
	failed := recovery.Do(func() error {
		rows, err = firstSheet(file)
		return nil
	})
	if failed != nil {
		return nil, errFormat
	}
	return rows, err
}

// measure unpacks a workbook without keeping it, and refuses one that would take too much to read. The library keeps
// whole files as trees of elements, and bounds bytes only.
func measure(file []byte) error {
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return errFormat
	}
	size, tags, other := 0, 0, 0
	buffer := make([]byte, 32<<10)
	for _, entry := range archive.File {
		part, err := entry.Open()
		if err != nil {
			return errFormat
		}
		name := strings.ToLower(strings.ReplaceAll(entry.Name, `\`, "/"))
		listed := name == "xl/sharedstrings.xml" || strings.HasPrefix(name, "xl/worksheets/")
		for err == nil {
			var n int
			n, err = part.Read(buffer)
			found := bytes.Count(buffer[:n], []byte("<"))
			size, tags = size+n, tags+found
			if !listed {
				other += found
			}
			if size > maxUnpacked || tags > maxTags || other > maxOther {
				return errTooLarge
			}
		}
		if !errors.Is(err, io.EOF) {
			return errFormat
		}
	}
	return nil
}

func firstSheet(file []byte) (rows []row, err error) {
	book, err := excelize.OpenReader(bytes.NewReader(file), excelize.Options{UnzipSizeLimit: maxUnpacked, UnzipXMLSizeLimit: maxInMemory})
	if err != nil {
		return nil, errFormat
	}
	defer book.Close() // which removes temporary files
	names := book.GetSheetList()
	if len(names) == 0 {
		return nil, errEmpty
	}
	sheet, err := book.Rows(names[0])
	if err != nil {
		return nil, errFormat
	}
	defer sheet.Close()
	for line := 1; sheet.Next(); line++ {
		cells, err := sheet.Columns()
		if err != nil {
			return nil, errFormat
		}
		if rows, err = add(rows, line, cells); err != nil {
			return nil, err
		}
	}
	if sheet.Error() != nil {
		return nil, errFormat
	}
	return rows, nil
}
