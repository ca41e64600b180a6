// Package signin authenticates people, by magic link or through OpenID Connect and GitHub, and keeps their browser sessions.
//
// Both ways verify an e-mail address, by which accounts are found or created; there are no passwords. SQL on the tables
// magic_link and signin_* is in this package; tokens are stored as hashes.
package signin

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/account"
	"razao/internal/mail"
)

var (
	// ErrLink means that a magic link is unknown, expired or used.
	ErrLink = errors.New("invalid magic link")
	// ErrState means that no sign-in with this state began in this browser, or that it expired or was completed (login CSRF).
	ErrState = errors.New("invalid state of a sign-in")
	// ErrCancelled means that the user refused consent at the provider (access_denied).
	ErrCancelled = errors.New("sign-in cancelled at the provider")
	// ErrProvider means that the provider failed or that its response is not valid.
	ErrProvider = errors.New("sign-in provider failed")
	// ErrNoProvider means that no provider with this id is configured.
	ErrNoProvider = errors.New("no such sign-in provider")
	// ErrUnverified means that the provider has verified no e-mail address of a new user.
	ErrUnverified = errors.New("no verified e-mail address")
	// ErrSignedOut means that a request has no session. A failed look-up is never this error.
	ErrSignedOut = errors.New("not signed in")
)

// QuotaError means that too many links were requested for one address or by one client.
type QuotaError struct {
	Wait time.Duration // until the next is allowed
}

// Error implements error.
func (e *QuotaError) Error() string { return fmt.Sprintf("too many magic links: wait %s", e.Wait) }

// CallbackPath is the redirect URI's path, and the path of magic links.
const CallbackPath = "/auth/callback"

// Config are the dependencies of a Service.
type Config struct {
	Pool      *pgxpool.Pool
	Accounts  *account.Store
	Outbox    *mail.Outbox
	Providers []Provider // in the order in which they are offered
	BaseURL   string     // public http or https URL, the base of links and redirect URIs
}

// Service signs people in. It is made by New and safe for concurrent use; its state is in the database, which processes share.
type Service struct {
	pool      *pgxpool.Pool
	accounts  *account.Store
	outbox    *mail.Outbox
	base      string // without a slash at the end
	choices   []Choice
	providers map[string]provider
}

// New returns a service on a migrated database. It does not connect to providers: one that is down does not stop the start.
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

// Delete deletes an account with all its data, including its magic links and queued mails. account.ErrNoAccount: it was deleted
// before.
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

// Purge deletes expired links, attempts and quotas. Several processes may run it at once.
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

// newToken returns 256 random bits in base64url, 43 characters.
func newToken() string {
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(random[:])
}

// hashOf returns the SHA-256 that is stored in place of a token. Tokens are random, so they need no salt and no slow hash.
func hashOf(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}
