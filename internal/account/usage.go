package account

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	writeEvery   = 500 * time.Millisecond // what a killed process loses
	writeTimeout = 10 * time.Second
	batchSize    = 2000 // calls in one transaction
)

// CallID orders the calls of an account. No call has CallID 0.
type CallID int64

// Call is one call that was let in: who made it and where to, never what was asked.
type Call struct {
	ID       CallID    `db:"id"` // 0 until it was written
	Account  ID        `db:"account_id"`
	Key      KeyID     `db:"key_id"` // 0: made without a key
	At       time.Time `db:"at"`     // Admission.At
	Version  string    `db:"version"`
	Endpoint string    `db:"endpoint"` // the pattern of the route
	Status   int       `db:"status"`   // of the answer
}

// tally is what blocked calls are counted by.
type tally struct {
	caller Caller
	day    time.Time // its first moment in UTC
}

// Record adds a call that was let in to the history. It does not wait: the call is written within a second.
func (m *Meter) Record(c Call) {
	m.mu.Lock()
	m.calls = append(m.calls, c)
	full := len(m.calls) >= batchSize
	m.mu.Unlock()
	if full {
		select {
		case m.full <- struct{}{}:
		default: // it was said already
		}
	}
}

// Close writes what was recorded, for at most ten seconds, and stops the meter. Calls must have ended by then.
func (m *Meter) Close() {
	m.asked.Wait()
	close(m.stop)
	<-m.done
	<-m.rolled
}

func (m *Meter) run() {
	defer close(m.done)
	tick := time.NewTicker(writeEvery)
	defer tick.Stop()
	for {
		stopping := false
		select {
		case <-tick.C:
		case <-m.full:
		case <-m.stop:
			stopping = true
		}
		if err := m.write(context.Background()); err != nil {
			m.log.Error("write the history of calls", "error", err)
		}
		if stopping {
			return
		}
	}
}

// write empties the meter into the database. What could not be written waits for the next time: while the database is
// away nobody is let in, so that it does not grow.
func (m *Meter) write(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	for {
		calls, blocked := m.take()
		if len(calls) == 0 && len(blocked) == 0 {
			return nil
		}
		if err := m.writeBatch(ctx, calls, blocked); err != nil {
			m.giveBack(calls, blocked)
			return err
		}
	}
}

func (m *Meter) take() ([]Call, map[tally]int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := min(len(m.calls), batchSize)
	calls := m.calls[:n:n]
	if m.calls = m.calls[n:]; len(m.calls) == 0 {
		m.calls = nil
	}
	blocked := m.blocked
	m.blocked = map[tally]int64{}
	return calls, blocked
}

func (m *Meter) giveBack(calls []Call, blocked map[tally]int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls = append(calls, m.calls...)
	for t, n := range blocked {
		m.blocked[t] += n
	}
}

// gate lets who adds to the history pass beside others of the kind. It is a statement of its own: the next one then sees
// which accounts were deleted while it waited.
const gate = `SELECT FROM usage_rollup FOR KEY SHARE`

// gateAlone waits for all that are adding to the history and keeps others from it until the transaction ends.
const gateAlone = `SELECT FROM usage_rollup FOR UPDATE`

// writeBatch writes calls and what the limit blocked, all or nothing, in one round trip. Nothing is written for an account
// that is gone.
func (m *Meter) writeBatch(ctx context.Context, calls []Call, blocked map[tally]int64) error {
	var batch pgx.Batch
	batch.Queue(gate)
	queueCalls(&batch, calls)
	queueBlocked(&batch, blocked)
	if err := m.pool.SendBatch(ctx, &batch).Close(); err != nil {
		return fmt.Errorf("write %d calls: %w", len(calls), err)
	}
	return nil
}

func queueCalls(batch *pgx.Batch, calls []Call) {
	if len(calls) == 0 {
		return
	}
	const query = `
		INSERT INTO usage_call (account_id, key_id, at, version, endpoint, status)
		SELECT c.account_id, c.key_id, c.at, c.version, c.endpoint, c.status
		FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::text[], $5::text[], $6::smallint[])
			WITH ORDINALITY AS c (account_id, key_id, at, version, endpoint, status, position)
		JOIN account a ON a.id = c.account_id
		ORDER BY c.position`
	n := len(calls)
	accounts, keys, times := make([]ID, n), make([]KeyID, n), make([]time.Time, n)
	versions, endpoints, statuses := make([]string, n), make([]string, n), make([]int16, n)
	for i, c := range calls {
		accounts[i], keys[i], times[i] = c.Account, c.Key, c.At
		versions[i], endpoints[i], statuses[i] = c.Version, c.Endpoint, int16(c.Status)
	}
	batch.Queue(query, accounts, keys, times, versions, endpoints, statuses)
}

// queueBlocked adds to the totals in the order of their rows: processes that write the same rows then wait for each other
// instead of locking each other out.
func queueBlocked(batch *pgx.Batch, blocked map[tally]int64) {
	if len(blocked) == 0 {
		return
	}
	const query = `
		INSERT INTO usage_day AS d (account_id, day, key_id, calls, blocked)
		SELECT t.account_id, t.day, t.key_id, 0, t.blocked
		FROM unnest($1::bigint[], $2::date[], $3::bigint[], $4::bigint[]) AS t (account_id, day, key_id, blocked)
		JOIN account a ON a.id = t.account_id
		ORDER BY 1, 2, 3
		ON CONFLICT (account_id, day, key_id) DO UPDATE
		SET blocked = d.blocked + excluded.blocked`
	n := len(blocked)
	accounts, dates, keys, counts := make([]ID, 0, n), make([]time.Time, 0, n), make([]KeyID, 0, n), make([]int64, 0, n)
	for t, sum := range blocked {
		accounts, dates = append(accounts, t.caller.Account), append(dates, t.day)
		keys, counts = append(keys, t.caller.Key), append(counts, sum)
	}
	batch.Queue(query, accounts, dates, keys, counts)
}
