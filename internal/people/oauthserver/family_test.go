package oauthserver

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"testing"

	"golang.org/x/oauth2"
)

// A wrong exchange gets no tokens and ends its code.
func TestWrongExchanges(t *testing.T) {
	b := newHarness(t)
	client, other := b.register(t, callback, callback+"/2"), b.register(t, callback)
	const age = `UPDATE oauth_code SET created_at = created_at - interval '61 seconds'`
	for name, wrong := range map[string]func(form url.Values) url.Values{
		"another verifier": func(form url.Values) url.Values { return with(form, "code_verifier", oauth2.GenerateVerifier()) },
		"no verifier":      func(form url.Values) url.Values { return with(form, "code_verifier") },
		"empty verifier":   func(form url.Values) url.Values { return with(form, "code_verifier", "") },
		"challenge, as plain has": func(form url.Values) url.Values {
			return with(form, "code_verifier", oauth2.S256ChallengeFromVerifier(form.Get("code_verifier")))
		},
		"another client":   func(form url.Values) url.Values { return with(form, "client_id", other) },
		"another redirect": func(form url.Values) url.Values { return with(form, "redirect_uri", callback+"/2") },
		"expired code":     func(form url.Values) url.Values { b.execute(t, age); return form },
	} {
		t.Run(name, func(t *testing.T) {
			form := b.code(t, b.ana, client, callback)
			b.refused(t, wrong(form), 400, "invalid_grant")
			b.refused(t, form, 400, "invalid_grant")
		})
	}
	b.keeps(t, "oauth_access_token", 0)
}

func TestReplayedCodeRevokesItsTokens(t *testing.T) {
	b := newHarness(t)
	client, bystander := b.signedUp(t, b.ana)
	form := b.code(t, b.ana, client, callback)
	first := b.tokens(t, form)
	second := b.tokens(t, refreshing(client, first.Refresh))
	b.alive(t, first.Access)
	b.refused(t, form, 400, "invalid_grant")
	b.dead(t, first.Access)
	b.dead(t, second.Access)
	b.refused(t, refreshing(client, second.Refresh), 400, "invalid_grant")
	b.alive(t, bystander.Access) // what another code gave
}

// concurrently sends a token request twelve times at once, in turn to each of the servers.
func concurrently(t *testing.T, form url.Values, servers ...*harness) []*httptest.ResponseRecorder {
	t.Helper()
	answers := make([]*httptest.ResponseRecorder, 12)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() { answers[i] = servers[i%len(servers)].post(t, "/oauth/token", form) })
	}
	all.Wait()
	return answers
}

