package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"razao/internal/data/cnpj"
)

// Querier is a connection, a transaction or a pool.
type Querier interface {
	Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
}

// Chain is the history of a snapshot: the loads that its own descend from by comparison. It does
// not change, and is safe for concurrent use.
type Chain struct {
	Loads     []Load      // by Seq
	Withdrawn []Withdrawn // by Seq

	byID      map[int64]*Load
	stored    Revision
	forgotten int64 // the last number of the journal whose load an operator has deleted from the history
}

// Withdrawn is a load that was announced and is not part of the history any more.
type Withdrawn struct {
	Seq       int64 // its withdrawal
	Announced int64 // the number under which it was announced last before that
	Source    string
	Period    string
	Load      int64
}

// Revision tells states of a stored history from each other.
type Revision struct {
	loads  int64 // of the chain
	writer int64 // transaction that wrote the last of them, which one that is built again has, too
	seq    int64 // last number of the journal
}

// RevisionOf returns the state of the history of a snapshot with these loads, and whether the snapshot is in service.
func RevisionOf(ctx context.Context, db Querier, snapshot int64, loads []int64) (s Revision, current bool, err error) {
	const query = `
		WITH RECURSIVE chain AS (
			SELECT load_id, former_id, xmin::text::bigint AS writer FROM history WHERE load_id = ANY($1)
			UNION SELECT h.load_id, h.former_id, h.xmin::text::bigint FROM history h JOIN chain ON h.load_id = chain.former_id)
		SELECT count(*), coalesce(max(writer), 0), (SELECT coalesce(max(seq), 0) FROM history_journal),
			EXISTS (SELECT FROM current_snapshot WHERE snapshot_id = $2)
		FROM chain`
	_, err = collect(ctx, db, func(row pgx.CollectableRow) (struct{}, error) {
		return struct{}{}, row.Scan(&s.loads, &s.writer, &s.seq, &current)
	}, query, loads, snapshot)
	if err != nil {
		return Revision{}, false, fmt.Errorf("state of the history: %w", err)
	}
	return s, current, nil
}

// Is reports whether the chain was read from a state.
func (c *Chain) Is(s Revision) bool { return c.stored == s }

// Read returns the history of a snapshot with these loads.
func Read(ctx context.Context, db Querier, loads []int64) (*Chain, error) {
	c := &Chain{byID: map[int64]*Load{}}
	var err error
	if c.stored, _, err = RevisionOf(ctx, db, 0, loads); err != nil { // before what it tells of
		return nil, err
	}
	const query = `
		WITH RECURSIVE chain AS (
			SELECT load_id, former_id FROM history WHERE load_id = ANY($1)
			UNION SELECT h.load_id, h.former_id FROM history h JOIN chain ON h.load_id = chain.former_id)
		SELECT h.load_id, l.source, l.period, l.invented, coalesce(h.former_id, 0), coalesce(f.period, ''), h.gaps, h.companies, h.events, h.level,
			coalesce(j.seq, 0), coalesce(j.at, l.started_at)
		FROM chain JOIN history h USING (load_id) JOIN load l ON l.id = h.load_id LEFT JOIN load f ON f.id = h.former_id
			LEFT JOIN LATERAL (SELECT seq, at FROM history_journal WHERE load_id = h.load_id AND NOT withdrawn ORDER BY seq DESC LIMIT 1) j ON true
		ORDER BY j.seq, h.load_id`
	if c.Loads, err = collect(ctx, db, func(row pgx.CollectableRow) (l Load, err error) {
		err = row.Scan(&l.ID, &l.Source, &l.Period, &l.Invented, &l.Former, &l.FormerPeriod, &l.Gaps, &l.Companies, &l.Events, &l.level, &l.Seq, &l.AnnouncedAt)
		return l, err
	}, query, loads); err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	for i := range c.Loads {
		c.byID[c.Loads[i].ID] = &c.Loads[i]
	}
	const withdrawn = `
		SELECT w.seq, t.seq, l.source, l.period, w.load_id
		FROM history_journal w JOIN load l ON l.id = w.load_id
			JOIN LATERAL (SELECT seq FROM history_journal WHERE load_id = w.load_id AND NOT withdrawn AND seq < w.seq ORDER BY seq DESC LIMIT 1) t ON true
		WHERE w.withdrawn ORDER BY w.seq`
	if c.Withdrawn, err = collect(ctx, db, pgx.RowToStructByPos[Withdrawn], withdrawn); err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	const forgotten = `
		SELECT coalesce(max(seq), 0) FROM history_journal first
		WHERE NOT withdrawn AND NOT EXISTS (SELECT FROM history WHERE load_id = first.load_id)
			AND NOT EXISTS (SELECT FROM history_journal later WHERE later.load_id = first.load_id AND later.seq > first.seq)`
	numbers, err := collect(ctx, db, pgx.RowTo[int64], forgotten)
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	c.forgotten = numbers[0]
	return c, nil
}

