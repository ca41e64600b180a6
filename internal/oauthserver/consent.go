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

// requestAlive is the condition of a request r that may still be decided. It lasts a little longer than a mailed link, by which
// the person may have to sign in first.
const requestAlive = `(r.created_at > now() - interval '20 minutes')`

// Request is what somebody is asked to allow.
type Request struct {
	Client      Client
	Publisher   string // the host of the client's document; "" when nobody but the client says who it is
	Destination Destination
	Scopes      []string
}

// request is what is kept of a Request.
type request struct {
	Client
	Redirect  string `db:"redirect_uri"`
	State     string `db:"state"`
	Challenge string `db:"code_challenge"`
	Resource  string `db:"resource"`
}

// Request returns what a client asks of who looks at it. The first session that does is the only one that can from then on.
// ErrNoRequest: there is no such request for this session.
func (s *Server) Request(ctx context.Context, id string, who account.Session) (Request, error) {
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
	s.step(ctx, "consent shown", found.ID, slog.Int64("account", int64(who.Account)))
	return Request{
		Client: found.Client, Publisher: publisherOf(found.Client), Destination: destinationOf(found.Redirect), Scopes: []string{ScopeRead},
	}, nil
}

// publisherOf returns the host that a client is known to belong to.
func publisherOf(c Client) string {
	if c.Origin != ByDocument {
		return ""
	}
	return destinationOf(c.ID).Host
}

// Approve lets a client in and returns the address that takes the browser back to it. It ends the request: ErrNoRequest means
// that it has ended, or that this session did not look at it.
func (s *Server) Approve(ctx context.Context, id string, who account.Session) (address string, err error) {
	var asked request
	code := newSecret("")
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		asked, err = takeRequest(ctx, tx, id, who)
		if err != nil {
			return err
		}
		const query = `
			WITH used AS (UPDATE oauth_client SET last_used_at = now() WHERE id = $2),
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
	s.step(ctx, "authorization granted", asked.ID, slog.Int64("account", int64(who.Account)))
	return s.answer(asked.Redirect, asked.State, url.Values{"code": {code}}), nil
}

// Deny ends a request without letting the client in, and otherwise does as Approve.
func (s *Server) Deny(ctx context.Context, id string, who account.Session) (address string, err error) {
	var asked request
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		asked, err = takeRequest(ctx, tx, id, who)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("deny an authorization request: %w", err)
	}
	s.step(ctx, "authorization denied", asked.ID, slog.Int64("account", int64(who.Account)))
	denied := url.Values{"error": {"access_denied"}, "error_description": {"the person did not agree"}}
	return s.answer(asked.Redirect, asked.State, denied), nil
}

// takeRequest ends a request that this session has looked at and returns what it was.
func takeRequest(ctx context.Context, tx pgx.Tx, id string, who account.Session) (request, error) {
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