// Of concurrent exchanges of a code exactly one gets tokens, which the replays then revoke (RFC 6749
// §4.1.2): codes have no time of grace.
func TestConcurrentExchangeGivesOneToken(t *testing.T) {
	b := newHarness(t)
	form := b.code(t, b.ana, b.register(t, callback), callback)
	given := 0
	for _, w := range concurrently(t, form, b) {
		switch w.Code {
		case http.StatusOK:
			given++
			b.dead(t, answerOf[tokens](t, w).Access)
		case http.StatusBadRequest:
		default:
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
	}
	if given != 1 {
		t.Errorf("%d got tokens", given)
	}
}

// graceOver ends the time of grace of all refresh tokens that were used.
func (b *harness) graceOver(t *testing.T) {
	t.Helper()
	b.execute(t, `UPDATE oauth_refresh_token SET used_at = used_at - interval '31 seconds'`)
}

// Concurrent refreshes of one token, as by two windows of one assistant, get the same tokens from
// whichever server, and only one pair is stored.
func TestConcurrentRefreshGivesOneToken(t *testing.T) {
	b := newHarness(t)
	client, first := b.signedUp(t, b.ana)
	var second tokens
	for i, w := range concurrently(t, refreshing(client, first.Refresh), b, b.beside(t)) {
		if w.Code != http.StatusOK {
			t.Fatalf("%d: status %d: %s", i, w.Code, w.Body)
		}
		got := answerOf[tokens](t, w)
		if second.Access == "" {
			second = got
		}
		if got.Access != second.Access || got.Refresh != second.Refresh {
			t.Errorf("%d got other tokens", i)
		}
		if got.ExpiresIn < 3590 || got.ExpiresIn > 3600 {
			t.Errorf("%d: expires_in %d", i, got.ExpiresIn)
		}
	}
	if second.Access == first.Access || second.Refresh == first.Refresh {
		t.Error("tokens do not change")
	}
	b.keeps(t, "oauth_access_token", 2)
	b.keeps(t, "oauth_refresh_token", 2)
	b.alive(t, first.Access)
	b.alive(t, second.Access)
	b.tokens(t, refreshing(client, second.Refresh))
}

// A repeated answer says how long its access token is still valid, also after its refresh token was
// used in turn. The time of grace begins with the first use.
func TestRefreshIsRepeatedFor30Seconds(t *testing.T) {
	b := newHarness(t)
	client, first := b.signedUp(t, b.ana)
	second := b.tokens(t, refreshing(client, first.Refresh))
	const later = `UPDATE oauth_refresh_token SET used_at = used_at - interval '14 seconds'`
	b.execute(t, later)
	b.execute(t, `UPDATE oauth_access_token SET expires_at = expires_at - interval '1000 seconds'`)
	again := b.tokens(t, refreshing(client, first.Refresh))
	if again.Access != second.Access || again.Refresh != second.Refresh || again.ExpiresIn < 2590 || again.ExpiresIn > 2600 {
		t.Errorf("repeated: other tokens, or expires_in %d", again.ExpiresIn)
	}
	third := b.tokens(t, refreshing(client, second.Refresh))
	if again = b.tokens(t, refreshing(client, first.Refresh)); again.Refresh != second.Refresh {
		t.Error("repeated after the next refresh: other tokens")
	}
	b.execute(t, later)
	b.tokens(t, refreshing(client, first.Refresh)) // after 28 s, whatever was repeated meanwhile
	b.alive(t, third.Access)
	b.execute(t, later)
	b.refused(t, refreshing(client, first.Refresh), 400, "invalid_grant")
	b.dead(t, third.Access)
	b.refused(t, refreshing(client, second.Refresh), 400, "invalid_grant") // although it was used moments ago
}

// A revoked family gives nothing again.
func TestRevokedRefreshIsNotRepeated(t *testing.T) {
	b := newHarness(t)
	client, first := b.signedUp(t, b.ana)
	second := b.tokens(t, refreshing(client, first.Refresh))
	b.post(t, "/oauth/revoke", url.Values{"client_id": {client}, "token": {second.Access}})
	b.refused(t, refreshing(client, first.Refresh), 400, "invalid_grant")
	b.dead(t, second.Access)
}

// What a server cannot compute again, since another secret or an older release issued it, is refused
// and leaves the family alone while the time of grace lasts.
func TestRefreshOfAnotherSecretIsNotRepeated(t *testing.T) {
	b := newHarness(t)
	other := b.beside(t, otherSecret)
	client, first := b.signedUp(t, b.ana)
	second := b.tokens(t, refreshing(client, first.Refresh))
	other.refused(t, refreshing(client, first.Refresh), 400, "invalid_grant")
	b.alive(t, second.Access)
	if again := b.tokens(t, refreshing(client, first.Refresh)); again.Refresh != second.Refresh {
		t.Error("other tokens")
	}
	b.graceOver(t)
	other.refused(t, refreshing(client, first.Refresh), 400, "invalid_grant")
	b.dead(t, second.Access)
}

func TestReusedRefreshTokenRevokesTheFamily(t *testing.T) {
	b := newHarness(t)
	client, first := b.signedUp(t, b.ana)
	second := b.tokens(t, refreshing(client, first.Refresh))
	third := b.tokens(t, refreshing(client, second.Refresh))
	if first.Refresh == second.Refresh || first.Access == second.Access {
		t.Error("tokens do not change")
	}
	b.alive(t, third.Access)
	b.graceOver(t)
	b.refused(t, refreshing(client, first.Refresh), 400, "invalid_grant")
	for _, issued := range []tokens{first, second, third} {
		b.dead(t, issued.Access)
	}
	b.refused(t, refreshing(client, third.Refresh), 400, "invalid_grant")
}

func TestRefreshTokenOfAnotherClient(t *testing.T) {
	b := newHarness(t)
	client, issued := b.signedUp(t, b.ana)
	b.refused(t, refreshing(b.register(t, callback), issued.Refresh), 400, "invalid_grant")
	b.alive(t, issued.Access)
	b.tokens(t, refreshing(client, issued.Refresh))
}

// A used refresh token revokes its family under whatever other client_id it comes, at once: who sends it has it from
// a leak, and another public client's client_id proves nothing about the sender.
func TestReusedRefreshTokenOfAnotherClientRevokesTheFamily(t *testing.T) {
	b := newHarness(t)
	client, first := b.signedUp(t, b.ana)
	other, bystander := b.signedUp(t, b.ana)
	second := b.tokens(t, refreshing(client, first.Refresh))
	b.refused(t, refreshing(other, first.Refresh), 400, "invalid_grant")
	b.dead(t, second.Access)
	b.refused(t, refreshing(client, second.Refresh), 400, "invalid_grant")
	b.alive(t, bystander.Access) // of the client that sent it
}

func TestExpiredTokens(t *testing.T) {
	b := newHarness(t)
	client, issued := b.signedUp(t, b.ana)
	b.execute(t, `UPDATE oauth_access_token SET expires_at = expires_at - interval '1 hour'`)
	b.dead(t, issued.Access)
	b.execute(t, `UPDATE oauth_refresh_token SET expires_at = now()`)
	b.refused(t, refreshing(client, issued.Refresh), 400, "invalid_grant")
}

func TestForeignResourceAtTheTokenEndpoint(t *testing.T) {
	b := newHarness(t)
	client := b.register(t, callback)
	form := b.code(t, b.ana, client, callback)
	b.refused(t, with(form, "resource", "https://outro.exemplo/mcp"), 400, "invalid_target")
	issued := b.tokens(t, form)
	b.refused(t, with(refreshing(client, issued.Refresh), "resource", "https://outro.exemplo/"), 400, "invalid_target")
	b.tokens(t, with(refreshing(client, issued.Refresh), "resource", base+"/mcp/"))
}

// A server whose public address changed refuses codes and tokens issued for the old one.
func TestTokensOfAnotherResource(t *testing.T) {
	b := newHarness(t)
	client, issued := b.signedUp(t, b.ana)
	form := b.code(t, b.ana, client, callback)
	b.execute(t, `UPDATE oauth_code SET resource = 'https://outro.exemplo/mcp'`)
	b.dead(t, issued.Access)
	b.refused(t, refreshing(client, issued.Refresh), 400, "invalid_grant")
	b.refused(t, form, 400, "invalid_grant")
}

func TestSecretsInTheQueryString(t *testing.T) {
	b := newHarness(t)
	client := b.register(t, callback)
	form := b.code(t, b.ana, client, callback)
	for _, inBody := range [][]string{{}, {"client_id"}, {"client_id", "grant_type"}} {
		address, body := url.Values{}, url.Values{}
		for name, values := range form {
			if slices.Contains(inBody, name) {
				body[name] = values
			} else {
				address[name] = values
			}
		}
		if w := b.post(t, "/oauth/token?"+address.Encode(), body); w.Code != 400 {
			t.Errorf("a code in the address: %d %s", w.Code, w.Body)
		}
	}
	issued := b.tokens(t, form)
	if w := b.post(t, "/oauth/revoke?token="+issued.Access, url.Values{"client_id": {client}}); w.Code != 400 {
		t.Errorf("a token in the address: %d %s", w.Code, w.Body)
	}
	b.alive(t, issued.Access)
	if w := b.send(t, http.MethodGet, "/oauth/token?"+form.Encode(), "", "", ""); w.Code != http.StatusMethodNotAllowed && w.Code != http.StatusNotFound {
		t.Errorf("GET: %d", w.Code)
	}
}
