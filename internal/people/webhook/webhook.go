// Package webhook posts events to addresses that accounts name, signed as Standard Webhooks
// (standardwebhooks.com) describes. All SQL on the tables webhook and webhook_delivery is in this
// package.
//
// Queue adds events to an outbox within the caller's transaction; [Sender.Run] delivers them, at
// least once, each under an id that stays the same when it is sent again. An event that is not
// answered with 2xx within 15 s is tried again for three days, with growing waits. Each process sends
// one event at a time to a webhook, and after failures in a row waits before it sends any: an address
// that is down or hangs costs others nothing.
//
// The addresses are those of strangers: requests are guarded against SSRF (package outbound), and
// neither the log nor the page of an account has anything of a response but its status.
package webhook

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/people/account"
	"razao/internal/people/seal"
)

// Most is how many webhooks an account may have.
const Most = 5

const maxURL = 500 // bytes

// Errors of Store, wrapped; compare with [errors.Is].
var (
	// ErrURL means that an address is not https, or has a user or fragment.
	ErrURL = errors.New("not an https address")
	// ErrTooMany means that an account has Most webhooks.
	ErrTooMany = errors.New("the account has the maximum of webhooks")
	// ErrNone means that a webhook or delivery does not exist, or belongs to another account.
	ErrNone = errors.New("no such webhook")
)

// Webhook is an address that events of an account are posted to.
type Webhook struct {
	ID        int64
	URL       string
	CreatedAt time.Time
	Disabled  string // why nothing is sent to it; "": it is in use
	Failures  int    // in a row
}

// Store reads and writes webhooks. It is safe for concurrent use.
type Store struct {
	pool  *pgxpool.Pool
	seal  *seal.Sealer
	local bool
}

// NewStore returns the Store of a migrated database. local also allows http, for a server that only
// its own machine can reach.
func NewStore(pool *pgxpool.Pool, s *seal.Sealer, local bool) *Store { return &Store{pool, s, local} }

// secretOf returns the secret of a webhook, derived from the form that created it: whsec_ and base64.
func secretOf(s *seal.Sealer, id account.ID, form string) string {
	sum := s.MAC("webhook", fmt.Sprint(id, " ", form))
	return secretPrefix + base64.StdEncoding.EncodeToString(sum[:])
}

// check validates an address. What it resolves to is checked when it is dialled.
func (s *Store) check(address string) error {
	u, err := url.Parse(address)
	if err != nil || len(address) > maxURL || u.String() != address || u.Hostname() == "" || u.User != nil || strings.Contains(address, "#") ||
		u.Scheme != "https" && !(s.local && u.Scheme == "http") {
		return ErrURL
	}
	return nil
}

// Create adds a webhook to an account and returns its secret, which is not shown again. form is the id
// of the form that asks for it (web.NewForm): a form that is sent again gets the same webhook. The
// errors of input are ErrURL, ErrTooMany and account.ErrNoAccount.
func (s *Store) Create(ctx context.Context, id account.ID, form, address string) (secret string, err error) {
	if err := s.check(address); err != nil {
		return "", err
	}
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		held, err := tx.Exec(ctx, `SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE`, id)
		if err != nil {
			return err
		}
		if held.RowsAffected() == 0 {
			return account.ErrNoAccount
		}
		const add = `
			INSERT INTO webhook (account_id, form, seal, url) VALUES ($1, $2, $3, $4) ON CONFLICT (account_id, form) DO NOTHING`
		if _, err := tx.Exec(ctx, add, id, form, s.seal.Fingerprint(), address); err != nil {
			return err
		}
		var n int
		err = tx.QueryRow(ctx, `SELECT count(*) FROM webhook WHERE account_id = $1`, id).Scan(&n)
		if err == nil && n > Most {
			err = ErrTooMany
		}
		return err
	})
	if err != nil {
		return "", fmt.Errorf("create a webhook of account %d: %w", id, err)
	}
	return secretOf(s.seal, id, form), nil
}

// List returns the webhooks of an account, oldest first.
func (s *Store) List(ctx context.Context, id account.ID) ([]Webhook, error) {
	const query = `
		SELECT id, url, created_at, coalesce(disabled, CASE WHEN seal <> $2 THEN 'segredo' END, ''), failures
		FROM webhook WHERE account_id = $1 ORDER BY id`
	rows, err := s.pool.Query(ctx, query, id, s.seal.Fingerprint())
	if err != nil {
		return nil, fmt.Errorf("webhooks of account %d: %w", id, err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Webhook])
	if err != nil {
		return nil, fmt.Errorf("webhooks of account %d: %w", id, err)
	}
	return all, nil
}

// Why a webhook is not used, as in Webhook.Disabled.
const (
	Gone        = "410"     // its server answered 410
	OtherSecret = "segredo" // the server's secret is another one, so the webhook's would be, too
)

// Delete deletes a webhook of an account with its deliveries. The error is ErrNone if it has none with
// this id.
func (s *Store) Delete(ctx context.Context, id account.ID, webhook int64) error {
	return s.one(ctx, "delete", `DELETE FROM webhook WHERE account_id = $1 AND id = $2`, id, webhook)
}

// Enable uses a webhook again that was disabled because its server answered 410. The error is ErrNone.
func (s *Store) Enable(ctx context.Context, id account.ID, webhook int64) error {
	return s.one(ctx, "enable", `UPDATE webhook SET disabled = NULL, failures = 0, retry_at = now() WHERE account_id = $1 AND id = $2`, id, webhook)
}

