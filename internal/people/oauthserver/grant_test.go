package oauthserver

import (
	"errors"
	"strings"
	"testing"

	"razao/internal/people/seal"
)

func TestAuthorizations(t *testing.T) {
	b := newHarness(t)
	client, first := b.signedUp(t, b.ana)
	again := b.tokens(t, b.code(t, b.ana, client, callback)) // the same client on another computer
	_, others := b.signedUp(t, b.bia)
	all, err := b.Authorizations(t.Context(), b.ana.Account)
	if err != nil || len(all) != 1 || all[0].Client.ID != client || all[0].LastUsedAt != nil || all[0].Publisher() != "" || all[0].Scopes[0] != "consulta" {
		t.Fatalf("%+v, %v", all, err)
	}
	id := all[0].ID
	if err := b.RevokeAuthorization(t.Context(), b.bia.Account, id); !errors.Is(err, ErrNoAuthorization) {
		t.Errorf("revoked by somebody else: %v", err)
	}
	b.alive(t, first.Access)
	b.alive(t, again.Access)
	if all, err = b.Authorizations(t.Context(), b.ana.Account); err != nil || all[0].LastUsedAt == nil {
		t.Errorf("used: %+v, %v", all, err)
	}
	must(t, b.RevokeAuthorization(t.Context(), b.ana.Account, id))
	b.dead(t, first.Access)
	b.dead(t, again.Access)
	b.refused(t, refreshing(client, first.Refresh), 400, "invalid_grant")
	if err := b.RevokeAuthorization(t.Context(), b.ana.Account, id); !errors.Is(err, ErrNoAuthorization) {
		t.Errorf("revoked again: %v", err)
	}
	if all, err = b.Authorizations(t.Context(), b.ana.Account); err != nil || len(all) != 0 {
		t.Errorf("left: %+v, %v", all, err)
	}
	b.alive(t, others.Access)
}

// The last use is written once a minute, however often a token is used.
func TestLastUse(t *testing.T) {
	b := newHarness(t)
	_, issued := b.signedUp(t, b.ana)
	version := func() (v string) {
		must(t, b.pool.QueryRow(t.Context(), `SELECT xmin::text || ctid::text FROM oauth_grant`).Scan(&v))
		return v
	}
	before := version()
	b.alive(t, issued.Access)
	first := version()
	b.alive(t, issued.Access)
	if again := version(); first == before || again != first {
		t.Errorf("the row was %s, then %s, then %s", before, first, again)
	}
	b.execute(t, `UPDATE oauth_grant SET last_used_at = now() - interval '61 seconds'`)
	before = version()
	b.alive(t, issued.Access)
	if version() == before {
		t.Error("a use a minute later is not written")
	}
}

func TestPurge(t *testing.T) {
	b := newHarness(t)
	client, issued := b.signedUp(t, b.ana)
	kept := b.tokens(t, refreshing(client, issued.Refresh))
	b.signedUp(t, b.bia)
	b.code(t, b.bia, client, callback) // is not exchanged
	for range 2 {
		b.open(t, b.requestID(t, asking(client)), b.bia)
	}
	const left = `
		INSERT INTO oauth_request (hash, client_id, redirect_uri, state, code_challenge, resource, created_at)
		SELECT sha256($1::text::bytea), $2, '', '', '', '', now() - $1::interval`
	b.execute(t, left, "21 minutes", client) // by the release before
	b.execute(t, left, "19 minutes", client)
	counts := func(want map[string]int) {
		t.Helper()
		must(t, b.Purge(t.Context()))
		for table, n := range want {
			b.keeps(t, table, n)
		}
	}
	counts(map[string]int{"oauth_client": 2, "oauth_request": 1, "oauth_consent": 5, "oauth_grant": 3, "oauth_code": 3, "oauth_access_token": 3, "oauth_refresh_token": 3})
	b.execute(t, `UPDATE oauth_consent SET expires_at = now() WHERE hash = (SELECT hash FROM oauth_consent WHERE NOT decided LIMIT 1)`)
	b.execute(t, `UPDATE oauth_code SET created_at = created_at - interval '2 hours'`)
	b.execute(t, `UPDATE oauth_grant SET granted_at = granted_at - interval '2 hours'`)
	b.execute(t, `UPDATE oauth_access_token SET expires_at = now() WHERE hash = $1`, seal.HashOf(issued.Access))
	counts(map[string]int{"oauth_client": 2, "oauth_consent": 4, "oauth_grant": 2, "oauth_code": 2, "oauth_access_token": 2, "oauth_refresh_token": 3})
	b.alive(t, kept.Access)
	b.graceOver(t)
	b.refused(t, refreshing(client, issued.Refresh), 400, "invalid_grant") // reuse is still noticed
	b.dead(t, kept.Access)
	b.execute(t, `UPDATE oauth_refresh_token SET expires_at = now()`)
	b.execute(t, `UPDATE oauth_access_token SET expires_at = now()`)
	b.execute(t, `UPDATE oauth_client SET last_used_at = now() - interval '91 days' WHERE id = $1`, client)
	b.execute(t, `UPDATE oauth_consent SET expires_at = now()`)
	counts(map[string]int{"oauth_client": 1, "oauth_consent": 0, "oauth_grant": 0, "oauth_code": 0, "oauth_access_token": 0, "oauth_refresh_token": 0})
}

func TestDeletedAccountKillsTokens(t *testing.T) {
	b := newHarness(t)
	client, issued := b.signedUp(t, b.ana)
	others := b.tokens(t, b.code(t, b.bia, client, callback))
	form := b.code(t, b.ana, client, callback)
	id := b.opened(t, b.ana, asking(client))
	must(t, b.accounts.Delete(t.Context(), b.ana.Account))
	b.dead(t, issued.Access)
	b.refused(t, refreshing(client, issued.Refresh), 400, "invalid_grant")
	b.refused(t, form, 400, "invalid_grant")
	if _, err := b.Approve(t.Context(), id, b.ana); !errors.Is(err, ErrNoRequest) {
		t.Errorf("approved by a deleted account: %v", err)
	}
	b.alive(t, others.Access)
	for _, table := range []string{"oauth_grant", "oauth_code", "oauth_access_token", "oauth_refresh_token"} {
		b.keeps(t, table, 1) // that of somebody else
	}
}

// A malformed token is refused without a query, and a failed query is never ErrInvalidToken.
func TestVerifyRefusesOtherTexts(t *testing.T) {
	b := newHarness(t)
	client, issued := b.signedUp(t, b.ana)
	for _, token := range []string{
		"", "x", "rz_abc", accessToken.prefix, issued.Access + "x", issued.Access[:len(issued.Access)-1], issued.Refresh,
		strings.Replace(issued.Refresh, refreshToken.prefix, accessToken.prefix, 1), "\x00", "rza_\xff",
	} {
		b.dead(t, token)
	}
	b.refused(t, refreshing(client, issued.Access), 400, "invalid_grant")
	b.pool.Close()
	if _, err := b.Verify(t.Context(), issued.Access); err == nil || errors.Is(err, ErrInvalidToken) {
		t.Errorf("without a database: %v", err)
	}
	if w := b.post(t, "/oauth/token", refreshing(client, issued.Refresh)); w.Code != 503 || w.Header().Get("Retry-After") == "" {
		t.Errorf("tokens without a database: %d %s", w.Code, w.Body)
	}
	if w := b.authorize(t, asking(client)); w.Code != 503 {
		t.Errorf("a request without a database: %d", w.Code)
	}
}
