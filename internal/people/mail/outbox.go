// Package mail sends mails from a transactional outbox (table mail_outbox). Queue writes a mail in
// the caller's transaction, so a mail exists exactly if that was committed; [Outbox.Run] delivers
// it afterwards, by SMTP or, without a mail server, as an .eml file. QueueDraft writes what a mail is
// about, and it is written when it is sent ([Writer]): by the rules of that moment, so that no copy of
// anything published waits here.
//
// Mails that somebody waits for have senders of their own. Of these and of those of drafts, the domain
// of a recipient holds a share, and mails that failed before at most half: a mail server that takes its
// time for some recipients holds up nobody else.
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
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/net/publicsuffix"

	"razao/internal/people/lane"
	"razao/internal/recovery"
)

// ErrInvalid means that the recipient of a message is not one bare address, that its subject is
// empty, or that it has control characters (header injection) or invalid UTF-8.
var ErrInvalid = errors.New("invalid mail")

// ErrNothing is the error of a Writer that has nothing to say any more.
var ErrNothing = errors.New("nothing to send by mail")

// Intervals and timeouts of the outbox.
const (
	dropEvery      = time.Second
	mailsAtOnce    = 8                // deliveries of a process in each lane: a mail server answers in tenths of a second
	domainShare    = 2                // of these, to recipients of one domain
	retriesAtOnce  = mailsAtOnce / 2  // of these, mails that failed before
	writeTimeout   = 15 * time.Second // of a draft
	deliverTimeout = 20 * time.Second // with writeTimeout less than the lease of claim, a minute, or a mail is sent twice
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
	// 8058); "": there is none.
	Unsubscribe string
}

// Writer writes the mail of a draft; of the message it leaves recipient and lifetime open. It returns
// ErrNothing for a draft that is obsolete, which is then deleted; after other errors it is asked again.
type Writer func(ctx context.Context, draft string) (Message, error)

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
	// Write writes drafts. It is set before Run; without it drafts wait.
	Write Writer

	pool      *pgxpool.Pool
	from      *mail.Address
	transport transport
	log       *slog.Logger
	awaited   *lane.Lane[claim] // mails that somebody waits for
	drafts    *lane.Lane[claim]
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
	o := &Outbox{pool: pool, from: from, log: c.Log, transport: transport}
	o.awaited, o.drafts = o.lane(false), o.lane(true)
	return o, nil
}

