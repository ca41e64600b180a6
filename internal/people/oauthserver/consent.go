package oauthserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"

	"razao/internal/people/account"
	"razao/internal/people/seal"
	"razao/internal/web"
)

// What one account may have pending, so that nobody fills the table. Beyond maxPending the oldest
// requests are unbound, which harms nobody: opened again, they are bound again. Decided ones must
// stay until they expire, so beyond maxDecided an account gets 429. Both are counted without a lock,
// so concurrent requests may exceed them by a few.
const (
	maxPending = 50
	maxDecided = 100
)

// Request is a pending authorization request, as the consent page shows it.
type Request struct {
	Client      Client
	Publisher   string      // host of the client's metadata document; "": the client's identity is unverified
	Destination Destination // where the authorization code will be sent
	Scopes      []string    // always ScopeRead
}

// Request returns a pending request and binds it to the first session that opens it. A consent form
// that an attacker makes a user submit (CSRF) therefore fails: its request is bound to the
// attacker's session, or to none. It returns ErrNoRequest if the request is forged, expired, decided,
// or bound to another session, ErrUnknownClient or ErrRedirectURI if the client was deleted or has
// lost the redirect URI meanwhile, and *web.TooManyError beyond maxDecided. Calling it again in the
// same session is harmless.
func (s *Server) Request(ctx context.Context, id string, who account.Session) (Request, error) {
	asked, client, err := s.pending(ctx, id)
	if err == nil {
		err = s.bind(ctx, id, asked, who)
	}
	if err != nil {
		return Request{}, fmt.Errorf("look up an authorization request: %w", err)
	}
	s.logStep(ctx, "consent shown", client.ID, slog.Int64("account", int64(who.Account)))
	client.Name = printable(client.Name)
	return Request{
		Client: client, Publisher: publisherOf(client), Destination: destinationOf(asked.Redirect), Scopes: []string{ScopeRead},
	}, nil
}

// pending opens the id of a request and returns it with its client, which must still exist and have
// the redirect URI. Whether the request has expired or was decided is for bind and decide to say.
func (s *Server) pending(ctx context.Context, id string) (request, Client, error) {
	asked, err := s.openRequest(id)
	if err != nil {
		return request{}, Client{}, err
	}
	client, err := s.client(ctx, asked.Client)
	if err == nil && !client.allowsRedirect(asked.Redirect) {
		err = ErrRedirectURI
	}
	return asked, client, err
}

// bind binds a request to a session, unless another session was first or it was decided. The row
// stays until the id expires; one statement decides, so of two sessions one wins.
func (s *Server) bind(ctx context.Context, id string, asked request, who account.Session) error {
	const query = `
		WITH done AS (
			SELECT count(*) AS n FROM oauth_consent WHERE account_id = $3 AND decided AND expires_at > now()
		), bound AS (
			INSERT INTO oauth_consent AS r (hash, session_id, account_id, client_id, expires_at)
			SELECT $1, $2, $3, $4, $5 FROM done WHERE n < $6 AND $5 > now()
			ON CONFLICT (hash) DO UPDATE SET session_id = $2 WHERE r.session_id = $2 AND NOT r.decided AND r.expires_at > now()
			RETURNING hash
		), unbound AS (
			DELETE FROM oauth_consent WHERE hash IN (
				SELECT hash FROM oauth_consent WHERE account_id = $3 AND NOT decided AND hash <> $1
				ORDER BY expires_at DESC, hash OFFSET $7 FOR UPDATE SKIP LOCKED)
		)
		SELECT n, EXISTS (SELECT FROM bound) FROM done`
	var decided int
	var bound bool
	err := s.pool.QueryRow(ctx, query, seal.HashOf(id), who.ID, who.Account, asked.Client, asked.Expires, maxDecided, maxPending-1).Scan(&decided, &bound)
	switch {
	case err != nil || bound:
		return err
	case decided >= maxDecided:
		return &web.TooManyError{Wait: time.Minute}
	}
	return ErrNoRequest
}

// publisherOf returns the host that vouches for a client, that of its metadata document, or "".
func publisherOf(c Client) string {
	if c.Origin != ByDocument {
		return ""
	}
	return destinationOf(c.ID).Host
}

