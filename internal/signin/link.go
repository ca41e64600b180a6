package signin

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"razao/internal/account"
	"razao/internal/mail"
	"razao/internal/web"
)

const (
	// LinkLifetime is how long a magic link is valid; linkAlive repeats it in SQL.
	LinkLifetime = 15 * time.Minute

	linkAlive  = `(created_at > now() - interval '15 minutes')`
	quotaAlive = `(q.since > now() - interval '15 minutes')`

	linksPerAddress = 5  // in 15 minutes, to one mailbox: limits mail bombing
	linksPerClient  = 20 // in 15 minutes, from one IP address or /64: an office may share one
)

// SendLink mails a magic link to an address. It behaves the same whether or not the address has an account, against account
// enumeration. next is the path to go to afterwards; client is the requester's address, zero if unknown. The errors of input
// are account.ErrInvalidEmail and *QuotaError.
func (s *Service) SendLink(ctx context.Context, email, next string, client netip.Addr) error {
	email, err := account.ParseEmail(email)
	if err != nil {
		return err
	}
	token := newToken()
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := takeQuota(ctx, tx, email, client); err != nil {
			return err
		}
		const query = `INSERT INTO magic_link (token_hash, email) VALUES ($1, $2)`
		if _, err := tx.Exec(ctx, query, hashOf(token), email); err != nil {
			return err
		}
		return mail.Queue(ctx, tx, s.linkMail(email, token, SafeNext(next)))
	})
	if err != nil {
		return fmt.Errorf("send a sign-in link: %w", err)
	}
	return nil
}

// takeQuota counts a link against the quotas of the mailbox and of the client, both stored as hashes. The rows are locked in
// one order, so that concurrent requests cannot deadlock.
func takeQuota(ctx context.Context, tx pgx.Tx, email string, client netip.Addr) error {
	const query = `
		INSERT INTO signin_quota AS q (subject, since, links)
		SELECT subject, now(), 1 FROM unnest($1::bytea[]) AS subject ORDER BY subject
		ON CONFLICT (subject) DO UPDATE SET
			links = CASE WHEN ` + quotaAlive + ` THEN q.links + 1 ELSE 1 END,
			since = CASE WHEN ` + quotaAlive + ` THEN q.since ELSE excluded.since END
		RETURNING subject = $2, links, least(since + interval '15 minutes' - now(), interval '15 minutes')`
	address := hashOf("address " + mailboxOf(email))
	rows, err := tx.Query(ctx, query, [][]byte{address, hashOf("client " + web.Network(client).String())}, address)
	if err != nil {
		return err
	}
	var forAddress bool
	var links int
	var wait, longest time.Duration
	_, err = pgx.ForEachRow(rows, []any{&forAddress, &links, &wait}, func() error {
		if forAddress && links > linksPerAddress || links > linksPerClient {
			longest = max(longest, wait)
		}
		return nil
	})
	if err == nil && longest > 0 {
		err = &QuotaError{Wait: longest}
	}
	return err
}

// mailboxOf returns the mailbox that an address most likely leads to, for limits alone: in lower case and without a tag after + (RFC
// 5233). Accounts keep whole addresses, because only the mail server knows what a + means there.
func mailboxOf(email string) string {
	at := strings.LastIndexByte(email, '@')
	if tag := strings.IndexByte(email[:at], '+'); tag > 0 {
		email = email[:tag] + email[at:]
	}
	return strings.ToLower(email)
}

// linkMail returns the mail with a magic link. Its URL is made of the configured address, never of Host.
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

// Link returns the e-mail address of a magic link without consuming it: mail scanners prefetch links, so the page it opens only
// asks for confirmation. ErrLink: the link is not valid.
func (s *Service) Link(ctx context.Context, token string) (email string, err error) {
	const query = `SELECT email FROM magic_link WHERE token_hash = $1 AND ` + linkAlive
	err = s.pool.QueryRow(ctx, query, hashOf(token)).Scan(&email)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", ErrLink
	}
	if err != nil {
		return "", fmt.Errorf("look up a sign-in link: %w", err)
	}
	return email, nil
}

// UseLink consumes a magic link and returns the account of its address, creating it at the first sign-in. ErrLink: the link is
// not valid.
func (s *Service) UseLink(ctx context.Context, token string) (account.ID, error) {
	const query = `DELETE FROM magic_link WHERE token_hash = $1 AND ` + linkAlive + ` RETURNING email`
	var email string
	err := s.pool.QueryRow(ctx, query, hashOf(token)).Scan(&email)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, ErrLink
	}
	if err != nil {
		return 0, fmt.Errorf("use a sign-in link: %w", err)
	}
	return s.accounts.ByEmail(ctx, email)
}
