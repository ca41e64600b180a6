package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"razao/internal/cnpj"
	"razao/internal/recovery"
	"razao/internal/registry/pack"
	"razao/internal/source"
)

// Status is what a source says about a document.
type Status string

// The four states of a source page.
const (
	Found       Status = "encontrado"
	None        Status = "sem_ocorrencia" // in this load; not a certificate
	Unavailable Status = "indisponivel"   // there is no valid load
	Failed      Status = "erro"           // the query failed; other sources may be fine
)

// Scope says what a page matches.
type Scope string

// The scopes.
const (
	ScopeCompany       Scope = "empresa"
	ScopeEstablishment Scope = "estabelecimento"
)

// Document is what is asked about: a company, or one establishment of it.
type Document struct {
	Root  cnpj.Root
	Order *cnpj.Order // nil: the company with all its establishments
	Whole bool        // the company with all its establishments too; of Order the records are only counted
}

// ofCompany reports whether the records of all establishments are asked for.
func (d *Document) ofCompany() bool { return d.Order == nil || d.Whole }

// SourcePage is a part of what a source has about a document.
type SourcePage struct {
	Source source.Source
	Status Status
	Scope  Scope
	Load   *Load // nil when Unavailable, and when Failed before the load could be read
	Total  int   // of Found and None
	Items  []pack.Item
	From   int   // position of the first item
	Err    error // why it Failed, for the log

	InCompany int // of Found and None: how many the whole company has, whatever the scope
	Here      int // of these, the establishment that was asked about; -1 when none was, or the publisher names the company only
}

// Selection is a part of a source's records about a document.
type Selection struct {
	Range
	At     []int    // positions in the list of the document, rising, instead of the Range
	Fields []string // all that the items are to have; nil: every field
}

// Answered reports whether the source could be asked at all: Total and Items hold.
func (p *SourcePage) Answered() bool { return p.Status == Found || p.Status == None }

// Next returns the position after the page; ok is false at the end.
func (p *SourcePage) Next() (from int, ok bool) {
	from = p.From + len(p.Items)
	return from, len(p.Items) > 0 && from < p.Total
}

const (
	sourceDeadline   = 2 * time.Second        // of a source that is asked on its own
	troubledDeadline = 250 * time.Millisecond // the same, beside others, while it is known to be in trouble
	togetherDeadline = 250 * time.Millisecond // of all sources asked at once
	maxSourcesAtOnce = 4                      // connections that one request may hold
)

// Sources returns the first page of every source, in the order of source.All, with up to limit items each. It has no
// error: a source that fails or is slow is a page with the status Failed, and the others are not held up by it. Who gets no
// connection until ctx ends has pages that all failed.
func (v *View) Sources(ctx context.Context, d Document, limit int) []SourcePage {
	pages := make([]SourcePage, len(v.sources))
	rows, err := v.together(ctx, d)
	if err != nil {
		for i, sv := range v.sources {
			pages[i] = sv.failed(d, err)
		}
		return pages
	}
	g := errgroup.Group{}
	g.SetLimit(maxSourcesAtOnce)
	for i, sv := range v.sources {
		in := Selection{Range: Range{Limit: limit}}
		if got, ok := rows[i]; ok {
			page, err := sv.page(ctx, v.pool, d, in, got)
			if err == nil {
				pages[i] = page
				continue
			}
		}
		deadline := sourceDeadline
		if sv.inTrouble() {
			deadline = troubledDeadline // those who ask for all sources have waited for it once
		}
		g.Go(func() error {
			pages[i] = sv.ask(ctx, d, in, deadline)
			return nil
		})
	}
	_ = g.Wait()
	return pages
}

// Source returns a page of one source; found is false when there is no source with this id. A source that fails is a
// page with the status Failed.
func (v *View) Source(ctx context.Context, id string, d Document, in Range) (page SourcePage, found bool) {
	return v.Select(ctx, id, d, Selection{Range: in})
}

