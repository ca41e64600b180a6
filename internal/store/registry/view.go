package registry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry/history"
	"razao/internal/store/registry/pack"
)

// View reads the records of one snapshot. It is safe for concurrent use and always reads the same
// loads. Create it with Store.View; it needs no closing. When the records of its loads are deleted,
// its methods return errors.
type View struct {
	*records
	History *history.Chain // of all loads of the snapshot, as it was when the view was made
}

// records is what all views of a snapshot share.
type records struct {
	Snapshot Snapshot
	Load     Load           // of Receita
	Domains  record.Domains // of Load; not to be changed

	store             *Store
	cache             atomic.Pointer[RowCache] // nil: rows are read from PostgreSQL
	pool              *pgxpool.Pool
	schema            string        // of Load, quoted
	headSQL, headsSQL string        // one head, several heads
	rowSQL, upSQL     string        // one chunk, chunks with ascending seq
	downSQL, scanSQL  string        // chunks with descending seq, all rows
	rangeSQL          string        // rows of a range of roots
	sources           []*sourceView // in the order of source.All
}

// View opens a snapshot for reading. It reads the domain tables into memory and opens the sources,
// which may fail: they are tried again when they are asked. The error is ErrNoSnapshot if the
// snapshot has no load of Receita.
func (s *Store) View(ctx context.Context, snapshot Snapshot) (*View, error) {
	id, ok := snapshot.Loads[Receita]
	if !ok {
		return nil, fmt.Errorf("open snapshot %d: it has no load of %s: %w", snapshot.ID, Receita, ErrNoSnapshot)
	}
	load, err := s.Load(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("open snapshot %d: %w", snapshot.ID, err)
	}
	schema := pgx.Identifier{schemaName(id)}.Sanitize()
	v := &View{records: &records{
		Snapshot: snapshot, Load: load, store: s, pool: s.pool, schema: schema,
		headSQL:  `SELECT doc FROM ` + schema + `.record WHERE root = $1 AND seq = 0`,
		headsSQL: `SELECT root, doc FROM ` + schema + `.record WHERE root = ANY($1) AND seq = 0`,
		rowSQL:   `SELECT doc FROM ` + schema + `.record WHERE root = $1 AND seq = $2`,
		upSQL:    `SELECT doc FROM ` + schema + `.record WHERE root = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq`,
		downSQL:  `SELECT doc FROM ` + schema + `.record WHERE root = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq DESC`,
		scanSQL:  `SELECT root, seq, doc FROM ` + schema + `.record ORDER BY root, seq`,
		rangeSQL: `SELECT root, seq, doc FROM ` + schema + `.record WHERE root >= $1 AND root < $2 ORDER BY root, seq`,
	}}
	if v.Domains, err = s.domains(ctx, schema); err != nil {
		return nil, fmt.Errorf("open snapshot %d: %w", snapshot.ID, err)
	}
	if v.History, err = history.Read(ctx, s.pool, v.loads()); err != nil {
		return nil, fmt.Errorf("open snapshot %d: %w", snapshot.ID, err)
	}
	if err := s.learnHidden(ctx); err != nil {
		return nil, fmt.Errorf("open snapshot %d: %w", snapshot.ID, err)
	}
	v.sources = s.sourceViews(snapshot)
	for _, sv := range v.sources {
		if sv.load != 0 {
			sv.tryOpen(ctx)
		}
	}
	return v, nil
}

// Domains returns the tables of codes of a load of the Receita, whose records are kept.
func (s *Store) Domains(ctx context.Context, load int64) (record.Domains, error) {
	return s.domains(ctx, pgx.Identifier{schemaName(load)}.Sanitize())
}

// domains reads the domain tables of the load with this quoted schema.
func (s *Store) domains(ctx context.Context, schema string) (record.Domains, error) {
	all := record.Domains{}
	var kind record.Domain
	var code, description string
	err := eachRow(ctx, s.pool, []any{&kind, &code, &description}, func() error {
		if all[kind] == nil {
			all[kind] = map[string]string{}
		}
		all[kind][code] = description
		return nil
	}, `SELECT kind, code, description FROM `+schema+`.domain`)
	if err != nil {
		return nil, fmt.Errorf("domain tables: %w", err)
	}
	return all, nil
}

// Head returns the head row of a root: company, Simples and the first fifty partners and
// establishments, all that most requests need. The error is that of [Load.Absent] if the load does not have
// the root.
func (v *View) Head(ctx context.Context, root cnpj.Root) (pack.Head, error) {
	h, read, err := v.cachedHead(root)
	if !read {
		h, err = v.readHead(ctx, root)
	}
	if IsAbsent(err) {
		err = v.Load.Absent(Document{Root: root})
	}
	if err != nil {
		return pack.Head{}, fmt.Errorf("read a company: %w", err)
	}
	return h, nil
}

