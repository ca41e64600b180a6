package registry

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// maxServed bounds the history of a source: years of months, and weeks of what is published every day.
const maxServed = 50

// Served returns the loads of a source that have been in service, also those whose records are not kept any more, newest first and
// at most fifty.
func (v *View) Served(ctx context.Context, source string) ([]Load, error) {
	const query = `SELECT ` + loadColumns + ` FROM load WHERE source = $1 AND served_at IS NOT NULL ORDER BY id DESC LIMIT $2`
	rows, err := v.pool.Query(ctx, query, source, maxServed)
	if err != nil {
		return nil, fmt.Errorf("loads of %s: %w", source, err)
	}
	loads, err := pgx.CollectRows(rows, pgx.RowToStructByName[Load])
	if err != nil {
		return nil, fmt.Errorf("loads of %s: %w", source, err)
	}
	return loads, nil
}

// RejectedIn is how many of the rows that a load kept aside were refused for a column.
type RejectedIn struct {
	Column string // "" for the row as a whole
	Rows   int64
}

// Rejected counts the rows that a load kept aside by the column that could not be read, most first. Who serves may not read more of
// them: their texts are not for visitors.
func (v *View) Rejected(ctx context.Context, load int64) ([]RejectedIn, error) {
	const query = `SELECT column_name, count(*) FROM reject WHERE load_id = $1 GROUP BY column_name ORDER BY count(*) DESC, column_name`
	rows, err := v.pool.Query(ctx, query, load)
	if err != nil {
		return nil, fmt.Errorf("rejects of load %d: %w", load, err)
	}
	counts, err := pgx.CollectRows(rows, pgx.RowToStructByPos[RejectedIn])
	if err != nil {
		return nil, fmt.Errorf("rejects of load %d: %w", load, err)
	}
	return counts, nil
}
