package registry

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/RoaringBitmap/roaring/v2/roaring64"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/data/cnpj"
	"razao/internal/data/source"
)

// sourceView reads the records of one source in one snapshot. It opens itself on first use and
// tries again after a failure, so a source in trouble does not keep a snapshot from being served
// and recovers by itself. It is safe for concurrent use.
//
// Three mechanisms keep a failing source from hurting the rest: a deadline for each query, a
// circuit breaker (inTrouble), and a bound on the connections that it may hold (enter).
type sourceView struct {
	source.Source
	pool *pgxpool.Pool
	load int64 // 0: the snapshot has no load of this source

	schema   string // quoted
	chunkSQL string // further chunks of a root, in the order of seq

	opening chan struct{} // a mutex that can be waited for with a context: full while somebody opens
	opened  atomic.Pointer[openedSource]
	owners  atomic.Pointer[roaring64.Bitmap] // roots of the companies that the load has records of; nil: not known

	alone    chan struct{} // a semaphore of queries to this source alone, see maxAlone
	troubled atomic.Int64  // Unix nanoseconds that troubleLasts counts from; 0: not in trouble
}

// openedSource is what reading the records of a load takes. It stays in memory and never changes.
type openedSource struct {
	load       Load
	fields     []source.Field // as of when the load was written
	dictionary []string       // texts by code
}

// newSourceView returns the view of a source, unopened; load 0 means that there is no load.
func newSourceView(pool *pgxpool.Pool, src source.Source, load int64) *sourceView {
	schema := pgx.Identifier{schemaName(load)}.Sanitize()
	return &sourceView{
		Source: src, pool: pool, load: load, schema: schema, opening: make(chan struct{}, 1),
		alone: make(chan struct{}, max(1, pool.Config().MaxConns/maxAlone)),
		// OFFSET 0 keeps the look-ups by key that seq = ANY($2) would not be, see firstRowsSQL.
		chunkSQL: `SELECT seq, doc FROM unnest($2::integer[]) AS wanted (chunk),
			LATERAL (SELECT seq, doc FROM ` + schema + `.record WHERE root = $1 AND seq = chunk OFFSET 0) AS found ORDER BY seq`,
	}
}

// firstRowsSQL returns the query for the first rows of root $1, with the directory row $2, which is
// negative, or 0 for the head row alone: label, seq and doc. PostgreSQL uses no list as a condition of
// the index when it expects one row for a root, as most have: with seq IN (0, $2) it would read all
// rows of a large company.
func (v *sourceView) firstRowsSQL(label int) string {
	row := fmt.Sprintf(`SELECT %d, seq, doc FROM %s.record WHERE root = $1 AND seq = `, label, v.schema)
	return row + `0 UNION ALL ` + row + `$2 AND $2 < 0`
}

// open returns what reading the records takes. The first call that succeeds reads it, one at a
// time; the others wait until their own ctx ends.
func (v *sourceView) open(ctx context.Context) (*openedSource, error) {
	if o := v.opened.Load(); o != nil {
		return o, nil
	}
	select {
	case v.opening <- struct{}{}:
		defer func() { <-v.opening }()
	case <-ctx.Done(): // the caller that reads may have a longer deadline than this one
		return nil, fmt.Errorf("open load %d of %s: %w", v.load, v.ID, ctx.Err())
	}
	if o := v.opened.Load(); o != nil {
		return o, nil
	}
	o, err := v.read(ctx)
	if err != nil {
		return nil, fmt.Errorf("open load %d of %s: %w", v.load, v.ID, err)
	}
	v.opened.Store(o)
	return o, nil
}

// read reads the load's row, fields and dictionary.
func (v *sourceView) read(ctx context.Context) (*openedSource, error) {
	o := &openedSource{}
	var err error
	if o.load, err = NewStore(v.pool).Load(ctx, v.load); err != nil {
		return nil, err
	}
	if o.fields, err = collect(ctx, v.pool, fieldOf, `SELECT name, kind FROM `+v.schema+`.field ORDER BY position`); err != nil {
		return nil, err
	}
	o.dictionary, err = collect(ctx, v.pool, pgx.RowTo[string], `SELECT text FROM `+v.schema+`.dictionary ORDER BY code`)
	return o, err
}

// fieldOf scans a field as the load names it: name and kind, without what source.Source says of it.
func fieldOf(row pgx.CollectableRow) (f source.Field, err error) {
	err = row.Scan(&f.Name, &f.Kind)
	return f, err
}

// tryOpen opens the source within its deadline. An error is dropped: the next query tries again
// and reports it.
func (v *sourceView) tryOpen(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, sourceDeadline)
	defer cancel()
	_, _ = v.open(ctx)
}

// The circuit breaker of a source: after a failure it stays out of the joint statement of all
// sources for troubleLasts, so that it cannot fail the others. Then it is half-open: one statement
// at a time may probe it, the next only troubleProbe later. A success closes the breaker.
const (
	troubleLasts = 5 * time.Second
	troubleProbe = 500 * time.Millisecond
)

// without reports whether the source certainly has no records of a company and can say so without a
// statement.
func (v *sourceView) without(root cnpj.Root) bool {
	owners := v.owners.Load()
	return owners != nil && v.opened.Load() != nil && !owners.Contains(uint64(root))
}

// inTrouble reports whether the breaker is open. When a probe is due, it returns false to one
// caller, who wins the compare-and-swap that postpones the next probe.
func (v *sourceView) inTrouble() bool {
	last, now := v.troubled.Load(), time.Now().UnixNano()
	if last == 0 {
		return false
	}
	return now-last < int64(troubleLasts) || !v.troubled.CompareAndSwap(last, now-int64(troubleLasts-troubleProbe))
}

// maxAlone bounds the connections that queries to a single source may hold to 1/maxAlone of the
// pool (bulkhead). When its tables are locked, each of them waits in PostgreSQL with its
// connection.
const maxAlone = 4

// errInTrouble fails a query fast: the slots of the source are taken, and its breaker is open.
var errInTrouble = errors.New("the source is in trouble, and others are asking it")

// enter takes a slot in v.alone for a query to this source alone; the caller releases it. It waits
// for one only while the source is not in trouble, and releases it with errInTrouble if the queries
// that it waited for have failed.
func (v *sourceView) enter(ctx context.Context) error {
	select {
	case v.alone <- struct{}{}:
		return nil
	default:
	}
	if v.inTrouble() {
		return errInTrouble
	}
	select {
	case v.alone <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	if v.inTrouble() {
		<-v.alone
		return errInTrouble
	}
	return nil
}

// sourceViews returns a view for every source, in the order of source.All, also for those without a
// load in the snapshot.
func (s *Store) sourceViews(snapshot Snapshot) []*sourceView {
	var views []*sourceView
	for _, src := range source.All() {
		views = append(views, newSourceView(s.pool, src, snapshot.Loads[src.ID]))
	}
	return views
}

// SourceLoad returns the load of a source in this snapshot; ok is false if it has none. id is not
// Receita, whose load is View.Load. ok is true with an error: there is a load that cannot be read.
func (v *View) SourceLoad(ctx context.Context, id string) (l Load, ok bool, err error) {
	for _, sv := range v.sources {
		if sv.ID != id || sv.load == 0 {
			continue
		}
		o, err := sv.open(ctx)
		if err != nil {
			return Load{}, true, err
		}
		return o.load, true, nil
	}
	return Load{}, false, nil
}
