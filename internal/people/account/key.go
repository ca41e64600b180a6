package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"razao/internal/people/seal"
)

// Key describes an API key, active or revoked. The key itself is not stored and cannot be shown
// again.
type Key struct {
	ID         KeyID      `db:"id"`
	Account    ID         `db:"account_id"`
	Email      string     `db:"email"`  // of the account
	Name       string     `db:"name"`   // given by its owner
	Prefix     string     `db:"prefix"` // its first 8 characters
	CreatedAt  time.Time  `db:"created_at"`
	RevokedAt  *time.Time `db:"revoked_at"`   // nil: active
	LastUsedAt *time.Time `db:"last_used_at"` // nil: never; up to a second late
}

// lastUse is the SQL of the latest call with key k, NULL without one: from the roll-up, or from the
// calls above its mark.
const lastUse = `greatest(k.last_used_at, (
	SELECT max(at) FROM usage_call WHERE account_id = k.account_id AND key_id = k.id AND id > (` + rolledUp + `)))`

// Caller is who makes a call.
type Caller struct {
	Account ID
	Key     KeyID // 0: authorized without a key, by an access token
}

// CreateKey creates a key for the account with this e-mail address, and the account if it does not
// exist. plain is the key, which cannot be read again. It is for the operator: nobody has verified
// the address. The errors of input are ErrInvalidEmail, ErrInvalidName and ErrTooManyKeys.
func (s *Store) CreateKey(ctx context.Context, email, name string) (plain string, key Key, err error) {
	if email, err = ParseEmail(email); err != nil {
		return "", Key{}, err
	}
	if name, err = normalizeName(name); err != nil {
		return "", Key{}, err
	}
	plain = newKey(s.seal)
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		account, err := lockAccount(ctx, tx, email)
		if err != nil {
			return err
		}
		key, err = s.insertKey(ctx, tx, account, name, plain)
		return err
	})
	if err != nil {
		return "", Key{}, fmt.Errorf("create key: %w", err)
	}
	return plain, key, nil
}

// AddKey creates a key for an existing account, like CreateKey. form is the id of the form that asks for it (web.NewForm): for a
// form that is sent again with the same name, as by a double click, it returns the same key for five minutes, and ErrFormUsed
// afterwards or once the key is revoked. "" is a form of its own each time. The errors of input are ErrInvalidName,
// ErrTooManyKeys and ErrNoAccount.
func (s *Store) AddKey(ctx context.Context, account ID, form, name string) (plain string, key Key, err error) {
	if name, err = normalizeName(name); err != nil {
		return "", Key{}, err
	}
	if plain = newKey(s.seal); form != "" {
		plain = keyOfForm(s.seal, account, form, name)
	}
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		const lock = `SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE`
		held, err := tx.Exec(ctx, lock, account)
		if err != nil {
			return err
		}
		if held.RowsAffected() == 0 {
			return ErrNoAccount
		}
		key, err = repeatedKey(ctx, tx, plain)
		if errors.Is(err, pgx.ErrNoRows) {
			key, err = s.insertKey(ctx, tx, account, name, plain)
		}
		return err
	})
	if err != nil {
		return "", Key{}, fmt.Errorf("add a key to account %d: %w", account, err)
	}
	return plain, key, nil
}

// lockAccount finds or creates an account and locks its row until tx ends. DO NOTHING would neither
// lock nor return an existing row, so the update sets the address to itself.
func lockAccount(ctx context.Context, tx pgx.Tx, email string) (ID, error) {
	const query = `
		INSERT INTO account (email) VALUES ($1)
		ON CONFLICT (lower(email)) DO UPDATE SET email = account.email
		RETURNING id`
	var id ID
	err := tx.QueryRow(ctx, query, email).Scan(&id)
	return id, err
}