// readHead reads a head from PostgreSQL. The error is an *AbsentError if there is none.
func (v *View) readHead(ctx context.Context, root cnpj.Root) (pack.Head, error) {
	var doc []byte
	err := v.pool.QueryRow(ctx, v.headSQL, int64(root)).Scan(&doc)
	if errors.Is(err, pgx.ErrNoRows) {
		return pack.Head{}, &AbsentError{Document{Root: root}}
	}
	if err != nil {
		return pack.Head{}, err
	}
	return v.decodeHead(root, doc)
}

// decodeHead decodes a head row. The head leaves out contacts that are hidden now.
func (v *View) decodeHead(root cnpj.Root, doc []byte) (pack.Head, error) {
	h, err := pack.DecodeHead(root, doc)
	h.Hide(v.store.hidden.Load().orders[root])
	return h, err
}

// eachHead reads the head rows of several roots with one statement and calls visit for each that
// the load has, in no particular order, with the head or the error of decoding it.
func (v *View) eachHead(ctx context.Context, roots []cnpj.Root, visit func(pack.Head, error)) error {
	if len(roots) == 0 {
		return nil
	}
	asked := make([]int64, len(roots)) // which pgx encodes without reflection
	for i, root := range roots {
		asked[i] = int64(root)
	}
	var root cnpj.Root
	var doc []byte
	return eachRow(ctx, v.pool, []any{(*int64)(&root), &doc}, func() error {
		visit(v.decodeHead(root, doc))
		return nil
	}, v.headsSQL, asked)
}

// Heads returns the head rows of several roots, in the order of roots, with one statement. Roots
// that are not in the load are left out. roots must not have duplicates.
func (v *View) Heads(ctx context.Context, roots []cnpj.Root) ([]pack.Head, error) {
	position := make(map[cnpj.Root]int, len(roots))
	for i, root := range roots {
		position[root] = i
	}
	heads := make([]pack.Head, 0, len(roots))
	var broken error
	var asked []cnpj.Root
	for _, root := range roots {
		switch h, read, err := v.cachedHead(root); {
		case !read:
			asked = append(asked, root)
		case err == nil:
			heads = append(heads, h)
		case !IsAbsent(err):
			broken = cmp.Or(broken, err)
		}
	}
	err := v.eachHead(ctx, asked, func(h pack.Head, err error) {
		heads, broken = append(heads, h), cmp.Or(broken, err)
	})
	if err = cmp.Or(err, broken); err != nil {
		return nil, fmt.Errorf("read %d companies: %w", len(roots), err)
	}
	slices.SortFunc(heads, func(a, b pack.Head) int { return cmp.Compare(position[a.Root], position[b.Root]) })
	return heads, nil
}

// Establishment returns one establishment of the company h: from the head row, or from the one
// further chunk that can hold it. The error is that of [Load.Absent] if there is none with this order.
func (v *View) Establishment(ctx context.Context, h *pack.Head, order cnpj.Order) (record.Establishment, error) {
	e, err := v.establishment(ctx, h, order)
	if err != nil {
		return record.Establishment{}, fmt.Errorf("read an establishment: %w", err)
	}
	return e, nil
}

func (v *View) establishment(ctx context.Context, h *pack.Head, order cnpj.Order) (record.Establishment, error) {
	c := h.FirstEstablishments()
	if chunk := h.ChunkOf(order); chunk > 0 {
		doc, err := v.chunk(ctx, h.Root, int32(chunk))
		if err != nil {
			return record.Establishment{}, err
		}
		if c, err = h.FurtherEstablishments(doc); err != nil {
			return record.Establishment{}, err
		}
	}
	if c.Find(order) {
		return c.Establishment, nil
	}
	if err := c.Err(); err != nil {
		return record.Establishment{}, err
	}
	return record.Establishment{}, v.Load.Absent(Document{Root: h.Root, Order: &order})
}

// chunk returns a row other than the head, from the cache or PostgreSQL.
func (v *View) chunk(ctx context.Context, root cnpj.Root, seq int32) (doc []byte, err error) {
	doc, found, read := v.cachedRow(root, seq)
	if !read {
		err = v.pool.QueryRow(ctx, v.rowSQL, int64(root), seq).Scan(&doc)
		found = !errors.Is(err, pgx.ErrNoRows)
	}
	if !found {
		return nil, errMissingChunk
	}
	return doc, err
}