func collect[T any](ctx context.Context, db Querier, row pgx.RowToFunc[T], query string, args ...any) ([]T, error) {
	rows, err := db.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, row)
}

// Load returns a load of the chain, nil if it has none with the id.
func (c *Chain) Load(id int64) *Load { return c.byID[id] }

// End is the position behind everything that has been announced, withdrawn or forgotten.
func (c *Chain) End() Position {
	last := c.forgotten
	if n := len(c.Loads); n > 0 {
		last = max(last, c.Loads[n-1].Seq)
	}
	if n := len(c.Withdrawn); n > 0 {
		last = max(last, c.Withdrawn[n-1].Seq)
	}
	return Position{Seq: last + 1}
}

// Found is what a load of the chain changed of a company.
type Found struct {
	Load *Load
	Entry
}

// Company returns what the loads of the chain changed of a company, the load announced last first.
func (c *Chain) Company(ctx context.Context, db Querier, root cnpj.Root) ([]Found, error) {
	found, err := c.Companies(ctx, db, []cnpj.Root{root}, nil)
	return found[root], err
}

// Companies is Company for several, of loads for which want is true; nil: of all.
func (c *Chain) Companies(ctx context.Context, db Querier, roots []cnpj.Root, want func(*Load) bool) (map[cnpj.Root][]Found, error) {
	wanted := make(map[cnpj.Root]bool, len(roots))
	for _, root := range roots {
		wanted[root] = true
	}
	var loads []int64
	inUse := map[int16]bool{}
	for i := range c.Loads {
		if l := &c.Loads[i]; l.Companies > 0 && (want == nil || want(l)) {
			loads, inUse[int16(l.level)] = append(loads, l.ID), true
		}
	}
	type key struct {
		level  int16
		bucket int32
	}
	keys := map[key]bool{}
	for root := range wanted {
		for level := range inUse {
			keys[key{level, bucketOf(Hash(root), int(level))}] = true
		}
	}
	var levels []int16
	var buckets []int32
	for k := range keys {
		levels, buckets = append(levels, k.level), append(buckets, k.bucket)
	}
	const query = `
		SELECT b.load_id, b.doc FROM unnest($1::smallint[], $2::integer[]) AS k (level, bucket)
			JOIN history_block b ON b.level = k.level AND b.bucket = k.bucket 
		WHERE b.load_id = ANY($3)`
	rows, err := db.Query(ctx, query, levels, buckets, loads)
	if err != nil {
		return nil, fmt.Errorf("history of companies: %w", err)
	}
	found := map[cnpj.Root][]Found{}
	var id int64
	var doc []byte
	_, err = pgx.ForEachRow(rows, []any{&id, &doc}, func() error {
		l := c.byID[id]
		return forEach(doc, func(e *Entry) bool {
			if wanted[e.Root] {
				found[e.Root] = append(found[e.Root], Found{l, *e})
			}
			return true
		})
	})
	if err != nil {
		return nil, fmt.Errorf("history of companies: %w", err)
	}
	for _, of := range found {
		slices.SortFunc(of, func(a, b Found) int { return cmp.Compare(b.Load.Seq, a.Load.Seq) })
	}
	return found, nil
}

// errStop ends a walk early.
var errStop = errors.New("stop")