// insertKey adds a key to an account whose row tx has locked: otherwise concurrent requests could
// exceed MaxActiveKeys.
func (s *Store) insertKey(ctx context.Context, tx pgx.Tx, account ID, name, plain string) (Key, error) {
	const query = `
		WITH added AS (
			INSERT INTO api_key (account_id, name, prefix, hash, seal)
			SELECT $1, $2, $3, $4, $6
			WHERE (SELECT count(*) FROM api_key WHERE account_id = $1 AND revoked_at IS NULL) < $5
			RETURNING id, account_id, name, prefix, created_at, revoked_at, last_used_at
		)
		SELECT k.id, k.account_id, a.email, k.name, k.prefix, k.created_at, k.revoked_at, k.last_used_at
		FROM added k JOIN account a ON a.id = k.account_id`
	rows, err := tx.Query(ctx, query, account, name, plain[:shownLength], seal.HashOf(plain), MaxActiveKeys, s.seal.Fingerprint())
	if err != nil {
		return Key{}, err
	}
	key, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[Key])
	if errors.Is(err, pgx.ErrNoRows) {
		return Key{}, ErrTooManyKeys
	}
	return key, err
}

// repeatedKey returns the key that the same form created moments ago, or pgx.ErrNoRows if it created none. tx has locked the
// account, so the first of two requests has committed. ErrFormUsed means that the key must not be shown any more.
func repeatedKey(ctx context.Context, tx pgx.Tx, plain string) (Key, error) {
	const query = `
		SELECT k.id, k.account_id, a.email, k.name, k.prefix, k.created_at, k.revoked_at, k.last_used_at,
			k.revoked_at IS NOT NULL OR k.created_at < now() - interval '5 minutes' AS used
		FROM api_key k JOIN account a ON a.id = k.account_id
		WHERE k.hash = $1`
	rows, err := tx.Query(ctx, query, seal.HashOf(plain))
	if err != nil {
		return Key{}, err
	}
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[struct {
		Key
		Used bool `db:"used"`
	}])
	if found.Used {
		err = ErrFormUsed
	}
	return found.Key, err
}

// Keys returns the keys of the account with this e-mail address, active and revoked, oldest first;
// those of all accounts if email is "". An unknown address has none. The error of input is
// ErrInvalidEmail.
func (s *Store) Keys(ctx context.Context, email string) ([]Key, error) {
	if email != "" {
		var err error
		if email, err = ParseEmail(email); err != nil {
			return nil, err
		}
	}
	return s.keysWhere(ctx, `$1 = '' OR lower(a.email) = lower($1)`, email)
}

// KeysOf returns the keys of an account, active and revoked, oldest first.
func (s *Store) KeysOf(ctx context.Context, account ID) ([]Key, error) {
	return s.keysWhere(ctx, `k.account_id = $1`, account)
}

// keysWhere returns the keys that an SQL condition with one argument selects, oldest first.
func (s *Store) keysWhere(ctx context.Context, condition string, argument any) ([]Key, error) {
	rows, err := s.pool.Query(ctx, `
		SELECT k.id, k.account_id, a.email, k.name, k.prefix, k.created_at, k.revoked_at, `+lastUse+` AS last_used_at
		FROM api_key k JOIN account a ON a.id = k.account_id
		WHERE `+condition+`
		ORDER BY k.id`, argument)
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	keys, err := pgx.CollectRows(rows, pgx.RowToStructByName[Key])
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	return keys, nil
}

// RevokeKeyOf revokes a key of an account, like RevokeKey. ErrNotFound means that it does not exist
// or belongs to another account (insecure direct object reference).
func (s *Store) RevokeKeyOf(ctx context.Context, account ID, id KeyID) error {
	const query = `UPDATE api_key SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1 AND account_id = $2`
	done, err := s.pool.Exec(ctx, query, id, account)
	if err != nil {
		return fmt.Errorf("revoke key %d of account %d: %w", id, account, err)
	}
	if done.RowsAffected() == 0 {
		return fmt.Errorf("revoke key %d of account %d: %w", id, account, ErrNotFound)
	}
	return nil
}

// RevokeKey revokes a key for good: calls that begin after it returns are refused by every process.
// It is idempotent. ErrNotFound means that there is no such key.
func (s *Store) RevokeKey(ctx context.Context, id KeyID) error {
	const query = `UPDATE api_key SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1`
	done, err := s.pool.Exec(ctx, query, id)
	if err != nil {
		return fmt.Errorf("revoke key %d: %w", id, err)
	}
	if done.RowsAffected() == 0 {
		return fmt.Errorf("revoke key %d: %w", id, ErrNotFound)
	}
	return nil
}
