package account

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// HistoryDays is how many days the usage history covers, today included. Days are UTC, like the
// minutes of the limit.
const HistoryDays = 30

// The start of the history as an SQL date and timestamp: 29 is HistoryDays without today.
const (
	historyFirstDay = `((now() AT TIME ZONE 'UTC')::date - 29)`
	historyStart    = `(` + historyFirstDay + `::timestamp AT TIME ZONE 'UTC')`
)

// Day is the usage of one day, by one key or by all.
type Day struct {
	Date    time.Time `db:"day"`     // 00:00 UTC
	Calls   int64     `db:"calls"`   // admitted, whatever their outcome
	Blocked int64     `db:"blocked"` // refused by the limit
}

// Days returns HistoryDays days of an account, oldest first and without gaps. key, if not 0,
// restricts them to the calls of that key.
func (s *Store) Days(ctx context.Context, account ID, key KeyID) ([]Day, error) {
	const query = `
		WITH totals AS (
			SELECT day, key_id, calls, blocked
			FROM usage_day
			WHERE account_id = $1
			UNION ALL
			SELECT (at AT TIME ZONE 'UTC')::date, key_id, 1, 0
			FROM usage_call
			WHERE account_id = $1 AND id > (` + rolledUp + `)
		)
		SELECT d::date AS day, coalesce(sum(t.calls), 0)::bigint AS calls, coalesce(sum(t.blocked), 0)::bigint AS blocked
		FROM generate_series(` + historyFirstDay + `, (now() AT TIME ZONE 'UTC')::date, interval '1 day') AS d
		LEFT JOIN totals t ON t.day = d::date AND ($2::bigint = 0 OR t.key_id = $2)
		GROUP BY 1
		ORDER BY 1`
	rows, err := s.pool.Query(ctx, query, account, key)
	if err != nil {
		return nil, fmt.Errorf("usage of account %d: %w", account, err)
	}
	days, err := pgx.CollectRows(rows, pgx.RowToStructByName[Day])
	if err != nil {
		return nil, fmt.Errorf("usage of account %d: %w", account, err)
	}
	return days, nil
}

// Calls returns up to limit admitted calls of an account within the history, newest first. It pages
// by keyset: before is the ID of the last call of the previous page, 0 for the first page. key, if
// not 0, restricts them to the calls of that key.
func (s *Store) Calls(ctx context.Context, account ID, key KeyID, before CallID, limit int) ([]Call, error) {
	const query = `
		SELECT id, account_id, key_id, at, version, endpoint, status
		FROM usage_call
		WHERE account_id = $1 AND ($2::bigint = 0 OR key_id = $2) AND ($3::bigint = 0 OR id < $3) AND at >= ` + historyStart + `
		ORDER BY id DESC
		LIMIT $4`
	rows, err := s.pool.Query(ctx, query, account, key, before, limit)
	if err != nil {
		return nil, fmt.Errorf("calls of account %d: %w", account, err)
	}
	calls, err := pgx.CollectRows(rows, pgx.RowToStructByName[Call])
	if err != nil {
		return nil, fmt.Errorf("calls of account %d: %w", account, err)
	}
	return calls, nil
}
