package oauthserver

import (
	"context"
	"net/http"
	"testing"

	"razao/internal/people/seal"
	"razao/internal/web"
)

// TestTokensOfAnotherSecret presents tokens issued under another secret, before and after a valid
// look-up has proven them, and tokens without a seal.
func TestTokensOfAnotherSecret(t *testing.T) {
	b := newHarness(t)
	other := b.beside(t, otherSecret)
	client, issued := other.signedUp(t, b.ana)
	if b.Knows(issued.Access) {
		t.Error("a token of another secret is known")
	}
	b.alive(t, issued.Access)
	if !b.Knows(issued.Access) {
		t.Error("a token of another secret is not known once it was valid")
	}
	own := b.tokens(t, refreshing(client, issued.Refresh))
	if !b.Knows(own.Access) || other.Knows(own.Access) {
		t.Errorf("a new token is known here %t, there %t", b.Knows(own.Access), other.Knows(own.Access))
	}
	b.execute(t, `UPDATE oauth_refresh_token SET seal = NULL`)
	b.alive(t, own.Access)
	other.alive(t, own.Access)
	b.graceOver(t)
	b.refused(t, refreshing(client, issued.Refresh), http.StatusBadRequest, "invalid_grant") // again: the family ends
	b.dead(t, own.Access)
	b.dead(t, issued.Access)
	if b.Knows(issued.Access) || !b.Knows(own.Access) {
		t.Error("what is known is not what was sealed here")
	}
}

// TestCloseEndsTheQuery closes a server whose filter's query hangs: the query is cancelled and waited
// for.
func TestCloseEndsTheQuery(t *testing.T) {
	b := newHarness(t)
	started, ended := make(chan struct{}), false
	b.filter = seal.NewFilter(func(ctx context.Context) (bool, error) {
		close(started)
		<-ctx.Done()
		ended = true
		return false, ctx.Err()
	})
	if !b.mayExist(codeSecret, "forged") {
		t.Error("what is unknown is taken not to exist")
	}
	<-started
	b.Close()
	if !ended {
		t.Error("the query goes on after Close")
	}
}

// TestKindsOfSecrets presents each secret as every other kind.
func TestKindsOfSecrets(t *testing.T) {
	b := newHarness(t)
	kinds := []kind{accessToken, refreshToken, codeSecret}
	for _, made := range kinds {
		secret := b.newSecret(made)
		if len(secret) != len(made.prefix)+43 {
			t.Errorf("%s: %d characters", made.purpose, len(secret))
		}
		for _, taken := range kinds {
			if got := b.sealed(taken, taken.prefix+secret[len(made.prefix):]); got != (made == taken) {
				t.Errorf("%s as %s: %t", made.purpose, taken.purpose, got)
			}
		}
	}
}

// TestFailuresAtTheTokenEndpoint sends forged tokens until the address is blocked. Genuine ones are
// still exchanged, but not revoked.
func TestFailuresAtTheTokenEndpoint(t *testing.T) {
	b := newHarness(t, func(c *Config) { c.Failures = web.NewThrottle(3, 3) })
	client, issued := b.signedUp(t, b.ana)
	forged := refreshToken.prefix + seal.New("another secret of the tests").Token(refreshToken.purpose)
	for range 3 {
		b.refused(t, refreshing(client, forged), http.StatusBadRequest, "invalid_grant")
	}
	w := b.post(t, "/oauth/token", refreshing(client, forged))
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
		t.Errorf("the fourth guess: %d %s", w.Code, w.Body)
	}
	next := b.tokens(t, refreshing(client, issued.Refresh))
	revoking := map[string][]string{"client_id": {client}, "token": {next.Refresh}}
	if w := b.post(t, "/oauth/revoke", revoking); w.Code != http.StatusTooManyRequests {
		t.Errorf("revoking: %d", w.Code)
	}
	b.alive(t, next.Access)
}
