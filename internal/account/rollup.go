package account

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// The history is written often and read seldom. So a call is one row when it is written; a roll-up adds the rows to the
// totals of their days and to the last use of their keys every minute, many in one step, and who reads before counts the
// few rows that it has not reached.

// rolledUp is the last call that totals contain.
const rolledUp = `SELECT upto FROM usage_rollup`

// rollUpStep is how many calls are added to the totals in one transaction.
const rollUpStep = 100_000

// rollUps rolls up until the meter is closed. It has a goroutine of its own: calls are written on time, however long it takes.
func (m *Meter) rollUps() {
	defer close(m.rolled)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		defer cancel()
		<-m.stop
	}()
	tick := time.NewTicker(m.rollUpEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if err := m.rollUp(ctx); err != nil && ctx.Err() == nil {
			m.log.Error("add up the history of calls", "error", err)
		}
	}
}

// rollUp adds the calls written so far to the totals. Several processes may do it at once.
func (m *Meter) rollUp(ctx context.Context) error {
	last, err := m.lastCall(ctx)
	for more := true; more && err == nil; {
		more, err = m.rollUpTo(ctx, last)
	}
	if err != nil {
		return fmt.Errorf("roll up calls: %w", err)
	}
	return nil
}

// lastCall returns a call up to which all have been committed: numbers are given out in order, but not committed in order.
func (m *Meter) lastCall(ctx context.Context) (last CallID, err error) {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	err = pgx.BeginFunc(ctx, m.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, gateAlone); err != nil {
			return err
		}
		return tx.QueryRow(ctx, `SELECT coalesce(max(id), 0) FROM usage_call`).Scan(&last)
	})
	return last, err
}

// rollUpTo takes one step towards last and reports whether another is needed. The row that it holds keeps other processes
// from counting the same calls, and deletions from missing totals, but lets calls be written.
func (m *Meter) rollUpTo(ctx context.Context, last CallID) (more bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	err = pgx.BeginFunc(ctx, m.pool, func(tx pgx.Tx) error {
		var from CallID
		if err := tx.QueryRow(ctx, rolledUp+` FOR NO KEY UPDATE`).Scan(&from); err != nil {
			return err
		}
		if from >= last {
			return nil
		}
		to := min(last, from+rollUpStep)
		more = to < last
		const query = `
			WITH period AS MATERIALIZED (
				SELECT account_id, (at AT TIME ZONE 'UTC')::date AS day, key_id, count(*) AS calls, max(at) AS latest
				FROM usage_call
				WHERE id > $1 AND id <= $2
				GROUP BY 1, 2, 3
			), days AS (
				INSERT INTO usage_day AS d (account_id, day, key_id, calls, blocked)
				SELECT account_id, day, key_id, calls, 0
				FROM period
				ORDER BY 1, 2, 3
				ON CONFLICT (account_id, day, key_id) DO UPDATE SET calls = d.calls + excluded.calls
			), keys AS (
				UPDATE api_key k SET last_used_at = used.latest
				FROM (SELECT key_id, max(latest) AS latest FROM period GROUP BY 1) AS used
				WHERE k.id = used.key_id AND coalesce(k.last_used_at < used.latest, true)
			)
			UPDATE usage_rollup SET upto = $2`
		_, err := tx.Exec(ctx, query, from, to)
		return err
	})
	return more, err
}
