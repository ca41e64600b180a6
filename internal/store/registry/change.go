package registry

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"razao/internal/data/cnpj"
)

// history is the lineage of a load, resolved to loads.
type history struct {
	known     bool // the load has the tables lineage and change
	former    Load // that it was compared with; ID 0: none
	beginning Load // since which unchanged records exist; ID 0: since former, or longer
}

// history reads the lineage of the load with this quoted schema.
func (s *Store) history(ctx context.Context, of string) (history, error) {
	l, found, err := readLineage(ctx, s.pool, of)
	if err != nil {
		return history{}, fmt.Errorf("lineage: %w", err)
	}
	h := history{known: found}
	if l.former != 0 {
		if h.former, err = s.Load(ctx, l.former); err != nil {
			return history{}, err
		}
	}
	if l.beginning != 0 {
		if h.beginning, err = s.Load(ctx, l.beginning); err != nil {
			return history{}, err
		}
	}
	return h, nil
}

// Former returns the load that the cadastre of this view was compared with when it was written; ok
// is false if there was none or it is unknown. Its records may have been deleted since.
func (v *View) Former() (Load, bool) { return v.history.former, v.history.former.ID != 0 }

// Beginning returns the load that brought all roots which EachChange does not name; ok is false if
// that is unknown.
func (v *View) Beginning() (Load, bool) { return v.history.beginning, v.history.beginning.ID != 0 }

// Change says since which load a company has the records that it has.
type Change struct {
	Load   int64  // the load that brought them
	Period string // of that load
	Exact  bool   // the load was seen to change them; false: they may be older than the load
}

// Change returns since when a root of the load has had its records; known is false if the load was
// never compared and is not the first. The root must be in the load: Change does not check that.
func (v *View) Change(ctx context.Context, root cnpj.Root) (c Change, known bool, err error) {
	h := &v.history
	if h.former.ID != 0 {
		query := `SELECT load.id, load.period FROM ` + v.schema + `.change JOIN load ON load.id = change.load_id WHERE change.root = $1`
		err := v.pool.QueryRow(ctx, query, int64(root)).Scan(&c.Load, &c.Period)
		if err == nil {
			c.Exact = true
			return c, true, nil
		}
		if !errors.Is(err, pgx.ErrNoRows) {
			return Change{}, false, fmt.Errorf("read the change of a company: %w", err)
		}
	}
	switch {
	case h.beginning.ID != 0:
		return Change{h.beginning.ID, h.beginning.Period, false}, true, nil
	case h.former.ID != 0:
		return Change{h.former.ID, h.former.Period, false}, true, nil
	}
	return Change{}, false, nil
}

// EachChange calls visit for every root whose records are known to have changed, ascending, with
// the load that brought them, reading one row at a time. It stops at the first error of visit and
// returns it, wrapped. A load without lineage has no changes.
func (v *View) EachChange(ctx context.Context, visit func(root cnpj.Root, load int64) error) error {
	if !v.history.known {
		return nil
	}
	var root cnpj.Root
	var load int64
	err := eachRow(ctx, v.pool, []any{&root, &load}, func() error { return visit(root, load) },
		`SELECT root, load_id FROM `+v.schema+`.change ORDER BY root`)
	if err != nil {
		return fmt.Errorf("changes of load %d: %w", v.Load.ID, err)
	}
	return nil
}