func (s *Store) one(ctx context.Context, doing, query string, args ...any) error {
	done, err := s.pool.Exec(ctx, query, args...)
	if err == nil && done.RowsAffected() == 0 {
		err = ErrNone
	}
	if err != nil {
		return fmt.Errorf("%s a webhook: %w", doing, err)
	}
	return nil
}

// Event is the body of a message.
type Event struct {
	Type string
	Body string // JSON with type, timestamp and data
}

// Of is an event for a webhook.
type Of struct {
	Webhook int64
	Event
}

// InUse returns the webhooks in use of several accounts.
func InUse(ctx context.Context, tx pgx.Tx, ids []account.ID) (map[account.ID][]int64, error) {
	const query = `SELECT account_id, id FROM webhook WHERE account_id = ANY($1) AND disabled IS NULL ORDER BY id`
	rows, err := tx.Query(ctx, query, ids)
	if err != nil {
		return nil, fmt.Errorf("webhooks in use: %w", err)
	}
	of := map[account.ID][]int64{}
	var id account.ID
	var webhook int64
	if _, err := pgx.ForEachRow(rows, []any{&id, &webhook}, func() error {
		of[id] = append(of[id], webhook)
		return nil
	}); err != nil {
		return nil, fmt.Errorf("webhooks in use: %w", err)
	}
	return of, nil
}

// Queue adds events to the outbox within tx.
func Queue(ctx context.Context, tx pgx.Tx, events []Of) error {
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"webhook_delivery"}, []string{"webhook_id", "event", "body"},
		pgx.CopyFromSlice(len(events), func(i int) ([]any, error) {
			return []any{events[i].Webhook, events[i].Type, events[i].Body}, nil
		}))
	if err != nil {
		return fmt.Errorf("queue events: %w", err)
	}
	return nil
}

// TestEvent is the type of the events of Test.
const TestEvent = "teste"

// Test queues an event for a webhook of an account by which its owner sees that it works. A form that
// is sent again queues it once. The error is ErrNone if the account has no such webhook in use.
func (s *Store) Test(ctx context.Context, id account.ID, form string, webhook int64) error {
	body := fmt.Sprintf(`{"type":%q,"timestamp":%q,"data":{"mensagem":"O webhook funciona."}}`, TestEvent, Timestamp(time.Now()))
	key := s.seal.MAC("test event", fmt.Sprint(id, " ", webhook, " ", form))
	const query = `
		WITH there AS (SELECT id FROM webhook WHERE id = $2 AND account_id = $1 AND disabled IS NULL), added AS (
			INSERT INTO webhook_delivery (id, webhook_id, event, body) SELECT $3, id, $4, $5 FROM there
			ON CONFLICT (id) DO NOTHING), awake AS (UPDATE webhook SET retry_at = now() WHERE id IN (SELECT id FROM there))
		SELECT id FROM there`
	return s.one(ctx, "test", query, id, webhook, uuid.UUID(key[:16]), TestEvent, body)
}

// Timestamp formats the moment of an event.
func Timestamp(at time.Time) string { return at.UTC().Truncate(time.Second).Format(time.RFC3339) }

// Delivery is an event for a webhook, waiting, delivered or given up.
type Delivery struct {
	ID        uuid.UUID
	Webhook   int64
	Event     string
	CreatedAt time.Time
	Next      *time.Time // nil: it was delivered or given up
	Tries     int
	TriedAt   *time.Time
	Delivered *time.Time
	Answer    string // of the last try: its status, or why there is none
}

// Deliveries returns the last deliveries to the webhooks of an account, the newest first, at most n.
func (s *Store) Deliveries(ctx context.Context, id account.ID, n int) ([]Delivery, error) {
	const query = `
		SELECT d.id, d.webhook_id, d.event, d.created_at, d.next_try_at, d.tries, d.tried_at, d.delivered_at, d.answer
		FROM webhook w, LATERAL (SELECT * FROM webhook_delivery WHERE webhook_id = w.id ORDER BY created_at DESC LIMIT $2) d
		WHERE w.account_id = $1 ORDER BY d.created_at DESC, d.id LIMIT $2`
	rows, err := s.pool.Query(ctx, query, id, n)
	if err != nil {
		return nil, fmt.Errorf("deliveries of account %d: %w", id, err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Delivery])
	if err != nil {
		return nil, fmt.Errorf("deliveries of account %d: %w", id, err)
	}
	return all, nil
}

// Resend sends an event of an account again, under the same id. The error is ErrNone.
func (s *Store) Resend(ctx context.Context, id account.ID, delivery uuid.UUID) error {
	const query = `
		WITH again AS (
			UPDATE webhook_delivery SET next_try_at = now(), tries = 0, expires_at = now() + interval '76 hours'
			WHERE id = $2 AND webhook_id IN (SELECT id FROM webhook WHERE account_id = $1 AND disabled IS NULL)
			RETURNING webhook_id)
		UPDATE webhook SET retry_at = now() WHERE id IN (SELECT webhook_id FROM again)`
	return s.one(ctx, "send again to", query, id, delivery)
}

// Purge gives up events whose three days are over, as those of a webhook that rests, and deletes the
// oldest ones after a month. Several processes may run it at once.
func (s *Store) Purge(ctx context.Context) error {
	for _, query := range []string{
		`UPDATE webhook_delivery SET next_try_at = NULL WHERE next_try_at IS NOT NULL AND expires_at < now()`,
		`DELETE FROM webhook_delivery WHERE id IN (
			SELECT id FROM webhook_delivery WHERE created_at < now() - interval '30 days' AND next_try_at IS NULL LIMIT 10000)`,
	} {
		if _, err := s.pool.Exec(ctx, query); err != nil {
			return fmt.Errorf("purge events: %w", err)
		}
	}
	return nil
}
