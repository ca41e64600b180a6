package account

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"razao/internal/store/batching"
)

// Bounds of the statements that count calls.
const (
	maxBatch     = 256             // calls counted by one statement
	countTimeout = 5 * time.Second // for one statement
)

// callCount is the result of counting a call.
type callCount struct {
	admission Admission
	number    int // of the call in its account's minute, from 1
}

type countedCall = batching.Call[subject, callCount]

// count counts a call and returns its number in its account's minute, from 1. Concurrent calls
// share a statement (group commit). A call whose client leaves before the statement starts is not
// counted; one whose client leaves later is. The errors are ErrInvalidKey, ErrNoAccount, and that
// of ctx or the database.
func (m *Meter) count(ctx context.Context, who subject) (Admission, int, error) {
	err := ctx.Err()
	if err == nil {
		var c callCount
		if c, err = m.counting.Get(ctx, who); err == nil || ctx.Err() == nil {
			return c.admission, c.number, err
		}
	}
	return Admission{}, 0, fmt.Errorf("count a call: %w", err)
}

// countCalls counts a batch with one statement and answers every call of it. It ignores the context
// of its caller: no client may cancel a statement that counts the calls of others.
func (m *Meter) countCalls(_ context.Context, calls []*countedCall) {
	ctx, cancel := context.WithTimeout(m.life, countTimeout)
	defer cancel()
	waiting := map[subject][]*countedCall{}
	for _, c := range calls {
		waiting[c.Key] = append(waiting[c.Key], c)
	}
	err := m.countKnown(ctx, waiting)
	for _, c := range calls { // unknown to the database, or all if it failed; answered calls ignore it
		switch {
		case err != nil:
			c.Answer(callCount{}, err)
		case c.Key.account != 0:
			c.Answer(callCount{}, ErrNoAccount)
		default:
			c.Answer(callCount{}, ErrInvalidKey)
		}
	}
}

// countRow adds calls to an account's row. The row decides which minute they count in, not now():
// now() is the start of the transaction, while the row's lock orders the calls. A call that waited
// for the lock past the turn of the minute finds the row one minute ahead and counts there. A row
// further ahead was written before the database's clock was set back, and is reset.
const (
	countRow = addToRow + returned
	addToRow = `
	ON CONFLICT (account_id) DO UPDATE SET
		calls = ` + newCalls + `,
		minute = CASE WHEN a.minute BETWEEN excluded.minute AND excluded.minute + interval '1 minute' THEN a.minute ELSE excluded.minute END`
	newCalls = `excluded.calls + CASE WHEN a.minute BETWEEN excluded.minute AND excluded.minute + interval '1 minute' THEN a.calls ELSE 0 END`
	returned = `
	RETURNING account_id, calls, minute + interval '1 minute'`
)

// countKnown counts a batch and answers the calls of subjects that exist. The calls of an account
// are numbered downwards from its new total, over all its keys.
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
			c.Answer(callCount{a, total - answered[a.Account]}, nil)
			answered[a.Account]++
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("count calls: %w", err)
	}
	return nil
}

// queryCounts counts a batch and returns a row for each subject that exists: account, its calls in
// the minute including these, end of the minute, key or 0, hash of the key, now().
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
	// Fast path: a single subject, the usual case, needs neither unnest nor a join.
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
	// Most batches have only keys: an empty branch for accounts is not free.
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
		// ORDER BY: all processes lock rows in the same order, so they cannot deadlock.
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
