package signin

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"golang.org/x/oauth2"

	"razao/internal/account"
)

// attemptAlive is the condition of an attempt whose owner may still come back.
const attemptAlive = `(created_at > now() - interval '10 minutes')`

// Choice is a provider as it is offered to people.
type Choice struct {
	ID   string
	Name string
}

// Choices returns the providers that people may sign in with, in the order of the configuration. It is empty when there are
// none.
func (s *Service) Choices() []Choice { return s.choices }

// Start begins a sign-in with a provider and returns where to send the browser. browser is Sessions.Browser; next is where
// they go afterwards. ErrNoProvider: there is no such provider; ErrProvider: it cannot be reached.
func (s *Service) Start(ctx context.Context, id, next, browser string) (address string, err error) {
	p := s.providers[id]
	if p == nil {
		return "", ErrNoProvider
	}
	config, err := p.config(ctx)
	if err != nil {
		return "", fmt.Errorf("%w: %s: %w", ErrProvider, id, err)
	}
	state, nonce, verifier := newToken(), newToken(), oauth2.GenerateVerifier()
	const query = `
		INSERT INTO signin_attempt (state_hash, browser_hash, provider, verifier, nonce, next)
		VALUES ($1, $2, $3, $4, $5, $6)`
	if _, err := s.pool.Exec(ctx, query, hashOf(state), hashOf(browser), id, verifier, nonce, SafeNext(next)); err != nil {
		return "", fmt.Errorf("begin a sign-in: %w", err)
	}
	return config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("nonce", nonce)), nil
}

// Answer is what a provider sends back: the parameters of the same names, "" where it sent none.
type Answer struct {
	State, Code string
	Error       string
	Issuer      string // iss
}

// Arrival is who has come back from a provider, and where to.
type Arrival struct {
	Account account.ID
	Next    string // safe; also set beside an error, unless it is ErrState or the database's
}

// attempt is what is kept while somebody is at a provider.
type attempt struct {
	Provider string `db:"provider"`
	Verifier string `db:"verifier"`
	Nonce    string `db:"nonce"`
	Next     string `db:"next"`
}

// Finish ends a sign-in that began in the same browser, whatever comes of it: an answer counts once. Refusals are ErrState,
// ErrCancelled, ErrProvider and ErrUnverified.
func (s *Service) Finish(ctx context.Context, browser string, answer Answer) (Arrival, error) {
	begun, err := s.takeAttempt(ctx, answer.State, browser)
	if err != nil {
		return Arrival{}, err
	}
	arrival := Arrival{Next: begun.Next}
	switch answer.Error {
	case "":
	case "access_denied":
		return arrival, ErrCancelled
	default:
		return arrival, fmt.Errorf("%w: it answered %.40q", ErrProvider, answer.Error)
	}
	who, err := s.identify(ctx, begun, answer)
	if err != nil {
		return arrival, err
	}
	arrival.Account, err = s.accounts.ByIdentity(ctx, who)
	if errors.Is(err, account.ErrInvalidEmail) {
		return arrival, ErrUnverified
	}
	return arrival, err
}

// takeAttempt returns the attempt with this state and ends it, so that an answer that is sent again finds nothing.
func (s *Service) takeAttempt(ctx context.Context, state, browser string) (attempt, error) {
	const query = `
		DELETE FROM signin_attempt
		WHERE state_hash = $1 AND browser_hash = $2 AND ` + attemptAlive + `
		RETURNING provider, verifier, nonce, next`
	rows, err := s.pool.Query(ctx, query, hashOf(state), hashOf(browser))
	if err != nil {
		return attempt{}, fmt.Errorf("end a sign-in: %w", err)
	}
	begun, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[attempt])
	if errors.Is(err, pgx.ErrNoRows) {
		return attempt{}, ErrState
	}
	if err != nil {
		return attempt{}, fmt.Errorf("end a sign-in: %w", err)
	}
	return begun, nil
}

// identify asks the provider who has come back.
func (s *Service) identify(ctx context.Context, begun attempt, answer Answer) (account.Identity, error) {
	p := s.providers[begun.Provider]
	if p == nil {
		return account.Identity{}, ErrState // it was taken out of the configuration meanwhile
	}
	if answer.Issuer != "" && answer.Issuer != p.issuer() {
		return account.Identity{}, fmt.Errorf("%w: the answer is from another one", ErrProvider)
	}
	ctx, cancel := context.WithTimeout(ctx, providerTimeout)
	defer cancel()
	config, err := p.config(ctx)
	if err != nil {
		return account.Identity{}, fmt.Errorf("%w: %s: %w", ErrProvider, begun.Provider, err)
	}
	token, err := config.Exchange(withClient(ctx), answer.Code, oauth2.VerifierOption(begun.Verifier))
	if err != nil {
		return account.Identity{}, fmt.Errorf("%w: %s: %w", ErrProvider, begun.Provider, describe(err))
	}
	who, err := p.identify(ctx, token, begun.Nonce)
	if err != nil {
		return account.Identity{}, fmt.Errorf("%w: %s: %w", ErrProvider, begun.Provider, err)
	}
	return who, nil
}

// describe leaves out of an error the answer of a provider, which may hold what does not belong in a log.
func describe(err error) error {
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) {
		return fmt.Errorf("code not exchanged: status %d, %.40q", refused.Response.StatusCode, refused.ErrorCode)
	}
	return err
}
