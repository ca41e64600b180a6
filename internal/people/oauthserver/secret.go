package oauthserver

import (
	"context"
	"crypto/sha256"
	"strings"

	"razao/internal/people/seal"
)

// kind is a kind of secret. Each has its own MAC key purpose (domain separation), so a token of one
// kind cannot be used as another, whatever its prefix says.
type kind struct {
	purpose string // domain of the MAC
	prefix  string // lets secret scanners recognise a leaked token; may be ""
}

var (
	accessToken  = kind{"access token", "rza_"}
	refreshToken = kind{"refresh token", "rzr_"}
	codeSecret   = kind{"authorization code", ""}
)

// newSecret returns a new secret: the prefix of its kind and 43 characters (seal.Sealer.Token).
func (s *Server) newSecret(k kind) string { return k.prefix + s.seal.Token(k.purpose) }

// derivedSecret returns the secret of a kind that follows from a text: the same each time, on every
// server with this secret.
func (s *Server) derivedSecret(k kind, from string) string {
	return k.prefix + s.seal.DerivedToken(k.purpose, from)
}

// newFilter returns the filter of all kinds. Whether secrets exist that were made before there were
// MACs (NULL) or under another RAZAO_SECRET is read from the refresh tokens, since each is issued
// with its access token and outlives it. Where none exist, codes and requests (sealRequest) in flight while the
// secret changes are refused, and their users begin again. Each EXISTS uses the index on seal; one
// with <> could not.
func newFilter(c Config) *seal.Filter {
	const query = `SELECT
		EXISTS (SELECT FROM oauth_refresh_token WHERE seal IS NULL) OR
		EXISTS (SELECT FROM oauth_refresh_token WHERE seal < $1) OR
		EXISTS (SELECT FROM oauth_refresh_token WHERE seal > $1)`
	return seal.NewFilter(func(ctx context.Context) (exist bool, err error) {
		err = c.Pool.QueryRow(ctx, query, c.Seal.Fingerprint()).Scan(&exist)
		return exist, err
	})
}

// sealed reports whether a secret has the prefix of a kind and a valid MAC of this server's seal.
func (s *Server) sealed(k kind, plain string) bool {
	token, ok := strings.CutPrefix(plain, k.prefix)
	return ok && s.seal.Sealed(k.purpose, token)
}

// known reports, without a query, whether a secret is certainly no guess (seal.Filter.Known).
func (s *Server) known(k kind, plain string) bool {
	return s.filter.Known(sha256.Sum256([]byte(plain)), s.sealed(k, plain))
}

// mayExist reports whether a secret is worth a query (seal.Filter.MayExist).
func (s *Server) mayExist(k kind, plain string) bool {
	return strings.HasPrefix(plain, k.prefix) && s.filter.MayExist(sha256.Sum256([]byte(plain)), s.sealed(k, plain))
}

// learn tells the filter whether the database knew a secret.
func (s *Server) learn(k kind, plain string, valid bool) {
	s.filter.Record(sha256.Sum256([]byte(plain)), s.sealed(k, plain), valid)
}

// Knows reports, without a query, whether an access token was certainly issued by this service; it
// may have expired or been revoked since. It is the Known of the web.Guard in front of /mcp.
func (s *Server) Knows(token string) bool { return s.known(accessToken, token) }

// kindOf returns the kind of a token to revoke, by its prefix. token_type_hint is not needed (RFC
// 7009 §2.1).
func kindOf(token string) kind {
	if strings.HasPrefix(token, refreshToken.prefix) {
		return refreshToken
	}
	return accessToken
}
