package account

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"razao/internal/recovery"
)

// Usage is written much more often than read. So a call is one inserted row, and a roll-up adds new
// rows to the daily totals and to the last use of keys every minute. Its high-water mark is an id:
// rows up to it are in the totals, readers add those above.

// rolledUp is the SQL of the high-water mark: the last call that the totals contain.
const rolledUp = `SELECT upto FROM usage_rollup`

// rollUpStep is how many ids one transaction adds to the totals, which bounds its locks and time.
const rollUpStep = 100_000

// rollUps rolls up every minute until the meter is closed. It has a goroutine of its own, so that a
// long roll-up does not delay writes.
func (m *Meter) rollUps() {
	defer close(m.rolled)
	ctx, cancel := context.WithCancel(m.life)
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
		if err := recovery.Do(func() error { return m.rollUp(ctx) }); err != nil && ctx.Err() == nil {
			m.log.Error("add up the history of calls", recovery.Attrs(err)...)
		}
	}
}

// rollUp adds the calls committed so far to the totals, in steps. Several processes may run it
// concurrently; the lock on the mark lets each call count once.
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

// lastCall returns an id up to which every call is committed. Ids are assigned in order but
// committed in any order, so max(id) alone could pass over a call that is committed later. The
// exclusive lock waits for writers in flight.
func (m *Meter) lastCall(ctx context.Context) (last CallID, err error) {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	err = pgx.BeginFunc(ctx, m.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, exclusiveLock); err != nil {
			return err
		}
		return tx.QueryRow(ctx, `SELECT coalesce(max(id), 0) FROM usage_call`).Scan(&last)
	})
	return last, err
}

// rollUpTo adds one step towards last and reports whether another is needed. NO KEY UPDATE on the
// mark excludes other roll-ups and account deletion, but not writers, who hold KEY SHARE.
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
