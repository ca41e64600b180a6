package page

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/big"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/record"
	"razao/internal/snapshot"
	"razao/internal/web"
)

// File is a table to be kept by the visitor.
type File struct {
	Name string
	Body []byte
}

// Table runs make on the snapshot in service and sends the complete file, or the page of an error. caching is its
// Cache-Control.
func (s *Server) Table(caching string, make func(ctx *gin.Context, snap *snapshot.Snapshot) (File, error)) gin.HandlerFunc {
	return s.OnSnapshot(func(c *gin.Context, snap *snapshot.Snapshot) error {
		f, err := make(c, snap)
		if err != nil {
			return err
		}
		c.Header("Cache-Control", caching)
		c.Header("Content-Disposition", `attachment; filename="`+f.Name+`"`)
		s.Sender.Send(c, web.Reply{Status: http.StatusOK, ContentType: "text/csv; charset=utf-8", ETag: web.ETag(f.Body), Body: f.Body})
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

// Encode writes rows below the names of the columns as UTF-8 with commas, lines ending in CRLF as RFC 4180 has them.
func (all Columns[Row]) Encode(rows [][]string) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	header := make([]string, len(all))
	for i := range all {
		header[i] = all[i].Name
	}
	if err := w.Write(header); err != nil {
		return nil, fmt.Errorf("write table: %w", err)
	}
	if err := w.WriteAll(rows); err != nil {
		return nil, fmt.Errorf("write table: %w", err)
	}
	return b.Bytes(), nil
}

// Inert returns a published text as a spreadsheet shows it: one that begins like a formula gets an apostrophe in
// front, or the program that opens the file would run it (CSV injection).
func Inert(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
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
