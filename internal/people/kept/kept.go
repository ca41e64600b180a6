// Package kept keeps what somebody has brought, such as a list of companies, for as long as its answer is looked at: so that other columns
// or a download need not bring it again.
//
// It is kept encrypted in PostgreSQL, under a key that only the address of the answer, the account and the server's secret make together, and so
// is lost with the address (crypto-shredding). The table is unlogged: it is in no backup, no replica and no WAL, and a crash of PostgreSQL empties it.
package kept

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/klauspost/compress/gzip"

	"razao/internal/people/account"
	"razao/internal/people/seal"
)

const (
	// Minutes is how long something is kept.
	Minutes = 15
	// Most is how many things an account keeps: the oldest makes room.
	Most = 8
)

const maxContent = 64 << 20 // bytes of one thing, unpacked

var (
	// ErrGone means that there is nothing under a token: it was never kept, not by this account, or no longer.
	ErrGone = errors.New("not kept, or no longer")
	// ErrTooLarge means that something is too large to be kept.
	ErrTooLarge = errors.New("too large to be kept")
)

// Store keeps things. It is safe for concurrent use.
type Store struct {
	pool *pgxpool.Pool
	seal *seal.Sealer
}

// NewStore returns the Store of a migrated database.
func NewStore(pool *pgxpool.Pool, s *seal.Sealer) *Store { return &Store{pool, s} }

// purpose is what the key of a thing is derived for: its token and account.
func purpose(id account.ID, token string) string { return fmt.Sprintf("kept %d %s", id, token) }

// Keep keeps content for an account and returns the token under which it is read. The errors are ErrTooLarge and account.ErrNoAccount.
func (s *Store) Keep(ctx context.Context, id account.ID, content []byte) (token string, err error) {
	token = seal.RandomToken()
	sealed, err := s.pack(id, token, content)
	if err != nil {
		return "", err
	}
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		held, err := tx.Exec(ctx, `SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE`, id) // one at a time
		if err != nil {
			return err
		}
		if held.RowsAffected() == 0 {
			return account.ErrNoAccount
		}
		const makeRoom = `DELETE FROM kept WHERE token_hash IN (SELECT token_hash FROM kept WHERE account_id = $1 ORDER BY expires_at DESC OFFSET $2)`
		if _, err := tx.Exec(ctx, makeRoom, id, Most-1); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO kept (token_hash, account_id, content, expires_at) VALUES ($1, $2, $3, now() + make_interval(mins => $4))`,
			seal.HashOf(token), id, sealed, Minutes)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("keep: %w", err)
	}
	return token, nil
}

// pack compresses and encrypts content. The error is ErrTooLarge.
func (s *Store) pack(id account.ID, token string, content []byte) (sealed string, err error) {
	if len(content) > maxContent {
		return "", ErrTooLarge
	}
	var packed strings.Builder
	w, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	if err == nil {
		_, err = w.Write(content)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return "", fmt.Errorf("pack: %w", err)
	}
	return s.seal.Encrypt(purpose(id, token), packed.String()), nil
}

// unpack is the opposite of pack. The error is ErrGone if it was packed by a server with another secret.
func (s *Store) unpack(id account.ID, token, sealed string) ([]byte, error) {
	packed, ok := s.seal.Decrypt(purpose(id, token), sealed)
	if !ok {
		return nil, ErrGone
	}
	r, err := gzip.NewReader(strings.NewReader(packed))
	var all bytes.Buffer
	if err == nil {
		_, err = io.Copy(&all, io.LimitReader(r, maxContent))
	}
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	return all.Bytes(), nil
}

const selectOne = `SELECT content, expires_at FROM kept WHERE token_hash = $1 AND account_id = $2 AND expires_at > now()`

// Read returns what an account keeps under a token, and until when. The error is ErrGone.
func (s *Store) Read(ctx context.Context, id account.ID, token string) (content []byte, until time.Time, err error) {
	return s.read(s.pool.QueryRow(ctx, selectOne, seal.HashOf(token), id), id, token)
}

func (s *Store) read(row pgx.Row, id account.ID, token string) (content []byte, until time.Time, err error) {
	var sealed string
	err = row.Scan(&sealed, &until)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, until, ErrGone
	}
	if err != nil {
		return nil, until, fmt.Errorf("read what is kept: %w", err)
	}
	content, err = s.unpack(id, token, sealed)
	return content, until, err
}

// Change replaces what an account keeps under a token by what change makes of it, one change after the other. It is kept no longer than before.
// The errors are ErrGone, ErrTooLarge and that of change.
func (s *Store) Change(ctx context.Context, id account.ID, token string, change func(content []byte) ([]byte, error)) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		content, _, err := s.read(tx.QueryRow(ctx, selectOne+" FOR UPDATE", seal.HashOf(token), id), id, token)
		if err == nil {
			content, err = change(content)
		}
		if err != nil {
			return err
		}
		sealed, err := s.pack(id, token, content)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE kept SET content = $2 WHERE token_hash = $1`, seal.HashOf(token), sealed); err != nil {
			return fmt.Errorf("change what is kept: %w", err)
		}
		return nil
	})
}

// Purge deletes what has expired.
func (s *Store) Purge(ctx context.Context) error {
	if _, err := s.pool.Exec(ctx, `DELETE FROM kept WHERE expires_at <= now()`); err != nil {
		return fmt.Errorf("delete what is kept no longer: %w", err)
	}
	return nil
}
