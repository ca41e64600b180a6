// Package mail sends mails from a transactional outbox (table mail_outbox). Queue writes a mail in
// the caller's transaction, so a mail exists exactly if that was committed; [Outbox.Run] delivers
// it afterwards, by SMTP or, without a mail server, as an .eml file.
//
// Several processes may run an outbox on one database. Each delivery begins by leasing the mail
// that has been due longest (FOR UPDATE SKIP LOCKED) for a minute, longer than a delivery may take;
// the lease of a process that was killed expires and another sends the mail. Delivery is therefore
// at least once: a process killed between the server's 250 and the DELETE sends the mail again.
// Transient failures are retried with exponential backoff until the mail's lifetime is over; a
// permanent one (SMTP 5xx) ends it.
//
// The log has neither recipients nor texts (but see folder.deliver for a link to loopback).
// Messages are checked against header injection (CWE-93) before they are queued.
package mail

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/mail"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"razao/internal/recovery"
)

// ErrInvalid means that the recipient of a message is not one bare address, that its subject is
// empty, or that it has control characters (header injection) or invalid UTF-8.
var ErrInvalid = errors.New("invalid mail")

// Intervals and timeouts of the outbox.
const (
	pollEvery      = time.Second
	mailsAtOnce    = 8                // deliveries of a process: a mail server answers in tenths of a second
	deliverTimeout = 20 * time.Second // must be less than the lease of claim, a minute, or a mail is sent twice
	firstRetry     = 5 * time.Second
	longestRetry   = 10 * time.Minute
	askTimeout     = 5 * time.Second // of a statement
)

// Message is a mail to one recipient.
type Message struct {
	To       string        // one bare address (addr-spec, RFC 5322 §3.4.1)
	Subject  string        // one line of UTF-8
	Text     string        // UTF-8; lines end in \n
	HTML     string        // the same as HTML, for multipart/alternative; "": the mail is plain text
	Lifetime time.Duration // from Queue on; a mail that could not be sent by then is dropped
	// Unsubscribe is the address at which the recipient ends mails of this kind with one click (RFC
	// 8058). Nobody waits for a mail that has one: the others are sent first.
	Unsubscribe string
}

// Config says how mails leave.
type Config struct {
	// URL is the mail server: smtp://user:password@host:port, with mandatory STARTTLS, or smtps://
	// for implicit TLS (RFC 8314); smtp://…?tls=none is plain text. Without credentials the server
	// is not asked for authentication. "": mails become files in Dir.
	URL  string
	From string // sender: RFC 5322 address, with or without a display name
	Dir  string // folder for .eml files, created when needed; unused with a URL
	Log  *slog.Logger
}

// Outbox delivers queued mails. Make one with Open. It is safe for concurrent use.
type Outbox struct {
	pool      *pgxpool.Pool
	from      *mail.Address
	transport transport
	log       *slog.Logger
}

// transport delivers a mail. An error that wraps errRefused is permanent, any other transient;
// neither quotes the recipient.
type transport interface {
	deliver(ctx context.Context, from *mail.Address, m Message) error
}

// Open returns an Outbox on a migrated database. It fails as Check does. It does not connect to the
// mail server, so one that is down does not keep the program from starting.
func Open(pool *pgxpool.Pool, c Config) (*Outbox, error) {
	from, transport, err := c.parse()
	if err != nil {
		return nil, err
	}
	return &Outbox{pool: pool, from: from, log: c.Log, transport: transport}, nil
}

// Check returns an error that names the setting if From or URL is not valid.
func (c Config) Check() error {
	_, _, err := c.parse()
	return err
}

func (c Config) parse() (*mail.Address, transport, error) {
	from, err := mail.ParseAddress(c.From)
	if err != nil {
		return nil, nil, fmt.Errorf("RAZAO_MAIL_FROM: %q is not a sender, such as Razão <razao@razao.example>", c.From)
	}
	if c.URL == "" {
		return from, folder{dir: c.Dir, log: c.Log}, nil
	}
	server, err := parseServer(c.URL)
	return from, server, err
}

// Queue adds a message to the outbox within tx; it is sent within about a second of the commit, by
// whichever process runs an outbox. It returns ErrInvalid for a message that is not valid.
func Queue(ctx context.Context, tx pgx.Tx, m Message) error {
	if err := m.check(); err != nil {
		return err
	}
	const query = `
		INSERT INTO mail_outbox (recipient, subject, body, html, unsubscribe, expires_at)
		VALUES ($1, $2, $3, $4, $5, now() + $6::interval)`
	if _, err := tx.Exec(ctx, query, m.To, m.Subject, m.Text, m.HTML, m.Unsubscribe, m.Lifetime); err != nil {
		return fmt.Errorf("queue a mail: %w", err)
	}
	return nil
}