// Select is Source for any of the items, and of their fields.
func (v *View) Select(ctx context.Context, id string, d Document, in Selection) (page SourcePage, found bool) {
	for _, sv := range v.sources {
		if sv.ID == id {
			return sv.ask(ctx, d, in, sourceDeadline), true
		}
	}
	return SourcePage{}, false
}

// firstRows are the rows that a first page begins with, nil where there is none.
type firstRows struct{ head, directory []byte }

// together asks all sources that are not in trouble with one statement: fourteen look-ups by key cost little more than
// one. Sources that are missing from the answer were not asked, or the statement failed as a whole.
//
// An error means that there was no connection. The wait for one is not in the deadline of the statement: a saturated pool is
// no source's trouble, and to ask each source on its own then would multiply the load when there is too much of it.
func (v *View) together(ctx context.Context, d Document) (map[int]firstRows, error) {
	rows := make(map[int]firstRows, len(v.sources))
	var query strings.Builder
	for i, sv := range v.sources {
		if sv.load == 0 || sv.opened.Load() == nil || sv.inTrouble() {
			continue
		}
		if len(rows) > 0 {
			query.WriteString(" UNION ALL ")
		}
		fmt.Fprintf(&query, `SELECT %d, seq, doc FROM %s.record WHERE root = $1 AND seq IN (0, $2)`, i, sv.schema)
		rows[i] = firstRows{}
	}
	if len(rows) == 0 {
		return nil, nil
	}
	conn, err := acquire(ctx, v.pool)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	ctx, cancel := context.WithTimeout(ctx, togetherDeadline)
	defer cancel()
	result, err := conn.Query(ctx, query.String(), int64(d.Root), d.directorySeq())
	if err != nil {
		return nil, nil
	}
	var i, seq int
	var doc []byte
	_, err = pgx.ForEachRow(result, []any{&i, &seq, &doc}, func() error {
		r := rows[i]
		if seq == 0 {
			r.head = doc
		} else {
			r.directory = doc
		}
		rows[i] = r
		return nil
	})
	if err != nil {
		return nil, nil
	}
	for i := range rows {
		v.sources[i].troubled.Store(0)
	}
	return rows, nil
}

func acquire(ctx context.Context, pool *pgxpool.Pool) (*pgxpool.Conn, error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("wait for a connection: %w", err)
	}
	return conn, nil
}

// directorySeq is the row that lists the establishment's items, or that of the head again.
func (d *Document) directorySeq() int32 {
	if d.Order == nil {
		return 0
	}
	return pack.DirectorySeq(*d.Order)
}

// ask returns a page of the source, asked on its own with its own deadline.
func (v *sourceView) ask(ctx context.Context, d Document, in Selection, deadline time.Duration) SourcePage {
	if v.load == 0 {
		return SourcePage{Source: v.Source, Status: Unavailable, Scope: v.scope(d)}
	}
	var page SourcePage
	err := recovery.Do(func() (err error) { // others ask beside, in goroutines of their own
		page, err = v.askOnce(ctx, d, in, deadline)
		return err
	})
	if err == nil {
		v.troubled.Store(0)
		return page
	}
	if ctx.Err() == nil && !errors.Is(err, errInTrouble) { // the trouble is the source's, not the caller's, who may have waited for a connection in vain
		v.troubled.Store(time.Now().UnixNano())
	}
	return v.failed(d, err)
}

func (v *sourceView) failed(d Document, err error) SourcePage {
	if v.load == 0 {
		return SourcePage{Source: v.Source, Status: Unavailable, Scope: v.scope(d)}
	}
	page := SourcePage{Source: v.Source, Status: Failed, Scope: v.scope(d), Err: err}
	if o := v.opened.Load(); o != nil {
		page.Load = &o.load
	}
	return page
}

