package oauthserver

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/oauth2"

	"razao/internal/people/account"
	"razao/internal/people/seal"
)

// The same error for a secret that never existed, was purged or is forged: it tells a guesser
// nothing.
var (
	errNoCode         = &protocolError{Code: invalidGrant, Description: "no such code"}
	errNoRefreshToken = &protocolError{Code: invalidGrant, Description: "no such refresh token"}
)

const (
	// codeAlive is an SQL condition: the code k has not expired. RFC 6749 §4.1.2 recommends 10
	// minutes at most; a client exchanges its code within seconds.
	codeAlive = `(k.created_at > now() - interval '60 seconds')`

	accessLifetime = time.Hour // also written in the statement of issue

	// inGrace is an SQL condition: the refresh token t was first used moments ago, so its answer is
	// repeated. Two windows of a client that share a refresh token, or a client whose connection
	// broke, would otherwise end their own authorization. 30 seconds outlive both; a thief has to be
	// as quick.
	inGrace = `(t.used_at > now() - interval '30 seconds')`
)

// A token family is a row of oauth_code and all tokens descended from it by exchange and refresh.
// Deleting the row revokes the family, by cascade. A used code or refresh token is kept, marked by
// used_at, so that its reuse is recognised as a replay.
//
// The tokens that a refresh issues are derived from the refresh token presented, the family's code
// and the server's secret (successors), so that the answer can be computed again although only
// hashes are stored. Nobody without the secret can compute them, and whoever has the secret still
// needs the database.

// grantedCode is a redeemed authorization code with the grant it belongs to.
type grantedCode struct {
	ID        int64      `db:"id"`
	Account   account.ID `db:"account_id"`
	Client    string     `db:"client_id"`
	Redirect  string     `db:"redirect_uri"`
	Challenge string     `db:"code_challenge"`
	Resource  string     `db:"resource"`
	Alive     bool       `db:"alive"`
}

// exchange redeems a code for tokens. The first attempt consumes the code whether or not it
// succeeds, so a verifier cannot be guessed by repetition. Replaying a code revokes the tokens
// issued for it (RFC 6749 §4.1.2): one of the two senders has stolen it. Refusals are
// *protocolError, and their transaction is committed, because consuming and revoking must last.
func (s *Server) exchange(ctx context.Context, client Client, form url.Values) (tokens, error) {
	var issued tokens
	var code grantedCode
	var refused error
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) (err error) {
		code, refused, err = s.takeCode(ctx, tx, form.Get("code"))
		if err != nil || refused != nil {
			return err
		}
		if refused = s.check(code, client, form); refused != nil {
			return nil // commit: the code is consumed
		}
		issued = newTokens(s.newSecret(accessToken), s.newSecret(refreshToken))
		return s.store(ctx, tx, code.ID, issued)
	})
	if err != nil {
		return tokens{}, fmt.Errorf("exchange a code: %w", err)
	}
	if refused != nil {
		return tokens{}, refused
	}
	s.logStep(ctx, "code exchanged", client.ID, slog.Int64("account", int64(code.Account)))
	return issued, nil
}

// takeCode consumes a code. Of concurrent requests one gets it; the others wait for its row lock,
// find it used and count as replays. refused is the response to the client, err a failed statement.
func (s *Server) takeCode(ctx context.Context, tx pgx.Tx, plain string) (code grantedCode, refused, err error) {
	const take = `
		UPDATE oauth_code k SET used_at = now()
		FROM oauth_grant g
		WHERE k.hash = $1 AND k.used_at IS NULL AND g.id = k.grant_id
		RETURNING k.id, g.account_id, g.client_id, k.redirect_uri, k.code_challenge, k.resource, ` + codeAlive + ` AS alive`
	rows, err := tx.Query(ctx, take, seal.HashOf(plain))
	if err != nil {
		return grantedCode{}, nil, err
	}
	code, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[grantedCode])
	if !errors.Is(err, pgx.ErrNoRows) {
		return code, nil, err
	}
	ended, err := tx.Exec(ctx, `DELETE FROM oauth_code WHERE hash = $1`, seal.HashOf(plain))
	if err != nil {
		return grantedCode{}, nil, err
	}
	if ended.RowsAffected() > 0 {
		return grantedCode{}, &protocolError{Code: invalidGrant, Description: "the code was used before: its tokens are revoked"}, nil
	}
	s.learn(codeSecret, plain, false)
	return grantedCode{}, errNoCode, nil
}

