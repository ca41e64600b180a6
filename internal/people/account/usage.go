package account

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"razao/internal/recovery"
)

// Timing of the history.
const (
	writeEvery   = 500 * time.Millisecond // also the history that a killed process loses
	writeTimeout = 10 * time.Second       // for one flush, and for one transaction of a roll-up
	closeTimeout = 5 * time.Second        // of Close; calls that are not written by then are lost
	batchSize    = 2000                   // calls in one transaction
)

// CallID is the order in which calls were written. 0 is no call.
type CallID int64

// Call is an admitted call: who called which endpoint, never with which parameters.
type Call struct {
	ID       CallID    `db:"id"` // 0 until it is written
	Account  ID        `db:"account_id"`
	Key      KeyID     `db:"key_id"`   // 0: without a key
	At       time.Time `db:"at"`       // Admission.At
	Version  string    `db:"version"`  // v1, v2 or mcp
	Endpoint string    `db:"endpoint"` // route pattern, or name of an MCP tool
	Status   int       `db:"status"`   // HTTP status of the response
}

// blockedDay is the key by which refused calls are counted.
type blockedDay struct {
	caller Caller
	day    time.Time // 00:00 UTC
}

// Record queues an admitted call for the history. It never blocks; the call is written within a
// second, or when the database is back.
func (m *Meter) Record(c Call) {
	m.mu.Lock()
	m.calls = append(m.calls, c)
	full := len(m.calls) >= batchSize
	m.mu.Unlock()
	if full {
		select {
		case m.full <- struct{}{}:
		default: // already signalled
		}
	}
}

// Close stops the meter after writing what was recorded, for at most 5 s. No call may be in
// progress, and the meter must not be used afterwards.
func (m *Meter) Close() {
	late := time.AfterFunc(closeTimeout, m.end)
	defer late.Stop()
	m.counting.Wait()
	m.filter.Close()
	close(m.stop)
	<-m.done
	<-m.rolled
	m.end()
}

// run writes the history every half second, or when a batch is full, until the meter is closed. It
// writes once more before it returns.
func (m *Meter) run() {
	defer close(m.done)
	tick := time.NewTicker(writeEvery)
	defer tick.Stop()
	down := recovery.NewOutage(m.log, "write the history of calls")
	for {
		stopping := false
		select {
		case <-tick.C:
		case <-m.full:
		case <-m.stop:
			stopping = true
		}
		down.Note(recovery.Do(func() error { return m.write(m.life) }))
		if stopping {
			return
		}
	}
}

// write flushes the recorded calls in batches. After an error they are kept for the next flush. The
// backlog stays small, because without the database no call is admitted.
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

// take removes up to batchSize calls, and all refusals, to be written.
func (m *Meter) take() ([]Call, map[blockedDay]int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := min(len(m.calls), batchSize)
	calls := m.calls[:n:n]
	if m.calls = m.calls[n:]; len(m.calls) == 0 {
		m.calls = nil
	}
	blocked := m.blocked
	m.blocked = map[blockedDay]int64{}
	return calls, blocked
}

// giveBack returns what could not be written, before calls recorded since.
func (m *Meter) giveBack(calls []Call, blocked map[blockedDay]int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls = append(calls, m.calls...)
	for t, n := range blocked {
		m.blocked[t] += n
	}
}

// sharedLock takes the readers-writer lock on the row of usage_rollup in shared mode, until the
// transaction ends. It is a statement of its own: in READ COMMITTED only a later statement sees the
// account deletion that this one waited for.
const sharedLock = `SELECT FROM usage_rollup FOR KEY SHARE`

// exclusiveLock takes the same lock exclusively: it waits for all writers and blocks new ones.
const exclusiveLock = `SELECT FROM usage_rollup FOR UPDATE`

// writeBatch inserts calls and adds refusals to the totals, in one transaction and round trip.
// Those of deleted accounts are dropped.
func (m *Meter) writeBatch(ctx context.Context, calls []Call, blocked map[blockedDay]int64) error {
	var batch pgx.Batch
	batch.Queue(sharedLock)
	queueCalls(&batch, calls)
	queueBlocked(&batch, blocked)
	if err := m.pool.SendBatch(ctx, &batch).Close(); err != nil {
		return fmt.Errorf("write %d calls: %w", len(calls), err)
	}
	return nil
}

// queueCalls inserts calls in the order given, so that ids follow it.
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

// queueBlocked adds refusals to the daily totals. All processes lock rows in the order of their
// key, so they cannot deadlock.
func queueBlocked(batch *pgx.Batch, blocked map[blockedDay]int64) {
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
