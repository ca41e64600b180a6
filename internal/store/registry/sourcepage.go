package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/recovery"
	"razao/internal/store/registry/pack"
)

// Status is the outcome of asking a source about a document.
type Status string

// The outcomes.
const (
	Found       Status = "encontrado"
	None        Status = "sem_ocorrencia" // no records in this load, which certifies nothing
	Unavailable Status = "indisponivel"   // the snapshot has no load of the source
	Failed      Status = "erro"           // the source could not be asked; others may be fine
)

// Scope says whose records a page has.
type Scope string

// The scopes.
const (
	ScopeCompany       Scope = "empresa"         // of the company and all its establishments
	ScopeEstablishment Scope = "estabelecimento" // of one establishment
)

// Document is what a source is asked about: a company, or one of its establishments. It need not
// exist.
type Document struct {
	Root  cnpj.Root
	Order *cnpj.Order // nil: the company with all its establishments
	Whole bool        // the company even though Order is set; the records of Order are only counted
}

// ParseDocument parses a CNPJ without mask: a root of 8 positions, or a full number of 14 with
// check digits. The error is cnpj.ErrInvalid.
func ParseDocument(s string) (Document, error) {
	const rootLength = 8
	if len(s) == rootLength {
		root, err := cnpj.ParseRoot(s)
		return Document{Root: root}, err
	}
	full, err := cnpj.ParseFull(s)
	order := full.Order()
	return Document{Root: full.Root(), Order: &order}, err
}

// ofCompany reports whether the document stands for the company with all its establishments.
func (d *Document) ofCompany() bool { return d.Order == nil || d.Whole }

// SourcePage is a part of the records that a source has of a document, in the order in which they
// are served. Load is shared by all pages of the source and must not be changed.
type SourcePage struct {
	Source source.Source
	Status Status
	Scope  Scope
	Load   *Load // nil if Unavailable, or if Failed before the load could be read
	Total  int   // records of the document, if Answered
	Items  []pack.Item
	From   int   // position of the first item among Total
	Err    error // why the source Failed, for the log

	InCompany int // records of the whole company, whatever the scope, if Answered
	Here      int // those of Document.Order among them; -1: no Order, or the source names companies only
}

// Selection selects records of a document and fields of these records.
type Selection struct {
	Range
	At     []int    // positions among the records of the document, ascending; nil: the Range
	Fields []string // names of the fields to read; nil: all
}

// Answered reports whether the source answered, with records or with none: only then do Total,
// InCompany, Here and Items mean anything.
func (p *SourcePage) Answered() bool { return p.Status == Found || p.Status == None }

// Next returns the position at which the next page begins; ok is false if this is the last one.
func (p *SourcePage) Next() (from int, ok bool) {
	from = p.From + len(p.Items)
	return from, len(p.Items) > 0 && from < p.Total
}

const (
	sourceDeadline   = 2 * time.Second        // for a source that is asked alone
	troubledDeadline = 250 * time.Millisecond // for one in trouble, when all sources are asked
	togetherDeadline = 250 * time.Millisecond // for the joint statement of all sources
	maxSourcesAtOnce = 4                      // connections that one request may hold
)

// Sources returns the first page of every source, in the order of source.All, with up to limit
// items each. It returns no error: a source that fails or is slow has a page with the status Failed
// and does not delay the others.
//
// All sources are asked with one statement. If that fails or takes too long, and for sources that
// are in trouble, each is asked alone, at most maxSourcesAtOnce at a time, with its own deadline.
// If ctx ends before there is a connection, all pages have failed.
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
			deadline = troubledDeadline // an earlier request has spent the full one on it
		}
		g.Go(func() error {
			pages[i] = sv.ask(ctx, d, in, deadline)
			return nil
		})
	}
	_ = g.Wait()
	return pages
}

// Select returns a page of one source; found is false if there is no source with this id. A source
// that fails has a page with the status Failed.
func (v *View) Select(ctx context.Context, id string, d Document, in Selection) (page SourcePage, found bool) {
	for _, sv := range v.sources {
		if sv.ID == id {
			return sv.ask(ctx, d, in, sourceDeadline), true
		}
	}
	return SourcePage{}, false
}

// firstRows are the two rows that every page needs, nil where there is none: the head of a root's
// records, and the directory of an establishment (pack.DirectorySeq).
type firstRows struct{ head, directory []byte }

