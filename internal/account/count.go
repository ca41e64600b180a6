package account

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	maxQuestions  = 256                   // in one statement
	maxStatements = 2                     // that count calls at a time
	patience      = 10 * time.Millisecond // with the first, before there is a second
	countTimeout  = 5 * time.Second
)

// question is a call that waits to be counted.
type question struct {
	who    subject
	answer chan answer // takes one without waiting
}

// answer is the count of a call. Its number is that in the minute, from 1.
type answer struct {
	admission Admission
	number    int
	err       error
}

// count counts a call and returns its number in the minute of its account. The errors are ErrInvalidKey and ErrNoAccount
// when there is nobody to count for.
//
// Calls that come while a statement is under way wait for its end and share the next: a busy server asks the database seldom
// about many calls, an idle one at once about each. One that hangs is not waited for by those who come later.
func (m *Meter) count(ctx context.Context, who subject) (Admission, int, error) {
	if err := ctx.Err(); err != nil {
		return Admission{}, 0, fmt.Errorf("count a call: %w", err)
	}
	q := &question{who: who, answer: make(chan answer, 1)}
	m.mu.Lock()
	m.queue = append(m.queue, q)
	free := m.asking == 0 || m.asking < maxStatements && m.now().Sub(m.askedAt) > patience
	if free {
		m.asking++
	}
	m.mu.Unlock()
	if free && m.ask() {
		m.asked.Go(func() { // the calls that came meanwhile have their own client to answer
			for m.ask() {
			}
		})
	}
	select {
	case a := <-q.answer:
		return a.admission, a.number, a.err
	case <-ctx.Done(): // it is counted all the same
		return Admission{}, 0, fmt.Errorf("count a call: %w", ctx.Err())
	}
}

// ask counts the calls that wait, with one statement, and reports whether more have come meanwhile. When none have, there is
// one statement less under way.
func (m *Meter) ask() (more bool) {
	m.mu.Lock()
	n := min(len(m.queue), maxQuestions)
	questions := m.queue[:n:n]
	m.queue = m.queue[n:]
	m.askedAt = m.now()
	m.mu.Unlock()
	m.countAll(questions)
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.queue) > 0 {
		return true
	}
	m.queue = nil
	m.asking--
	return false
}

// countAll counts calls and answers each.
func (m *Meter) countAll(questions []*question) {
	if len(questions) == 0 { // another statement took them
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), countTimeout)
	defer cancel()
	waiting := map[subject][]*question{}
	for _, q := range questions {
		waiting[q.who] = append(waiting[q.who], q)
	}
	err := m.countKnown(ctx, waiting)
	for who, left := range waiting { // those that the database does not know, or all when it failed
		reason := err
		switch {
		case reason != nil:
		case who.account != 0:
			reason = ErrNoAccount
		default:
			reason = ErrInvalidKey
		}
		for _, q := range left {
			q.answer <- answer{err: reason}
		}
	}
}

// countRow adds calls to the present minute of an account. Which minute it is only the row says, whose lock orders the calls:
// one that waited from the last minute into this counts here. A row of a later minute than the clock shows was written just
// before or, further away, before the clock was set back.
const countRow = `
	ON CONFLICT (account_id) DO UPDATE SET
		calls = excluded.calls + CASE WHEN a.minute BETWEEN excluded.minute AND excluded.minute + interval '1 minute' THEN a.calls ELSE 0 END,
		minute = CASE WHEN a.minute BETWEEN excluded.minute AND excluded.minute + interval '1 minute' THEN a.minute ELSE excluded.minute END
	RETURNING account_id, calls, minute + interval '1 minute'`

// countKnown counts the calls of all subjects that exist, answers them and takes them out of waiting.
func (m *Meter) countKnown(ctx context.Context, waiting map[subject][]*question) error {
	rows, err := m.askDatabase(ctx, waiting)
	if err != nil {
		return fmt.Errorf("count calls: %w", err)
	}
	answered := map[ID]int{} // calls of an account that have their number
	var hash []byte
	var total int
	a := Admission{Limit: CallsPerMinute}
	_, err = pgx.ForEachRow(rows, []any{&a.Account, &total, &a.Reset, &a.Key, &hash, &a.At}, func() error {
		who := subject{account: a.Account}
		if a.Key != 0 {
			who = subject{keyHash: [sha256.Size]byte(hash)}
		}
		for _, q := range waiting[who] {
			q.answer <- answer{admission: a, number: total - answered[a.Account]}
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

// askDatabase returns a row for each subject that exists: its account, the account's calls in the minute with all of these, the
// end of the minute, the key or 0, the key's hash, and the time.
func (m *Meter) askDatabase(ctx context.Context, waiting map[subject][]*question) (pgx.Rows, error) {
	var hashes [][]byte
	var accounts []ID
	var keyCalls, accountCalls []int
	for who, questions := range waiting {
		if who.account != 0 {
			accounts, accountCalls = append(accounts, who.account), append(accountCalls, len(questions))
		} else {
			hashes, keyCalls = append(hashes, who.keyHash[:]), append(keyCalls, len(questions))
		}
	}
	if len(waiting) == 1 && len(hashes) == 1 {
		// What many does costs twice as much when there is one.
		const one = `
			INSERT INTO admission AS a (account_id, minute, calls)
			SELECT account_id, date_trunc('minute', now(), 'UTC'), $2
			FROM api_key
			WHERE hash = $1 AND revoked_at IS NULL` + countRow + `, (SELECT id FROM api_key WHERE hash = $1), $1, now()`
		return m.pool.Query(ctx, one, hashes[0], keyCalls[0])
	}
	// Rows are taken in one order, so that processes wait for each other instead of locking each other out.
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