// askOnce gives the source a time to open and a time to answer, beside that for a connection.
func (v *sourceView) askOnce(ctx context.Context, d Document, in Selection, deadline time.Duration) (SourcePage, error) {
	opening, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	if _, err := v.open(opening); err != nil {
		return SourcePage{}, err
	}
	if err := v.enter(ctx); err != nil {
		return SourcePage{}, err
	}
	defer func() { <-v.alone }()
	conn, err := acquire(ctx, v.pool)
	if err != nil {
		return SourcePage{}, err
	}
	defer conn.Release()
	ctx, cancel = context.WithTimeout(ctx, deadline)
	defer cancel()
	query := `SELECT seq, doc FROM ` + v.schema + `.record WHERE root = $1 AND seq IN (0, $2)`
	result, err := conn.Query(ctx, query, int64(d.Root), d.directorySeq())
	if err != nil {
		return SourcePage{}, err
	}
	var rows firstRows
	var seq int
	var doc []byte
	_, err = pgx.ForEachRow(result, []any{&seq, &doc}, func() error {
		if seq == 0 {
			rows.head = doc
		} else {
			rows.directory = doc
		}
		return nil
	})
	if err != nil {
		return SourcePage{}, err
	}
	return v.page(ctx, conn, d, in, rows)
}

func (v *sourceView) scope(d Document) Scope {
	if d.ofCompany() || v.CompanyOnly {
		return ScopeCompany
	}
	return ScopeEstablishment
}

// querier is a connection, or the pool, which takes one for each statement.
type querier interface {
	Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
}

// page makes a page from the rows it begins with, reading further chunks where it needs them.
func (v *sourceView) page(ctx context.Context, db querier, d Document, in Selection, rows firstRows) (SourcePage, error) {
	o, err := v.open(ctx)
	if err != nil {
		return SourcePage{}, err
	}
	page := SourcePage{Source: v.Source, Status: None, Scope: v.scope(d), Load: &o.load, From: in.From, Here: -1}
	counted := d.Order != nil && !v.CompanyOnly
	if counted {
		page.Here = 0
	}
	if rows.head == nil {
		return page, nil
	}
	c, err := pack.OpenItems(d.Root, rows.head)
	if err != nil {
		return SourcePage{}, err
	}
	var own []int // positions of the establishment's
	if counted {
		if own, err = c.Positions(*d.Order, rows.directory); err != nil {
			return SourcePage{}, err
		}
		page.Here = len(own)
	}
	page.InCompany, page.Total = c.Total, c.Total
	if page.Scope == ScopeEstablishment {
		page.Total = len(own)
	}
	wanted := in.positions(page.Total)
	if page.Scope == ScopeEstablishment {
		for i, position := range wanted {
			wanted[i] = own[position]
		}
	}
	c.Want(wanted)
	c.Only(o.fields, in.Fields)
	if page.Total > 0 {
		page.Status = Found
	}
	if page.Items, err = v.items(ctx, db, o, d.Root, c); err != nil {
		return SourcePage{}, fmt.Errorf("read records of %s: %w", v.ID, err)
	}
	return page, nil
}

// positions returns the selected positions of a list of total items.
func (in *Selection) positions(total int) []int {
	if in.At != nil {
		return slices.DeleteFunc(slices.Clone(in.At), func(i int) bool { return i < 0 || i >= total })
	}
	var positions []int
	for i := in.From; i < min(in.From+in.Limit, total); i++ {
		positions = append(positions, i)
	}
	return positions
}

// items reads the wanted items: those of the first chunk are at hand, the chunks with the others are read.
func (v *sourceView) items(ctx context.Context, db querier, o *openedSource, root cnpj.Root, c *pack.Items) ([]pack.Item, error) {
	items, err := c.First(o.fields, o.dictionary)
	chunks := c.Chunks()
	if err != nil || len(chunks) == 0 {
		return items, err
	}
	rows, err := db.Query(ctx, v.chunkSQL, int64(root), chunks)
	if err != nil {
		return nil, err
	}
	var chunk int
	var doc []byte
	_, err = pgx.ForEachRow(rows, []any{&chunk, &doc}, func() (err error) {
		items, err = c.Further(items, chunk, doc, o.fields, o.dictionary)
		return err
	})
	if err == nil {
		err = c.Done()
	}
	return items, err
}
