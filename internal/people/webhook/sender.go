package webhook

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"razao/internal/data/cnpj"
	"razao/internal/people/account"
	"razao/internal/people/lane"
	"razao/internal/web"
	"razao/internal/web/outbound"
)

const (
	askTimeout    = 5 * time.Second // of a statement
	pollAgain     = 2 * time.Second // for a snapshot
	answerTimeout = 15 * time.Second
	promptly      = 2 * time.Second // takes a webhook that has senders beside those of the slow ones
	sendersAtOnce = 8               // in each of the two lanes of a process
	accountShare  = 2               // of these, for one account
	networkShare  = 4               // of these, for one network of receivers
	maxAnswer     = 16 << 10        // bytes of a body that are read, so that a server which still writes is not cut off
)

// waits are those after each failed try of an event: three days in all, then it is given up.
var waits = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
}

// secretPrefix begins a secret, in base64 behind it (Standard Webhooks, "Secrets").
const secretPrefix = "whsec_"

// Sign returns the header webhook-signature of a message: HMAC-SHA256 of id, timestamp in Unix seconds
// and body, joined by full stops.
func Sign(secret, id string, at time.Time, body string) string {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
	if err != nil {
		panic(err) // never: secretOf encodes it
	}
	mac := hmac.New(sha256.New, key)
	_, _ = fmt.Fprintf(mac, "%s.%d.%s", id, at.Unix(), body) // never fails
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// Sender delivers queued events. Several processes may run one on the same database.
type Sender struct {
	store     *Store
	write     Writer
	reachable func(netip.Addr) bool
	log       *slog.Logger
	timeout   time.Duration                        // of a request as a whole
	pause     func(context.Context, time.Duration) // waits
	prompt    *lane.Lane[message]                  // of webhooks that took their last message at once
	slow      *lane.Lane[message]                  // of the others, new ones included
}

// NewSender returns the Sender of a store. reachable says which addresses requests may go to.
func NewSender(s *Store, write Writer, reachable func(netip.Addr) bool, log *slog.Logger) *Sender {
	sender := &Sender{store: s, write: write, reachable: reachable, log: log, timeout: answerTimeout, pause: pause}
	sender.prompt, sender.slow = sender.lane(true), sender.lane(false)
	return sender
}

// lane returns senders for webhooks that were prompt, or for the others.
func (s *Sender) lane(prompt bool) *lane.Lane[message] {
	networks := web.NewSharedSlots(networksOfOne*sendersAtOnce, web.Share{Network: networkShare}, 0)
	what := "outbox of webhooks that are slow, or new"
	if prompt {
		what = "outbox of webhooks"
	}
	return lane.New(sendersAtOnce,
		func(ctx context.Context, held []message) (message, error) { return s.claim(ctx, prompt, held) },
		func(ctx context.Context, m message) error { return s.send(ctx, &m, networks) }, s.log, what)
}

// Run delivers due events, polling every second, until ctx is done. Deliveries in progress are
// finished first.
func (s *Sender) Run(ctx context.Context) {
	var lanes sync.WaitGroup
	lanes.Go(func() { s.prompt.Run(ctx) })
	lanes.Go(func() { s.slow.Run(ctx) })
	lanes.Wait()
}

// SendDue tries each due event once.
func (s *Sender) SendDue(ctx context.Context) error {
	return errors.Join(s.prompt.Once(ctx), s.slow.Once(ctx))
}

// message is an event that is leased to this process for a minute.
type message struct {
	id        uuid.UUID
	webhook   int64
	account   account.ID
	form, url string
	network   string   // that was connected to last
	body      string   // "" with about
	about     *Subject // what the body has yet to be written about
	tries     int      // including this one
	createdAt time.Time
	expiresAt time.Time
}

// claim leases an event by moving its next try a minute ahead: that of the webhook whose turn was
// longest ago, of the account that holds the fewest senders. An account and a network hold at most their
// shares, a webhook one sender. claim returns pgx.ErrNoRows if there is none.
func (s *Sender) claim(ctx context.Context, prompt bool, held []message) (m message, err error) {
	const query = `
		WITH next AS (
			SELECT w.id, d.id AS delivery
			FROM webhook w CROSS JOIN LATERAL (
				SELECT id FROM webhook_delivery WHERE webhook_id = w.id AND next_try_at <= now() ORDER BY next_try_at, id LIMIT 1) d
			WHERE w.disabled IS NULL AND w.seal = $1 AND w.retry_at <= now() AND w.prompt = $2 AND w.id <> ALL ($3)
				AND cardinality(array_positions($4::bigint[], w.account_id)) < $5
				AND (w.network = '' OR cardinality(array_positions($6::text[], w.network)) < $7)
			ORDER BY cardinality(array_positions($4::bigint[], w.account_id)), w.turn_at, w.id
			LIMIT 1
			FOR UPDATE OF w SKIP LOCKED),
		turn AS (UPDATE webhook SET turn_at = now() WHERE id = (SELECT id FROM next))
		UPDATE webhook_delivery d SET tries = tries + 1, next_try_at = now() + interval '1 minute', tried_at = now()
		FROM next, webhook w
		WHERE d.id = next.delivery AND w.id = next.id AND d.next_try_at <= now()
		RETURNING d.id, d.webhook_id, w.account_id, w.form, w.url, w.network, d.body, d.seq, d.root, d.tries, d.created_at, d.expires_at`
	busy, accounts, networks := []int64{}, []int64{}, []string{}
	for i := range held {
		busy, accounts, networks = append(busy, held[i].webhook), append(accounts, int64(held[i].account)), append(networks, held[i].network)
	}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	var seq, root *int64
	err = s.store.pool.QueryRow(ctx, query, s.store.seal.Fingerprint(), prompt, busy, accounts, accountShare, networks, networkShare).Scan(
		&m.id, &m.webhook, &m.account, &m.form, &m.url, &m.network, &m.body, &seq, &root, &m.tries, &m.createdAt, &m.expiresAt)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		err = fmt.Errorf("next event: %w", err)
	}
	if seq != nil && root != nil {
		m.about = &Subject{*seq, cnpj.Root(*root)}
	}
	return m, err
}

