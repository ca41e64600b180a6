package account

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"razao/internal/coalesce"
)

const (
	maxBatch     = 256                   // calls counted by one statement
	hedgeAfter   = 10 * time.Millisecond // a statement that takes longer no longer holds up the next
	countTimeout = 5 * time.Second
)

// counted is the count of a call.
type counted struct {
	admission Admission
	number    int // of the call in its account's minute, from 1
}

type countedCall = coalesce.Call[subject, counted]

// count counts a call and returns its number in its account's minute, from 1. The refusals are ErrInvalidKey and ErrNoAccount.
// Calls that come at the same time are counted by one statement. Those whose client has left before it are not.
func (m *Meter) count(ctx context.Context, who subject) (Admission, int, error) {
	err := ctx.Err()
	if err == nil {
		var c counted
		if c, err = m.counting.Get(ctx, who); err == nil || ctx.Err() == nil {
			return c.admission, c.number, err
		}
	}
	return Admission{}, 0, fmt.Errorf("count a call: %w", err)
}

// countCalls counts calls with one statement. Whoever leaves while it runs is counted: it is about others too.
func (m *Meter) countCalls(_ context.Context, calls []*countedCall) {
	ctx, cancel := context.WithTimeout(m.life, countTimeout)
	defer cancel()
	waiting := map[subject][]*countedCall{}
	for _, c := range calls {
		waiting[c.Key] = append(waiting[c.Key], c)
	}
	err := m.countKnown(ctx, waiting)
	for _, c := range calls { // unknown to the database, or all of them if it failed
		switch {
		case err != nil:
			c.Answer(counted{}, err)
		case c.Key.account != 0:
			c.Answer(counted{}, ErrNoAccount)
		default:
			c.Answer(counted{}, ErrInvalidKey)
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

// countKnown counts and answers the calls of subjects that exist.
func (m *Meter) countKnown(ctx context.Context, waiting map[subject][]*countedCall) error {
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
		for _, c := range waiting[who] {
			c.Answer(counted{a, total - answered[a.Account]}, nil)
			answered[a.Account]++
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("count calls: %w", err)
	}
	return nil
}

// queryCounts counts calls and returns a row for each subject that exists: account, its calls in the minute including these,
// end of the minute, key or 0, hash of the key, now().
func (m *Meter) queryCounts(ctx context.Context, waiting map[subject][]*countedCall) (pgx.Rows, error) {
	var hashes [][]byte
	var accounts []ID
	var keyCalls, accountCalls []int
	for who, calls := range waiting {
		if who.account != 0 {
			accounts, accountCalls = append(accounts, who.account), append(accountCalls, len(calls))
		} else {
			hashes, keyCalls = append(hashes, who.keyHash[:]), append(keyCalls, len(calls))
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
	// An empty branch for accounts would cost a fifth of the statement, and most calls come with keys.
	const (
		byKey = `
			SELECT k.account_id, k.id AS key_id, q.hash, q.calls
			FROM unnest($1::bytea[], $2::int[]) AS q (hash, calls)
			JOIN api_key k ON k.hash = q.hash AND k.revoked_at IS NULL`
		byAccount = `
			UNION ALL
			SELECT a.id, 0, ''::bytea, q.calls
			FROM unnest($3::bigint[], $4::int[]) AS q (id, calls)
			JOIN account a ON a.id = q.id`
		// ORDER BY: rows are locked in one order, so that concurrent processes cannot deadlock.
		count = `
			), counted (account_id, calls, reset) AS (
				INSERT INTO admission AS a (account_id, minute, calls)
				SELECT account_id, date_trunc('minute', now(), 'UTC'), sum(calls)
				FROM asked
				GROUP BY account_id
				ORDER BY account_id` + countRow + `
			)
			SELECT account_id, counted.calls, counted.reset, asked.key_id, asked.hash, now()
			FROM asked JOIN counted USING (account_id)`
	)
	if len(accounts) == 0 {
		return m.pool.Query(ctx, `WITH asked AS (`+byKey+count, hashes, keyCalls)
	}
	return m.pool.Query(ctx, `WITH asked AS (`+byKey+byAccount+count, hashes, keyCalls, accounts, accountCalls)
}
