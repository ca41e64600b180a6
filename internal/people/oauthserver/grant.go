package oauthserver

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"razao/internal/people/account"
	"razao/internal/people/seal"
	"razao/internal/store/batching"
)

// Access is what a valid access token authorizes.
type Access struct {
	Account  account.ID `db:"account_id"` // on whose behalf the client acts, and whose rate limit it uses
	ClientID string     `db:"client_id"`
	Client   string     `db:"client"` // name of the client
	Scopes   []string   `db:"scopes"`
	Resource string     `db:"resource"` // always this server's /mcp
	Expires  time.Time  `db:"expires_at"`
}

// Verify validates an access token. It returns ErrInvalidToken if the token is forged, unknown,
// expired, revoked or for another resource; any other error means that the look-up failed and says
// nothing about the token. Valid tokens are looked up every time, those of concurrent calls with one
// statement, so revocation takes effect at once; forged ones, and invalid ones asked again within a minute, are refused from memory
// (seal.Filter).
func (s *Server) Verify(ctx context.Context, token string) (Access, error) {
	if !s.mayExist(accessToken, token) {
		return Access{}, ErrInvalidToken
	}
	found, err := s.verifying.Get(ctx, sha256.Sum256([]byte(token)))
	if errors.Is(err, ErrInvalidToken) {
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

// verifiedToken is a valid token with the grant that it belongs to.
type verifiedToken struct {
	Hash []byte `db:"hash"` // of the token
	Access
	ID         AuthorizationID `db:"id"`
	Unrecorded bool            `db:"unrecorded"` // the grant's last use is more than a minute old
}

type verifyCall = batching.Call[seal.Hash, verifiedToken]

const (
	maxVerified   = 64 // tokens looked up by one statement
	verifyTimeout = 5 * time.Second
)

// lookUp answers the verifications of tokens that come at the same time with one statement.
func (s *Server) lookUp(ctx context.Context, calls []*verifyCall) {
	const query = `
		SELECT t.hash, g.account_id, g.client_id, c.name AS client, g.scopes, k.resource, t.expires_at, g.id,
			coalesce(g.last_used_at < now() - interval '1 minute', true) AS unrecorded
		FROM oauth_access_token t
		JOIN oauth_code k ON k.id = t.code_id
		JOIN oauth_grant g ON g.id = k.grant_id
		JOIN oauth_client c ON c.id = g.client_id
		WHERE t.hash = ANY($1) AND t.expires_at > now() AND k.resource = $2`
	ctx, cancel := context.WithTimeout(ctx, verifyTimeout)
	defer cancel()
	hashes := make([][]byte, len(calls))
	for i, c := range calls {
		hashes[i] = c.Key[:]
	}
	rows, err := s.pool.Query(ctx, query, hashes, s.resource)
	var valid []verifiedToken
	if err == nil {
		valid, err = pgx.CollectRows(rows, pgx.RowToStructByName[verifiedToken])
	}
	found := make(map[seal.Hash]verifiedToken, len(valid))
	for _, v := range valid {
		found[seal.Hash(v.Hash)] = v
	}
	for _, c := range calls {
		v, ok := found[c.Key]
		switch {
		case err != nil:
			c.Answer(verifiedToken{}, err)
		case !ok:
			c.Answer(verifiedToken{}, ErrInvalidToken)
		default:
			c.Answer(v, nil)
		}
	}
}

// recordUse sets a grant's last use, at most once a minute. The condition is checked again under
// the row lock, so concurrent calls of a busy client write one row version and not many.
func (s *Server) recordUse(ctx context.Context, id AuthorizationID) error {
	const query = `
		UPDATE oauth_grant SET last_used_at = now()
		WHERE id = $1 AND coalesce(last_used_at < now() - interval '1 minute', true)`
	_, err := s.pool.Exec(ctx, query, id)
	return err
}

// AuthorizationID identifies an authorization in lists and forms. It is not secret; every statement
// also has the account in its condition. 0 is no authorization.
type AuthorizationID int64

// Authorization is the consent of an account to a client, with all tokens issued under it.
type Authorization struct {
	ID         AuthorizationID
	Client     Client
	Scopes     []string
	GrantedAt  time.Time  // of the latest consent
	LastUsedAt *time.Time // nil: never; up to a minute late
	// Destinations are where the codes of these tokens went, each once; loopback without its port. One
	// that is no longer allowed (checkRedirect) is the zero value.
	Destinations []Destination
}

// Publisher returns the host of the client's metadata document, or "" if the client's identity is
// unverified.
func (a Authorization) Publisher() string { return publisherOf(a.Client) }

// Authorizations returns the authorizations of an account, latest consent first; nil if there are
// none.
func (s *Server) Authorizations(ctx context.Context, id account.ID) ([]Authorization, error) {
	const query = `
		SELECT g.id, g.scopes, g.granted_at, g.last_used_at,
			c.id, c.origin, c.name, c.redirect_uris, c.created_at, c.last_used_at,
			ARRAY(SELECT DISTINCT k.redirect_uri FROM oauth_code k WHERE k.grant_id = g.id ORDER BY k.redirect_uri)
		FROM oauth_grant g JOIN oauth_client c ON c.id = g.client_id
		WHERE g.account_id = $1
		ORDER BY g.granted_at DESC, g.id DESC`
	rows, err := s.pool.Query(ctx, query, id)
	if err != nil {
		return nil, fmt.Errorf("authorizations of account %d: %w", id, err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (a Authorization, err error) {
		c := &a.Client
		var redirects []string
		err = row.Scan(&a.ID, &a.Scopes, &a.GrantedAt, &a.LastUsedAt, &c.ID, &c.Origin, &c.Name, &c.RedirectURIs, &c.CreatedAt, &c.LastUsedAt, &redirects)
		c.Name, a.Destinations = printable(c.Name), destinationsOf(redirects)
		return a, err
	})
	if err != nil {
		return nil, fmt.Errorf("authorizations of account %d: %w", id, err)
	}
	return all, nil
}

// destinationsOf returns the destinations of redirect URIs, each once.
func destinationsOf(redirects []string) (all []Destination) {
	for _, address := range redirects {
		d := destinationOf(address)
		if u, err := url.Parse(address); err == nil && d.Local {
			d.Host = u.Hostname()
		}
		if !slices.Contains(all, d) {
			all = append(all, d)
		}
	}
	return all
}

// RevokeAuthorization deletes an authorization with all its tokens, effective at once. It returns
// ErrNoAuthorization if there is none with this id or it is another account's (IDOR).
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
