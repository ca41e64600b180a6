package registry

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"razao/internal/store/registry/pack"
)

// A load of Receita records what it changed, in two tables:
//
//	lineage  one row: the load that it was compared with, and the load where the unbroken chain of
//	         comparisons begins if that was the first load of all; 0 for none
//	change   the roots whose records changed anywhere in that chain, each with the load that brought
//	         the records it has
//
// A root without a row in change has had its records since the load beginning or, if that is 0,
// since the load former or longer. Both tables are part of the load: a rollback restores what was
// known with it. Loads written before the tables existed lack them, and nothing is known of their
// past.

// Compare makes Commit store what changed against the load former, which must still have its
// records. former 0 means that there is nothing to compare with. first means that no load was in
// service before, so all records appear with this one. Without Compare the load has no lineage.
func (w *LoadWriter) Compare(former int64, first bool) {
	w.compared = &comparison{former: former, first: first}
}

// comparison has the arguments of Compare.
type comparison struct {
	former int64
	first  bool
}

// compare creates and fills lineage and change. It needs the primary key of the records.
func (w *LoadWriter) compare(ctx context.Context) error {
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

// comparable reports whether there is a former load whose records have the format version that this
// program writes. Packed rows are compared as bytes: across versions all would differ.
func (w *LoadWriter) comparable(ctx context.Context, former string) (bool, error) {
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

// changes fills change and returns the lineage. A root has changed if any of its rows is missing
// from the former load or differs there. Rows that only the former load has need no check: fewer
// rows mean other counts in the head row, which then differs. Entries of the former load are
// carried over for roots that still exist and did not change again. The cost is one merge join of
// both record tables.
func (w *LoadWriter) changes(ctx context.Context, former string) (lineage, error) {
	origin := lineage{former: w.compared.former}
	before, found, err := readLineage(ctx, w.tx, former)
	if err != nil {
		return origin, err
	}
	origin.beginning = before.beginning
	// Force a merge join over the two primary keys: both tables are read once, in key order, and
	// nothing is sorted or hashed. The planner has no statistics yet of the table that this
	// transaction fills, and would choose otherwise.
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

// lineage says which loads a load descends from by comparison.
type lineage struct {
	// former is the load that it was compared with, 0 for none. beginning is the first load of all,
	// if the comparisons lead back to it without a gap, otherwise 0.
	former, beginning int64
}

// rowQuerier is a connection, a transaction or a pool.
type rowQuerier interface {
	QueryRow(ctx context.Context, query string, args ...any) pgx.Row
}

// readLineage returns the lineage of the load with this schema, whose name must be quoted. found is
// false if the load has none, because it was written before there were lineages or without Compare.
func readLineage(ctx context.Context, q rowQuerier, schema string) (l lineage, found bool, err error) {
	const exists = `SELECT to_regclass($1) IS NOT NULL`
	if err := q.QueryRow(ctx, exists, schema+`.lineage`).Scan(&found); err != nil || !found {
		return lineage{}, false, err
	}
	err = q.QueryRow(ctx, `SELECT former, beginning FROM `+schema+`.lineage`).Scan(&l.former, &l.beginning)
	return l, true, err
}
