package signin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"razao/internal/people/account"
	"razao/internal/people/mail"
	"razao/internal/people/seal"
	"razao/internal/web"
)

// Lifetimes and quotas. SQL conditions repeat the quarter of an hour, so that the database's clock
// decides.
const (
	// LinkLifetime is how long a magic link is valid, and how long its mail is tried to be sent.
	LinkLifetime = 15 * time.Minute

	linkAlive  = `(created_at > now() - interval '15 minutes')`
	quotaAlive = `(q.since > now() - interval '15 minutes')`

	linksPerAddress = 5  // in 15 minutes to one mailbox, against mail bombing
	linksPerClient  = 20 // in 15 minutes from one IPv4 address or IPv6 /64; an office may share one
)

// SendLink queues a mail with a magic link. It runs the same statements and returns the same
// whether or not the address has an account, against account enumeration by response or by timing.
// Link and mail are committed in one transaction (mail.Queue), so no link exists without its mail.
// form is the id of the form that asks for it (web.NewForm): one that is sent again for the same address within 15 minutes, as
// by a double click, sends nothing more; "" is a form of its own each time.
// next is the path to go to afterwards, made safe by SafeNext; client is the requester's address,
// or zero if unknown. It returns account.ErrInvalidEmail or a *QuotaError for bad input.
func (s *Service) SendLink(ctx context.Context, form, email, next string, client netip.Addr) error {
	email, err := account.ParseEmail(email)
	if err != nil {
		return err
	}
	token := seal.RandomToken()
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := takeQuota(ctx, tx, form, email, client); err != nil {
			return err
		}
		const query = `INSERT INTO magic_link (token_hash, email) VALUES ($1, $2)`
		if _, err := tx.Exec(ctx, query, seal.HashOf(token), email); err != nil {
			return err
		}
		return mail.Queue(ctx, tx, s.linkMail(email, token, SafeNext(next)))
	})
	if err != nil && !errors.Is(err, errRepeated) {
		return fmt.Errorf("send a sign-in link: %w", err)
	}
	return nil
}

// errRepeated means that the form has sent its link.
var errRepeated = errors.New("form sent again")

// takeQuota counts a link against the quotas of the form, which has one, of the mailbox and of the client. It returns errRepeated
// if that of the form is exceeded, and a *QuotaError if another is; the rollback then undoes the count. A client whose address is
// unknown, as on a Unix socket, has no quota: one that all such clients share would let any of them
// lock out the others. Quotas are fixed windows of 15 minutes that begin with the first link. The
// keys are hashes, so the table holds no addresses. All rows are locked in the order of their keys,
// so concurrent requests cannot deadlock.
func takeQuota(ctx context.Context, tx pgx.Tx, form, email string, client netip.Addr) error {
	const query = `
		INSERT INTO signin_quota AS q (subject, since, links)
		SELECT subject, now(), 1 FROM unnest($1::bytea[]) AS subject ORDER BY subject
		ON CONFLICT (subject) DO UPDATE SET
			links = CASE WHEN ` + quotaAlive + ` THEN q.links + 1 ELSE 1 END,
			since = CASE WHEN ` + quotaAlive + ` THEN q.since ELSE excluded.since END
		RETURNING subject, links, least(since + interval '15 minutes' - now(), interval '15 minutes')`
	ofForm, ofAddress := seal.HashOf("form "+form+" "+email), seal.HashOf("address "+mailboxOf(email))
	subjects := [][]byte{ofAddress}
	if form != "" {
		subjects = append(subjects, ofForm)
	}
	if client.IsValid() {
		subjects = append(subjects, seal.HashOf("client "+web.Network(client).String()))
	}
	rows, err := tx.Query(ctx, query, subjects)
	if err != nil {
		return err
	}
	var subject []byte
	var links int
	var wait, longest time.Duration
	_, err = pgx.ForEachRow(rows, []any{&subject, &links, &wait}, func() error {
		switch {
		case bytes.Equal(subject, ofForm) && links > 1:
			return errRepeated
		case bytes.Equal(subject, ofAddress) && links > linksPerAddress || links > linksPerClient:
			longest = max(longest, wait)
		}
		return nil
	})
	if err == nil && longest > 0 {
		err = &QuotaError{Wait: longest}
	}
	return err
}

// mailboxOf returns the mailbox that an address most likely leads to: in lower case and without a
// tag after + (subaddressing, RFC 5233), with which one mailbox would have any number of quotas. It
// is for quotas only. Accounts keep whole addresses, because only the mail server knows what a +
// means there.
func mailboxOf(email string) string {
	at := strings.LastIndexByte(email, '@')
	if tag := strings.IndexByte(email[:at], '+'); tag > 0 {
		email = email[:tag] + email[at:]
	}
	return strings.ToLower(email)
}

// linkMail returns the mail with a magic link. The URL begins with the configured address and never
// with the Host header, through which an attacker could have a victim's token sent to another host
// (host header injection).
func (s *Service) linkMail(email, token, next string) mail.Message {
	query := url.Values{"token": {token}}
	if next != "/" {
		query.Set("next", next)
	}
	return mail.Message{
		To: email, Subject: "Razão: seu link de acesso", Lifetime: LinkLifetime,
		Text: `Olá,

para entrar na sua conta, abra este endereço e confirme:

` + s.base + CallbackPath + "?" + query.Encode() + `

Ele vale por 15 minutos e uma única vez.

Se não foi você que pediu, ignore esta mensagem: sem este endereço ninguém entra na sua conta.

Razão
` + s.base + "\n",
	}
}

// Link returns the e-mail address of a magic link without consuming it: mail scanners open links,
// so the page behind a link only asks for confirmation. It returns ErrLink if the link is unknown,
// expired or used.
func (s *Service) Link(ctx context.Context, token string) (email string, err error) {
	const query = `SELECT email FROM magic_link WHERE token_hash = $1 AND ` + linkAlive
	err = s.pool.QueryRow(ctx, query, seal.HashOf(token)).Scan(&email)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", ErrLink
	}
	if err != nil {
		return "", fmt.Errorf("look up a sign-in link: %w", err)
	}
	return email, nil
}

// UseLink consumes a magic link and lets begin sign its account in, which is created at the first sign-in. Both are committed in one
// transaction. It returns ErrLink if the link is unknown, expired or used; of two concurrent
// calls one does, after the other is committed.
func (s *Service) UseLink(ctx context.Context, token string, begin func(pgx.Tx, account.ID) error) error {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		const query = `DELETE FROM magic_link WHERE token_hash = $1 AND ` + linkAlive + ` RETURNING email`
		var email string
		err := tx.QueryRow(ctx, query, seal.HashOf(token)).Scan(&email)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrLink
		}
		if err != nil {
			return err
		}
		id, err := account.ByEmail(ctx, tx, email)
		if err != nil {
			return err
		}
		return begin(tx, id)
	})
	if err != nil {
		return fmt.Errorf("use a sign-in link: %w", err)
	}
	return nil
}
