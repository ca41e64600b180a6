package schema

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

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
	former := pgx.Identifier{Name(w.compared.former)}.Sanitize()
	known, err := w.comparable(ctx, former)
	if err != nil {
		return err
	}
	var origin Lineage
	switch {
	case known:
		if origin, err = w.changes(ctx, former); err != nil {
			return err
		}
	case w.compared.first:
		origin.Beginning = w.load
	}
	_, err = w.tx.Exec(ctx, `INSERT INTO `+w.schema+`.lineage (former, beginning) VALUES ($1, $2)`, origin.Former, origin.Beginning)
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
func (w *Writer) changes(ctx context.Context, former string) (Lineage, error) {
	origin := Lineage{Former: w.compared.former}
	before, found, err := ReadLineage(ctx, w.tx, former)
	if err != nil {
		return origin, err
	}
	origin.Beginning = before.Beginning
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

// Lineage is the row of that name; 0 stands for none.
type Lineage struct {
	Former, Beginning int64
}

// rowQuerier is a connection, a transaction, or the pool, which takes a connection for each statement.
type rowQuerier interface {
	QueryRow(ctx context.Context, query string, args ...any) pgx.Row
}

// ReadLineage returns the lineage of the load with this schema, false when it has none.
func ReadLineage(ctx context.Context, q rowQuerier, schema string) (l Lineage, found bool, err error) {
	const exists = `SELECT to_regclass($1) IS NOT NULL`
	if err := q.QueryRow(ctx, exists, schema+`.lineage`).Scan(&found); err != nil || !found {
		return Lineage{}, false, err
	}
	err = q.QueryRow(ctx, `SELECT former, beginning FROM `+schema+`.lineage`).Scan(&l.Former, &l.Beginning)
	return l, true, err
}
