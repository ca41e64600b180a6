// Package mail sends mails from a transactional outbox: Queue writes a mail in the caller's transaction, Outbox.Run delivers it
// by SMTP with retries or, without a mail server, as an .eml file. Delivery is at least once: a process killed between the
// server's 250 and the delete sends the mail again.
package mail

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/mail"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrInvalid means that a message has no single bare address, or control characters (header injection).
var ErrInvalid = errors.New("invalid mail")

const (
	pollEvery      = time.Second
	deliverTimeout = 20 * time.Second // less than the lease of claim, a minute
	firstRetry     = 5 * time.Second
	longestRetry   = 10 * time.Minute
	askTimeout     = 5 * time.Second // of a statement
)

// Message is a plain-text mail to one recipient.
type Message struct {
	To       string // a bare address (addr-spec)
	Subject  string
	Text     string        // UTF-8, lines end in \n
	Lifetime time.Duration // after which it is dropped if it could not be sent
}

// Config is how mails leave.
type Config struct {
	// URL is the mail server: smtp://user:password@host:port, with mandatory STARTTLS, or smtps:// for implicit TLS
	// (RFC 8314); smtp://…?tls=none is plain text. "": mails become files in Dir.
	URL  string
	From string // RFC 5322 address, with or without a name
	Dir  string // created when needed
	Log  *slog.Logger
}

// Outbox delivers queued mails. Several processes may run one on the same database: each mail is leased by one of them.
type Outbox struct {
	pool      *pgxpool.Pool
	from      *mail.Address
	transport transport
	log       *slog.Logger
}

// transport delivers a mail. An error wrapping errRefused is permanent, any other transient.
type transport interface {
	deliver(ctx context.Context, from *mail.Address, m Message) error
}

