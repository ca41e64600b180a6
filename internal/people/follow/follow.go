// Package follow keeps what accounts follow (companies, partners, saved searches) and notifies them of what
// changed: by mail, by webhook, in a feed. All SQL on the tables follower, follow, follow_mark and
// follow_told is in this package.
//
// [Store] reads and writes the lists. [Notifier] follows the history of loads. Each account has a mark,
// up to which number of the journal it has been notified. Its notices are queued, in the outbox of
// mails and in that of webhooks, in the transaction that moves its mark, and only if the mark is
// where it was when the changes were read: nothing is lost or queued twice, whatever dies, and any
// number of servers may run a Notifier. Delivery is then at least once, as the outboxes say.
//
// Nobody is notified of a load that was withdrawn. Notices of it vanish from the feed, and webhooks get
// an event that says so.
package follow

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/people/account"
	"razao/internal/people/seal"
)

// Kind is a kind of what is followed.
type Kind string

// The kinds, each with the form of its values.
const (
	Company Kind = "empresa" // root, 8 characters
	Partner Kind = "socio"   // six digits of the CPF and slug of the name, as in addresses: 456789/ana-lima
	Search  Kind = "busca"   // filters as a query string: uf=SP&porte=03
)

// Most is how many of a kind an account may follow.
var Most = map[Kind]int{Company: 1000, Partner: 100, Search: 20}

// MostSearchEvents is how many companies at most a search adds to the notices of an account.
const MostSearchEvents = 200

// Errors of Store, wrapped; compare with [errors.Is].
var (
	// ErrTooMany means that an account follows as many of a kind as it may: see Most.
	ErrTooMany = errors.New("the account follows the maximum of its kind")
	// ErrForged means that a token was not made by this service, or is that of another feed.
	ErrForged = errors.New("not a token of this service")
)

// Follow is one thing that an account follows.
type Follow struct {
	Kind  Kind      `db:"kind"`
	Value string    `db:"value"`
	Since time.Time `db:"created_at"`
}

// Store reads and writes what accounts follow. It is safe for concurrent use.
type Store struct {
	pool *pgxpool.Pool
	seal *seal.Sealer
}

// NewStore returns the Store of a migrated database.
func NewStore(pool *pgxpool.Pool, s *seal.Sealer) *Store { return &Store{pool: pool, seal: s} }

// prepare makes an account one that is notified, from now on, and locks it until tx ends. The error may be
// account.ErrNoAccount.
func prepare(ctx context.Context, tx pgx.Tx, id account.ID) error {
	const lock = `SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE`
	held, err := tx.Exec(ctx, lock, id)
	if err != nil {
		return err
	}
	if held.RowsAffected() == 0 {
		return account.ErrNoAccount
	}
	if _, err := tx.Exec(ctx, `INSERT INTO follower (account_id) VALUES ($1) ON CONFLICT DO NOTHING`, id); err != nil {
		return err
	}
	const mark = `
		INSERT INTO follow_mark (account_id, seq) SELECT $1, coalesce(max(seq), 0) + 1 FROM history_journal
		ON CONFLICT DO NOTHING`
	_, err = tx.Exec(ctx, mark, id)
	return err
}

// Add lets an account follow more of a kind. What it follows already stays. The errors are ErrTooMany,
// after which nothing was added, and account.ErrNoAccount.
func (s *Store) Add(ctx context.Context, id account.ID, kind Kind, values ...string) error {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return add(ctx, tx, id, kind, values) })
	if err != nil {
		return fmt.Errorf("follow for account %d: %w", id, err)
	}
	return nil
}

func add(ctx context.Context, tx pgx.Tx, id account.ID, kind Kind, values []string) error {
	if err := prepare(ctx, tx, id); err != nil {
		return err
	}
	const query = `INSERT INTO follow (account_id, kind, value) SELECT $1, $2, unnest($3::text[]) ON CONFLICT DO NOTHING`
	if _, err := tx.Exec(ctx, query, id, kind, values); err != nil {
		return err
	}
	var n int
	err := tx.QueryRow(ctx, `SELECT count(*) FROM follow WHERE account_id = $1 AND kind = $2`, id, kind).Scan(&n)
	if err == nil && n > Most[kind] {
		err = ErrTooMany
	}
	return err
}

// Remove ends following. It is idempotent.
func (s *Store) Remove(ctx context.Context, id account.ID, kind Kind, values ...string) error {
	const query = `DELETE FROM follow WHERE account_id = $1 AND kind = $2 AND value = ANY ($3)`
	if _, err := s.pool.Exec(ctx, query, id, kind, values); err != nil {
		return fmt.Errorf("end following for account %d: %w", id, err)
	}
	return nil
}

