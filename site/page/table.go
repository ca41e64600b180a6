package page

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/big"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/data/datapackage"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/people/signin"
	"razao/internal/spreadsheet"
	"razao/internal/store/snapshot"
	"razao/internal/web"
)

const (
	// MaxExported is how many rows of a long table are sent.
	MaxExported = 1_000_000
	// MaxWhole is how many rows a table may have to be sent as one complete response, with
	// Content-Length and ETag. A table that may have more is streamed.
	MaxWhole = 10_000

	exportTime  = 30 * time.Minute // that a streamed table may take: 100 MB at 100 KB/s take 17
	exportsWait = 3 * time.Second  // for one of the tables being streamed to end

	// Streamed tables. One whose client reads slowly keeps a snapshot, 8 bytes a row and, as a workbook, its rows on the disk.
	exportsAtOnce    = 8
	exportsOfAccount = 1
	exportsOfNetwork = 3 // an office has one address: a colleague's download stops no other's
	exportsComputing = 4
	rowsInTurn       = 500 // that are written before others compute

	filesPerMinute = 20 // tables of companies, of an account
	filesBurst     = 10
	filesOfAddress = 60 // of a client address, a minute and at once
)

// formatParameter is the parameter with the format of a table.
const formatParameter = "formato"

// Table is rows to download, in any [Format].
type Table struct {
	Of   record.Table // its columns, and what the rows are
	File string       // name of the file without its suffix; what is no ASCII letter or digit becomes a hyphen
	Page string       // path of the page that shows the rows
	// Rows returns the rows, with the values in the order of the columns and as [Columns.Row] has them. Its error ends them.
	Rows func(ctx context.Context) iter.Seq2[[]string, error]
	// Value returns the value of a cell that came with a format of its own, as in a person's workbook: formats for people write it as
	// it was. row counts from 0; -1 has the headings, which workbooks alone write so. nil: no cell did.
	Value    func(row, column int) spreadsheet.Value
	Most     int  // rows at most
	More     bool // there are rows beyond those of the table
	CacheKey any  // a key under which the snapshot keeps the encoded table; nil: it is encoded for each request
}

// Columns declares a table: its columns in order, each with the function that reads it from a
// Row. The data dictionary lists the same declaration.
type Columns[Row any] []Column[Row]

// Column is a column of a table.
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

// Fields returns the declarations of the columns, for the dictionary, each with its title.
func (all Columns[Row]) Fields() []record.Field {
	fields := make([]record.Field, len(all))
	for i := range all {
		fields[i] = all[i].Field
		fields[i].Title = cmp.Or(fields[i].Title, titles[fields[i].Name])
	}
	return fields
}

// Rows returns the function that [Table] asks for, of rows that are in memory.
func (all Columns[Row]) Rows(of []Row) func(context.Context) iter.Seq2[[]string, error] {
	return func(context.Context) iter.Seq2[[]string, error] {
		return func(yield func([]string, error) bool) {
			for i := range of {
				if !yield(all.Row(of[i]), nil) {
					return
				}
			}
		}
	}
}

// TableOf returns a table of rows that are in memory.
func TableOf[Row any](of record.Table, columns Columns[Row], rows []Row, file, page string) Table {
	return Table{Of: of, File: file, Page: page, Rows: columns.Rows(rows), Most: len(rows)}
}

// Make makes a table from a snapshot.
type Make func(c *gin.Context, snap *snapshot.Snapshot) (Table, error)

// Table returns a handler that runs make on the snapshot in service and sends the table as an
// attachment, or an error page. who is the audience of caches.
func (s *Server) Table(who web.Audience, make Make) gin.HandlerFunc {
	return s.OnSnapshot(func(c *gin.Context, snap *snapshot.Snapshot) error {
		format, err := FormatOf(c)
		if err != nil {
			return err
		}
		t, err := make(c, snap)
		if err != nil {
			return err
		}
		return s.SendTable(c, snap, &t, format, who)
	})
}

