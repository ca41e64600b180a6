package registry

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// maxServed is how many loads of a source its history has: four years of a monthly source, seven
// weeks of a daily one.
const maxServed = 50

// Served returns the loads of the given sources that are or were in service, newest first and at
// most fifty for each source. The records of older ones have usually been deleted. It is not bound
// to the snapshot of the view.
func (v *View) Served(ctx context.Context, sources []string) ([]Load, error) {
	const query = `
		SELECT ` + loadColumns + `
		FROM (SELECT *, row_number() OVER (PARTITION BY source ORDER BY id DESC) FROM load WHERE source = ANY($1) AND served_at IS NOT NULL) load
		WHERE row_number <= $2 ORDER BY id DESC`
	loads, err := collect(ctx, v.pool, pgx.RowToStructByName[Load], query, sources, maxServed)
	if err != nil {
		return nil, fmt.Errorf("loads of %v: %w", sources, err)
	}
	return loads, nil
}

// ServedLoad returns a load of the company registry that is or was in service, with its records or without. The
// error is ErrNoLoad if there is none with this id. It is not bound to the snapshot of the view.
func (v *View) ServedLoad(ctx context.Context, id int64) (Load, error) {
	l, err := v.store.Load(ctx, id)
	if err == nil && (l.Source != Receita || l.ServedAt == nil) {
		err = fmt.Errorf("load %d: %w", id, ErrNoLoad)
	}
	if err != nil {
		return Load{}, err
	}
	return l, nil
}

// RejectedIn counts the kept rejects of a load that have the same column. A load keeps a bounded
// number of rejects; Load.RowsRejected counts all.
type RejectedIn struct {
	Load   int64
	Column string // the column that could not be read; "" for the row as a whole
	Rows   int64
}

// Rejected counts the kept rejects of loads, by load and column, sorted by the count, descending,
// then by column. It reads nothing else of them: the serving role has no right to the rows
// themselves, which may contain personal data.
func (v *View) Rejected(ctx context.Context, loads []int64) ([]RejectedIn, error) {
	const query = `
		SELECT load_id, column_name, count(*) FROM reject WHERE load_id = ANY($1)
		GROUP BY load_id, column_name ORDER BY count(*) DESC, column_name`
	counts, err := collect(ctx, v.pool, pgx.RowToStructByPos[RejectedIn], query, loads)
	if err != nil {
		return nil, fmt.Errorf("rejects of loads %v: %w", loads, err)
	}
	return counts, nil
}
