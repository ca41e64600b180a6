package page

import (
	"cmp"
	"encoding/csv"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/gin-gonic/gin"

	"razao/internal/data/datapackage"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/spreadsheet"
	"razao/internal/store/render"
)

// Format is a format of tables.
type Format string

// The formats, by the value of the parameter "formato".
const (
	Plain       Format = "csv"       // for programs: RFC 4180, names and values as in the API; the default
	Excel       Format = "excel"     // for people: CSV for Brazilian spreadsheets, with titles, semicolons, BOM, decimal commas, dd/mm/aaaa
	XLSX        Format = "xlsx"      // for people: a workbook (ECMA-376), with a second sheet that says where the rows come from
	NDJSON      Format = "ndjson"    // an object a line, named by the columns; "" is null
	Description Format = "descricao" // not the rows: what they are and where they come from, as a Data Package
)

// Formats returns the values of the parameter "formato".
func Formats() []string {
	return []string{string(Plain), string(Excel), string(XLSX), string(NDJSON), string(Description)}
}

// FormatOf reads the parameter "formato". The error is an *[InvalidParameter].
func FormatOf(c *gin.Context) (Format, error) {
	format := cmp.Or(c.Query(formatParameter), string(Plain))
	if !slices.Contains(Formats(), format) {
		return "", UnknownValue(formatParameter, format, "Deve ser "+ptbr.Alternatives(Formats())+".")
	}
	return Format(format), nil
}

// Of returns the URL of a table in this format; path is that of the CSV and may have a query.
func (f Format) Of(path string) string {
	separator := "?"
	if strings.Contains(path, separator) {
		separator = "&"
	}
	return path + separator + formatParameter + "=" + string(f)
}

func (f Format) suffix() string {
	switch f {
	case XLSX, NDJSON:
		return "." + string(f)
	}
	return ".csv"
}

// MediaType returns the media type of tables in this format.
func (f Format) MediaType() string {
	switch f {
	case XLSX:
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	case NDJSON:
		return "application/x-ndjson"
	case Description:
		return "application/json; charset=utf-8"
	}
	return "text/csv; charset=utf-8"
}

// rowWriter writes the rows of a table.
type rowWriter interface {
	write(row []string) error
	close() error // completes the file
	discard()     // frees what the writer holds; after close or instead of it
}

// writer returns the writer of a format, which has written the header if the format has one.
func (t *Table) writer(w io.Writer, format Format, origin *datapackage.Package) (rowWriter, error) {
	switch format {
	case XLSX:
		return newWorkbook(w, t, origin)
	case NDJSON:
		return newLines(w, t.Of.Fields), nil
	}
	out := &csvWriter{Writer: csv.NewWriter(w), table: t, format: format}
	return out, out.header(w)
}

// csvWriter writes UTF-8 with CRLF line ends (RFC 4180), in either dialect.
type csvWriter struct {
	*csv.Writer
	table  *Table
	format Format
	n      int // rows written
}

func (c *csvWriter) header(w io.Writer) error {
	c.UseCRLF = true
	if c.format == Excel {
		if _, err := io.WriteString(w, "\uFEFF"); err != nil { // byte order mark, without which Excel assumes Windows-1252
			return err
		}
		c.Comma = ';'
	}
	headings := make([]string, len(c.table.Of.Fields))
	for i := range headings {
		heading := c.table.Of.Fields[i].Name
		if c.format == Excel {
			heading = c.table.Of.Fields[i].Heading()
		}
		headings[i] = inert(heading, c.Comma)
	}
	return c.Write(headings)
}

func (c *csvWriter) write(row []string) error {
	cells := make([]string, len(row))
	for i, text := range row {
		if own := c.table.value(c.n, i); own.Format != nil {
			cells[i] = c.own(own)
		} else {
			cells[i] = c.cell(&c.table.Of.Fields[i], text)
		}
	}
	c.n++
	return c.Write(cells)
}

// cell writes a value as it is, or so that a Brazilian spreadsheet shows what was published: decimal commas, local dates, and
// codes kept as text. Whatever is neither a number nor a code is made [inert].
func (c *csvWriter) cell(f *record.Field, text string) string {
	switch {
	case c.format != Excel && isNumber(f.Kind, text), f.Kind == record.IBGECode && isDigits(text): // it has no leading zero to lose
		return text
	case isNumber(f.Kind, text):
		return strings.Replace(text, ".", ",", 1)
	case c.format == Excel:
		shown := Local(f, text) // every spreadsheet reads what has punctuation as text
		if shown == text && numeric.MatchString(text) && !brazilian.MatchString(text) {
			return quoted(text) // otherwise 0001 becomes 1, and 2026-09 a date
		}
		text = shown
	}
	if text == "-" || negative.MatchString(text) { // nothing, or in a column that has texts, too
		return text
	}
	return inert(text, c.Comma)
}