// Export is Table for the signed-in; others are led to /login and back. Such tables cost as much as
// many pages, and have a limit by account and client address. No cache may keep them.
func (s *Server) Export(make Make) gin.HandlerFunc {
	table := s.Table(web.Nobody, make)
	return func(c *gin.Context) {
		if s.RequireAccount(c); c.IsAborted() {
			return
		}
		if err := s.TakeFile(c); err != nil {
			s.Fail(c, err)
			return
		}
		table(c)
	}
}

// TakeFile takes a file of the account and of the client address: one person may have many of
// either. The error is a *web.TooManyError.
func (s *Server) TakeFile(c *gin.Context) error {
	return s.TakeFurtherFile(c.Request.Context())
}

// TakeFurtherFile is TakeFile in the course of a request, for a file that is as much work as several.
func (s *Server) TakeFurtherFile(ctx context.Context) error {
	if err := s.files.TakeAccount(web.EventOf(ctx).Account); err != nil {
		return err
	}
	return s.filesFrom.Take(web.ClientIn(ctx))
}

// RequireAccount is middleware for the signed-in, which leads others to /login and back.
func (s *Server) RequireAccount(c *gin.Context) {
	_, err := s.Visitor(c)
	if err == nil {
		return
	}
	c.Abort()
	if errors.Is(err, signin.ErrSignedOut) {
		c.Redirect(http.StatusSeeOther, LoginPath("", "", c.Request.URL.RequestURI()))
	} else {
		s.Fail(c, err)
	}
}

// FixedTable returns a handler for a table that depends on no load. It is encoded once in each format.
func (s *Server) FixedTable(t Table) gin.HandlerFunc {
	var made sync.Map // Format → func() *web.Document
	return func(c *gin.Context) {
		format, err := FormatOf(c)
		if err != nil {
			s.Fail(c, err)
			return
		}
		once, _ := made.LoadOrStore(format, sync.OnceValues(func() (*web.Document, error) {
			return encoded(context.Background(), &t, format, s.origin(nil, &t), web.Caching{For: web.Everyone})
		}))
		document, err := once.(func() (*web.Document, error))()
		if err != nil {
			s.Fail(c, err)
			return
		}
		t.attach(c, format)
		document.Send(c)
	}
}

// SendTable sends a table in a format. who is the audience of caches.
func (s *Server) SendTable(c *gin.Context, snap *snapshot.Snapshot, t *Table, format Format, who web.Audience) error {
	ctx, origin, caching := c.Request.Context(), s.origin(snap, t), cachingFor(who, snap)
	if format != Description && t.Most > MaxWhole {
		return t.stream(c, format, origin, caching, s.exports)
	}
	if t.CacheKey != nil {
		document, err := snapshot.Once(snap, tableKey{t.CacheKey, format}, func() (*web.Document, error) {
			return encoded(ctx, t, format, origin, caching)
		})
		if err == nil {
			t.attach(c, format)
			document.Send(c)
		}
		return err
	}
	var body bytes.Buffer
	if err := t.encode(ctx, &body, format, origin); err != nil {
		return err
	}
	t.attach(c, format)
	s.Sender.Send(c, web.Reply{Status: http.StatusOK, ContentType: format.MediaType(), ETag: web.ETag(body.Bytes()), Caching: caching, Body: body.Bytes()})
	return nil
}

// StreamTable sends a table as SendTable sends a long one, as one of other downloads than those.
func (s *Server) StreamTable(c *gin.Context, snap *snapshot.Snapshot, t *Table, format Format, downloads *web.Downloads) error {
	return t.stream(c, format, s.origin(snap, t), cachingFor(web.Nobody, snap), downloads)
}

// tableKey is the snapshot.Once key of an encoded table.
type tableKey struct {
	table  any
	format Format
}

// encoded encodes a table that is sent many times.
func encoded(ctx context.Context, t *Table, format Format, origin *datapackage.Package, caching web.Caching) (*web.Document, error) {
	var body bytes.Buffer
	if err := t.encode(ctx, &body, format, origin); err != nil {
		return nil, err
	}
	return web.NewDocument(format.MediaType(), caching, body.Bytes(), nil), nil
}

