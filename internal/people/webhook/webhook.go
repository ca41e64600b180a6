// Package webhook posts events to addresses that accounts name, signed as Standard Webhooks
// (standardwebhooks.com) describes. All SQL on the tables webhook and webhook_delivery is in this
// package.
//
// Queue adds events to an outbox within the caller's transaction; [Sender.Run] delivers them, at
// least once, each under an id that stays the same when it is sent again. An event that is not
// answered with 2xx within 15 s is tried again for three days, with growing waits. Each process sends
// one event at a time to a webhook, and after failures in a row it rests, whatever its owner does.
//
// Senders are shared fairly. Webhooks that took their last message at once have senders of their own,
// and of either kind an account or the network of a receiver has a share; whose turn was longest ago
// is next. So an address that is down or hangs costs others nothing, however many accounts name it.
//
// An event about a company is stored as what it is about. Its body is written when it is sent
// ([Writer]), by the rules of that moment: what was hidden since leaves no more, also when it is sent
// again.
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

	"razao/internal/data/cnpj"
	"razao/internal/people/account"
	"razao/internal/people/seal"
	"razao/internal/web"
)

// Most is how many webhooks an account may have.
const Most = 5

const maxURL = 500 // bytes

// What an account may ask of webhooks: to create, test, use again and send again. It bounds how often what it fails is forgotten.
const (
	AskedAtOnce    = 10 // without a pause
	askedPerMinute = 1  // refill rate of the token bucket of an account
)

// Errors of Store, wrapped; compare with [errors.Is].
var (
	// ErrURL means that an address is not https, or has a user or fragment.
	ErrURL = errors.New("not an https address")
	// ErrTooMany means that an account has Most webhooks.
	ErrTooMany = errors.New("the account has the maximum of webhooks")
	// ErrSameURL means that the account has a webhook with this address.
	ErrSameURL = errors.New("the account has this address already")
	// ErrFormUsed means that a form that is sent again asks for another address, or so late that the
	// secret is not shown any more.
	ErrFormUsed = errors.New("the form has created a webhook before")
	// ErrNone means that a webhook or delivery does not exist, or belongs to another account.
	ErrNone = errors.New("no such webhook")
	// ErrResting means that a webhook rests after failures.
	ErrResting = errors.New("the webhook rests")
)

// Webhook is an address that events of an account are posted to.
type Webhook struct {
	ID        int64
	URL       string
	CreatedAt time.Time
	Disabled  string // why nothing is sent to it; "": it is in use
	Failures  int    // in a row
	// RestsUntil is when something is sent to it again after failures; nil: it does not rest.
	RestsUntil *time.Time
}

// Store reads and writes webhooks. It is safe for concurrent use.
type Store struct {
	pool  *pgxpool.Pool
	seal  *seal.Sealer
	local bool
	asked *web.Throttle // by account
}

// NewStore returns the Store of a migrated database. local also allows http, for a server that only
// its own machine can reach.
func NewStore(pool *pgxpool.Pool, s *seal.Sealer, local bool) *Store {
	return &Store{pool, s, local, web.NewThrottle(askedPerMinute, AskedAtOnce)}
}

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

// Create adds a webhook to an account and returns its secret. form is the id of the form that asks for
// it (web.NewForm): one that is sent again with the same address, as by a double click, returns the
// same secret for five minutes. The errors of input are ErrURL, ErrTooMany, ErrSameURL, ErrFormUsed,
// account.ErrNoAccount and, as of all that an account asks of webhooks too often, *web.TooManyError.
func (s *Store) Create(ctx context.Context, id account.ID, form, address string) (secret string, err error) {
	if err := s.check(address); err != nil {
		return "", err
	}
	if err := s.asked.TakeAccount(int64(id)); err != nil {
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
		return s.add(ctx, tx, id, form, address)
	})
	if err != nil {
		return "", fmt.Errorf("create a webhook of account %d: %w", id, err)
	}
	return secretOf(s.seal, id, form), nil
}

// add adds a webhook to an account whose row tx has locked, unless the same form has added it.
func (s *Store) add(ctx context.Context, tx pgx.Tx, id account.ID, form, address string) error {
	const query = `SELECT url, form = $2, created_at > now() - interval '5 minutes' FROM webhook WHERE account_id = $1`
	rows, err := tx.Query(ctx, query, id, form)
	if err != nil {
		return err
	}
	var n int
	var same, used, repeated bool
	var url string
	var ofForm, justNow bool
	if _, err := pgx.ForEachRow(rows, []any{&url, &ofForm, &justNow}, func() error {
		equal := normal(url) == normal(address)
		n++
		same, used, repeated = same || equal, used || ofForm, repeated || equal && ofForm && justNow
		return nil
	}); err != nil {
		return err
	}
	switch {
	case repeated:
		return nil
	case used:
		return ErrFormUsed
	case same:
		return ErrSameURL
	case n >= Most:
		return ErrTooMany
	}
	_, err = tx.Exec(ctx, `INSERT INTO webhook (account_id, form, seal, url) VALUES ($1, $2, $3, $4)`, id, form, s.seal.Fingerprint(), address)
	return err
}

