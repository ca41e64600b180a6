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

func TestWrongVerifier(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	ana := b.visitor(t, "ana@exemplo.com")
	client := b.register(t, callback)
	for name, verifier := range map[string][]string{
		"another": {oauth2.GenerateVerifier()}, "missing": nil, "empty": {""},
	} {
		form := b.code(t, ana, client, callback)
		b.refused(t, with(form, "code_verifier", verifier...), 400, "invalid_grant")
		if t.Failed() {
			t.Fatal(name)
		}
		b.refused(t, form, 400, "invalid_grant") // a guess ends the code
	}
	form := b.code(t, ana, client, callback)
	b.refused(t, with(form, "code_verifier", oauth2.S256ChallengeFromVerifier(form.Get("code_verifier"))), 400, "invalid_grant") // as plain would
	if n := b.count(t, "oauth_access_token"); n != 0 {
		t.Errorf("%d tokens were given", n)
	}
}

func TestReplayedCodeRevokesItsTokens(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	ana := b.visitor(t, "ana@exemplo.com")
	client, bystander := b.signedUp(t, ana)
	form := b.code(t, ana, client, callback)
	first := b.tokens(t, form)
	second := b.tokens(t, refreshing(client, first.Refresh))
	b.alive(t, first.Access)
	b.refused(t, form, 400, "invalid_grant")
	b.dead(t, first.Access)
	b.dead(t, second.Access)
	b.refused(t, refreshing(client, second.Refresh), 400, "invalid_grant")
	b.alive(t, bystander.Access) // what another code gave
}

func TestCodeOfAnotherClient(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	ana := b.visitor(t, "ana@exemplo.com")
	own, other := b.register(t, callback), b.register(t, callback)
	form := b.code(t, ana, own, callback)
	b.refused(t, with(form, "client_id", other), 400, "invalid_grant")
	b.refused(t, form, 400, "invalid_grant")
	if n := b.count(t, "oauth_access_token"); n != 0 {
		t.Errorf("%d tokens were given", n)
	}
}

func TestExpiredCode(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	ana := b.visitor(t, "ana@exemplo.com")
	client := b.register(t, callback)
	form := b.code(t, ana, client, callback)
	b.execute(t, `UPDATE oauth_code SET created_at = created_at - interval '61 seconds'`)
	b.refused(t, form, 400, "invalid_grant")
}

func TestCodeWithAnotherRedirect(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	client := b.register(t, callback, callback+"/2")
	form := b.code(t, b.visitor(t, "ana@exemplo.com"), client, callback)
	b.refused(t, with(form, "redirect_uri", callback+"/2"), 400, "invalid_grant")
}

func TestConcurrentExchangeGivesOneToken(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	form := b.code(t, b.visitor(t, "ana@exemplo.com"), b.register(t, callback), callback)
	b.concurrently(t, form)
}

func TestConcurrentRefreshGivesOneToken(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	client, issued := b.signedUp(t, b.visitor(t, "ana@exemplo.com"))
	b.concurrently(t, refreshing(client, issued.Refresh))
}

// concurrently sends a token request many times at once and fails unless exactly one gets tokens,
// which the replays then revoke.
func (b *rig) concurrently(t *testing.T, form url.Values) {
	t.Helper()
	const clients = 12
	answers := make([]*httptest.ResponseRecorder, clients)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() { answers[i] = b.post(t, "/oauth/token", form) })
	}
	all.Wait()
	given := 0
	for _, w := range answers {
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

func TestReusedRefreshTokenRevokesTheFamily(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	ana := b.visitor(t, "ana@exemplo.com")
	client, first := b.signedUp(t, ana)
	second := b.tokens(t, refreshing(client, first.Refresh))
	third := b.tokens(t, refreshing(client, second.Refresh))
	if first.Refresh == second.Refresh || first.Access == second.Access {
		t.Error("tokens do not change")
	}
	b.alive(t, third.Access)
	b.refused(t, refreshing(client, first.Refresh), 400, "invalid_grant")
	for _, issued := range []tokens{first, second, third} {
		b.dead(t, issued.Access)
	}
	b.refused(t, refreshing(client, third.Refresh), 400, "invalid_grant")
}

func TestRefreshTokenOfAnotherClient(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	client, issued := b.signedUp(t, b.visitor(t, "ana@exemplo.com"))
	b.refused(t, refreshing(b.register(t, callback), issued.Refresh), 400, "invalid_grant")
	b.alive(t, issued.Access)
	b.tokens(t, refreshing(client, issued.Refresh))
}

// A used refresh token revokes its family under whatever client_id it comes: who sends it has it from
// a leak, and another public client's client_id proves nothing about the sender.
func TestReusedRefreshTokenOfAnotherClientRevokesTheFamily(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	ana := b.visitor(t, "ana@exemplo.com")
	client, first := b.signedUp(t, ana)
	other, bystander := b.signedUp(t, ana)
	second := b.tokens(t, refreshing(client, first.Refresh))
	b.refused(t, refreshing(other, first.Refresh), 400, "invalid_grant")
	b.dead(t, second.Access)
	b.refused(t, refreshing(client, second.Refresh), 400, "invalid_grant")
	b.alive(t, bystander.Access) // of the client that sent it
}

func TestExpiredTokens(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	client, issued := b.signedUp(t, b.visitor(t, "ana@exemplo.com"))
	b.execute(t, `UPDATE oauth_access_token SET expires_at = expires_at - interval '1 hour'`)
	b.dead(t, issued.Access)
	b.execute(t, `UPDATE oauth_refresh_token SET expires_at = now()`)
	b.refused(t, refreshing(client, issued.Refresh), 400, "invalid_grant")
}

func TestForeignResourceAtTheTokenEndpoint(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	client := b.register(t, callback)
	form := b.code(t, b.visitor(t, "ana@exemplo.com"), client, callback)
	b.refused(t, with(form, "resource", "https://outro.exemplo/mcp"), 400, "invalid_target")
	issued := b.tokens(t, form)
	b.refused(t, with(refreshing(client, issued.Refresh), "resource", "https://outro.exemplo/"), 400, "invalid_target")
	b.tokens(t, with(refreshing(client, issued.Refresh), "resource", base+"/mcp/"))
}

// A server whose public address changed refuses codes and tokens issued for the old one.
func TestTokensOfAnotherResource(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	ana := b.visitor(t, "ana@exemplo.com")
	client, issued := b.signedUp(t, ana)
	form := b.code(t, ana, client, callback)
	b.execute(t, `UPDATE oauth_code SET resource = 'https://outro.exemplo/mcp'`)
	b.dead(t, issued.Access)
	b.refused(t, refreshing(client, issued.Refresh), 400, "invalid_grant")
	b.refused(t, form, 400, "invalid_grant")
}

func TestSecretsInTheQueryString(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	client := b.register(t, callback)
	form := b.code(t, b.visitor(t, "ana@exemplo.com"), client, callback)
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