// Open returns an outbox on a migrated database. It validates the configuration but does not connect to the mail server.
func Open(pool *pgxpool.Pool, c Config) (*Outbox, error) {
	from, err := mail.ParseAddress(c.From)
	if err != nil {
		return nil, fmt.Errorf("sender of mails %q: %w", c.From, err)
	}
	o := &Outbox{pool: pool, from: from, log: c.Log, transport: folder{dir: c.Dir, log: c.Log}}
	if c.URL != "" {
		if o.transport, err = parseServer(c.URL); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// Queue adds a message to the outbox; it is sent once tx is committed. ErrInvalid: it is not a valid mail.
func Queue(ctx context.Context, tx pgx.Tx, m Message) error {
	if err := m.check(); err != nil {
		return err
	}
	const query = `
		INSERT INTO mail_outbox (recipient, subject, body, expires_at)
		VALUES ($1, $2, $3, now() + $4::interval)`
	if _, err := tx.Exec(ctx, query, m.To, m.Subject, m.Text, m.Lifetime); err != nil {
		return fmt.Errorf("queue a mail: %w", err)
	}
	return nil
}

// check validates a message, above all against header injection. The error is ErrInvalid.
func (m *Message) check() error {
	to, err := mail.ParseAddress(m.To)
	if err != nil || to.Address != m.To || strings.ContainsFunc(m.To, unicode.IsControl) {
		return fmt.Errorf("%w: recipient", ErrInvalid)
	}
	if m.Subject == "" || !utf8.ValidString(m.Subject) || strings.ContainsFunc(m.Subject, unicode.IsControl) {
		return fmt.Errorf("%w: subject", ErrInvalid)
	}
	forbidden := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
	if !utf8.ValidString(m.Text) || strings.ContainsFunc(m.Text, forbidden) {
		return fmt.Errorf("%w: text", ErrInvalid)
	}
	return nil
}

// Forget deletes the queued mails to an address, in any case of letters.
func (o *Outbox) Forget(ctx context.Context, address string) error {
	if _, err := o.pool.Exec(ctx, `DELETE FROM mail_outbox WHERE lower(recipient) = lower($1)`, address); err != nil {
		return fmt.Errorf("forget waiting mails: %w", err)
	}
	return nil
}

// Backlog is what waits to be sent.
type Backlog struct {
	Mails  int
	Oldest time.Duration // since it was queued; 0 without any
}

// Backlog returns what waits at this moment, for all processes on the database.
func (o *Outbox) Backlog(ctx context.Context) (b Backlog, err error) {
	const query = `SELECT count(*), coalesce(greatest(now() - min(created_at), '0'), '0') FROM mail_outbox`
	if err := o.pool.QueryRow(ctx, query).Scan(&b.Mails, &b.Oldest); err != nil {
		return Backlog{}, fmt.Errorf("mails that wait: %w", err)
	}
	return b, nil
}

// Run delivers due mails every second until ctx is done; a delivery in progress is finished first.
func (o *Outbox) Run(ctx context.Context) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		if err := o.sendDue(ctx); err != nil && ctx.Err() == nil {
			o.log.Error("outbox", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// sendDue tries each due mail once.
func (o *Outbox) sendDue(ctx context.Context) error {
	if err := o.dropExpired(ctx); err != nil {
		return err
	}
	for ctx.Err() == nil {
		m, err := o.claim(ctx)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := o.send(context.WithoutCancel(ctx), m); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// dropExpired deletes mails whose lifetime is over, and logs how many.
func (o *Outbox) dropExpired(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	done, err := o.pool.Exec(ctx, `DELETE FROM mail_outbox WHERE expires_at <= now()`)
	if err != nil {
		return fmt.Errorf("drop expired mails: %w", err)
	}
	if n := done.RowsAffected(); n > 0 {
		o.log.Error("mails could not be sent in time", "mails", n)
	}
	return nil
}

// claimed is a mail leased to this process for a minute.
type claimed struct {
	Message
	id    int64
	tries int // including this one
}

// claim leases the mail that has been due longest; pgx.ErrNoRows: none is due. The lease of a killed process runs out, and
// another sends the mail.
func (o *Outbox) claim(ctx context.Context) (claimed, error) {
	const query = `
		UPDATE mail_outbox SET tries = tries + 1, next_try_at = now() + interval '1 minute'
		WHERE id = (
			SELECT id FROM mail_outbox
			WHERE next_try_at <= now() AND expires_at > now()
			ORDER BY next_try_at, id
			LIMIT 1
			FOR UPDATE SKIP LOCKED)
		RETURNING id, recipient, subject, body, tries`
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	var m claimed
	err := o.pool.QueryRow(ctx, query).Scan(&m.id, &m.To, &m.Subject, &m.Text, &m.tries)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		err = fmt.Errorf("next mail: %w", err)
	}
	return m, err
}

// send delivers a mail and deletes it, or schedules a retry. The error is the database's; those of delivery are logged, without
// the recipient.
func (o *Outbox) send(ctx context.Context, m claimed) error {
	delivering, cancel := context.WithTimeout(ctx, deliverTimeout)
	defer cancel()
	err := o.transport.deliver(delivering, o.from, m.Message)
	switch {
	case err == nil:
	case errors.Is(err, errRefused):
		o.log.Warn("mail refused for good", "mail", m.id, "error", err)
	default:
		wait := backoff(m.tries)
		o.log.Warn("mail not sent", "mail", m.id, "try", m.tries, "next", wait, "error", err)
		return o.putOff(ctx, m.id, wait)
	}
	ctx, cancel = context.WithTimeout(ctx, askTimeout)
	defer cancel()
	if _, err := o.pool.Exec(ctx, `DELETE FROM mail_outbox WHERE id = $1`, m.id); err != nil {
		return fmt.Errorf("delete sent mail %d: %w", m.id, err)
	}
	return nil
}

// putOff schedules the next try of a mail.
func (o *Outbox) putOff(ctx context.Context, id int64, wait time.Duration) error {
	const query = `UPDATE mail_outbox SET next_try_at = now() + $2::interval WHERE id = $1`
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	if _, err := o.pool.Exec(ctx, query, id, wait); err != nil {
		return fmt.Errorf("put off mail %d: %w", id, err)
	}
	return nil
}

// backoff returns the wait after a number of failed tries: 5 s, doubled each time, at most 10 min.
func backoff(tries int) time.Duration {
	wait := firstRetry
	for range tries - 1 {
		wait = min(2*wait, longestRetry)
	}
	return wait
}