// Walk calls visit for the entries at and behind a position, until visit returns false. at is the
// place of the entry, whose Event is the number of its events that the position has behind it; an
// entry is visited whole. Loads for which want is false are passed over; nil: all are wanted.
func (c *Chain) Walk(ctx context.Context, db Querier, from Position, want func(*Load) bool, visit func(at Position, l *Load, e *Entry) bool) error {
	for i := range c.Loads {
		l := &c.Loads[i]
		if l.Seq < from.Seq || want != nil && !want(l) {
			continue
		}
		at := Position{Seq: l.Seq}
		if l.Seq == from.Seq {
			at = from
		}
		switch err := c.walkLoad(ctx, db, l, at, visit); {
		case errors.Is(err, errStop):
			return nil
		case err != nil:
			return fmt.Errorf("history of load %d: %w", l.ID, err)
		}
	}
	return nil
}

// blocksRead is how many blocks are asked for at once: a page of a reader seldom needs more.
const blocksRead = 64

// walkLoad visits the entries of one load from a position in it.
func (c *Chain) walkLoad(ctx context.Context, db Querier, l *Load, from Position, visit func(Position, *Load, *Entry) bool) error {
	const query = `SELECT bucket, doc FROM history_block WHERE load_id = $1 AND bucket >= $2 ORDER BY bucket LIMIT $3`
	type block struct {
		Bucket int32
		Doc    []byte
	}
	for next := bucketOf(from.Hash, l.level); ; {
		blocks, err := collect(ctx, db, pgx.RowToStructByPos[block], query, l.ID, next, blocksRead)
		if err != nil {
			return err
		}
		for _, b := range blocks {
			goOn := true
			err := forEach(b.Doc, func(e *Entry) bool {
				at := Position{Seq: l.Seq, Hash: Hash(e.Root)}
				if at.Hash < from.Hash {
					return true
				}
				if at.Hash == from.Hash {
					at.Event = from.Event
				}
				goOn = visit(at, l, e)
				return goOn
			})
			if err != nil {
				return err
			}
			if !goOn {
				return errStop
			}
			next = b.Bucket + 1
		}
		if len(blocks) < blocksRead {
			return nil
		}
	}
}

// PlaceMonth is what a load of the Receita changed in some places.
type PlaceMonth struct {
	Load *Load
	PlaceCounts
}

// Places adds up the counts of municipalities and divisions of CNAE for each load of the chain, the
// load announced first first. Loads without any are left out. nil stands for all.
func (c *Chain) Places(ctx context.Context, db Querier, municipalities, divisions []string) ([]PlaceMonth, error) {
	const query = `
		SELECT load_id, sum(opened)::integer, sum(closed)::integer, sum(reactivated)::integer, sum(came)::integer, sum(went)::integer
		FROM history_place
		WHERE ($1::text[] IS NULL OR municipality = ANY($1)) AND ($2::text[] IS NULL OR division = ANY($2))
		GROUP BY load_id`
	months, err := collect(ctx, db, func(row pgx.CollectableRow) (m PlaceMonth, err error) {
		var load int64
		err = row.Scan(&load, &m.Opened, &m.Closed, &m.Reactivated, &m.Arrivals, &m.Departures)
		m.Load = c.byID[load]
		return m, err
	}, query, municipalities, divisions)
	if err != nil {
		return nil, fmt.Errorf("history of places: %w", err)
	}
	months = slices.DeleteFunc(months, func(m PlaceMonth) bool { return m.Load == nil })
	slices.SortFunc(months, func(a, b PlaceMonth) int { return cmp.Compare(a.Load.Seq, b.Load.Seq) })
	return months, nil
}

// Oldest returns the first position behind which nothing has been forgotten.
func (c *Chain) Oldest() Position { return Position{Seq: c.forgotten + 1} }

// WithdrawnSince returns the loads that a reader at from has seen, at least in part, and that were withdrawn since.
// A load is announced again under another number, so what was announced before from was there when the reader passed it,
// unless it had been withdrawn as of then.
func (c *Chain) WithdrawnSince(from Position) []Withdrawn {
	var seen []Withdrawn
	for _, w := range c.Withdrawn {
		if max(from.Seq, from.AsOf) <= w.Seq && (Position{Seq: w.Announced}).Before(from) {
			seen = append(seen, w)
		}
	}
	return seen
}
