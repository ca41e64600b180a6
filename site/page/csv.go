package page

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/big"
	"net/http"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/snapshot"
	"razao/internal/web"
)

// TypeCSV is the media type of tables.
const TypeCSV = "text/csv; charset=utf-8"

// File is a CSV download.
type File struct {
	Name   string // of the download; ASCII without quotes
	Body   []byte
	Packed []byte // Body compressed, if both are kept for many requests; nil: neither is
}

// Form is the dialect of a CSV file.
type Form string

// The dialects, by the value of the parameter "formato".
const (
	Plain Form = ""      // RFC 4180, values as in the API
	Excel Form = "excel" // Brazilian spreadsheets: semicolons, BOM, decimal commas, dd/mm/aaaa
)

// FormOf reads the parameter "formato". The error is an *[InvalidParameter].
func FormOf(c *gin.Context) (Form, error) {
	switch form := Form(c.Query("formato")); form {
	case Plain, Excel:
		return form, nil
	default:
		return "", UnknownValue("formato", string(form), `Deve ser "excel", ou faltar.`)
	}
}

// Of returns the URL of a table in this dialect; path may have a query.
func (f Form) Of(path string) string {
	separator := "?"
	if strings.Contains(path, separator) {
		separator = "&"
	}
	return path + separator + "formato=" + string(f)
}

// Table returns a handler that runs make on the snapshot in service and sends the file as an
// attachment, or an error page. who is the audience of caches.
func (s *Server) Table(who web.Audience, make func(ctx *gin.Context, snap *snapshot.Snapshot, form Form) (File, error)) gin.HandlerFunc {
	return s.OnSnapshot(func(c *gin.Context, snap *snapshot.Snapshot) error {
		form, err := FormOf(c)
		if err != nil {
			return err
		}
		f, err := make(c, snap, form)
		if err != nil {
			return err
		}
		c.Header("Content-Disposition", `attachment; filename="`+f.Name+`"`)
		if f.Packed != nil {
			web.NewDocument(TypeCSV, kept(who, snap), f.Body, f.Packed).Send(c)
			return nil
		}
		s.Sender.Send(c, web.Reply{Status: http.StatusOK, ContentType: TypeCSV, ETag: web.ETag(f.Body), Caching: kept(who, snap), Body: f.Body})
		return nil
	})
}

// Columns declares a CSV file: its columns in order, each with the function that reads it from a
// Row. The data dictionary lists the same declaration.
type Columns[Row any] []Column[Row]

// Column is a column of a CSV file.
type Column[Row any] struct {
	record.Field
	Of func(Row) string // the value, in the format of the API
}

// NewColumn declares a column that is not a field of package record.
func NewColumn[Row any](name string, kind record.Kind, about string, of func(Row) string) Column[Row] {
	return Column[Row]{record.Field{Name: name, Kind: kind, About: about}, of}
}

// Row returns the values of one row, in the order of the columns.
func (all Columns[Row]) Row(of Row) []string {
	values := make([]string, len(all))
	for i := range all {
		values[i] = all[i].Of(of)
	}
	return values
}

// Fields returns the declarations of the columns, for the dictionary.
func (all Columns[Row]) Fields() []record.Field {
	fields := make([]record.Field, len(all))
	for i := range all {
		fields[i] = all[i].Field
	}
	return fields
}

// Encode encodes a header and rows as UTF-8 with CRLF line ends (RFC 4180) in the given dialect.
// Rows hold values as [Columns.Row] returns them; Encode converts them for [Excel].
func (all Columns[Row]) Encode(rows [][]string, form Form) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	if form == Excel {
		b.WriteString("\uFEFF") // byte order mark, without which Excel assumes Windows-1252
		w.Comma = ';'
	}
	header := make([]string, len(all))
	for i := range all {
		header[i] = all[i].Name
	}
	if err := w.Write(header); err != nil {
		return nil, fmt.Errorf("write table: %w", err)
	}
	for _, row := range rows {
		if form == Excel {
			row = all.cells(row)
		}
		if err := w.Write(row); err != nil {
			return nil, fmt.Errorf("write table: %w", err)
		}
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return nil, fmt.Errorf("write table: %w", err)
	}
	return b.Bytes(), nil
}

// cells converts a row for the dialect Excel.
func (all Columns[Row]) cells(row []string) []string {
	cells := make([]string, len(row))
	for i, text := range row {
		cells[i] = cell(&all[i].Field, text)
	}
	return cells
}

// cell converts a value so that a Brazilian spreadsheet shows what was published: decimal commas,
// local dates, and codes kept as text. Text that could be a formula is defused by [Inert].
func cell(f *record.Field, text string) string {
	switch f.Kind {
	case record.Count, record.IBGECode: // an IBGE code has no leading zero to lose
		return text
	case record.Amount, record.Rate:
		return strings.Replace(text, ".", ",", 1)
	case record.Day, record.DayText:
		if day, err := time.Parse(time.DateOnly, text); err == nil {
			return ptbr.Date(day)
		}
	}
	if punctuated := punctuate(f, text); punctuated != text {
		return punctuated // every spreadsheet reads it as text
	}
	if numeric.MatchString(text) {
		return `="` + text + `"` // otherwise 0001 becomes 1, and 2026-09 a date
	}
	return Inert(text)
}

// numeric matches what spreadsheets convert to a number, date or time. Its alphabet is safe inside
// the formula ="…": no quotes, no function names.
var numeric = regexp.MustCompile(`^[0-9][0-9.,/: -]*([eE][0-9]+)?$`)

// punctuate formats CNPJ, CEP and CNAE with punctuation, which stops spreadsheets from reading them
// as numbers.
func punctuate(f *record.Field, text string) string {
	switch {
	case f.Kind == record.CNPJ:
		return ptbr.CNPJ(text)
	case f.Name == "cep":
		return ptbr.CEP(text)
	case f.Name == "cnae_fiscal_principal":
		return ptbr.CNAE(text)
	}
	return text
}

// Inert prevents CSV injection: it puts an apostrophe before text that starts with one of OWASP's
// formula characters, which a spreadsheet would otherwise evaluate.
func Inert(text string) string {
	if first, _ := utf8.DecodeRuneInString(text); text != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		return "'" + text
	}
	return text
}

// Decimal formats cents, which must not be negative, as 1234567.89.
func Decimal(cents *big.Int) string {
	digits := cents.String()
	if len(digits) < 3 {
		digits = strings.Repeat("0", 3-len(digits)) + digits
	}
	return digits[:len(digits)-2] + "." + digits[len(digits)-2:]
}
