package registry

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"razao/internal/cnpj"
	"razao/internal/registry/pack"
)

// A load of Receita knows what it changed. Beside its records stand
//
//	lineage  one row: the load that it was compared with when it was written, and the load with which the row of
//	         comparisons began, if that was the first of all; 0 for none
//	change   for every root whose records were seen to change since: the load that brought them as they are
//
// Both are written once, with the records, so that going back to a load goes back to what was known with it. Loads that
// were written before there were such tables have none: nothing is known of them.

// Compare makes Commit note which roots have other records than in the load former. 0 means that there is nothing to
// compare with. first says that no load was
// in service before, so that what the new one holds appears with it.
func (w *Writer) Compare(former int64, first bool) {
	w.compared = &comparison{former: former, first: first}
}

// comparison is what Commit is to note.
type comparison struct {
	former int64
	first  bool
}

// compare writes lineage and change. The records have their key by now.
func (w *Writer) compare(ctx context.Context) error {
	ddl := []string{
		`CREATE TABLE ` + w.schema + `.lineage (former bigint NOT NULL, beginning bigint NOT NULL)`,
		`CREATE TABLE ` + w.schema + `.change (root bigint NOT NULL, load_id bigint NOT NULL)`,
	}
	for _, query := range ddl {
		if _, err := w.tx.Exec(ctx, query); err != nil {
			return err
		}
	}
	former := pgx.Identifier{schemaName(w.compared.former)}.Sanitize()
	known, err := w.comparable(ctx, former)
	if err != nil {
		return err
	}
	var origin lineage
	switch {
	case known:
		if origin, err = w.changes(ctx, former); err != nil {
			return err
		}
	case w.compared.first:
		origin.beginning = w.load
	}
	_, err = w.tx.Exec(ctx, `INSERT INTO `+w.schema+`.lineage (former, beginning) VALUES ($1, $2)`, origin.former, origin.beginning)
	return err
}

// comparable reports whether the records of the former load are packed as this program packs them: otherwise all would
// look changed.
func (w *Writer) comparable(ctx context.Context, former string) (bool, error) {
	if w.compared.former == 0 {
		return false, nil
	}
	var version int
	err := w.tx.QueryRow(ctx, `SELECT get_byte(doc, 0) FROM `+former+`.record LIMIT 1`).Scan(&version)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return version == pack.Version, err
}

// changes fills change: the roots of which any row is not in the former load as it is here, and what is still true of
// those that the former load knew to have changed. Rows that only the former load has need no look: the head counts
// the items of all rows.
func (w *Writer) changes(ctx context.Context, former string) (lineage, error) {
	origin := lineage{former: w.compared.former}
	before, found, err := readLineage(ctx, w.tx, former)
	if err != nil {
		return origin, err
	}
	origin.beginning = before.beginning
	// Both loads lie in the order of their keys: walked side by side they are read once and nothing is sorted. The planner
	// knows nothing yet of a table that this transaction fills.
	queries := []string{
		`SET LOCAL enable_hashjoin = off`,
		`SET LOCAL enable_nestloop = off`,
		`SET LOCAL enable_sort = off`,
		`SET LOCAL enable_bitmapscan = off`,
		`INSERT INTO ` + w.schema + `.change (root, load_id)
		 SELECT DISTINCT now.root, ` + fmt.Sprint(w.load) + `::bigint
		 FROM ` + w.schema + `.record now LEFT JOIN ` + former + `.record was ON was.root = now.root AND was.seq = now.seq
		 WHERE now.doc IS DISTINCT FROM was.doc`,
		`ALTER TABLE ` + w.schema + `.change ADD PRIMARY KEY (root)`,
	}
	if found {
		queries = append(queries, `INSERT INTO `+w.schema+`.change (root, load_id)
			SELECT was.root, was.load_id
			FROM `+former+`.change was JOIN `+w.schema+`.record now ON now.root = was.root AND now.seq = 0
			ON CONFLICT (root) DO NOTHING`)
	}
	for _, query := range queries {
		if _, err := w.tx.Exec(ctx, query); err != nil {
			return origin, err
		}
	}
	return origin, nil
}

// lineage is the row of that name; 0 stands for none.
type lineage struct {
	former, beginning int64
}

// querier is a connection, a transaction, or the pool, which takes a connection for each statement.
type querier interface {
	Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, query string, args ...any) pgx.Row
}

// readLineage returns the lineage of the load with this schema, false when it has none.
func readLineage(ctx context.Context, q querier, schema string) (l lineage, found bool, err error) {
	const exists = `SELECT to_regclass($1) IS NOT NULL`
	if err := q.QueryRow(ctx, exists, schema+`.lineage`).Scan(&found); err != nil || !found {
		return lineage{}, false, err
	}
	err = q.QueryRow(ctx, `SELECT former, beginning FROM `+schema+`.lineage`).Scan(&l.former, &l.beginning)
	return l, true, err
}

// history is what a view knows of how its load came about.
type history struct {
	known     bool // the load has the tables
	former    Load // with the ID 0: it was compared with none
	beginning Load // with the ID 0: what was not seen to change is as old as former, or older
}

func (s *Store) history(ctx context.Context, schema string) (history, error) {
	l, found, err := readLineage(ctx, s.pool, schema)
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

// Former returns the load that the load of this view was compared with when it was written, false when there was none
// or nothing is known of it. Its records may have been deleted since.
func (v *View) Former() (Load, bool) { return v.history.former, v.history.former.ID != 0 }

// Beginning returns the load with which all records appeared that EachChange does not name, false when that is not known.
func (v *View) Beginning() (Load, bool) { return v.history.beginning, v.history.beginning.ID != 0 }

// Change says since when the records of a company are as they are.
type Change struct {
	Load   int64  // brought them
	Period string // of that load
	Exact  bool   // false: they may be older than that load
}

// Change says since when the records of a root of the load are as they are; known is false when nothing tells.
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

// EachChange calls visit for the roots whose records are known to have changed, rising, with the load that brought
// them. It stops at the first error of visit.
func (v *View) EachChange(ctx context.Context, visit func(root cnpj.Root, load int64) error) error {
	if !v.history.known {
		return nil
	}
	rows, err := v.pool.Query(ctx, `SELECT root, load_id FROM `+v.schema+`.change ORDER BY root`)
	if err != nil {
		return fmt.Errorf("changes of load %d: %w", v.Load.ID, err)
	}
	var root cnpj.Root
	var load int64
	if _, err := pgx.ForEachRow(rows, []any{&root, &load}, func() error { return visit(root, load) }); err != nil {
		return fmt.Errorf("changes of load %d: %w", v.Load.ID, err)
	}
	return nil
}