// quoted writes digits so that a spreadsheet keeps them as a text.
func quoted(digits string) string { return `="` + digits + `"` }

// own writes a value that came with a format. Nothing of it is a text of its workbook, and so no formula.
func (c *csvWriter) own(v spreadsheet.Value) string {
	if c.format != Excel {
		return v.String()
	}
	text := v.Local()
	if isDigits(text) && (len(text) > digitsShown || len(text) > 1 && text[0] == '0') {
		return quoted(text)
	}
	return text
}

const digitsShown = 11 // of a number without separators, by spreadsheets: a CNPJ becomes 5,12E+13

// negative matches a number that a spreadsheet reads as what it is.
var negative = regexp.MustCompile(`^-[0-9]{1,15}([.,][0-9]{1,15})?$`)

func (c *csvWriter) close() error {
	c.Flush()
	return c.Error()
}

func (*csvWriter) discard() {}

// isNumber reports whether a value of a kind is a number, which may begin with a minus.
func isNumber(k record.Kind, text string) bool {
	if k != record.Count && k != record.Amount && k != record.Rate {
		return false
	}
	whole, fraction, point := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	return isDigits(whole) && (!point || isDigits(fraction))
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// numeric matches what spreadsheets convert to a number, date or time. Its alphabet is safe inside
// the formula ="…": no quotes, no function names.
var numeric = regexp.MustCompile(`^[0-9][0-9.,/: -]*([eE][0-9]+)?$`)

// brazilian matches what a spreadsheet of Brazil reads as what it is: a day, an amount with its cents, a CNPJ with its marks.
var brazilian = regexp.MustCompile(`^(?:\d\d/\d\d/\d{4}|(?:0|[1-9]\d{0,2}(?:\.\d{3})*|[1-9]\d{0,12}),\d\d|\d\d\.\d{3}\.\d{3}/\d{4}-\d\d)$`)

// Local writes dates as Brazilians do, and codes with their punctuation.
func Local(f *record.Field, text string) string {
	if f.Kind == record.Day || f.Kind == record.DayText {
		if day, err := time.Parse(time.DateOnly, text); err == nil {
			return ptbr.Date(day)
		}
	}
	return punctuate(f, text)
}

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

// Inert prevents CSV injection in a CSV with commas: it puts an apostrophe before text that a spreadsheet would evaluate.
func Inert(text string) string { return inert(text, ',') }

// inert puts an apostrophe before each part of a text that a spreadsheet may take for a cell with a formula: at its beginning, and
// after a line end or a separator other than the file's own, at which a spreadsheet of another language ends a cell: to it, quotes
// that begin in the middle of a cell hold nothing together, and a pair of quotes holds nothing. OWASP's formula characters are looked
// for behind quotes, blanks and invisible characters, which some programs drop.
func inert(text string, own rune) string {
	var out strings.Builder
	written, begin, open := 0, 0, true // open: from begin on there is nothing but what may be dropped
	for at, r := range text {
		switch {
		case open && isFormula(r), at == 0 && (r == '\t' || isLineEnd(r)):
			out.WriteString(text[written:begin] + "'")
			written, open = begin, isLineEnd(r)
		case open:
			open = r == '"' || isBlank(r)
		}
		if r != own && strings.ContainsRune(",;|", r) || isLineEnd(r) {
			begin, open = at+1, true
		}
	}
	if out.Len() == 0 {
		return text
	}
	return out.String() + text[written:]
}

func isFormula(r rune) bool { return strings.ContainsRune("=+-@＝＋－＠", r) }

func isLineEnd(r rune) bool { return r == '\r' || r == '\n' }

func isBlank(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf) }

// lines writes NDJSON.
type lines struct {
	w      io.Writer
	keys   []string // of the fields, with quotes and colon
	fields []record.Field
	line   []byte
}

func newLines(w io.Writer, fields []record.Field) *lines {
	l := &lines{w: w, fields: fields}
	for i := range fields {
		l.keys = append(l.keys, string(render.AppendString(nil, fields[i].Name))+":")
	}
	return l
}

func (l *lines) write(row []string) error {
	l.line = append(l.line[:0], '{')
	for i, text := range row {
		l.line = append(render.AppendComma(l.line, i), l.keys[i]...)
		switch {
		case text == "":
			l.line = append(l.line, "null"...)
		case isNumber(l.fields[i].Kind, text), l.fields[i].Kind == record.YesOrNo && (text == "true" || text == "false"):
			l.line = append(l.line, text...)
		default:
			l.line = render.AppendString(l.line, text)
		}
	}
	l.line = append(l.line, "}\n"...)
	_, err := l.w.Write(l.line)
	return err
}

func (*lines) close() error { return nil }
func (*lines) discard()     {}
