package signin

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"golang.org/x/oauth2"

	"razao/internal/people/account"
	"razao/internal/people/seal"
)

// attemptAlive is an SQL condition: an attempt has not expired. Ten minutes are enough to type a
// password and a second factor at the provider.
const attemptAlive = `(created_at > now() - interval '10 minutes')`

// Choice is a provider as the sign-in page offers it.
type Choice struct {
	ID   string // for Start
	Name string // for people
}

// Choices returns the configured providers in their order; nil if there are none. Callers must not
// change it.
func (s *Service) Choices() []Choice { return s.choices }

// Start begins a sign-in with a provider and returns the authorization URL to redirect the browser
// to. It has state, a nonce, which binds the ID token to this attempt (OpenID Connect Core
// §3.1.2.1), and a PKCE challenge, which binds the code to it (RFC 7636). browser is
// Sessions.Browser, to which state is bound: without it an attacker could make a victim finish the
// attacker's sign-in (login CSRF, RFC 6749 §10.12). next is the path to go to afterwards, made safe
// by SafeNext. Start returns ErrNoProvider if no provider has this id and ErrProvider if its
// discovery fails.
func (s *Service) Start(ctx context.Context, id, next, browser string) (address string, err error) {
	p := s.providers[id]
	if p == nil {
		return "", ErrNoProvider
	}
	config, err := p.config(ctx)
	if err != nil {
		return "", fmt.Errorf("%w: %s: %w", ErrProvider, id, err)
	}
	state, nonce, verifier := seal.RandomToken(), seal.RandomToken(), oauth2.GenerateVerifier()
	const query = `
		INSERT INTO signin_attempt (state_hash, browser_hash, provider, verifier, nonce, next)
		VALUES ($1, $2, $3, $4, $5, $6)`
	if _, err := s.pool.Exec(ctx, query, seal.HashOf(state), seal.HashOf(browser), id, verifier, nonce, SafeNext(next)); err != nil {
		return "", fmt.Errorf("begin a sign-in: %w", err)
	}
	return config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("nonce", nonce)), nil
}

// Answer is an authorization response (RFC 6749 §4.1.2, RFC 9207): the query parameters of the
// callback, "" where absent. None of it is trusted.
type Answer struct {
	State, Code string
	Error       string // error code of the provider; "" on success
	Issuer      string // iss
}

// Arrival is the outcome of a sign-in with a provider.
type Arrival struct {
	Account account.ID // 0 with an error
	Next    string     // path made safe by Start; also set with errors, except ErrState and failures of the database
}

// attempt is the server's side of a sign-in in progress. Its key is the hash of state.
type attempt struct {
	Provider string `db:"provider"`
	Verifier string `db:"verifier"`
	Nonce    string `db:"nonce"`
	Next     string `db:"next"`
}

// Finish completes a sign-in that Start began in the same browser and returns its account, created
// at the first sign-in. It consumes the attempt whatever the outcome, so a response cannot be
// replayed. browser is Sessions.KnownBrowser. The errors are ErrState, ErrCancelled, ErrProvider,
// ErrUnverified and failures of the database.
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

// takeAttempt consumes the attempt of a state in one statement, so that a replay or a concurrent
// request finds none. It returns ErrState if there is none in this browser.
func (s *Service) takeAttempt(ctx context.Context, state, browser string) (attempt, error) {
	const query = `
		DELETE FROM signin_attempt
		WHERE state_hash = $1 AND browser_hash = $2 AND ` + attemptAlive + `
		RETURNING provider, verifier, nonce, next`
	rows, err := s.pool.Query(ctx, query, seal.HashOf(state), seal.HashOf(browser))
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

// identify exchanges the code and returns the user that the provider authenticated. iss must be that
// of the provider that the attempt began with, and may be missing only if the provider's metadata do
// not promise it: a malicious provider could otherwise have its user's browser deliver a code of
// another one (mix-up, RFC 9207 §2.4).
func (s *Service) identify(ctx context.Context, begun attempt, answer Answer) (account.Identity, error) {
	p := s.providers[begun.Provider]
	if p == nil {
		return account.Identity{}, ErrState // removed from the configuration since Start
	}
	ctx, cancel := context.WithTimeout(ctx, providerTimeout)
	defer cancel()
	config, err := p.config(ctx)
	if err != nil {
		return account.Identity{}, fmt.Errorf("%w: %s: %w", ErrProvider, begun.Provider, err)
	}
	sendsIssuer, err := p.sendsIssuer(ctx)
	if err != nil {
		return account.Identity{}, fmt.Errorf("%w: %s: %w", ErrProvider, begun.Provider, err)
	}
	if answer.Issuer != p.issuer() && (answer.Issuer != "" || sendsIssuer) {
		return account.Identity{}, fmt.Errorf("%w: iss is missing or another provider (mix-up)", ErrProvider)
	}
	token, err := config.Exchange(withHTTPClient(ctx), answer.Code, oauth2.VerifierOption(begun.Verifier))
	if err != nil {
		return account.Identity{}, fmt.Errorf("%w: %s: %w", ErrProvider, begun.Provider, redact(err))
	}
	who, err := p.identify(ctx, token, begun.Nonce)
	if err != nil {
		return account.Identity{}, fmt.Errorf("%w: %s: %w", ErrProvider, begun.Provider, err)
	}
	return who, nil
}

// redact drops the provider's response body, which may hold tokens, from an error that will be
// logged.
func redact(err error) error {
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) {
		return fmt.Errorf("exchange the code: status %d, %.40q", refused.Response.StatusCode, refused.ErrorCode)
	}
	return err
}
