package webhook

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"razao/internal/people/account"
	"razao/internal/recovery"
	"razao/internal/web/outbound"
)

const (
	pollEvery     = time.Second
	askTimeout    = 5 * time.Second // of a statement
	answerTimeout = 15 * time.Second
	sendersAtOnce = 16
	maxAnswer     = 16 << 10 // bytes of a body that are read, so that a server which still writes is not cut off
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
	store   *Store
	client  *outbound.Client
	log     *slog.Logger
	slots   chan struct{} // held by workers
	workers sync.WaitGroup

	mu   sync.Mutex
	busy map[int64]bool // webhooks that a request is on its way to
}

// NewSender returns the Sender of a store. reachable says which addresses requests may go to.
func NewSender(s *Store, reachable func(netip.Addr) bool, log *slog.Logger) *Sender {
	return &Sender{
		store: s, client: outbound.New(answerTimeout, reachable), log: log, slots: make(chan struct{}, sendersAtOnce), busy: map[int64]bool{},
	}
}

// Run delivers due events, polling every second, until ctx is done. Deliveries in progress are
// finished first.
func (s *Sender) Run(ctx context.Context) {
	defer s.workers.Wait()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		s.startWorker(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// SendDue tries each due event once.
func (s *Sender) SendDue(ctx context.Context) {
	s.startWorker(ctx)
	s.workers.Wait()
}

// startWorker starts a worker if a slot is free.
func (s *Sender) startWorker(ctx context.Context) {
	select {
	case s.slots <- struct{}{}:
	default:
		return
	}
	s.workers.Go(func() {
		defer func() { <-s.slots }()
		if err := recovery.Do(func() error { return s.work(ctx) }); err != nil && ctx.Err() == nil {
			s.log.Error("webhooks", recovery.Attrs(err)...)
		}
	})
}

// work sends due events, one after the other, until there is none. While it sends one, another worker
// looks for more, so there are as many as there is work, up to sendersAtOnce.
func (s *Sender) work(ctx context.Context) error {
	for ctx.Err() == nil {
		m, err := s.claim(context.WithoutCancel(ctx)) // what was claimed is sent, or it would rest until its lease ends
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		s.startWorker(ctx)
		err = s.send(context.WithoutCancel(ctx), &m)
		s.mu.Lock()
		delete(s.busy, m.webhook)
		s.mu.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

// message is an event that is leased to this process for a minute.
type message struct {
	id        uuid.UUID
	webhook   int64
	account   account.ID
	form, url string
	body      string
	tries     int // including this one
	expiresAt time.Time
}

// claim leases the event that has been tried least and is due longest, of a webhook that this process
// is not busy with, by moving its next try a minute ahead. It returns pgx.ErrNoRows if there is none.
func (s *Sender) claim(ctx context.Context) (m message, err error) {
	const query = `
		UPDATE webhook_delivery d SET tries = tries + 1, next_try_at = now() + interval '1 minute', tried_at = now()
		FROM webhook w
		WHERE w.id = d.webhook_id AND d.id = (
			SELECT d.id FROM webhook_delivery d JOIN webhook w ON w.id = d.webhook_id
			WHERE d.next_try_at <= now() AND w.disabled IS NULL AND w.seal = $1 AND w.retry_at <= now() AND w.id <> ALL ($2)
			ORDER BY d.tries, d.next_try_at, d.id
			LIMIT 1
			FOR UPDATE OF d SKIP LOCKED)
		RETURNING d.id, d.webhook_id, w.account_id, w.form, w.url, d.body, d.tries, d.expires_at`
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	s.mu.Lock() // until the webhook is among the busy ones
	defer s.mu.Unlock()
	busy := slices.Collect(maps.Keys(s.busy))
	if busy == nil {
		busy = []int64{}
	}
	err = s.store.pool.QueryRow(ctx, query, s.store.seal.Fingerprint(), busy).Scan(
		&m.id, &m.webhook, &m.account, &m.form, &m.url, &m.body, &m.tries, &m.expiresAt)
	if err != nil {
		if !errors.Is(err, pgx.ErrNoRows) {
			err = fmt.Errorf("next event: %w", err)
		}
		return m, err
	}
	s.busy[m.webhook] = true
	return m, nil
}

// send posts an event and notes the outcome. The error is the database's.
func (s *Sender) send(ctx context.Context, m *message) error {
	status, err := s.post(ctx, m)
	answer := strconv.Itoa(status)
	if err != nil {
		answer = reason(err)
	}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	switch {
	case err == nil && status/100 == 2:
		const query = `
			WITH healthy AS (UPDATE webhook SET failures = 0 WHERE id = $1 AND failures > 0)
			UPDATE webhook_delivery SET next_try_at = NULL, delivered_at = now(), answer = $3 WHERE id = $2`
		_, err = s.store.pool.Exec(ctx, query, m.webhook, m.id, answer)
	case err == nil && status == http.StatusGone:
		const query = `
			WITH disabled AS (UPDATE webhook SET disabled = $3 WHERE id = $1)
			UPDATE webhook_delivery SET next_try_at = NULL, answer = $3 WHERE id = $2`
		_, err = s.store.pool.Exec(ctx, query, m.webhook, m.id, Gone)
	default:
		err = s.putOff(ctx, m, answer)
	}
	if err != nil {
		return fmt.Errorf("outcome of an event: %w", err)
	}
	return nil
}

// putOff schedules the next try of an event, or gives it up, and lets its webhook rest the longer the
// more events have failed in a row: a single event that its receiver cannot digest does not hold up
// the others.
func (s *Sender) putOff(ctx context.Context, m *message, answer string) error {
	next := &time.Time{}
	if *next = time.Now(); m.tries > len(waits) || next.After(m.expiresAt) {
		next = nil
	} else {
		*next = next.Add(waits[m.tries-1])
	}
	s.log.Info("event not delivered", "webhook", m.webhook, "try", m.tries, "answer", answer, "given_up", next == nil)
	var rests []time.Time
	for _, wait := range waits {
		rests = append(rests, time.Now().Add(wait))
	}
	const query = `
		WITH resting AS (
			UPDATE webhook SET failures = failures + 1, retry_at = ($5::timestamptz[])[least(failures + 1, cardinality($5))] WHERE id = $1)
		UPDATE webhook_delivery SET next_try_at = $3, answer = $4 WHERE id = $2`
	_, err := s.store.pool.Exec(ctx, query, m.webhook, m.id, next, answer, rests)
	return err
}

// post sends an event and returns the status of the response.
func (s *Sender) post(ctx context.Context, m *message) (status int, err error) {
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
	answer, err := s.client.Do(r)
	if err != nil {
		return 0, err
	}
	_, _ = io.CopyN(io.Discard, answer.Body, maxAnswer)
	return answer.StatusCode, answer.Body.Close()
}

// reason puts an error of a request into one of few words, which tell nothing of a network that the
// owner of the webhook cannot reach otherwise.
func reason(err error) string {
	var timeout net.Error
	switch {
	case errors.Is(err, outbound.ErrNotPublic):
		return "endereço não público"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "sem resposta em 15 s"
	}
	return "sem conexão"
}
