// Package mail sends mails. They wait in an outbox in the database, so that none is lost and no request waits for a mail
// server, and go out by SMTP or, on a developer's machine, into a folder.
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

// ErrInvalid means that a message has no single plain address, or characters that could become headers.
var ErrInvalid = errors.New("not a message that can be mailed")

const (
	pollEvery      = time.Second
	deliverTimeout = 20 * time.Second // less than the minute that claim gives
	firstRetry     = 5 * time.Second
	longestRetry   = 10 * time.Minute
)

// Message is a mail in plain text to one person.
type Message struct {
	To       string // a bare address
	Subject  string
	Text     string
	Lifetime time.Duration // after which it is not worth sending
}

// Config says how mails leave.
type Config struct {
	// URL is the mail server: smtp://user:password@host:port, which must offer STARTTLS, or smtps:// for TLS from the first
	// byte; ?tls=none is for a server that has no TLS. Empty: mails become files in Dir.
	URL  string
	From string // an address, with or without a name
	Dir  string // created when the first mail is written
	Log  *slog.Logger
}

// Outbox sends the mails that wait in the database. Several processes may run one on the same database.
type Outbox struct {
	pool      *pgxpool.Pool
	from      *mail.Address
	transport transport
	log       *slog.Logger
}

// transport takes one mail to where it goes.
type transport interface {
	deliver(ctx context.Context, from *mail.Address, m Message) error
}

// Open returns an outbox on a migrated database. It does not connect to the mail server.
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

// Queue puts a message into the outbox when tx is committed. ErrInvalid: it cannot be mailed.
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

// Forget deletes the mails to an address that still wait.
func (o *Outbox) Forget(ctx context.Context, address string) error {
	if _, err := o.pool.Exec(ctx, `DELETE FROM mail_outbox WHERE lower(recipient) = lower($1)`, address); err != nil {
		return fmt.Errorf("forget waiting mails: %w", err)
	}
	return nil
}

// Run sends mails until ctx ends. One that is being sent then is sent first.
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

// sendDue tries every mail that is due, once.
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

func (o *Outbox) dropExpired(ctx context.Context) error {
	done, err := o.pool.Exec(ctx, `DELETE FROM mail_outbox WHERE expires_at <= now()`)
	if err != nil {
		return fmt.Errorf("drop expired mails: %w", err)
	}
	if n := done.RowsAffected(); n > 0 {
		o.log.Error("mails could not be sent in time", "mails", n)
	}
	return nil
}

// claimed is a mail that is this process's to send, for a minute.
type claimed struct {
	Message
	id    int64
	tries int // this one included
}

// claim takes the mail that has been due longest, or returns pgx.ErrNoRows. A process that is killed while it sends leaves
// the mail to be sent again.
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
	var m claimed
	err := o.pool.QueryRow(ctx, query).Scan(&m.id, &m.To, &m.Subject, &m.Text, &m.tries)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		err = fmt.Errorf("next mail: %w", err)
	}
	return m, err
}

// send delivers a mail and deletes it, or puts it off. The error is the database's.
func (o *Outbox) send(ctx context.Context, m claimed) error {
	ctx, cancel := context.WithTimeout(ctx, deliverTimeout)
	defer cancel()
	err := o.transport.deliver(ctx, o.from, m.Message)
	switch {
	case err == nil:
	case errors.Is(err, errRefused):
		o.log.Warn("mail refused for good", "mail", m.id, "error", err)
	default:
		wait := backoff(m.tries)
		o.log.Warn("mail not sent", "mail", m.id, "try", m.tries, "next", wait, "error", err)
		return o.putOff(context.WithoutCancel(ctx), m.id, wait)
	}
	if _, err := o.pool.Exec(context.WithoutCancel(ctx), `DELETE FROM mail_outbox WHERE id = $1`, m.id); err != nil {
		return fmt.Errorf("delete sent mail %d: %w", m.id, err)
	}
	return nil
}

func (o *Outbox) putOff(ctx context.Context, id int64, wait time.Duration) error {
	const query = `UPDATE mail_outbox SET next_try_at = now() + $2::interval WHERE id = $1`
	if _, err := o.pool.Exec(ctx, query, id, wait); err != nil {
		return fmt.Errorf("put off mail %d: %w", id, err)
	}
	return nil
}

// backoff is how long to wait after so many tries that failed.
func backoff(tries int) time.Duration {
	wait := firstRetry
	for range tries - 1 {
		wait = min(2*wait, longestRetry)
	}
	return wait
}
