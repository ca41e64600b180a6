package registry

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/store/registry/pack"
	"razao/internal/store/registry/presence"
)

// Presence reads into memory which establishments and companies the loads of a snapshot have
// records of, ten bytes for each. A source without a load has none.
func (s *Store) Presence(ctx context.Context, snapshot Snapshot) (*presence.Map, error) {
	m := &presence.Map{}
	for place, src := range source.All() {
		load, ok := snapshot.Loads[src.ID]
		if !ok {
			continue
		}
		var keys []uint64
		if err := s.eachPresence(ctx, load, func(key uint64) { keys = append(keys, key) }); err != nil {
			return nil, fmt.Errorf("presence of %s, load %d: %w", src.ID, load, err)
		}
		m.Add(place, &src, keys)
	}
	return m, nil
}

// LearnOwners reads which companies each load of the snapshot has records of, so that questions about
// the others, most of them, need no statement. What former has read of the same loads is shared;
// former may be nil. After an error the sources that could not be read are asked about everybody.
func (v *View) LearnOwners(ctx context.Context, former *View) error {
	var all error
	for i, sv := range v.sources {
		switch {
		case sv.load == 0:
		case former != nil && former.sources[i].load == sv.load && former.sources[i].owners.Load() != nil:
			sv.owners.Store(former.sources[i].owners.Load())
		default:
			if err := sv.learnOwners(ctx); err != nil {
				all = errors.Join(all, fmt.Errorf("owners of the records of %s, load %d: %w", sv.ID, sv.load, err))
			}
		}
	}
	return all
}

func (v *sourceView) learnOwners(ctx context.Context) error {
	owners := &presence.Roots{}
	if err := NewStore(v.pool).eachPresence(ctx, v.load, owners.Add); err != nil {
		return err
	}
	if owners.Empty() {
		var exist bool
		if err := v.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM `+v.schema+`.record)`).Scan(&exist); err != nil {
			return err
		}
		if exist {
			return errNoOwners
		}
	}
	v.owners.Store(owners)
	return nil
}

// errNoOwners is the error of a load that has records and does not list whom they are about.
var errNoOwners = errors.New("the load does not list its owners")

// Owners calls visit for the establishments that a load of a source has records of, as ascending
// ranges from first to last, inclusive: mostly of one number. A source that names companies only
// yields the range of all orders of each company, since its records count for every establishment.
func (s *Store) Owners(ctx context.Context, src *source.Source, load int64, visit func(first, last cnpj.Full)) error {
	last := cnpj.Root(-1) // the root that was passed as a whole
	err := s.eachPresence(ctx, load, func(key uint64) {
		root, order := presence.Split(key)
		switch {
		case order == 0 && src.CompanyOnly:
			visit(cnpj.Join(root, 0), cnpj.Join(root, cnpj.Orders-1))
			last = root
		case order > 0 && root != last:
			number := cnpj.Join(root, cnpj.Order(order-1))
			visit(number, number)
		}
	})
	if err != nil {
		return fmt.Errorf("owners of the records of %s, load %d: %w", src.ID, load, err)
	}
	return nil
}

// eachPresence calls visit for the owner keys of a load (package presence), ascending.
func (s *Store) eachPresence(ctx context.Context, load int64, visit func(key uint64)) error {
	query := `SELECT doc FROM ` + pgx.Identifier{schemaName(load)}.Sanitize() + `.presence ORDER BY seq`
	rows, err := s.pool.Query(ctx, query)
	if err != nil {
		return err
	}
	var doc []byte
	_, err = pgx.ForEachRow(rows, []any{&doc}, func() error { return pack.Varints(doc, visit) })
	return err
}

// EachRecord calls visit for all records of a load of a source: roots ascend, and the records of a
// root come in the order in which they are served. An item has the named fields only, nil for all.
// It streams the table and holds one row at a time; items are valid only during the call.
func (s *Store) EachRecord(ctx context.Context, src *source.Source, load int64, fields []string, visit func(root cnpj.Root, it *pack.Item)) error {
	view := newSourceView(s.pool, *src, load)
	o, err := view.open(ctx)
	if err != nil {
		return err
	}
	rows, err := s.pool.Query(ctx, `SELECT root, seq, doc FROM `+view.schema+`.record WHERE seq >= 0 ORDER BY root, seq`)
	if err != nil {
		return fmt.Errorf("records of %s, load %d: %w", src.ID, load, err)
	}
	var root cnpj.Root
	var seq int
	var doc []byte
	c := &pack.Items{} // of the root whose rows are coming
	_, err = pgx.ForEachRow(rows, []any{&root, &seq, &doc}, func() (err error) {
		if seq == 0 {
			if err = c.EachDone(); err != nil {
				return err
			}
			if c, err = pack.OpenItems(root, doc); err != nil {
				return err
			}
			c.Only(o.fields, fields)
			doc = nil
		}
		return c.Each(seq, doc, o.fields, o.dictionary, func(it *pack.Item) { visit(root, it) })
	})
	if err = errors.Join(err, c.EachDone()); err != nil {
		return fmt.Errorf("records of %s, load %d: %w", src.ID, load, err)
	}
	return nil
}

// Archive calls visit for the blobs that a load was archived with, in their order, one at a time. A
// blob is valid only during the call. It stops at the first error of visit and returns it, wrapped.
func (s *Store) Archive(ctx context.Context, load int64, visit func([]byte) error) error {
	rows, err := s.pool.Query(ctx, `SELECT doc FROM `+pgx.Identifier{schemaName(load)}.Sanitize()+`.archive ORDER BY seq`)
	if err != nil {
		return fmt.Errorf("archive of load %d: %w", load, err)
	}
	var doc []byte
	if _, err := pgx.ForEachRow(rows, []any{&doc}, func() error { return visit(doc) }); err != nil {
		return fmt.Errorf("archive of load %d: %w", load, err)
	}
	return nil
}
