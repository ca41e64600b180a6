package oauthserver

import (
	"context"
	"crypto/sha256"
	"strings"

	"razao/internal/seal"
)

// kind is what a secret is for. One of another kind is not accepted, because its MAC is another.
type kind struct {
	purpose string // of its MAC
	prefix  string // by which secret scanners recognise leaked ones
}

var (
	accessToken  = kind{"access token", "rza_"}
	refreshToken = kind{"refresh token", "rzr_"}
	codeSecret   = kind{"authorization code", ""}
	requestID    = kind{"authorization request", ""}
)

// newSecret returns a new secret: its prefix and 43 characters.
func (s *Server) newSecret(k kind) string { return k.prefix + s.seal.Token(k.purpose) }

// newGate returns a gate for all kinds. The refresh tokens of another seal say whether there are other secrets of it, since they are
// made together and outlive them; the codes and requests of who has none begin again.
func newGate(c Config) *seal.Gate {
	const query = `SELECT
		EXISTS (SELECT FROM oauth_refresh_token WHERE seal IS NULL) OR
		EXISTS (SELECT FROM oauth_refresh_token WHERE seal < $1) OR
		EXISTS (SELECT FROM oauth_refresh_token WHERE seal > $1)`
	return seal.NewGate(func(ctx context.Context) (exist bool, err error) {
		err = c.Pool.QueryRow(ctx, query, c.Seal.Fingerprint()).Scan(&exist)
		return exist, err
	})
}

// sealed reports whether a secret is of a kind and was made with this server's seal.
func (s *Server) sealed(k kind, plain string) bool {
	token, ok := strings.CutPrefix(plain, k.prefix)
	return ok && s.seal.Sealed(k.purpose, token)
}

// known reports, without a query, whether a secret is certainly no guess.
func (s *Server) known(k kind, plain string) bool {
	return s.gate.Known(sha256.Sum256([]byte(plain)), s.sealed(k, plain))
}

// mayExist reports whether a secret is worth a query.
func (s *Server) mayExist(k kind, plain string) bool {
	return strings.HasPrefix(plain, k.prefix) && s.gate.MayExist(sha256.Sum256([]byte(plain)), s.sealed(k, plain))
}

// learn remembers whether the database knew a secret.
func (s *Server) learn(k kind, plain string, valid bool) {
	s.gate.Learn(sha256.Sum256([]byte(plain)), s.sealed(k, plain), valid)
}

// Knows reports, without a query, whether a token is certainly no guess: an access token that this service gave out, valid or not.
func (s *Server) Knows(token string) bool { return s.known(accessToken, token) }

// kindOf returns what a token is that can be revoked.
func kindOf(token string) kind {
	if strings.HasPrefix(token, refreshToken.prefix) {
		return refreshToken
	}
	return accessToken
}
