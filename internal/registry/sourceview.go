package registry

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/cnpj"
	"razao/internal/registry/presence"
	"razao/internal/source"
)

// sourceView reads the records of one source in one snapshot. It opens itself when it is first used, so that a source
// in trouble stands in nobody's way and recovers when the trouble ends.
type sourceView struct {
	source.Source
	pool *pgxpool.Pool
	load int64 // 0: the snapshot has no load of this source

	schema   string
	chunkSQL string

	opening chan struct{} // holds one value while somebody reads what the load says
	opened  atomic.Pointer[openedSource]
	owners  atomic.Pointer[presence.Roots] // nil: not known, so that everybody may be one

	alone    chan struct{} // holds a value for each question to this source alone: see maxAlone
	troubled atomic.Int64  // Unix nanoseconds of the last failure, or of the last probe after it; 0: it has answered since
}

// openedSource is what a load says about its records.
type openedSource struct {
	load       Load
	fields     []source.Field
	dictionary []string
}

func newSourceView(pool *pgxpool.Pool, src source.Source, load int64) *sourceView {
	schema := pgx.Identifier{schemaName(load)}.Sanitize()
	return &sourceView{
		Source: src, pool: pool, load: load, schema: schema, opening: make(chan struct{}, 1),
		alone:    make(chan struct{}, max(1, pool.Config().MaxConns/maxAlone)),
		chunkSQL: `SELECT seq, doc FROM ` + schema + `.record WHERE root = $1 AND seq = ANY($2) ORDER BY seq`,
	}
}

// open reads what the load says about its records, once.
func (v *sourceView) open(ctx context.Context) (*openedSource, error) {
	if o := v.opened.Load(); o != nil {
		return o, nil
	}
	select {
	case v.opening <- struct{}{}:
		defer func() { <-v.opening }()
	case <-ctx.Done(): // whoever reads may wait longer than this caller
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

func (v *sourceView) read(ctx context.Context) (*openedSource, error) {
	o := &openedSource{}
	var err error
	if o.load, err = NewStore(v.pool).Load(ctx, v.load); err != nil {
		return nil, err
	}
	rows, err := v.pool.Query(ctx, `SELECT name, kind FROM `+v.schema+`.field ORDER BY position`)
	if err != nil {
		return nil, err
	}
	if o.fields, err = pgx.CollectRows(rows, fieldOf); err != nil {
		return nil, err
	}
	rows, err = v.pool.Query(ctx, `SELECT text FROM `+v.schema+`.dictionary ORDER BY code`)
	if err != nil {
		return nil, err
	}
	o.dictionary, err = pgx.CollectRows(rows, pgx.RowTo[string])
	return o, err
}

// fieldOf reads a field as a load names it.
func fieldOf(row pgx.CollectableRow) (f source.Field, err error) {
	err = row.Scan(&f.Name, &f.Kind)
	return f, err
}

// tryOpen opens the source unless that takes too long: what fails here is tried again, and told, when it is asked for.
func (v *sourceView) tryOpen(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, sourceDeadline)
	defer cancel()
	_, _ = v.open(ctx)
}

// troubleLasts is for how long after a failure a source is asked on its own, so that it cannot hold up the others; then one statement
// probes it, and the next only troubleProbe later (a half-open circuit breaker).
const (
	troubleLasts = 5 * time.Second
	troubleProbe = 500 * time.Millisecond
)

// without reports whether the source certainly has no records of a company and can say so without a
// statement.
func (v *sourceView) without(root cnpj.Root) bool {
	owners := v.owners.Load()
	return owners != nil && v.opened.Load() != nil && !owners.Has(root)
}

func (v *sourceView) inTrouble() bool {
	last, now := v.troubled.Load(), time.Now().UnixNano()
	if last == 0 {
		return false
	}
	return now-last < int64(troubleLasts) || !v.troubled.CompareAndSwap(last, now-int64(troubleLasts-troubleProbe))
}

// maxAlone is which part of the connections questions to one source alone may hold (bulkhead): when its records are locked, each of
// them waits in PostgreSQL.
const maxAlone = 4

var errInTrouble = errors.New("the source is in trouble, and others are asking it")

// enter takes a place for a question to this source alone. Nobody waits for one behind questions that have just failed.
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

// sourceViews returns a reader for every source of a snapshot, in the order of source.All.
func (s *Store) sourceViews(snapshot Snapshot) []*sourceView {
	var views []*sourceView
	for _, src := range source.All() {
		views = append(views, newSourceView(s.pool, src, snapshot.Loads[src.ID]))
	}
	return views
}

// SourceLoad returns the load of a source in this snapshot; ok is false when it has none.
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
