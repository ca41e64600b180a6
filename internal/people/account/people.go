package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Account is a person or team. Its e-mail address is unique regardless of case.
type Account struct {
	ID        ID        `db:"id"`
	Email     string    `db:"email"`
	CreatedAt time.Time `db:"created_at"`
}

// Identity is a user of a sign-in provider, identified by issuer and subject (OpenID Connect Core
// §2), not by e-mail address.
type Identity struct {
	Issuer     string    `db:"issuer"`
	Subject    string    `db:"subject"` // never changes; Email may
	Email      string    `db:"email"`   // as of the last sign-in
	CreatedAt  time.Time `db:"created_at"`
	LastUsedAt time.Time `db:"last_used_at"`
}

// Account returns the account with this id. ErrNoAccount: it was deleted.
func (s *Store) Account(ctx context.Context, id ID) (Account, error) {
	const query = `SELECT id, email, created_at FROM account WHERE id = $1`
	rows, err := s.pool.Query(ctx, query, id)
	if err != nil {
		return Account{}, fmt.Errorf("account %d: %w", id, err)
	}
	account, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[Account])
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrNoAccount
	}
	if err != nil {
		return Account{}, fmt.Errorf("account %d: %w", id, err)
	}
	return account, nil
}

// Identities returns the identities linked to an account, oldest first.
func (s *Store) Identities(ctx context.Context, id ID) ([]Identity, error) {
	const query = `
		SELECT issuer, subject, email, created_at, last_used_at
		FROM identity
		WHERE account_id = $1
		ORDER BY created_at, issuer, subject`
	rows, err := s.pool.Query(ctx, query, id)
	if err != nil {
		return nil, fmt.Errorf("identities of account %d: %w", id, err)
	}
	identities, err := pgx.CollectRows(rows, pgx.RowToStructByName[Identity])
	if err != nil {
		return nil, fmt.Errorf("identities of account %d: %w", id, err)
	}
	return identities, nil
}

// ByEmail returns the account with an address, creating it if there is none. The caller must have
// verified that the address belongs to the user. The error of input is ErrInvalidEmail.
func (s *Store) ByEmail(ctx context.Context, email string) (id ID, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		id, err = ByEmail(ctx, tx, email)
		return err
	})
	return id, err
}

// ByEmail is Store.ByEmail in the caller's transaction.
func ByEmail(ctx context.Context, tx pgx.Tx, email string) (ID, error) {
	email, err := ParseEmail(email)
	if err != nil {
		return 0, err
	}
	id, err := lockAccount(ctx, tx, email)
	if err != nil {
		return 0, fmt.Errorf("account by e-mail: %w", err)
	}
	return id, nil
}

// ByIdentity returns the account of a user who signed in with a provider; it reads Issuer, Subject
// and Email of who. A known subject keeps its account even if its address changed. A new one is
// linked to the account with its address, which is created if it does not exist. To prevent account
// takeover, pass only an address that the provider verified, otherwise "". A new subject without
// one gets ErrInvalidEmail.
func (s *Store) ByIdentity(ctx context.Context, who Identity) (ID, error) {
	email, emailErr := ParseEmail(who.Email)
	var id ID
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		const known = `
			UPDATE identity SET last_used_at = now(), email = CASE WHEN $3 = '' THEN email ELSE $3 END
			WHERE issuer = $1 AND subject = $2
			RETURNING account_id`
		err := tx.QueryRow(ctx, known, who.Issuer, who.Subject, email).Scan(&id)
		if !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		if emailErr != nil {
			return emailErr
		}
		account, err := lockAccount(ctx, tx, email)
		if err != nil {
			return err
		}
		const link = `
			INSERT INTO identity AS i (issuer, subject, account_id, email) VALUES ($1, $2, $3, $4)
			ON CONFLICT (issuer, subject) DO UPDATE SET last_used_at = now()
			RETURNING account_id`
		return tx.QueryRow(ctx, link, who.Issuer, who.Subject, account, email).Scan(&id)
	})
	if err != nil {
		return 0, fmt.Errorf("account by identity: %w", err)
	}
	return id, nil
}

// Delete deletes an account with its identities, sessions, keys and usage history; tables of other
// packages follow by ON DELETE CASCADE. Its keys are refused from then on. The history is deleted
// in several transactions: after an error, Delete may be repeated. ErrNoAccount means that it was
// deleted before.
func (s *Store) Delete(ctx context.Context, id ID) error {
	const history = `DELETE FROM usage_call WHERE account_id = $1`
	// Most of the history is deleted before the transaction: in steps, because statements of
	// razao_serve have a timeout, and without the exclusive lock, which blocks all writers.
	const step = `
		DELETE FROM usage_call WHERE account_id = $1 AND id <= (
			SELECT max(id) FROM (SELECT id FROM usage_call WHERE account_id = $1 ORDER BY id LIMIT 50000) AS oldest)`
	for more := true; more; {
		done, err := s.pool.Exec(ctx, step, id)
		if err != nil {
			return fmt.Errorf("delete account %d: %w", id, err)
		}
		more = done.RowsAffected() > 0
	}
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, exclusiveLock); err != nil {
			return err
		}
		done, err := tx.Exec(ctx, `DELETE FROM account WHERE id = $1`, id)
		if err != nil {
			return err
		}
		if done.RowsAffected() == 0 {
			return ErrNoAccount
		}
		// admission goes last, because calls being counted wait for its row.
		for _, query := range []string{
			history,
			`DELETE FROM usage_day WHERE account_id = $1`,
			`DELETE FROM admission WHERE account_id = $1`,
		} {
			if _, err := tx.Exec(ctx, query, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("delete account %d: %w", id, err)
	}
	return nil
}

// Purge deletes expired sessions, calls and daily totals older than the history, and counts of past
// minutes. A run deletes at most 10,000 sessions and 50,000 calls, which keeps locks short, and
// only calls that were rolled up. Several processes may run it concurrently.
func (s *Store) Purge(ctx context.Context) error {
	const sessions = `
		DELETE FROM session WHERE id IN (
			SELECT s.id FROM session s WHERE NOT ` + sessionAlive + ` LIMIT 10000 FOR UPDATE SKIP LOCKED)`
	const calls = `
		DELETE FROM usage_call WHERE id IN (
			SELECT id
			FROM (SELECT id, at FROM usage_call WHERE id <= (` + rolledUp + `) ORDER BY id LIMIT 50000) AS oldest
			WHERE at < ` + historyStart + `)`
	const days = `DELETE FROM usage_day WHERE day < ` + historyFirstDay
	const minutes = `DELETE FROM admission WHERE minute < now() - interval '1 day'`
	for _, query := range []string{sessions, calls, days, minutes} {
		if _, err := s.pool.Exec(ctx, query); err != nil {
			return fmt.Errorf("purge expired rows: %w", err)
		}
	}
	return nil
}