// send posts an event and notes the outcome. The error is the database's.
func (s *Sender) send(ctx context.Context, m *message, networks *web.SharedSlots) error {
	began := time.Now()
	status, err := s.writeAndPost(ctx, m, networks)
	took := time.Since(began)
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	switch {
	case errors.Is(err, ErrWithdrawn):
		_, err = s.store.pool.Exec(ctx, `UPDATE webhook_delivery SET next_try_at = NULL, answer = $2 WHERE id = $1`, m.id, Withdrawn)
	case errors.Is(err, ErrNotYet):
		err = s.putBack(ctx, m, pollAgain)
	case errors.Is(err, errBusy):
		err = s.putBack(ctx, m, answerTimeout)
	case err == nil && status/100 == 2:
		const query = `
			WITH healthy AS (
				UPDATE webhook SET failures = 0, prompt = $4, network = $5 WHERE id = $1 AND (failures > 0 OR prompt <> $4 OR network <> $5))
			UPDATE webhook_delivery SET next_try_at = NULL, delivered_at = now(), answer = $3 WHERE id = $2`
		_, err = s.store.pool.Exec(ctx, query, m.webhook, m.id, strconv.Itoa(status), took < promptly, m.network)
	case err == nil:
		err = s.fail(ctx, m, strconv.Itoa(status), status == http.StatusGone)
	default:
		err = s.fail(ctx, m, reason(err), false)
	}
	if err != nil {
		return fmt.Errorf("outcome of an event: %w", err)
	}
	return nil
}

// writeAndPost writes the body of an event if it has none, and posts it. An event that could not be
// written is not the receiver's failure: the error is then ErrNotYet or ErrWithdrawn.
func (s *Sender) writeAndPost(ctx context.Context, m *message, networks *web.SharedSlots) (status int, err error) {
	if m.about != nil {
		writing, cancel := context.WithTimeout(ctx, askTimeout)
		defer cancel()
		m.body, err = s.write(writing, *m.about, m.createdAt)
		if err != nil && !errors.Is(err, ErrWithdrawn) && !errors.Is(err, ErrNotYet) {
			s.log.Error("event not written", "error", err)
			err = ErrNotYet
		}
		if err != nil {
			return 0, err
		}
	}
	return s.post(ctx, m, networks)
}