// List returns what an account follows, by kind, the newest first.
func (s *Store) List(ctx context.Context, id account.ID) ([]Follow, error) {
	const query = `SELECT kind, value, created_at FROM follow WHERE account_id = $1 ORDER BY kind, created_at DESC, value`
	rows, err := s.pool.Query(ctx, query, id)
	if err != nil {
		return nil, fmt.Errorf("what account %d follows: %w", id, err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByName[Follow])
	if err != nil {
		return nil, fmt.Errorf("what account %d follows: %w", id, err)
	}
	return all, nil
}

// Means are the ways in which an account is notified, beside its webhooks.
type Means struct {
	Mails bool
	Feed  string // token in the address of its feed; "": it has none
}

// Means returns how an account is notified.
func (s *Store) Means(ctx context.Context, id account.ID) (m Means, err error) {
	var seed *string
	err = s.pool.QueryRow(ctx, `SELECT mails, feed_seed FROM follower WHERE account_id = $1`, id).Scan(&m.Mails, &seed)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return Means{Mails: true}, nil
	case err != nil:
		return Means{}, fmt.Errorf("how account %d is notified: %w", id, err)
	case seed != nil:
		m.Feed = s.feedToken(id, *seed)
	}
	return m, nil
}

// SetMails lets an account be notified by mail, or not. The error may be account.ErrNoAccount.
func (s *Store) SetMails(ctx context.Context, id account.ID, on bool) error {
	return s.change(ctx, id, `UPDATE follower SET mails = $2 WHERE account_id = $1`, on)
}

// NewFeed gives an account a new address for its feed, derived from a form (web.NewForm); the former one ends.
func (s *Store) NewFeed(ctx context.Context, id account.ID, form string) error {
	return s.change(ctx, id, `UPDATE follower SET feed_seed = $2, feed_hash = $3 WHERE account_id = $1`, form, seal.HashOf(s.feedToken(id, form)))
}

// EndFeed ends the feed of an account.
func (s *Store) EndFeed(ctx context.Context, id account.ID) error {
	return s.change(ctx, id, `UPDATE follower SET feed_seed = NULL, feed_hash = NULL WHERE account_id = $1`)
}

// change updates the row of an account in follower.
func (s *Store) change(ctx context.Context, id account.ID, query string, args ...any) error {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := prepare(ctx, tx, id); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, query, append([]any{id}, args...)...)
		return err
	})
	if err != nil {
		return fmt.Errorf("change how account %d is notified: %w", id, err)
	}
	return nil
}

// Purposes of what the secret seals.
const (
	feeds          = "feed"
	unsubscription = "unsubscribe"
)

func (s *Store) feedToken(id account.ID, seed string) string {
	return s.seal.DerivedToken(feeds, fmt.Sprint(id, " ", seed))
}

// OfFeed returns the account whose feed has this token. A forged one costs no query. The error is
// ErrForged if there is none.
func (s *Store) OfFeed(ctx context.Context, token string) (id account.ID, err error) {
	if !s.seal.Sealed(feeds, token) {
		return 0, ErrForged
	}
	err = s.pool.QueryRow(ctx, `SELECT account_id FROM follower WHERE feed_hash = $1`, seal.HashOf(token)).Scan(&id)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return 0, ErrForged
	case err != nil:
		return 0, fmt.Errorf("account of a feed: %w", err)
	}
	return id, nil
}

// UnsubscribeToken returns a token by which whoever has it ends the mails of an account.
func (s *Store) UnsubscribeToken(id account.ID) string {
	return s.seal.Encrypt(unsubscription, strconv.FormatInt(int64(id), 10))
}

// ReadUnsubscribe returns the account of an UnsubscribeToken. The error is ErrForged.
func (s *Store) ReadUnsubscribe(token string) (account.ID, error) {
	text, ok := s.seal.Decrypt(unsubscription, token)
	id, err := strconv.ParseInt(text, 10, 64)
	if !ok || err != nil {
		return 0, ErrForged
	}
	return account.ID(id), nil
}

// Purge deletes notices that are older than a year. Several processes may run it at once.
func (s *Store) Purge(ctx context.Context) error {
	const query = `
		DELETE FROM follow_told WHERE ctid = ANY (ARRAY(
			SELECT ctid FROM follow_told WHERE told_at < now() - interval '1 year' LIMIT 10000))`
	if _, err := s.pool.Exec(ctx, query); err != nil {
		return fmt.Errorf("purge notices: %w", err)
	}
	return nil
}