// together asks all open sources that may have records of the company, and are not in trouble, with
// one statement, a union of look-ups by key, which costs little more than one look-up. The result has
// the rows by position in v.sources, an entry with two nil rows where a source has no records.
// Sources without an entry were not asked, or the statement failed: one locked table fails it for all.
//
// An error means that there was no connection. Waiting for one is not part of the deadline of the
// statement: a saturated pool is not the fault of any source, and asking each of them alone would
// amplify the overload.
func (v *View) together(ctx context.Context, d Document) (map[int]firstRows, error) {
	rows := make(map[int]firstRows, len(v.sources))
	var asked []int // sources
	var query strings.Builder
	for i, sv := range v.sources {
		if sv.without(d.Root) {
			rows[i] = firstRows{}
			continue
		}
		if sv.load == 0 || sv.opened.Load() == nil || sv.inTrouble() {
			continue
		}
		if len(asked) > 0 {
			query.WriteString(" UNION ALL ")
		}
		query.WriteString(sv.firstRowsSQL(i))
		asked = append(asked, i)
	}
	if len(asked) == 0 {
		return rows, nil
	}
	conn, err := acquire(ctx, v.pool)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	ctx, cancel := context.WithTimeout(ctx, togetherDeadline)
	defer cancel()
	found, err := d.firstRows(ctx, conn, query.String())
	if err != nil {
		return rows, nil
	}
	for _, i := range asked {
		rows[i] = found[i]
		v.sources[i].troubled.Store(0)
	}
	return rows, nil
}

// firstRows runs a union of firstRowsSQL and returns the rows by label.
func (d *Document) firstRows(ctx context.Context, db querier, query string) (map[int]firstRows, error) {
	found := map[int]firstRows{}
	var label, seq int
	var doc []byte
	err := eachRow(ctx, db, []any{&label, &seq, &doc}, func() error {
		r := found[label]
		if seq == 0 {
			r.head = doc
		} else {
			r.directory = doc
		}
		found[label] = r
		return nil
	}, query, int64(d.Root), d.directorySeq())
	return found, err
}

// errNoConnection means that no source was asked: the pool had no connection, or PostgreSQL gives none.
var errNoConnection = errors.New("wait for a connection")

// acquire takes a connection of the pool, waiting until ctx ends.
func acquire(ctx context.Context, pool *pgxpool.Pool) (*pgxpool.Conn, error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoConnection, err)
	}
	return conn, nil
}

// directorySeq returns the seq of the directory row of the establishment, or that of the head row
// if there is no establishment, so that the same statement serves both.
func (d *Document) directorySeq() int32 {
	if d.Order == nil {
		return 0
	}
	return pack.DirectorySeq(*d.Order)
}

// ask returns a page of the source, asked alone with the given deadline, and notes whether it is in
// trouble.
func (v *sourceView) ask(ctx context.Context, d Document, in Selection, deadline time.Duration) SourcePage {
	if v.load == 0 {
		return SourcePage{Source: v.Source, Status: Unavailable, Scope: v.scope(d)}
	}
	var page SourcePage
	err := recovery.Do(func() (err error) { // in a goroutine of Sources a panic would end the program
		page, err = v.askOnce(ctx, d, in, deadline)
		return err
	})
	if err == nil {
		v.troubled.Store(0)
		return page
	}
	// If ctx has ended, the caller left, or its wait for a connection timed out: not the source's fault.
	if ctx.Err() == nil && !errors.Is(err, errInTrouble) && !errors.Is(err, errNoConnection) {
		v.troubled.Store(time.Now().UnixNano())
	}
	return v.failed(d, err)
}

// failed returns the page of a source that err kept from answering.
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

// askOnce opens the source and asks it, each within the deadline. Waiting for a slot (enter) and
// for a connection counts for neither and ends with ctx.
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
	rows, err := d.firstRows(ctx, conn, v.firstRowsSQL(0))
	if err != nil {
		return SourcePage{}, err
	}
	return v.page(ctx, conn, d, in, rows[0])
}

// scope returns whose records a page about d has. A source that names companies only has nothing
// about single establishments: it answers for their company.
func (v *sourceView) scope(d Document) Scope {
	if d.ofCompany() || v.CompanyOnly {
		return ScopeCompany
	}
	return ScopeEstablishment
}

// page makes a page from its first rows, reading those further chunks that have wanted items.
// Records of an establishment are positions among those of the company, from the directory.
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
	var own []int // positions of the records of the establishment
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

// positions returns the selected positions in a list of total items, without those outside of it.
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

// items returns the wanted items: from the head row, and from the further chunks that have the
// others, with one statement.
func (v *sourceView) items(ctx context.Context, db querier, o *openedSource, root cnpj.Root, c *pack.Items) ([]pack.Item, error) {
	items, err := c.First(o.fields, o.dictionary)
	chunks := c.Chunks()
	if err != nil || len(chunks) == 0 {
		return items, err
	}
	var chunk int
	var doc []byte
	err = eachRow(ctx, db, []any{&chunk, &doc}, func() (err error) {
		items, err = c.Further(items, chunk, doc, o.fields, o.dictionary)
		return err
	}, v.chunkSQL, int64(root), chunks)
	if err == nil {
		err = c.Done()
	}
	return items, err
}