// putBack leaves an event, and its webhook, for later, without counting the try.
func (s *Sender) putBack(ctx context.Context, m *message, wait time.Duration) error {
	const query = `
		WITH later AS (UPDATE webhook SET retry_at = greatest(retry_at, now() + $3::interval), network = $4 WHERE id = $1)
		UPDATE webhook_delivery SET tries = tries - 1, next_try_at = now() + $3::interval WHERE id = $2`
	_, err := s.store.pool.Exec(ctx, query, m.webhook, m.id, wait, m.network)
	return err
}

// fail schedules the next try of an event, or gives it up, and lets its webhook rest the longer the
// more events have failed in a row: a single event that its receiver cannot digest does not hold up
// the others. A webhook whose server answered 410 is disabled; it rests, too, once it is used again.
func (s *Sender) fail(ctx context.Context, m *message, answer string, gone bool) error {
	now := time.Now()
	var next *time.Time
	if !gone && m.tries <= len(waits) && now.Before(m.expiresAt) {
		at := now.Add(waits[m.tries-1])
		next = &at
	}
	s.log.Info("event not delivered", "webhook", m.webhook, "try", m.tries, "answer", answer, "given_up", next == nil)
	var rests []time.Time
	for _, wait := range waits {
		rests = append(rests, now.Add(wait))
	}
	const query = `
		WITH resting AS (
			UPDATE webhook SET failures = failures + 1, prompt = false, network = $7, retry_at = ($5::timestamptz[])[least(failures + 1, cardinality($5))],
				disabled = CASE WHEN $6 THEN $4 ELSE disabled END
			WHERE id = $1)
		UPDATE webhook_delivery SET next_try_at = $3, answer = $4 WHERE id = $2`
	_, err := s.store.pool.Exec(ctx, query, m.webhook, m.id, next, answer, rests, gone, m.network)
	return err
}

// post sends an event and returns the status of the response. A request that was let connect nowhere
// takes as long as one that is not answered: whether a name exists in the network of this server must
// not show in how long its webhook takes.
func (s *Sender) post(ctx context.Context, m *message, networks *web.SharedSlots) (status int, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url, strings.NewReader(m.body))
	if err != nil {
		return 0, err
	}
	id, at := "msg_"+strings.ReplaceAll(m.id.String(), "-", ""), time.Now()
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Razao-Webhooks/1")
	r.Header.Set("Webhook-Id", id)
	r.Header.Set("Webhook-Timestamp", strconv.FormatInt(at.Unix(), 10))
	r.Header.Set("Webhook-Signature", Sign(secretOf(s.store.seal, m.account, m.form), id, at, m.body))
	v := visit{reachable: s.reachable, networks: networks, held: map[netip.Addr]func(){}}
	defer func() { m.network = cmp.Or(v.end(), m.network) }()
	answer, err := outbound.New(s.timeout, v.mayConnect).Do(r)
	if err != nil {
		if err = v.explain(err); errors.Is(err, errNowhere) {
			s.pause(ctx, time.Until(at.Add(s.timeout)))
		}
		return 0, err
	}
	_, _ = io.CopyN(io.Discard, answer.Body, maxAnswer) // under the timeout of the request, however slowly it comes
	return answer.StatusCode, answer.Body.Close()
}

// pause waits, or until ctx is done.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// reason puts an error of a request into one of two words, which tell nothing of a network that the
// owner of the webhook cannot reach otherwise: a name that leads to a private address fails as one that
// does not exist.
func reason(err error) string {
	var timeout net.Error
	if !errors.Is(err, errNowhere) && errors.As(err, &timeout) && timeout.Timeout() {
		return "sem resposta em 15 s"
	}
	return "sem conexão"
}