// stream sends a long table while its rows are read, in memory that does not grow with it. It takes
// longer than a page may, and finishes on its snapshot whatever is published meanwhile.
func (t *Table) stream(c *gin.Context, format Format, origin *datapackage.Package, caching web.Caching, downloads *web.Downloads) error {
	done, err := web.Prolong(c, downloads, exportTime)
	if err != nil {
		return err
	}
	defer done()
	return t.send(c, format, origin, caching)
}

func (t *Table) send(c *gin.Context, format Format, origin *datapackage.Package, caching web.Caching) error {
	t.attach(c, format)
	err := web.Stream(c, web.Reply{ContentType: format.MediaType(), Caching: caching}, func(w io.Writer) error {
		return t.encode(c.Request.Context(), w, format, origin)
	})
	if err != nil {
		c.Writer.Header().Del("Content-Disposition")
		c.Writer.Header().Del("Link")
	}
	return err
}

// attach sets the headers of a download. A file that cannot say where it comes from links to its
// description (RFC 8288, describedby of the Link Relations registry).
func (t *Table) attach(c *gin.Context, format Format) {
	c.Header("Content-Disposition", `attachment; filename="`+t.fileName(format)+`"`)
	if format != XLSX && format != Description {
		q := c.Request.URL.Query()
		q.Set(formatParameter, string(Description))
		c.Header("Link", "<"+c.Request.URL.EscapedPath()+"?"+q.Encode()+`>; rel="describedby"; type="application/json"`)
	}
}

// fileName returns the name of the download.
func (t *Table) fileName(format Format) string {
	if format == Description {
		return datapackage.FileName
	}
	return t.name() + format.suffix()
}

// longestFile is how long the name of a file may be, in bytes, without its suffix.
const longestFile = 100

// unnamed matches what names of files do not have in all systems and in headers (RFC 6266 appendix D).
var unnamed = regexp.MustCompile(`[^0-9A-Za-z]+`)

// name returns the name of the file without its suffix, made of nothing that is a path or ends a header.
func (t *Table) name() string {
	name := strings.Trim(unnamed.ReplaceAllString(t.File, "-"), "-")
	return name[:min(longestFile, len(name))]
}

// origin says where the rows come from, as a Data Package of one CSV file. snap may be nil.
func (s *Server) origin(snap *snapshot.Snapshot, t *Table) *datapackage.Package {
	p := &datapackage.Package{
		Name: strings.ToLower(t.name()), Title: t.Of.Title, Description: t.Of.About, Homepage: s.BaseURL + t.Page,
		Resources: []datapackage.Resource{datapackage.CSV(&t.Of, t.fileName(Plain))},
	}
	if t.More {
		p.Description += " O arquivo tem as primeiras " + ptbr.Count(t.Most) + " linhas; há mais."
	}
	if snap == nil {
		return p
	}
	p.Version = snap.Load.Period
	p.Created = snap.PublishedAt().UTC().Format(time.RFC3339)
	p.Cite(&snap.Load.Provenance, snap.Load.Period)
	return p
}

// Decimal formats cents, which must not be negative, as 1234567.89.
func Decimal(cents *big.Int) string {
	digits := cents.String()
	if len(digits) < 3 {
		digits = strings.Repeat("0", 3-len(digits)) + digits
	}
	return digits[:len(digits)-2] + "." + digits[len(digits)-2:]
}

// value returns what Value does.
func (t *Table) value(row, column int) spreadsheet.Value {
	if t.Value == nil {
		return spreadsheet.Value{}
	}
	return t.Value(row, column)
}

// encode writes the table.
func (t *Table) encode(ctx context.Context, w io.Writer, format Format, origin *datapackage.Package) error {
	if format == Description {
		return origin.Write(w)
	}
	out, err := t.writer(w, format, origin)
	if err != nil {
		return err
	}
	defer out.discard()
	n := 0
	for row, err := range t.Rows(ctx) {
		if n++; err == nil && n%rowsInTurn == 0 {
			err = web.GiveWay(ctx)
		}
		if err == nil {
			err = out.write(row)
		}
		if err != nil {
			return fmt.Errorf("write table: %w", err)
		}
	}
	if err := out.close(); err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	return nil
}