// List returns the webhooks of an account, oldest first.
func (s *Store) List(ctx context.Context, id account.ID) ([]Webhook, error) {
	const query = `
		SELECT id, url, created_at, coalesce(disabled, CASE WHEN seal <> $2 THEN 'segredo' END, ''), failures,
			CASE WHEN failures > 0 AND retry_at > now() THEN retry_at END
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

// Withdrawn is Delivery.Answer of an event that has nothing to say any more.
const Withdrawn = "retirado"

// Delete deletes a webhook of an account with its deliveries. The error is ErrNone if it has none with
// this id.
func (s *Store) Delete(ctx context.Context, id account.ID, webhook int64) error {
	return s.one(ctx, "delete", `DELETE FROM webhook WHERE account_id = $1 AND id = $2`, id, webhook)
}

// Enable uses a webhook again that was disabled because its server answered 410. What it has failed and
// how long it rests stays. The error is ErrNone.
func (s *Store) Enable(ctx context.Context, id account.ID, webhook int64) error {
	if err := s.asked.TakeAccount(int64(id)); err != nil {
		return err
	}
	return s.one(ctx, "enable", `UPDATE webhook SET disabled = NULL WHERE account_id = $1 AND id = $2`, id, webhook)
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

// Event is what a message says.
type Event struct {
	Type  string
	Body  string   // JSON with type, timestamp and data; "" with About
	About *Subject // what the body is written about when it is sent
}

// Subject is what a load changed of a company. The load is named by its number in the journal.
type Subject struct {
	Seq  int64
	Root cnpj.Root
}

// Writer writes the body of an event about a company that was queued at a moment, by the rules that hold now. It returns
// ErrWithdrawn if there is nothing to say any more, and ErrNotYet if this server does not know the load yet.
type Writer func(ctx context.Context, about Subject, at time.Time) (body string, err error)

// Errors of a Writer.
var (
	ErrWithdrawn = errors.New("what the event says is withdrawn or hidden")
	ErrNotYet    = errors.New("what the event says is not served here yet")
)

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
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"webhook_delivery"}, []string{"webhook_id", "event", "body", "seq", "root"},
		pgx.CopyFromSlice(len(events), func(i int) ([]any, error) {
			e := &events[i]
			if e.About == nil {
				return []any{e.Webhook, e.Type, e.Body, nil, nil}, nil
			}
			return []any{e.Webhook, e.Type, "", e.About.Seq, int64(e.About.Root)}, nil
		}))
	if err != nil {
		return fmt.Errorf("queue events: %w", err)
	}
	return nil
}

// TestEvent is the type of the events of Test.
const TestEvent = "teste"

// Test queues an event for a webhook of an account by which its owner sees that it works. A form that
// is sent again queues it once. The error is ErrNone if the account has no such webhook in use, and
// ErrResting.
func (s *Store) Test(ctx context.Context, id account.ID, form string, webhook int64) error {
	if err := s.asked.TakeAccount(int64(id)); err != nil {
		return err
	}
	body := fmt.Sprintf(`{"type":%q,"timestamp":%q,"data":{"mensagem":"O webhook funciona."}}`, TestEvent, Timestamp(time.Now()))
	key := s.seal.MAC("test event", fmt.Sprint(id, " ", webhook, " ", form))
	const query = `
		WITH there AS (SELECT id, failures > 0 AND retry_at > now() AS rests FROM webhook WHERE id = $2 AND account_id = $1 AND disabled IS NULL), added AS (
			INSERT INTO webhook_delivery (id, webhook_id, event, body) SELECT $3, id, $4, $5 FROM there WHERE NOT rests
			ON CONFLICT (id) DO NOTHING)
		SELECT rests FROM there`
	var rests bool
	err := s.pool.QueryRow(ctx, query, id, webhook, uuid.UUID(key[:16]), TestEvent, body).Scan(&rests)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		err = ErrNone
	case err == nil && rests:
		err = ErrResting
	}
	if err != nil {
		return fmt.Errorf("test a webhook: %w", err)
	}
	return nil
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

// Resend sends an event of an account again, under the same id, as soon as its webhook does not rest.
// The error is ErrNone.
func (s *Store) Resend(ctx context.Context, id account.ID, delivery uuid.UUID) error {
	if err := s.asked.TakeAccount(int64(id)); err != nil {
		return err
	}
	const query = `
		UPDATE webhook_delivery SET next_try_at = now(), tries = 0, expires_at = now() + interval '76 hours'
		WHERE id = $2 AND webhook_id IN (SELECT id FROM webhook WHERE account_id = $1 AND disabled IS NULL)`
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
