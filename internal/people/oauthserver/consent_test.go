package oauthserver

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"razao/internal/people/account"
)

func TestConsentForgedFromAnotherSession(t *testing.T) {
	b := newHarness(t)
	phone := b.visitor(t, "ana@exemplo.com")
	client := b.register(t, callback)
	id := b.requestID(t, asking(client))
	if _, err := b.Approve(t.Context(), id, b.ana); !errors.Is(err, ErrNoRequest) {
		t.Errorf("approved before it was shown: %v", err)
	}
	b.open(t, id, b.ana)
	for name, who := range map[string]account.Session{"another account": b.bia, "another browser": phone} {
		b.noRequest(t, name, id, who)
	}
	b.open(t, id, b.ana)
	b.approve(t, id, b.ana)
}

// A decision counts once. The session that approved gets the same code again as long as it can be exchanged; every other decision
// on the request is refused.
func TestConsentUsedTwice(t *testing.T) {
	b := newHarness(t)
	phone := b.visitor(t, "ana@exemplo.com")
	client := b.register(t, callback)
	verifier := oauth2.GenerateVerifier()
	denied := b.opened(t, b.ana, asking(client))
	if _, err := b.Deny(t.Context(), denied, b.ana); err != nil {
		t.Errorf("denied: %v", err)
	}
	b.noRequest(t, "denied", denied, b.ana)

	id := b.opened(t, b.ana, askingFor(client, callback, verifier))
	address := b.approve(t, id, b.ana)
	for _, server := range []*harness{b, b.beside(t)} {
		if again := server.approve(t, id, b.ana); again != address {
			t.Errorf("%s became %s", address, again)
		}
	}
	for name, who := range map[string]account.Session{"another account": b.bia, "another browser": phone} {
		b.noRequest(t, name, id, who)
	}
	if _, err := b.Deny(t.Context(), id, b.ana); !errors.Is(err, ErrNoRequest) {
		t.Errorf("denied after it was approved: %v", err)
	}
	b.keeps(t, "oauth_code", 1)
	b.tokens(t, url.Values{
		"grant_type": {"authorization_code"}, "client_id": {client}, "code": {parsed(t, address).Query().Get("code")}, "code_verifier": {verifier},
	})
	b.noRequest(t, "exchanged", id, b.ana)

	expired := b.opened(t, b.ana, asking(client))
	b.approve(t, expired, b.ana)
	b.execute(t, `UPDATE oauth_code SET created_at = now() - interval '61 seconds'`)
	b.noRequest(t, "expired", expired, b.ana)
}

// expiring returns the id of a request as it would be if it expired so much later than now, by the
// database's clock.
func (b *harness) expiring(t *testing.T, id, after string) string {
	t.Helper()
	asked, err := b.openRequest(id)
	must(t, err)
	must(t, b.pool.QueryRow(t.Context(), `SELECT now() + $1::interval`, after).Scan(&asked.Expires))
	return b.sealRequest(asked)
}

func TestRequestExpires(t *testing.T) {
	b := newHarness(t)
	id := b.requestID(t, asking(b.register(t, callback)))
	asked, err := b.openRequest(id)
	must(t, err)
	var left time.Duration
	if err := b.pool.QueryRow(t.Context(), `SELECT $1 - now()`, asked.Expires).Scan(&left); err != nil || left > 20*time.Minute || left < 19*time.Minute {
		t.Errorf("it waits for %s, %v", left, err)
	}
	if _, err := b.Request(t.Context(), b.expiring(t, id, "-1 second"), b.ana); !errors.Is(err, ErrNoRequest) {
		t.Errorf("shown: %v", err)
	}
	b.open(t, b.expiring(t, id, "1 minute"), b.ana)
	b.open(t, id, b.ana)
	b.execute(t, `UPDATE oauth_consent SET expires_at = now()`)
	if _, err := b.Request(t.Context(), id, b.ana); !errors.Is(err, ErrNoRequest) {
		t.Errorf("shown again: %v", err)
	}
	if _, err := b.Approve(t.Context(), id, b.ana); !errors.Is(err, ErrNoRequest) {
		t.Errorf("approved: %v", err)
	}
}

// Of many sessions that open a request at once one gets it, and of many decisions in that session one
// counts: either one denies, or all that approve get one code.
func TestConsentAtOnce(t *testing.T) {
	b := newHarness(t)
	servers := []*harness{b, b.beside(t)}
	client := b.register(t, callback)
	id := b.requestID(t, asking(client))
	sessions := make([]account.Session, 8)
	for i := range sessions {
		sessions[i] = b.visitor(t, fmt.Sprintf("ana%d@exemplo.com", i%2))
	}
	shown := make([]error, len(sessions))
	var all sync.WaitGroup
	for i, who := range sessions {
		all.Go(func() { _, shown[i] = servers[i%2].Request(t.Context(), id, who) })
	}
	all.Wait()
	owner := slices.Index(shown, nil)
	for i, err := range shown {
		if i != owner && !errors.Is(err, ErrNoRequest) {
			t.Errorf("session %d: %v", i, err)
		}
	}
	if owner < 0 {
		t.Fatal("nobody got it")
	}
	decided, addresses := make([]error, 8), make([]string, 8)
	for i := range decided {
		answer := servers[i%2].Approve
		if i >= 4 {
			answer = servers[i%2].Deny
		}
		all.Go(func() { addresses[i], decided[i] = answer(t.Context(), id, sessions[owner]) })
	}
	all.Wait()
	first := slices.Index(decided, nil)
	for i, err := range decided {
		repeated := err == nil && first < 4 && i < 4 && addresses[i] == addresses[first]
		if i != first && !repeated && !errors.Is(err, ErrNoRequest) {
			t.Errorf("decision %d: %s, %v", i, addresses[i], err)
		}
	}
	if first < 0 {
		t.Error("no decision counts")
	}
	if first < 4 {
		b.keeps(t, "oauth_code", 1)
	}
}

