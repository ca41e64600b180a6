package registry

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// maxServed bounds the history of a source: years of months, and weeks of what is published every day.
const maxServed = 50

// Served returns the loads of sources that have been in service, also those whose records are not kept any more, newest first and
// at most fifty of each source.
func (v *View) Served(ctx context.Context, sources []string) ([]Load, error) {
	const query = `
		SELECT ` + loadColumns + `
		FROM (SELECT *, row_number() OVER (PARTITION BY source ORDER BY id DESC) FROM load WHERE source = ANY($1) AND served_at IS NOT NULL) load
		WHERE row_number <= $2 ORDER BY id DESC`
	rows, err := v.pool.Query(ctx, query, sources, maxServed)
	if err != nil {
		return nil, fmt.Errorf("loads of %v: %w", sources, err)
	}
	loads, err := pgx.CollectRows(rows, pgx.RowToStructByName[Load])
	if err != nil {
		return nil, fmt.Errorf("loads of %v: %w", sources, err)
	}
	return loads, nil
}

// RejectedIn is how many of the rows that a load kept aside were refused for a column.
type RejectedIn struct {
	Load   int64
	Column string // "" for the row as a whole
	Rows   int64
}

// Rejected counts the rows that loads kept aside by the column that could not be read, most first. Who serves may not read more of
// them: their texts are not for visitors.
func (v *View) Rejected(ctx context.Context, loads []int64) ([]RejectedIn, error) {
	const query = `
		SELECT load_id, column_name, count(*) FROM reject WHERE load_id = ANY($1)
		GROUP BY load_id, column_name ORDER BY count(*) DESC, column_name`
	rows, err := v.pool.Query(ctx, query, loads)
	if err != nil {
		return nil, fmt.Errorf("rejects of loads %v: %w", loads, err)
	}
	counts, err := pgx.CollectRows(rows, pgx.RowToStructByPos[RejectedIn])
	if err != nil {
		return nil, fmt.Errorf("rejects of loads %v: %w", loads, err)
	}
	return counts, nil
}