// check validates a token request against its code: expiry, client (RFC 6749 §4.1.3, a code stolen
// for another client), redirect URI, resource (RFC 8707; the server may have moved) and PKCE (RFC
// 7636 §4.6, an intercepted code). redirect_uri may be missing, as OAuth 2.1 allows because PKCE
// covers it.
func (s *Server) check(code grantedCode, client Client, form url.Values) error {
	redirect := form.Get("redirect_uri")
	switch {
	case !code.Alive:
		return &protocolError{Code: invalidGrant, Description: "the code has expired"}
	case code.Client != client.ID:
		return &protocolError{Code: invalidGrant, Description: "the code is of another client"}
	case redirect != "" && redirect != code.Redirect:
		return &protocolError{Code: invalidGrant, Description: "redirect_uri is not that of the authorization request"}
	case code.Resource != s.resource:
		return &protocolError{Code: invalidGrant, Description: "the code is for another resource"}
	case subtle.ConstantTimeCompare([]byte(oauth2.S256ChallengeFromVerifier(form.Get("code_verifier"))), []byte(code.Challenge)) != 1:
		return &protocolError{Code: invalidGrant, Description: "code_verifier does not match"}
	}
	return nil
}

// newTokens returns the token response for new tokens.
func newTokens(access, refresh string) tokens {
	return tokens{Access: access, Type: "Bearer", ExpiresIn: int(accessLifetime.Seconds()), Refresh: refresh, Scope: ScopeRead}
}

// store adds an access token (1 h) and a refresh token (90 days) to a family. The seal's fingerprint
// is stored so that newFilter can ask whether tokens under another secret exist.
func (s *Server) store(ctx context.Context, tx pgx.Tx, family int64, issued tokens) error {
	const query = `
		WITH access AS (
			INSERT INTO oauth_access_token (hash, code_id, expires_at) VALUES ($1, $3, now() + interval '1 hour')
		)
		INSERT INTO oauth_refresh_token (hash, code_id, expires_at, seal) VALUES ($2, $3, now() + interval '90 days', $4)`
	_, err := tx.Exec(ctx, query, seal.HashOf(issued.Access), seal.HashOf(issued.Refresh), family, s.seal.Fingerprint())
	return err
}

// family is a token family, locked.
type family struct {
	ID   int64
	Code []byte // hash of its code
}

// successors returns the tokens that replace a refresh token. The hash of the family's code is among
// what they are derived from: without it the secret and one old refresh token would be enough to
// compute every later token.
func (s *Server) successors(f family, plain string) tokens {
	from := string(f.Code) + plain
	return newTokens(s.derivedSecret(accessToken, from), s.derivedSecret(refreshToken, from))
}

// refresh rotates a refresh token (RFC 9700 §4.14.2): the token is consumed and replaced. While it
// is in grace, the same client gets the same answer again. Any other reuse means that the client and
// a thief both hold the token, so it revokes the family. The client's last use is written once a day
// at most.
func (s *Server) refresh(ctx context.Context, client Client, plain string) (tokens, error) {
	var issued tokens
	var refused error
	step := "token refreshed"
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		f, err := s.holdFamily(ctx, tx, plain)
		if errors.Is(err, pgx.ErrNoRows) {
			refused = errNoRefreshToken
			return nil
		}
		if err != nil {
			return err
		}
		issued = s.successors(f, plain)
		switch taken, err := s.takeRefresh(ctx, tx, client, plain); {
		case err != nil:
			return err
		case !taken:
			step = "refresh repeated"
			refused, err = s.reuse(ctx, tx, client, plain, &issued)
			return err
		}
		if err := s.store(ctx, tx, f.ID, issued); err != nil {
			return err
		}
		const used = `UPDATE oauth_client SET last_used_at = now() WHERE id = $1 AND last_used_at < now() - interval '1 day'`
		_, err = tx.Exec(ctx, used, client.ID)
		return err
	})
	if err != nil {
		return tokens{}, fmt.Errorf("refresh a token: %w", err)
	}
	if refused != nil {
		return tokens{}, refused
	}
	s.logStep(ctx, step, client.ID)
	return issued, nil
}

