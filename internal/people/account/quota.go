package account

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// quota is the SQL of what is left to account a: now(), calls left of $2 in its minute, end of the
// minute. It chooses the minute as countRow does.
const quota = `
	now(), greatest($2 - coalesce(m.calls, 0), 0)::int, coalesce(m.minute, date_trunc('minute', now(), 'UTC')) + interval '1 minute'`

// ofMinute joins the row that a call made now would be added to, if it counts for the current
// minute.
const ofMinute = `
	LEFT JOIN admission m ON m.account_id = a.id
		AND m.minute BETWEEN date_trunc('minute', now(), 'UTC') AND date_trunc('minute', now(), 'UTC') + interval '1 minute'`

// Quota returns what Admit would, without counting a call. An exhausted minute is no *LimitError
// but Remaining 0.
func (m *Meter) Quota(ctx context.Context, token string) (Admission, error) {
	hash, sealed, err := m.check(token)
	if err != nil {
		return Admission{}, err
	}
	const query = `
		SELECT a.id, k.id,` + quota + `
		FROM api_key k JOIN account a ON a.id = k.account_id` + ofMinute + `
		WHERE k.hash = $1 AND k.revoked_at IS NULL`
	found, err := m.queryQuota(ctx, query, hash[:], ErrInvalidKey)
	m.learn(hash, sealed, err)
	return found, err
}

// QuotaOf is Quota for an account that was authenticated otherwise. ErrNoAccount means that
// it was deleted.
func (m *Meter) QuotaOf(ctx context.Context, id ID) (Admission, error) {
	const query = `SELECT a.id, 0,` + quota + ` FROM account a` + ofMinute + ` WHERE a.id = $1`
	return m.queryQuota(ctx, query, id, ErrNoAccount)
}

// Charge counts further calls of an account whose call was admitted, all or none. If its minute has not as
// many left, the error is a *LimitError, and the Admission says how many there are. ErrNoAccount means that
// it was deleted.
func (m *Meter) Charge(ctx context.Context, id ID, calls int) (_ Admission, err error) {
	const query = `
		INSERT INTO admission AS a (account_id, minute, calls)
		SELECT id, date_trunc('minute', now(), 'UTC'), $2
		FROM account
		WHERE id = $1` + addToRow + `
		WHERE ` + newCalls + ` <= $3` + returned + `, now()`
	a := Admission{Limit: CallsPerMinute}
	var counted int
	err = m.pool.QueryRow(ctx, query, id, calls, CallsPerMinute).Scan(&a.Account, &counted, &a.Reset, &a.At)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		if a, err = m.QuotaOf(ctx, id); err == nil {
			err = &LimitError{Wait: a.Reset.Sub(a.At)}
		}
	case err != nil:
		err = fmt.Errorf("charge calls: %w", err)
	default:
		a.Remaining = CallsPerMinute - counted
	}
	return a, err
}

// queryQuota runs a query of Quota or QuotaOf; absent is the error for no row.
func (m *Meter) queryQuota(ctx context.Context, query string, who any, absent error) (Admission, error) {
	a := Admission{Limit: CallsPerMinute}
	err := m.pool.QueryRow(ctx, query, who, CallsPerMinute).Scan(&a.Account, &a.Key, &a.At, &a.Remaining, &a.Reset)
	if errors.Is(err, pgx.ErrNoRows) {
		return Admission{}, absent
	}
	if err != nil {
		return Admission{}, fmt.Errorf("look up what is left of a minute: %w", err)
	}
	return a, nil
}
