package registry

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"razao/internal/cnpj"
	"razao/internal/registry/pack"
	"razao/internal/registry/presence"
	"razao/internal/source"
)

// Presence reads what the loads of a snapshot have records of. Sources without a load have none. It is safe for concurrent use.
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

// Owners passes the establishments that a load of a source has records of to visit, rising: all from first to last, which
// are one mostly. A source that names companies only counts for all establishments, as it does when one is queried.
func (s *Store) Owners(ctx context.Context, src *source.Source, load int64, visit func(first, last cnpj.Full)) error {
	last := cnpj.Root(-1) // whose establishments were all passed
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

// eachPresence passes the keys of a load, rising.
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

// EachRecord passes all records that a load of a source has to visit, with the fields that are named: root by root, rising, and of a root
// in the order in which they are served. It reads the table once, in pieces. Texts are valid only during the call.
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
	c := &pack.Items{} // of the root whose rows come
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

// Archive passes the blobs that a load keeps to visit, in their order. A blob is valid only during the call.
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
