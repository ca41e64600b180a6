package registry

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/store/registry/pack"
)

// EachRecord calls visit for all records of a load of a source: roots ascend, and the records of a
// root come in the order in which they are served. An item has the named fields only, nil for all.
// It streams the table and holds one row at a time; items are valid only during the call.
func (s *Store) EachRecord(ctx context.Context, src *source.Source, load int64, fields []string, visit func(root cnpj.Root, it *pack.Item)) error {
	view := newSourceView(s.pool, *src, load)
	o, err := view.open(ctx)
	if err != nil {
		return err
	}
	var root cnpj.Root
	var seq int
	var doc []byte
	c := &pack.Items{} // of the root whose rows are coming
	err = eachRow(ctx, s.pool, []any{&root, &seq, &doc}, func() (err error) {
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
	}, `SELECT root, seq, doc FROM `+view.schema+`.record WHERE seq >= 0 ORDER BY root, seq`)
	if err = errors.Join(err, c.EachDone()); err != nil {
		return fmt.Errorf("records of %s, load %d: %w", src.ID, load, err)
	}
	return nil
}

// RecordFields returns the fields that a load of a source has.
func (s *Store) RecordFields(ctx context.Context, src *source.Source, load int64) ([]source.Field, error) {
	o, err := newSourceView(s.pool, *src, load).open(ctx)
	if err != nil {
		return nil, fmt.Errorf("fields of %s, load %d: %w", src.ID, load, err)
	}
	return o.fields, nil
}

// EachRecord calls visit for all records of a source in the snapshot, as [Store.EachRecord] does; without a load of it there are none.
func (v *View) EachRecord(ctx context.Context, src *source.Source, visit func(root cnpj.Root, it *pack.Item)) error {
	load := v.Snapshot.Loads[src.ID]
	if load == 0 {
		return nil
	}
	return v.store.EachRecord(ctx, src, load, nil, visit)
}

// Archive calls visit for the blobs that a load was archived with, in their order, one at a time. A
// blob is valid only during the call. It stops at the first error of visit and returns it, wrapped.
func (s *Store) Archive(ctx context.Context, load int64, visit func([]byte) error) error {
	var doc []byte
	err := eachRow(ctx, s.pool, []any{&doc}, func() error { return visit(doc) },
		`SELECT doc FROM `+pgx.Identifier{schemaName(load)}.Sanitize()+`.archive ORDER BY seq`)
	if err != nil {
		return fmt.Errorf("archive of load %d: %w", load, err)
	}
	return nil
}
