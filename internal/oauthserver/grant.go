package oauthserver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"razao/internal/account"
)

// Access is what an access token authorizes.
type Access struct {
	Account  account.ID `db:"account_id"`
	ClientID string     `db:"client_id"`
	Client   string     `db:"client"` // its name
	Scopes   []string   `db:"scopes"`
	Resource string     `db:"resource"` // always this server's /mcp
	Expires  time.Time  `db:"expires_at"`
}

// Verify validates an access token. ErrInvalidToken: it is not valid; any other error means that the look-up failed. Tokens are
// not cached, so revocation has effect at once.
func (s *Server) Verify(ctx context.Context, token string) (Access, error) {
	if !s.mayExist(accessToken, token) {
		return Access{}, ErrInvalidToken
	}
	const query = `
		SELECT g.account_id, g.client_id, c.name AS client, g.scopes, k.resource, t.expires_at, g.id,
			coalesce(g.last_used_at < now() - interval '1 minute', true) AS unrecorded
		FROM oauth_access_token t
		JOIN oauth_code k ON k.id = t.code_id
		JOIN oauth_grant g ON g.id = k.grant_id
		JOIN oauth_client c ON c.id = g.client_id
		WHERE t.hash = $1 AND t.expires_at > now() AND k.resource = $2`
	rows, err := s.pool.Query(ctx, query, hashOf(token), s.resource)
	if err != nil {
		return Access{}, fmt.Errorf("verify a token: %w", err)
	}
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[struct {
		Access
		ID         AuthorizationID `db:"id"`
		Unrecorded bool            `db:"unrecorded"`
	}])
	if errors.Is(err, pgx.ErrNoRows) {
		s.learn(accessToken, token, false)
		return Access{}, ErrInvalidToken
	}
	if err == nil {
		s.learn(accessToken, token, true)
	}
	if err == nil && found.Unrecorded {
		err = s.recordUse(ctx, found.ID)
	}
	if err != nil {
		return Access{}, fmt.Errorf("verify a token: %w", err)
	}
	return found.Access, nil
}

// recordUse updates a grant's last use, at most once a minute.
func (s *Server) recordUse(ctx context.Context, id AuthorizationID) error {
	const query = `
		UPDATE oauth_grant SET last_used_at = now()
		WHERE id = $1 AND coalesce(last_used_at < now() - interval '1 minute', true)`
	_, err := s.pool.Exec(ctx, query, id)
	return err
}

// AuthorizationID identifies an authorization in lists. It is no secret. 0 is no authorization.
type AuthorizationID int64

// Authorization is the access that an account grants to a client.
type Authorization struct {
	ID         AuthorizationID
	Client     Client
	Scopes     []string
	GrantedAt  time.Time  // of the latest consent
	LastUsedAt *time.Time // nil: never; up to a minute late
}

// Publisher returns the host of the client's metadata document, "" if it has none.
func (a Authorization) Publisher() string { return publisherOf(a.Client) }

// Authorizations returns the authorizations of an account, newest first.
func (s *Server) Authorizations(ctx context.Context, id account.ID) ([]Authorization, error) {
	const query = `
		SELECT g.id, g.scopes, g.granted_at, g.last_used_at,
			c.id, c.origin, c.name, c.redirect_uris, c.created_at, c.last_used_at
		FROM oauth_grant g JOIN oauth_client c ON c.id = g.client_id
		WHERE g.account_id = $1
		ORDER BY g.granted_at DESC, g.id DESC`
	rows, err := s.pool.Query(ctx, query, id)
	if err != nil {
		return nil, fmt.Errorf("authorizations of account %d: %w", id, err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (a Authorization, err error) {
		c := &a.Client
		err = row.Scan(&a.ID, &a.Scopes, &a.GrantedAt, &a.LastUsedAt, &c.ID, &c.Origin, &c.Name, &c.RedirectURIs, &c.CreatedAt, &c.LastUsedAt)
		return a, err
	})
	if err != nil {
		return nil, fmt.Errorf("authorizations of account %d: %w", id, err)
	}
	return all, nil
}

// RevokeAuthorization revokes an authorization with all its tokens, effective at once. ErrNoAuthorization: it does not exist or
// is another account's.
func (s *Server) RevokeAuthorization(ctx context.Context, owner account.ID, id AuthorizationID) error {
	const query = `DELETE FROM oauth_grant WHERE id = $1 AND account_id = $2 RETURNING client_id`
	var client string
	err := s.pool.QueryRow(ctx, query, id, owner).Scan(&client)
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrNoAuthorization
	}
	if err != nil {
		return fmt.Errorf("revoke authorization %d of account %d: %w", id, owner, err)
	}
	s.logStep(ctx, "authorization revoked", client)
	return nil
}
