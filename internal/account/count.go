package account

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"razao/internal/recovery"
)

const (
	maxBatch     = 256                   // calls counted by one statement
	maxInFlight  = 2                     // counting statements
	hedgeAfter   = 10 * time.Millisecond // a statement that takes longer no longer holds up the next
	countTimeout = 5 * time.Second
)

// waiter is a call waiting to be counted.
type waiter struct {
	who    subject
	result chan countResult // with a buffer of one: the sender never blocks
}

// countResult is the count of a call.
type countResult struct {
	admission Admission
	number    int // of the call in its account's minute, from 1
	err       error
}

// count counts a call and returns its number in its account's minute, from 1. The refusals are ErrInvalidKey and ErrNoAccount.
//
// Calls are batched without a timer (group commit): those that arrive while a statement runs share the next one, so that an
// idle server counts each at once and a busy one up to 256 in one round trip. If a statement hangs, a second one starts after
// 10 ms for those that come later.
func (m *Meter) count(ctx context.Context, who subject) (Admission, int, error) {
	if err := ctx.Err(); err != nil {
		return Admission{}, 0, fmt.Errorf("count a call: %w", err)
	}
	w := &waiter{who: who, result: make(chan countResult, 1)}
	m.mu.Lock()
	m.queue = append(m.queue, w)
	free := m.inFlight == 0 || m.inFlight < maxInFlight && m.now().Sub(m.sentAt) > hedgeAfter
	if free {
		m.inFlight++
	}
	m.mu.Unlock()
	if free && m.countQueued() {
		m.background.Go(func() { // the queue is others' calls: this one need not wait for them
			for m.countQueued() {
			}
		})
	}
	select {
	case a := <-w.result:
		return a.admission, a.number, a.err
	case <-ctx.Done():
		m.withdraw(w)
		return Admission{}, 0, fmt.Errorf("count a call: %w", ctx.Err())
	}
}

// withdraw takes a call whose client left out of the queue. One that a statement is about is still counted.
func (m *Meter) withdraw(w *waiter) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := slices.Index(m.queue, w); i >= 0 {
		m.queue = slices.Concat(m.queue[:i], m.queue[i+1:]) // a new array: batches under way are parts of the old one
	}
}

// countQueued counts the queued calls with one statement and reports whether more have arrived; if not, it gives up its place
// among the statements in flight.
func (m *Meter) countQueued() (more bool) {
	m.mu.Lock()
	n := min(len(m.queue), maxBatch)
	waiters := m.queue[:n:n]
	m.queue = m.queue[n:]
	m.sentAt = m.now()
	m.mu.Unlock()
	m.countBatch(waiters)
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.queue) > 0 {
		return true
	}
	m.queue = nil
	m.inFlight--
	return false
}

// countBatch counts calls and sends each its result.
func (m *Meter) countBatch(waiters []*waiter) {
	if len(waiters) == 0 { // the other statement in flight took them
		return
	}
	ctx, cancel := context.WithTimeout(m.life, countTimeout)
	defer cancel()
	waiting := map[subject][]*waiter{}
	for _, w := range waiters {
		waiting[w.who] = append(waiting[w.who], w)
	}
	err := recovery.Do(func() error { return m.countKnown(ctx, waiting) })
	for who, left := range waiting { // unknown to the database, or all of them if it failed
		reason := err
		switch {
		case reason != nil:
		case who.account != 0:
			reason = ErrNoAccount
		default:
			reason = ErrInvalidKey
		}
		for _, w := range left {
			w.result <- countResult{err: reason}
		}
	}
}

// countRow adds calls to an account's current minute. The row decides which minute that is, because its lock orders the calls
// while now() is when each transaction began: a call that waited for the lock past the turn of the minute finds the row one
// minute ahead and counts there. A row further ahead was written before the clock was set back, and is reset.
const countRow = `
	ON CONFLICT (account_id) DO UPDATE SET
		calls = excluded.calls + CASE WHEN a.minute BETWEEN excluded.minute AND excluded.minute + interval '1 minute' THEN a.calls ELSE 0 END,
		minute = CASE WHEN a.minute BETWEEN excluded.minute AND excluded.minute + interval '1 minute' THEN a.minute ELSE excluded.minute END
	RETURNING account_id, calls, minute + interval '1 minute'`

