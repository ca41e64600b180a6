package account

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/jackc/pgx/v5"

	"razao/internal/people/seal"
)

// SessionLifetime is the longest life of a session. Two weeks without use end it earlier.
const SessionLifetime = 90 * 24 * time.Hour

// sessionAlive is the SQL that is true for a session s that has not expired. 90 days are
// SessionLifetime.
const sessionAlive = `(s.created_at > now() - interval '90 days' AND s.last_seen_at > now() - interval '14 days')`

const (
	maxBrowserLength = 200     // characters kept of User-Agent
	maxSessionData   = 4 << 10 // bytes
)

// SessionID identifies a session in lists. It is no secret, unlike the token. 0 is no session.
type SessionID int64

// Session is one browser in which a user is signed in.
type Session struct {
	ID         SessionID `db:"id"`
	Account    ID        `db:"account_id"`
	Email      string    `db:"email"`        // of the account
	Browser    string    `db:"browser"`      // User-Agent at sign-in, printable; may be ""
	CreatedAt  time.Time `db:"created_at"`   // the sign-in
	LastSeenAt time.Time `db:"last_seen_at"` // up to an hour late
	Data       []byte    `db:"data"`         // what SaveSession stored; nil in lists
	Unrecorded error     `db:"-"`            // why this use could not be recorded in LastSeenAt; nil in lists
}

// StartSession starts a session after a sign-in and returns its token: 256 random bits in
// base64url, which cannot be read again. Against session fixation the token is always new, and the
// session of replaced, the token that the browser sent before, ends; "" ends none. ErrNoAccount
// means that the account was deleted.
func (s *Store) StartSession(ctx context.Context, account ID, browser, replaced string) (token string, session Session, err error) {
	token = seal.RandomToken()
	session, err = startSession(ctx, s.pool, token, account, browser, replaced)
	return token, session, err
}

// StartSessionFrom is StartSession in the caller's transaction, with a token that is derived from a text and the server's secret,
// so that RepeatedSession finds the session again. The text must have the entropy of a token, and serve once.
func (s *Store) StartSessionFrom(ctx context.Context, tx pgx.Tx, from string, account ID, browser, replaced string) (token string, session Session, err error) {
	token = s.derivedToken(from)
	session, err = startSession(ctx, tx, token, account, browser, replaced)
	return token, session, err
}

// RepeatedSession returns the session that StartSessionFrom started from the same text within the last minute, to answer a form
// that was sent twice. ErrNoSession means that there is none, or that it has ended.
func (s *Store) RepeatedSession(ctx context.Context, from string) (token string, session Session, err error) {
	token = s.derivedToken(from)
	const query = `
		SELECT s.id, s.account_id, a.email, s.browser, s.data, s.created_at, s.last_seen_at
		FROM session s JOIN account a ON a.id = s.account_id
		WHERE s.token_hash = $1 AND s.created_at > now() - interval '1 minute'`
	rows, err := s.pool.Query(ctx, query, seal.HashOf(token))
	if err == nil {
		session, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[Session])
	}
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrNoSession
	}
	if err != nil {
		return "", Session{}, fmt.Errorf("repeat a session: %w", err)
	}
	return token, session, nil
}

// derivedToken returns the token that follows from a text, in the form of seal.RandomToken.
func (s *Store) derivedToken(from string) string {
	sum := s.seal.MAC("session", from)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// querier is a pool or a transaction.
type querier interface {
	Query(ctx context.Context, query string, arguments ...any) (pgx.Rows, error)
}

// startSession starts the session of a token.
func startSession(ctx context.Context, in querier, token string, account ID, browser, replaced string) (Session, error) {
	const query = `
		WITH ended AS (DELETE FROM session WHERE token_hash = $4),
		started AS (
			INSERT INTO session (account_id, token_hash, browser)
			SELECT id, $2, $3 FROM account WHERE id = $1
			RETURNING id, account_id, browser, data, created_at, last_seen_at
		)
		SELECT s.id, s.account_id, a.email, s.browser, s.data, s.created_at, s.last_seen_at
		FROM started s JOIN account a ON a.id = s.account_id`
	rows, err := in.Query(ctx, query, account, seal.HashOf(token), printable(browser), seal.HashOf(replaced))
	if err != nil {
		return Session{}, fmt.Errorf("start a session: %w", err)
	}
	session, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[Session])
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrNoAccount
	}
	if err != nil {
		return Session{}, fmt.Errorf("start a session: %w", err)
	}
	return session, nil
}