// lane returns senders of drafts, or of the other mails.
func (o *Outbox) lane(drafts bool) *lane.Lane[claim] {
	claim := func(ctx context.Context, held []claim) (claim, error) { return o.claim(ctx, drafts, held) }
	what := "outbox of mails that somebody waits for"
	if drafts {
		what = "outbox of mails about what is followed"
	}
	return lane.New(mailsAtOnce, claim, o.send, o.log, what)
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
// whichever process runs an outbox. It has text alone. It returns ErrInvalid for a message that is not
// valid.
func Queue(ctx context.Context, tx pgx.Tx, m Message) error {
	if err := m.check(); err != nil {
		return err
	}
	const query = `
		INSERT INTO mail_outbox (recipient, domain, subject, body, expires_at) VALUES ($1, $2, $3, $4, now() + $5::interval)`
	if _, err := tx.Exec(ctx, query, m.To, domainOf(m.To), m.Subject, m.Text, m.Lifetime); err != nil {
		return fmt.Errorf("queue a mail: %w", err)
	}
	return nil
}

// QueueDraft adds a mail to the outbox that is written when it is sent. It returns ErrInvalid for a
// recipient that is not valid.
func QueueDraft(ctx context.Context, tx pgx.Tx, to, draft string, lifetime time.Duration) error {
	if err := checkRecipient(to); err != nil {
		return err
	}
	const query = `INSERT INTO mail_outbox (recipient, domain, draft, expires_at) VALUES ($1, $2, $3, now() + $4::interval)`
	if _, err := tx.Exec(ctx, query, to, domainOf(to), draft, lifetime); err != nil {
		return fmt.Errorf("queue a draft: %w", err)
	}
	return nil
}

// domainOf returns the domain of an address as it was registered, below which its owner makes as many
// names as they like.
func domainOf(address string) string {
	host := strings.ToLower(address[strings.LastIndexByte(address, '@')+1:])
	if registered, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil && !strings.HasPrefix(host, "[") {
		return registered
	}
	return host
}

// check validates a message, above all against header injection: a line break in the recipient or
// subject would begin another header, such as Bcc. It returns ErrInvalid. Only line feeds and tabs
// may be in the text.
func (m *Message) check() error {
	if err := checkRecipient(m.To); err != nil {
		return err
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

func checkRecipient(address string) error {
	to, err := mail.ParseAddress(address)
	if err != nil || to.Address != address || strings.ContainsFunc(address, unicode.IsControl) {
		return fmt.Errorf("%w: recipient", ErrInvalid)
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

// Run delivers due mails, polling every second, until ctx is done. Deliveries in progress are
// finished first. Errors are logged and tried again.
func (o *Outbox) Run(ctx context.Context) {
	var work sync.WaitGroup
	for _, run := range []func(context.Context){o.awaited.Run, o.drafts.Run, o.dropEach} {
		work.Go(func() { run(ctx) })
	}
	work.Wait()
}

// dropEach drops expired mails until ctx is done.
func (o *Outbox) dropEach(ctx context.Context) {
	tick := time.NewTicker(dropEvery)
	defer tick.Stop()
	down := recovery.NewOutage(o.log, "drop mails that are too late")
	for {
		if err := recovery.Do(func() error { return o.dropExpired(ctx) }); ctx.Err() == nil {
			down.Note(err)
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
	return errors.Join(o.dropExpired(ctx), o.awaited.Once(ctx), o.drafts.Once(ctx))
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

// claim is a mail that is leased to this process for a minute. Its Lifetime is not set.
type claim struct {
	Message
	id     int64
	domain string
	draft  string // "": Message is complete
	tries  int    // including this one
}

// claim leases the mail that has been due longest, of those that have not failed first, by moving its
// next try a minute ahead, unless its domain holds its share already. It returns pgx.ErrNoRows if none is
// due. SKIP LOCKED keeps concurrent processes from waiting for each other's row.
func (o *Outbox) claim(ctx context.Context, drafts bool, held []claim) (claim, error) {
	const query = `
		UPDATE mail_outbox SET tries = tries + 1, next_try_at = now() + interval '1 minute'
		WHERE id = (
			SELECT id FROM mail_outbox
			WHERE (draft <> '') = $1 AND next_try_at <= now() AND expires_at > now()
				AND cardinality(array_positions($2::text[], domain)) < $3 AND (tries = 0 OR $4)
			ORDER BY tries > 0, next_try_at, id
			LIMIT 1
			FOR UPDATE SKIP LOCKED)
		RETURNING id, recipient, domain, subject, body, draft, tries`
	if drafts && o.Write == nil {
		return claim{}, pgx.ErrNoRows
	}
	domains, retries := []string{}, 0
	for i := range held {
		domains = append(domains, held[i].domain)
		if held[i].tries > 1 {
			retries++
		}
	}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	var m claim
	err := o.pool.QueryRow(ctx, query, drafts, domains, domainShare, retries < retriesAtOnce).Scan(
		&m.id, &m.To, &m.domain, &m.Subject, &m.Text, &m.draft, &m.tries)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		err = fmt.Errorf("next mail: %w", err)
	}
	return m, err
}

// send delivers a mail and deletes it, also if the server refused it for good, or schedules a
// retry. Errors of delivery are logged, without the recipient; the returned error is the
// database's.
func (o *Outbox) send(ctx context.Context, m claim) error {
	err := o.deliver(ctx, &m)
	switch {
	case err == nil || errors.Is(err, ErrNothing):
	case errors.Is(err, errRefused):
		o.log.Warn("mail refused for good", "mail", m.id, "error", err)
	default:
		wait := backoff(m.tries)
		o.log.Warn("mail not sent", "mail", m.id, "try", m.tries, "next", wait, "error", err)
		return o.putOff(ctx, m.id, wait)
	}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	if _, err := o.pool.Exec(ctx, `DELETE FROM mail_outbox WHERE id = $1`, m.id); err != nil {
		return fmt.Errorf("delete sent mail %d: %w", m.id, err)
	}
	return nil
}

// deliver writes a mail if it is a draft, and delivers it.
func (o *Outbox) deliver(ctx context.Context, m *claim) error {
	if m.draft != "" {
		writing, cancel := context.WithTimeout(ctx, writeTimeout)
		defer cancel()
		written, err := o.Write(writing, m.draft)
		if err != nil {
			return err
		}
		written.To = m.To
		if err := written.check(); err != nil {
			return fmt.Errorf("%w: %w", errRefused, err)
		}
		m.Message = written
	}
	delivering, cancel := context.WithTimeout(ctx, deliverTimeout)
	defer cancel()
	return o.transport.deliver(delivering, o.from, m.Message)
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
