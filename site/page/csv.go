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

	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/snapshot"
	"razao/internal/web"
)

// File is a table to be kept by the visitor.
type File struct {
	Name string
	Body []byte
}

// Form is how a table is written.
type Form string

// The forms of tables, by the values of the parameter "formato".
const (
	Plain Form = ""      // for programs: RFC 4180, values as the API has them
	Excel Form = "excel" // for people whose spreadsheet expects what Brazil's does
)

// FormOf reads the form that a request asks for. The error is one of the address.
func FormOf(c *gin.Context) (Form, error) {
	switch form := Form(c.Query("formato")); form {
	case Plain, Excel:
		return form, nil
	default:
		return "", UnknownValue("formato", string(form), `Deve ser "excel", ou faltar.`)
	}
}

// Of returns the address of a table in this form.
func (f Form) Of(path string) string {
	separator := "?"
	if strings.Contains(path, separator) {
		separator = "&"
	}
	return path + separator + "formato=" + string(f)
}

// Table runs make on the snapshot in service and sends the complete file, or the page of an error. who may have it.
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
		s.Sender.Send(c, web.Reply{
			Status: http.StatusOK, ContentType: "text/csv; charset=utf-8", ETag: web.ETag(f.Body), Caching: kept(who, snap), Body: f.Body,
		})
		return nil
	})
}

// Columns declares a table to be kept: what its columns are, and how a row has them.
type Columns[Row any] []Column[Row]

// Column is one of Columns.
type Column[Row any] struct {
	record.Field
	Of func(Row) string
}

// NewColumn declares a column that is no published field.
func NewColumn[Row any](name string, kind record.Kind, about string, of func(Row) string) Column[Row] {
	return Column[Row]{record.Field{Name: name, Kind: kind, About: about}, of}
}

// Row returns the values of a row.
func (all Columns[Row]) Row(of Row) []string {
	values := make([]string, len(all))
	for i := range all {
		values[i] = all[i].Of(of)
	}
	return values
}

// Fields returns what the columns are.
func (all Columns[Row]) Fields() []record.Field {
	fields := make([]record.Field, len(all))
	for i := range all {
		fields[i] = all[i].Field
	}
	return fields
}

// Encode writes rows below the names of the columns as UTF-8, lines ending in CRLF as RFC 4180 has them: with commas, or as
// the spreadsheets of Brazil open a file that is double-clicked.
func (all Columns[Row]) Encode(rows [][]string, form Form) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	if form == Excel {
		b.WriteString("\uFEFF") // without it Excel takes the file for Windows-1252
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

// cells returns the values of a row as a spreadsheet is to have them.
func (all Columns[Row]) cells(row []string) []string {
	cells := make([]string, len(row))
	for i, text := range row {
		cells[i] = cell(&all[i].Field, text)
	}
	return cells
}

func cell(f *record.Field, text string) string {
	switch f.Kind {
	case record.Count, record.IBGECode: // which never begins with a zero
		return text
	case record.Amount, record.Rate:
		return strings.Replace(text, ".", ",", 1)
	case record.Day, record.DayText:
		if day, err := time.Parse(time.DateOnly, text); err == nil {
			return ptbr.Date(day)
		}
	}
	if punctuated := punctuate(f, text); punctuated != text {
		return punctuated // a text to all spreadsheets
	}
	if numeric.MatchString(text) {
		return `="` + text + `"` // or 0001 becomes 1, and 2026-09 a day
	}
	return Inert(text)
}

// numeric is what spreadsheets take for a number, a day or a time. It holds nothing that a formula could begin with or call.
var numeric = regexp.MustCompile(`^[0-9][0-9.,/: -]*([eE][0-9]+)?$`)

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

// Inert returns a published text as a spreadsheet shows it: one that begins like a formula gets an apostrophe in
// front, or the program that opens the file would run it (CSV injection, in OWASP's list of characters).
func Inert(text string) string {
	if first, _ := utf8.DecodeRuneInString(text); text != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		return "'" + text
	}
	return text
}

// Decimal writes cents as 1234567.89.
func Decimal(cents *big.Int) string {
	digits := cents.String()
	if len(digits) < 3 {
		digits = strings.Repeat("0", 3-len(digits)) + digits
	}
	return digits[:len(digits)-2] + "." + digits[len(digits)-2:]
}