// countKnown counts the calls of subjects that exist, sends their results and removes them from waiting.
func (m *Meter) countKnown(ctx context.Context, waiting map[subject][]*waiter) error {
	rows, err := m.queryCounts(ctx, waiting)
	if err != nil {
		return fmt.Errorf("count calls: %w", err)
	}
	answered := map[ID]int{} // calls numbered so far, by account
	var hash []byte
	var total int
	a := Admission{Limit: CallsPerMinute}
	_, err = pgx.ForEachRow(rows, []any{&a.Account, &total, &a.Reset, &a.Key, &hash, &a.At}, func() error {
		who := subject{account: a.Account}
		if a.Key != 0 {
			who = subject{keyHash: [sha256.Size]byte(hash)}
		}
		for _, w := range waiting[who] {
			w.result <- countResult{admission: a, number: total - answered[a.Account]}
			answered[a.Account]++
		}
		delete(waiting, who)
		return nil
	})
	if err != nil {
		return fmt.Errorf("count calls: %w", err)
	}
	return nil
}

// queryCounts counts calls and returns a row for each subject that exists: account, its calls in the minute including these,
// end of the minute, key or 0, hash of the key, now().
func (m *Meter) queryCounts(ctx context.Context, waiting map[subject][]*waiter) (pgx.Rows, error) {
	var hashes [][]byte
	var accounts []ID
	var keyCalls, accountCalls []int
	for who, waiters := range waiting {
		if who.account != 0 {
			accounts, accountCalls = append(accounts, who.account), append(accountCalls, len(waiters))
		} else {
			hashes, keyCalls = append(hashes, who.keyHash[:]), append(keyCalls, len(waiters))
		}
	}
	// For a single caller, the usual case, these cost half of what the general statement does.
	switch {
	case len(waiting) == 1 && len(hashes) == 1:
		const oneKey = `
			INSERT INTO admission AS a (account_id, minute, calls)
			SELECT account_id, date_trunc('minute', now(), 'UTC'), $2
			FROM api_key
			WHERE hash = $1 AND revoked_at IS NULL` + countRow + `, (SELECT id FROM api_key WHERE hash = $1), $1, now()`
		return m.pool.Query(ctx, oneKey, hashes[0], keyCalls[0])
	case len(waiting) == 1:
		const oneAccount = `
			INSERT INTO admission AS a (account_id, minute, calls)
			SELECT id, date_trunc('minute', now(), 'UTC'), $2
			FROM account
			WHERE id = $1` + countRow + `, 0, ''::bytea, now()`
		return m.pool.Query(ctx, oneAccount, accounts[0], accountCalls[0])
	}
	// ORDER BY: rows are locked in one order, so that concurrent processes cannot deadlock.
	const many = `
		WITH asked AS (
			SELECT k.account_id, k.id AS key_id, q.hash, q.calls
			FROM unnest($1::bytea[], $2::int[]) AS q (hash, calls)
			JOIN api_key k ON k.hash = q.hash AND k.revoked_at IS NULL
			UNION ALL
			SELECT a.id, 0, ''::bytea, q.calls
			FROM unnest($3::bigint[], $4::int[]) AS q (id, calls)
			JOIN account a ON a.id = q.id
		), counted (account_id, calls, reset) AS (
			INSERT INTO admission AS a (account_id, minute, calls)
			SELECT account_id, date_trunc('minute', now(), 'UTC'), sum(calls)
			FROM asked
			GROUP BY account_id
			ORDER BY account_id` + countRow + `
		)
		SELECT account_id, counted.calls, counted.reset, asked.key_id, asked.hash, now()
		FROM asked JOIN counted USING (account_id)`
	return m.pool.Query(ctx, many, hashes, keyCalls, accounts, accountCalls)
}