// holdFamily locks and returns the family of a refresh token, or returns pgx.ErrNoRows. It locks the
// family before the token, in the order in which revocation deletes them by cascade: otherwise the
// two could deadlock.
func (s *Server) holdFamily(ctx context.Context, tx pgx.Tx, plain string) (f family, err error) {
	const query = `
		SELECT k.id, k.hash FROM oauth_code k JOIN oauth_refresh_token t ON t.code_id = k.id
		WHERE t.hash = $1
		FOR UPDATE OF k`
	err = tx.QueryRow(ctx, query, seal.HashOf(plain)).Scan(&f.ID, &f.Code)
	if err == nil || errors.Is(err, pgx.ErrNoRows) {
		s.learn(refreshToken, plain, err == nil)
	}
	return f, err
}

// takeRefresh consumes a refresh token and reports whether it could. An unused token sent by another
// client is not consumed.
func (s *Server) takeRefresh(ctx context.Context, tx pgx.Tx, client Client, plain string) (taken bool, err error) {
	const query = `
		UPDATE oauth_refresh_token t SET used_at = now()
		FROM oauth_code k JOIN oauth_grant g ON g.id = k.grant_id
		WHERE t.hash = $1 AND t.used_at IS NULL AND t.expires_at > now()
			AND k.id = t.code_id AND k.resource = $3 AND g.client_id = $2`
	done, err := tx.Exec(ctx, query, seal.HashOf(plain), client.ID, s.resource)
	return done.RowsAffected() > 0, err
}

// reuse answers a refresh token that could not be taken. In grace, its own client gets again, the
// token's successors, whose remaining lifetime reuse sets. If again is not what was issued, because
// another secret or an earlier release issued it, the token is refused and the family lives on. Any
// other reuse revokes the family (RFC 6749 §10.4, RFC 9700 §4.14.2), whichever client sends
// the token: a thief may send any client_id, because clients are public. refused is the response to
// the client, err a failed statement.
func (s *Server) reuse(ctx context.Context, tx pgx.Tx, client Client, plain string, again *tokens) (refused, err error) {
	const end = `
		DELETE FROM oauth_code WHERE id = (
			SELECT t.code_id FROM oauth_refresh_token t JOIN oauth_code k ON k.id = t.code_id JOIN oauth_grant g ON g.id = k.grant_id
			WHERE t.hash = $1 AND t.used_at IS NOT NULL AND NOT (` + inGrace + ` AND g.client_id = $2))`
	ended, err := tx.Exec(ctx, end, seal.HashOf(plain), client.ID)
	if err != nil {
		return nil, err
	}
	if ended.RowsAffected() > 0 {
		return &protocolError{Code: invalidGrant, Description: "the refresh token was used before: its tokens are revoked"}, nil
	}
	const query = `
		SELECT extract(epoch FROM least(a.expires_at - now(), interval '1 hour'))::integer
		FROM oauth_refresh_token t
		JOIN oauth_code k ON k.id = t.code_id AND k.resource = $5
		JOIN oauth_grant g ON g.id = k.grant_id AND g.client_id = $2
		JOIN oauth_access_token a ON a.code_id = k.id AND a.hash = $3 AND a.expires_at > now()
		JOIN oauth_refresh_token r ON r.code_id = k.id AND r.hash = $4
		WHERE t.hash = $1 AND ` + inGrace
	err = tx.QueryRow(ctx, query, seal.HashOf(plain), client.ID, seal.HashOf(again.Access), seal.HashOf(again.Refresh), s.resource).Scan(&again.ExpiresIn)
	if errors.Is(err, pgx.ErrNoRows) {
		return errNoRefreshToken, nil
	}
	return nil, err
}

// revokeFamily revokes the family of an access or refresh token (RFC 7009 §2.1) and reports whether
// it found one. Unknown tokens and tokens of other clients are ignored.
func (s *Server) revokeFamily(ctx context.Context, client Client, plain string) (found bool, err error) {
	const query = `
		DELETE FROM oauth_code k USING oauth_grant g
		WHERE g.id = k.grant_id AND g.client_id = $2 AND k.id IN (
			SELECT code_id FROM oauth_access_token WHERE hash = $1
			UNION ALL SELECT code_id FROM oauth_refresh_token WHERE hash = $1)`
	ended, err := s.pool.Exec(ctx, query, seal.HashOf(plain), client.ID)
	if err != nil {
		return false, fmt.Errorf("revoke tokens: %w", err)
	}
	found = ended.RowsAffected() > 0
	if found {
		s.logStep(ctx, "tokens revoked", client.ID)
	}
	return found, nil
}
