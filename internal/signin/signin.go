// Package signin lets people in: by a link that is mailed to them, or through a provider that knows them. It also keeps who is
// signed in in a browser.
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
	// ErrLink means that a mailed link is unknown, too old or was used.
	ErrLink = errors.New("no such sign-in link")
	// ErrState means that nobody in this browser went to a provider to come back like this, or too long ago, or that they came
	// back before.
	ErrState = errors.New("no such sign-in attempt")
	// ErrCancelled means that the person did not let the provider say who they are.
	ErrCancelled = errors.New("sign-in cancelled at the provider")
	// ErrProvider means that the provider failed, or said something that cannot be believed.
	ErrProvider = errors.New("the sign-in provider failed")
	// ErrNoProvider means that there is no provider with the id that was given.
	ErrNoProvider = errors.New("no such sign-in provider")
	// ErrUnverified means that the provider has not verified an e-mail address of a person who is new here.
	ErrUnverified = errors.New("the provider has verified no e-mail address")
	// ErrSignedOut means that nobody is signed in. Trouble while looking is never this error.
	ErrSignedOut = errors.New("nobody is signed in")
)

// QuotaError is the error of a link that was asked for too often, for one address or by one client.
type QuotaError struct {
	Wait time.Duration
}

// Error implements error.
func (e *QuotaError) Error() string { return fmt.Sprintf("too many sign-in links: wait %s", e.Wait) }

// CallbackPath is where people come back to, from their mail and from providers.
const CallbackPath = "/auth/callback"

// Config are the parts of the program that sign-in needs.
type Config struct {
	Pool      *pgxpool.Pool
	Accounts  *account.Store
	Outbox    *mail.Outbox
	Providers []Provider // in the order in which they are offered
	BaseURL   string     // the public address, where links and providers lead back to
}

// Service signs people in. It is made by New and safe for concurrent use; several processes share what it knows.
type Service struct {
	pool      *pgxpool.Pool
	accounts  *account.Store
	outbox    *mail.Outbox
	base      string // without a slash at the end
	choices   []Choice
	providers map[string]provider
}

// New returns a service on a migrated database. Providers are not asked anything yet: one that is away does not stop the
// program.
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

// Delete removes an account with everything that belongs to it, links and mails on their way included.
// account.ErrNoAccount: it was deleted before.
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

// Purge deletes links, attempts and counts that have expired. Several processes may call it at once.
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

// newToken returns 256 random bits in letters, digits, - and _.
func newToken() string {
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(random[:])
}

// hashOf returns what is stored of a token. Tokens are random, so that one round of a fast hash is enough.
func hashOf(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}
