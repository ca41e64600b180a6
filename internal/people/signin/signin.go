// Package signin authenticates people, by magic link or through OpenID Connect and GitHub, and
// keeps their browser sessions. There are no passwords: both ways end with a verified e-mail
// address or a provider's identity, by which package account finds or creates the account.
//
//   - Magic link: SendLink mails a token that is valid for 15 minutes; Link shows whose it is, so
//     that a mail scanner that opens it consumes nothing; UseLink consumes it.
//   - Provider: Start stores an attempt and returns the authorization URL, with state, nonce and a
//     PKCE challenge; Finish consumes the attempt and exchanges the code.
//   - Session: [Sessions] puts a random token into a cookie and everything else into the database.
//     Its own methods are the only ones that know HTTP.
//
// State, links, attempts and quotas are in PostgreSQL, so the response of a provider may reach
// another process than the one that sent the browser there. Whatever may be used once is consumed
// by one DELETE … RETURNING. Tokens are stored as SHA-256, and only the database's clock decides
// expiry. A failed query is never ErrLink, ErrState or ErrSignedOut: an outage must not look like a
// sign-out.
//
// SQL on the tables magic_link and signin_* is in this package; that on sessions and accounts is in
// package account.
package signin

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/people/account"
	"razao/internal/people/mail"
)

// Errors of the package's functions, possibly wrapped; compare with [errors.Is].
var (
	// ErrLink means that a magic link is unknown, expired or used.
	ErrLink = errors.New("invalid magic link")
	// ErrState means that no sign-in with this state began in this browser (login CSRF), or that it
	// expired or was completed already (replay).
	ErrState = errors.New("invalid state of a sign-in")
	// ErrCancelled means that the user refused consent at the provider (access_denied).
	ErrCancelled = errors.New("sign-in cancelled at the provider")
	// ErrProvider means that the provider failed or that its response is not valid; it wraps the
	// reason, for the log.
	ErrProvider = errors.New("sign-in provider failed")
	// ErrNoProvider means that no provider with this id is configured.
	ErrNoProvider = errors.New("no such sign-in provider")
	// ErrUnverified means that a user without an account comes from a provider that has not
	// verified an e-mail address of theirs.
	ErrUnverified = errors.New("no verified e-mail address")
	// ErrSignedOut means that a request has no session. A failed look-up is never this error.
	ErrSignedOut = errors.New("not signed in")
)

// QuotaError means that too many links were requested for one mailbox or by one client. SendLink
// wraps a *QuotaError.
type QuotaError struct {
	Wait time.Duration // until the next link is allowed; at most 15 minutes
}

// Error implements error.
func (e *QuotaError) Error() string { return fmt.Sprintf("too many magic links: wait %s", e.Wait) }

// CallbackPath is the path of the redirect URI that providers know, and of magic links.
const CallbackPath = "/auth/callback"

// Config holds the dependencies of a Service.
type Config struct {
	Pool      *pgxpool.Pool
	Accounts  *account.Store
	Outbox    *mail.Outbox
	Providers []Provider // in the order in which they are offered
	BaseURL   string     // public http or https URL, the base of links and redirect URIs
}

// Service signs people in. Make one with New. It is safe for concurrent use, and several processes
// may serve one database.
type Service struct {
	pool      *pgxpool.Pool
	accounts  *account.Store
	outbox    *mail.Outbox
	base      string // without a slash at the end
	choices   []Choice
	providers map[string]provider
}

// New returns a Service on a migrated database. It fails if BaseURL or a provider's configuration
// is not valid. It does not connect to providers, so one that is down does not keep the server from
// starting.
func New(c Config) (*Service, error) {
	base, err := url.Parse(c.BaseURL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf("public address %q is not an http or https URL", c.BaseURL)
	}
	s := &Service{
		pool: c.Pool, accounts: c.Accounts, outbox: c.Outbox,
		base: strings.TrimSuffix(c.BaseURL, "/"), providers: map[string]provider{},
	}
	for _, p := range c.Providers {
		if s.providers[p.ID] != nil {
			return nil, fmt.Errorf("two sign-in providers have the id %q", p.ID)
		}
		if s.providers[p.ID], err = p.open(s.base + CallbackPath); err != nil {
			return nil, err
		}
		s.choices = append(s.choices, Choice{ID: p.ID, Name: p.Name})
	}
	return s, nil
}

// Delete deletes an account with all its data, magic links and queued mails included; otherwise a
// link sent before could create the account again. It returns account.ErrNoAccount if there is no
// such account.
func (s *Service) Delete(ctx context.Context, id account.ID) error {
	person, err := s.accounts.Account(ctx, id)
	if err != nil {
		return err
	}
	if _, err := s.pool.Exec(ctx, `DELETE FROM magic_link WHERE lower(email) = lower($1)`, person.Email); err != nil {
		return fmt.Errorf("delete the links of account %d: %w", id, err)
	}
	if err := s.outbox.Forget(ctx, person.Email); err != nil {
		return err
	}
	return s.accounts.Delete(ctx, id)
}

// Purge deletes expired links, attempts and quotas. Call it periodically; several processes may run
// it at once.
func (s *Service) Purge(ctx context.Context) error {
	for _, query := range []string{
		`DELETE FROM magic_link WHERE NOT ` + linkAlive,
		`DELETE FROM signin_attempt WHERE NOT ` + attemptAlive,
		`DELETE FROM signin_quota q WHERE NOT ` + quotaAlive,
	} {
		if _, err := s.pool.Exec(ctx, query); err != nil {
			return fmt.Errorf("purge expired sign-ins: %w", err)
		}
	}
	return nil
}