// errMissingChunk means that a row is missing which the counts in the head require.
var errMissingChunk = fmt.Errorf("a chunk that the head announces is missing: %w", pack.ErrCorrupt)

// Range is a part of an ordered collection: at most Limit items from position From, counted from 0.
// A range outside of the collection is empty.
type Range struct{ From, Limit int }

// Of returns how many items of a collection of total items are in the range.
func (r Range) Of(total int) int { return max(0, min(r.Limit, total-r.From)) }

// Establishments calls visit for the establishments of h in a range, in CNPJ order, with one chunk
// in memory at a time. visit may keep a copy of the establishment, but not the pointer, which is
// reused. It stops at the first error of visit and returns it, wrapped.
func (v *View) Establishments(ctx context.Context, h *pack.Head, in Range, visit func(*record.Establishment) error) error {
	return v.walkEstablishments(ctx, h, in, func(c *pack.EstablishmentCursor, skip, n int) error {
		for i := 0; i < n && c.Next(); i++ {
			if i < skip {
				continue
			}
			if err := visit(&c.Establishment); err != nil {
				return err
			}
		}
		return c.Err()
	})
}

// EstablishmentFacets calls visit for the facets of all establishments of h, in CNPJ order.
func (v *View) EstablishmentFacets(ctx context.Context, h *pack.Head, visit func(pack.Facets)) error {
	return v.walkEstablishments(ctx, h, Range{Limit: h.Establishments}, func(c *pack.EstablishmentCursor, _, _ int) error {
		for f := (pack.Facets{}); c.NextFacets(&f); {
			visit(f)
		}
		return c.Err()
	})
}

// walkEstablishments is walk with a cursor for each chunk of establishments.
func (v *View) walkEstablishments(ctx context.Context, h *pack.Head, in Range, visit func(c *pack.EstablishmentCursor, skip, n int) error) error {
	err := v.walk(ctx, h, false, h.Establishments, in, func(doc []byte, skip, n int) (err error) {
		c := h.FirstEstablishments()
		if doc != nil {
			if c, err = h.FurtherEstablishments(doc); err != nil {
				return err
			}
		}
		return visit(&c, skip, n)
	})
	if err != nil {
		return fmt.Errorf("read establishments: %w", err)
	}
	return nil
}

// Partners calls visit for the partners of h in a range, in stored order: by name, document,
// qualification and entry date, compared as bytes. visit may keep a copy of the partner, but not
// the pointer, which is reused. It stops at the first error of visit and returns it, wrapped.
func (v *View) Partners(ctx context.Context, h *pack.Head, in Range, visit func(*record.Partner) error) error {
	err := v.walk(ctx, h, true, h.Partners, in, func(doc []byte, skip, n int) (err error) {
		c := h.FirstPartners()
		if doc != nil {
			if c, err = pack.FurtherPartners(doc); err != nil {
				return err
			}
		}
		for i := 0; i < n && c.Next(); i++ {
			if i < skip {
				continue
			}
			if err := visit(&c.Partner); err != nil {
				return err
			}
		}
		return c.Err()
	})
	if err != nil {
		return fmt.Errorf("read partners: %w", err)
	}
	return nil
}

// walk calls visit for every chunk that overlaps the range of a collection of total items, in
// order. The part of the range in a chunk begins at item skip and ends before item n, which may lie
// beyond the chunk. doc is nil for the first chunk, which is in the head. Further chunks have the
// seq 1, 2, …; -1, -2, … if down.
func (v *View) walk(ctx context.Context, h *pack.Head, down bool, total int, in Range, visit func(doc []byte, skip, n int) error) error {
	to := min(in.From+in.Limit, total)
	if in.From < 0 || in.From >= to {
		return nil
	}
	chunk, last := in.From/pack.ChunkItems, (to-1)/pack.ChunkItems
	step := func(doc []byte) error {
		err := visit(doc, max(in.From-chunk*pack.ChunkItems, 0), to-chunk*pack.ChunkItems)
		chunk++
		return err
	}
	if chunk == 0 {
		if err := step(nil); err != nil {
			return err
		}
	}
	if chunk > last {
		return nil
	}
	if v.cache.Load() != nil {
		return v.walkCache(ctx, h.Root, chunk, last, down, step)
	}
	query, low, high := v.upSQL, chunk, last
	if down {
		query, low, high = v.downSQL, -last, -chunk
	}
	var doc []byte
	err := eachRow(ctx, v.pool, []any{&doc}, func() error { return step(doc) }, query, int64(h.Root), low, high)
	if err == nil && chunk <= last {
		err = errMissingChunk
	}
	return err
}