// Approve consumes a request, records the consent and returns the redirect URI with the
// authorization code and state. It returns ErrNoRequest if the request is forged, expired, decided
// (a replayed form), or was never opened in this session (a forged form), and ErrUnknownClient or
// ErrRedirectURI as Request does. A form that the session sends again, as by a double click, is
// answered with the same code, which is derived from the request, until the client exchanges it or
// it expires: the browser may have dropped the first answer.
func (s *Server) Approve(ctx context.Context, id string, who account.Session) (address string, err error) {
	asked, client, err := s.pending(ctx, id)
	if err != nil {
		return "", fmt.Errorf("approve an authorization request: %w", err)
	}
	code, step := s.derivedSecret(codeSecret, id), "authorization granted"
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		err := decide(ctx, tx, id, who)
		if errors.Is(err, ErrNoRequest) {
			step = "authorization repeated"
			return repeats(ctx, tx, id, who, code)
		}
		if err != nil {
			return err
		}
		const query = `
			WITH used AS (UPDATE oauth_client SET last_used_at = now(), network = NULL WHERE id = $2),
			granted AS (
				INSERT INTO oauth_grant (account_id, client_id, scopes) VALUES ($1, $2, $3)
				ON CONFLICT (account_id, client_id) DO UPDATE SET scopes = excluded.scopes, granted_at = now()
				RETURNING id
			)
			INSERT INTO oauth_code (hash, grant_id, redirect_uri, code_challenge, resource)
			SELECT $4, id, $5, $6, $7 FROM granted`
		_, err = tx.Exec(ctx, query, who.Account, client.ID, []string{ScopeRead}, seal.HashOf(code), asked.Redirect, asked.Challenge, s.resource)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("approve an authorization request: %w", err)
	}
	s.logStep(ctx, step, client.ID, slog.Int64("account", int64(who.Account)))
	return s.responseURI(asked.Redirect, asked.State, url.Values{"code": {code}}), nil
}

// Deny consumes a request and returns the redirect URI with error=access_denied (RFC 6749
// §4.1.2.1). Its errors are those of Approve.
func (s *Server) Deny(ctx context.Context, id string, who account.Session) (address string, err error) {
	asked, client, err := s.pending(ctx, id)
	if err == nil {
		err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return decide(ctx, tx, id, who) })
	}
	if err != nil {
		return "", fmt.Errorf("deny an authorization request: %w", err)
	}
	s.logStep(ctx, "authorization denied", client.ID, slog.Int64("account", int64(who.Account)))
	denied := url.Values{"error": {"access_denied"}, "error_description": {"the person did not agree"}}
	return s.responseURI(asked.Redirect, asked.State, denied), nil
}

// decide consumes a request that is bound to this session, or returns ErrNoRequest. One UPDATE
// decides, so of two concurrent decisions one wins. A request that no session opened has no row:
// consent cannot be given unseen.
func decide(ctx context.Context, tx pgx.Tx, id string, who account.Session) error {
	const query = `
		UPDATE oauth_consent SET decided = true
		WHERE hash = $1 AND session_id = $2 AND NOT decided AND expires_at > now()`
	done, err := tx.Exec(ctx, query, seal.HashOf(id), who.ID)
	if err == nil && done.RowsAffected() == 0 {
		err = ErrNoRequest
	}
	return err
}

// repeats returns nil if this session has decided a request and its code can still be exchanged, otherwise ErrNoRequest.
func repeats(ctx context.Context, tx pgx.Tx, id string, who account.Session, code string) error {
	const query = `
		SELECT EXISTS (SELECT FROM oauth_consent WHERE hash = $1 AND session_id = $2 AND decided AND expires_at > now())
			AND EXISTS (SELECT FROM oauth_code k WHERE k.hash = $3 AND k.used_at IS NULL AND ` + codeAlive + `)`
	var repeated bool
	err := tx.QueryRow(ctx, query, seal.HashOf(id), who.ID, seal.HashOf(code)).Scan(&repeated)
	if err == nil && !repeated {
		err = ErrNoRequest
	}
	return err
}