// A decision is remembered until its request expires, whatever is deleted and purged meanwhile: the
// session, the account, the client. Nor does a second session get what one has opened.
func TestDecisionOutlivesSessionAccountAndClient(t *testing.T) {
	b := newHarness(t)
	p := b.publisher(t, describing(nil))
	client := p.URL + "/cliente" // whose id comes back when it is deleted
	delete := map[string]func(account.Session){
		"session": func(who account.Session) { b.execute(t, `DELETE FROM session WHERE id = $1`, who.ID) },
		"account": func(who account.Session) { must(t, b.accounts.Delete(t.Context(), who.Account)) },
		"client": func(account.Session) {
			must(t, b.DeleteClient(t.Context(), client))
			b.requestID(t, askingFor(client, callback, "")) // fetches it again
		},
	}
	for name, gone := range delete {
		for _, decide := range []bool{true, false} {
			ana := b.visitor(t, "ana@exemplo.com")
			id := b.opened(t, ana, asking(client))
			if decide {
				b.approve(t, id, ana)
			}
			gone(ana)
			must(t, b.Purge(t.Context()))
			b.noRequest(t, fmt.Sprintf("%s deleted, decided %t", name, decide), id, b.bia)
		}
	}
}

// Client and redirect URI are checked again when a request is opened and when it is decided.
func TestClientChangesBeforeTheDecision(t *testing.T) {
	b := newHarness(t)
	for want, change := range map[error]string{
		ErrUnknownClient: `DELETE FROM oauth_client WHERE id = $1`,
		ErrRedirectURI:   `UPDATE oauth_client SET redirect_uris = ARRAY['https://outro.exemplo/'] WHERE id = $1`,
	} {
		client := b.register(t, callback)
		good := asking(client)
		opened, unopened := b.requestID(t, good), b.requestID(t, good)
		b.open(t, opened, b.ana)
		b.execute(t, change, client)
		_, shown := b.Request(t.Context(), unopened, b.ana)
		_, again := b.Request(t.Context(), opened, b.ana)
		_, approved := b.Approve(t.Context(), opened, b.ana)
		_, denied := b.Deny(t.Context(), opened, b.ana)
		for _, err := range []error{shown, again, approved, denied} {
			if !errors.Is(err, want) {
				t.Errorf("%v, want %v", err, want)
			}
		}
	}
	b.keeps(t, "oauth_code", 0)
}

// Nothing but sealRequest makes the id of a request: no change of one, no other spelling, no token,
// no request of another secret or public address.
func TestForgedRequests(t *testing.T) {
	b := newHarness(t)
	client := b.register(t, callback)
	id := b.requestID(t, asking(client))
	asked, err := b.openRequest(id)
	if err != nil || asked.Client != client || asked.Redirect != callback || asked.State != "estado&1" {
		t.Fatalf("%+v, %v", asked, err)
	}
	forged := map[string]string{
		"empty": "", "line break": id + "\n", "padding": id + "=", "cut": id[:len(id)-1], "longer": id + "A", "standard alphabet": id[:20] + "+" + id[21:],
		"code": b.newSecret(codeSecret), "access token": b.newSecret(accessToken), "refresh token": b.newSecret(refreshToken),
		"another secret": b.beside(t, otherSecret).sealRequest(asked), "another public address": b.beside(t, func(c *Config) { c.BaseURL = "https://outro.exemplo" }).sealRequest(asked),
		"plain": "0\x00" + client + "\x00" + callback + "\x00x\x00",
	}
	for i := range id {
		other := byte('A')
		if id[i] == other {
			other = 'B'
		}
		forged[fmt.Sprintf("character %d", i)] = id[:i] + string(other) + id[i+1:]
	}
	statements := b.pool.Stat().AcquireCount()
	for name, f := range forged {
		b.noRequest(t, name, f, b.ana)
	}
	if n := b.pool.Stat().AcquireCount() - statements; n != 0 {
		t.Errorf("forgeries cost %d statements", n)
	}
	for _, secret := range []string{"estado", client, "assistente", asked.Challenge} {
		decoded, err := base64.RawURLEncoding.DecodeString(id)
		if err != nil || strings.Contains(id, secret) || strings.Contains(string(decoded), secret) {
			t.Errorf("the id shows %q, %v", secret, err)
		}
	}
	b.open(t, id, b.ana)
}

// The longest request that is allowed has an id that fits into addresses, whose limit is that
// of headers, 16 KB.
func TestLongestRequest(t *testing.T) {
	b := newHarness(t)
	redirect := callback + "?x=" + strings.Repeat("y", maxRedirect-len(callback)-3)
	state := strings.Repeat("é", maxState/2)
	p := b.publisher(t, describing(func(d map[string]any) { d["redirect_uris"] = []string{redirect} }))
	client := p.URL + "/cliente"
	client += strings.Repeat("x", maxDocumentURL-len(client))
	id := b.requestID(t, with(askingFor(client, redirect, oauth2.GenerateVerifier()), "state", state))
	if len(id) > 9000 {
		t.Errorf("the id has %d characters", len(id))
	}
	b.open(t, id, b.ana)
	address, err := b.Approve(t.Context(), id, b.ana)
	if err != nil || parsed(t, address).Query().Get("state") != state || !strings.HasPrefix(address, redirect+"&") {
		t.Errorf("back at %.200s, %v", address, err)
	}
}
