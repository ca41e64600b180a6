package oauthserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"

	"github.com/jackc/pgx/v5"

	"razao/internal/account"
)

// requestAlive is an SQL condition: the authorization request r has not expired. 20 minutes outlive
// a magic link (15 minutes), with which the user may have to sign in first.
const requestAlive = `(r.created_at > now() - interval '20 minutes')`

// Request is a pending authorization request, as the consent page shows it.
type Request struct {
	Client      Client
	Publisher   string      // host of the client's metadata document; "": the client's identity is unverified
	Destination Destination // where the authorization code will be sent
	Scopes      []string    // always ScopeRead
}

// request is a stored authorization request with its client.
type request struct {
	Client
	Redirect  string `db:"redirect_uri"` // validated when the request was stored
	State     string `db:"state"`        // opaque, returned unchanged
	Challenge string `db:"code_challenge"`
	Resource  string `db:"resource"`
}

// Request returns a pending request and binds it to the first session that opens it. A consent form
// that an attacker makes a user submit (CSRF) therefore fails: its request is bound to the
// attacker's session, or to none. It returns ErrNoRequest if the request is unknown, expired,
// decided, or bound to another session. Calling it again in the same session is harmless.
func (s *Server) Request(ctx context.Context, id string, who account.Session) (Request, error) {
	if !s.mayExist(requestID, id) {
		return Request{}, fmt.Errorf("look up an authorization request: %w", ErrNoRequest)
	}
	const query = `
		UPDATE oauth_request r SET session_id = $2
		FROM oauth_client c
		WHERE r.hash = $1 AND ` + requestAlive + ` AND coalesce(r.session_id, $2) = $2 AND c.id = r.client_id
		RETURNING c.id, c.origin, c.name, c.redirect_uris, c.created_at, c.last_used_at,
			r.redirect_uri, r.state, r.code_challenge, r.resource`
	rows, err := s.pool.Query(ctx, query, hashOf(id), who.ID)
	if err != nil {
		return Request{}, fmt.Errorf("look up an authorization request: %w", err)
	}
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[request])
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrNoRequest
	}
	if err != nil {
		return Request{}, fmt.Errorf("look up an authorization request: %w", err)
	}
	s.logStep(ctx, "consent shown", found.ID, slog.Int64("account", int64(who.Account)))
	return Request{
		Client: found.Client, Publisher: publisherOf(found.Client), Destination: destinationOf(found.Redirect), Scopes: []string{ScopeRead},
	}, nil
}

// publisherOf returns the host that vouches for a client, that of its metadata document, or "".
func publisherOf(c Client) string {
	if c.Origin != ByDocument {
		return ""
	}
	return destinationOf(c.ID).Host
}

// Approve consumes a request, records the consent and returns the redirect URI with the
// authorization code and state. It returns ErrNoRequest if the request is unknown, expired, decided
// (a replayed form), or was never opened in this session (a forged one).
func (s *Server) Approve(ctx context.Context, id string, who account.Session) (address string, err error) {
	var asked request
	code := s.newSecret(codeSecret)
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		asked, err = s.takeRequest(ctx, tx, id, who)
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
		_, err = tx.Exec(ctx, query, who.Account, asked.ID, []string{ScopeRead}, hashOf(code), asked.Redirect, asked.Challenge, asked.Resource)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("approve an authorization request: %w", err)
	}
	s.logStep(ctx, "authorization granted", asked.ID, slog.Int64("account", int64(who.Account)))
	return s.responseURI(asked.Redirect, asked.State, url.Values{"code": {code}}), nil
}

// Deny consumes a request and returns the redirect URI with error=access_denied (RFC 6749
// §4.1.2.1). Its errors are those of Approve.
func (s *Server) Deny(ctx context.Context, id string, who account.Session) (address string, err error) {
	var asked request
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		asked, err = s.takeRequest(ctx, tx, id, who)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("deny an authorization request: %w", err)
	}
	s.logStep(ctx, "authorization denied", asked.ID, slog.Int64("account", int64(who.Account)))
	denied := url.Values{"error": {"access_denied"}, "error_description": {"the person did not agree"}}
	return s.responseURI(asked.Redirect, asked.State, denied), nil
}

// takeRequest deletes and returns a request that is bound to this session, or returns ErrNoRequest.
// One DELETE … RETURNING decides, so of two concurrent decisions one wins. A request that no
// session opened has a NULL session_id and matches nobody: consent cannot be given unseen.
func (s *Server) takeRequest(ctx context.Context, tx pgx.Tx, id string, who account.Session) (request, error) {
	if !s.mayExist(requestID, id) {
		return request{}, ErrNoRequest
	}
	const query = `
		DELETE FROM oauth_request r USING oauth_client c
		WHERE r.hash = $1 AND r.session_id = $2 AND ` + requestAlive + ` AND c.id = r.client_id
		RETURNING c.id, c.origin, c.name, c.redirect_uris, c.created_at, c.last_used_at,
			r.redirect_uri, r.state, r.code_challenge, r.resource`
	rows, err := tx.Query(ctx, query, hashOf(id), who.ID)
	if err != nil {
		return request{}, err
	}
	asked, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[request])
	if errors.Is(err, pgx.ErrNoRows) {
		return request{}, ErrNoRequest
	}
	return asked, err
}