// Session returns the session of a token; ErrNoSession if there is none. It is never cached, so
// ending a session takes effect at once. Failing to record its use, as in a read-only database, is
// no error: see Unrecorded.
func (s *Store) Session(ctx context.Context, token string) (Session, error) {
	if len(token) != seal.RandomTokenLength {
		return Session{}, ErrNoSession
	}
	const query = `
		SELECT s.id, s.account_id, a.email, s.browser, s.data, s.created_at, s.last_seen_at,
			s.last_seen_at < now() - interval '1 hour' AS late
		FROM session s JOIN account a ON a.id = s.account_id
		WHERE s.token_hash = $1 AND ` + sessionAlive
	rows, err := s.pool.Query(ctx, query, seal.HashOf(token))
	if err != nil {
		return Session{}, fmt.Errorf("look up session: %w", err)
	}
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[struct {
		Session
		Late bool `db:"late"`
	}])
	if errors.Is(err, pgx.ErrNoRows) {
		return Session{}, ErrNoSession
	}
	if err != nil {
		return Session{}, fmt.Errorf("look up session: %w", err)
	}
	if found.Late {
		if _, err := s.pool.Exec(ctx, `UPDATE session SET last_seen_at = now() WHERE id = $1`, found.ID); err != nil {
			found.Unrecorded = fmt.Errorf("record the use of a session: %w", err)
		}
	}
	return found.Session, nil
}

// SaveSession stores up to 4 KB of data with a session, replacing what it had. No data replace only before, the data that were read:
// a request that takes flash messages must not take one that came meanwhile. ErrNoSession means that the session has ended, or has
// other data than before.
func (s *Store) SaveSession(ctx context.Context, id SessionID, before, data []byte) error {
	if len(data) > maxSessionData {
		return fmt.Errorf("save session %d: %d bytes are too many", id, len(data))
	}
	const query = `UPDATE session SET data = $3 WHERE id = $1 AND (data = $2 OR $3 <> ''::bytea)`
	done, err := s.pool.Exec(ctx, query, id, before, data)
	if err == nil && done.RowsAffected() == 0 {
		err = ErrNoSession
	}
	if err != nil {
		return fmt.Errorf("save session %d: %w", id, err)
	}
	return nil
}

// Sessions returns the live sessions of an account, most recently used first, without Data.
func (s *Store) Sessions(ctx context.Context, account ID) ([]Session, error) {
	const query = `
		SELECT s.id, s.account_id, a.email, s.browser, NULL::bytea AS data, s.created_at, s.last_seen_at
		FROM session s JOIN account a ON a.id = s.account_id
		WHERE s.account_id = $1 AND ` + sessionAlive + `
		ORDER BY s.last_seen_at DESC, s.id DESC`
	rows, err := s.pool.Query(ctx, query, account)
	if err != nil {
		return nil, fmt.Errorf("sessions of account %d: %w", account, err)
	}
	sessions, err := pgx.CollectRows(rows, pgx.RowToStructByName[Session])
	if err != nil {
		return nil, fmt.Errorf("sessions of account %d: %w", account, err)
	}
	return sessions, nil
}

// EndSession ends a session of an account. ErrNoSession means that it has ended or belongs to
// another account.
func (s *Store) EndSession(ctx context.Context, account ID, id SessionID) error {
	const query = `DELETE FROM session WHERE id = $1 AND account_id = $2`
	done, err := s.pool.Exec(ctx, query, id, account)
	if err == nil && done.RowsAffected() == 0 {
		err = ErrNoSession
	}
	if err != nil {
		return fmt.Errorf("end session %d: %w", id, err)
	}
	return nil
}

// EndSessions ends all sessions of an account except spared; 0 spares none.
func (s *Store) EndSessions(ctx context.Context, account ID, spared SessionID) error {
	const query = `DELETE FROM session WHERE account_id = $1 AND id <> $2`
	if _, err := s.pool.Exec(ctx, query, account, spared); err != nil {
		return fmt.Errorf("end the sessions of account %d: %w", account, err)
	}
	return nil
}

// printable sanitizes an untrusted header for display: valid UTF-8, printable, at most 200
// characters.
func printable(s string) string {
	kept := make([]rune, 0, maxBrowserLength)
	for _, r := range strings.ToValidUTF8(s, "") {
		if len(kept) == maxBrowserLength {
			break
		}
		if unicode.IsPrint(r) {
			kept = append(kept, r)
		}
	}
	return string(kept)
}