// check validates a message, above all against header injection: a line break in the recipient or
// subject would begin another header, such as Bcc. It returns ErrInvalid. Only line feeds and tabs
// may be in the text.
func (m *Message) check() error {
	to, err := mail.ParseAddress(m.To)
	if err != nil || to.Address != m.To || strings.ContainsFunc(m.To, unicode.IsControl) {
		return fmt.Errorf("%w: recipient", ErrInvalid)
	}
	if m.Subject == "" || !utf8.ValidString(m.Subject) || strings.ContainsFunc(m.Subject, unicode.IsControl) {
		return fmt.Errorf("%w: subject", ErrInvalid)
	}
	forbidden := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
	for _, text := range []string{m.Text, m.HTML} {
		if !utf8.ValidString(text) || strings.ContainsFunc(text, forbidden) {
			return fmt.Errorf("%w: text", ErrInvalid)
		}
	}
	if u, err := url.Parse(m.Unsubscribe); err != nil || u.String() != m.Unsubscribe || strings.ContainsAny(m.Unsubscribe, "<> ") {
		return fmt.Errorf("%w: address to unsubscribe", ErrInvalid)
	}
	return nil
}

// Forget deletes the queued mails to an address, regardless of case. A delivery in progress is not
// stopped.
func (o *Outbox) Forget(ctx context.Context, address string) error {
	if _, err := o.pool.Exec(ctx, `DELETE FROM mail_outbox WHERE lower(recipient) = lower($1)`, address); err != nil {
		return fmt.Errorf("forget waiting mails: %w", err)
	}
	return nil
}

// Backlog counts the mails that wait to be sent, those being delivered or waiting for a retry
// included.
type Backlog struct {
	Mails  int
	Oldest time.Duration // age of the oldest mail; 0 if there is none
}

// Backlog returns the current backlog of the database, which all processes share.
func (o *Outbox) Backlog(ctx context.Context) (b Backlog, err error) {
	const query = `SELECT count(*), coalesce(greatest(now() - min(created_at), '0'), '0') FROM mail_outbox`
	if err := o.pool.QueryRow(ctx, query).Scan(&b.Mails, &b.Oldest); err != nil {
		return Backlog{}, fmt.Errorf("mails that wait: %w", err)
	}
	return b, nil
}

// Run delivers due mails, polling every second, until ctx is done. A delivery in progress is
// finished first, which takes at most 20 s and a statement. Errors are logged and tried again.
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

// sendDue drops expired mails and tries each due mail once.
func (o *Outbox) sendDue(ctx context.Context) error {
	if err := o.dropExpired(ctx); err != nil {
		return err
	}
	var senders errgroup.Group
	for range mailsAtOnce {
		senders.Go(func() error { return recovery.Do(func() error { return o.sendEach(ctx) }) })
	}
	return senders.Wait()
}

// sendEach tries due mails, one after the other, until there is none.
func (o *Outbox) sendEach(ctx context.Context) error {
	for ctx.Err() == nil {
		m, err := o.claim(context.WithoutCancel(ctx)) // what was claimed is sent, or it would rest until its lease ends
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

// dropExpired deletes the mails whose lifetime is over, and logs how many: somebody waits for each
// of them.
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

// claimed is a mail that is leased to this process for a minute. Its Lifetime is not set.
type claimed struct {
	Message
	id    int64
	tries int // including this one
}

// claim leases the mail that has been due longest, of those that somebody waits for first, by moving its next try a minute ahead. It
// returns pgx.ErrNoRows if none is due. SKIP LOCKED keeps concurrent processes from waiting for
// each other's row.
func (o *Outbox) claim(ctx context.Context) (claimed, error) {
	const query = `
		UPDATE mail_outbox SET tries = tries + 1, next_try_at = now() + interval '1 minute'
		WHERE id = (
			SELECT id FROM mail_outbox
			WHERE next_try_at <= now() AND expires_at > now()
			ORDER BY unsubscribe <> '', next_try_at, id
			LIMIT 1
			FOR UPDATE SKIP LOCKED)
		RETURNING id, recipient, subject, body, html, unsubscribe, tries`
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	var m claimed
	err := o.pool.QueryRow(ctx, query).Scan(&m.id, &m.To, &m.Subject, &m.Text, &m.HTML, &m.Unsubscribe, &m.tries)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		err = fmt.Errorf("next mail: %w", err)
	}
	return m, err
}

// send delivers a mail and deletes it, also if the server refused it for good, or schedules a
// retry. Errors of delivery are logged, without the recipient; the returned error is the
// database's.
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

// putOff schedules the next try of a mail for after wait.
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
