package oauthserver

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"golang.org/x/oauth2"

	"razao/internal/web"
)

const (
	attacker = "203.0.113.7"
	somebody = "198.51.100.9"
)

// authorizeFrom is authorize from another address.
func (b *harness) authorizeFrom(t *testing.T, address, client string) *httptest.ResponseRecorder {
	t.Helper()
	good := asking(client)
	return b.send(t, http.MethodGet, "/oauth/authorize?"+good.Encode(), "", "", address)
}

// Anybody can register a client with any redirect URI, so redirecting its invalid requests would
// make an open redirector (RFC 9700 §4.11.2). Their errors are shown to the user; only clients of
// the operator get them by redirect.
func TestBadRequestsAreNoOpenRedirector(t *testing.T) {
	b := newHarness(t)
	p := b.publisher(t, describing(nil))
	for name, client := range map[string]string{"registration": b.register(t, callback), "document": p.URL + "/cliente"} {
		good := asking(client)
		for parameter, value := range map[string]string{
			"code_challenge_method": "plain", "response_type": "token", "resource": "https://outro.exemplo/mcp", "state": "\xff",
		} {
			w := b.authorize(t, with(good, parameter, value))
			if w.Code != http.StatusBadRequest || w.Header().Get("Location") != "" || strings.Contains(w.Body.String(), "assistente.exemplo") {
				t.Errorf("%s with a bad %s: status %d to %q: %s", name, parameter, w.Code, w.Header().Get("Location"), w.Body)
			}
		}
		b.requestID(t, good)
	}
	toldClient(t, b.authorize(t, with(askingFor(b.trusted(t), callback, ""), "code_challenge_method", "plain")), invalidRequest)
}

// Fetches caused by one network from sites that do not respond leave slots for other networks.
func TestSlowDocumentsOfOneNetwork(t *testing.T) {
	b := newHarness(t)
	arrived, release := make(chan struct{}, 100), make(chan struct{})
	p := b.publisher(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/lento") {
			arrived <- struct{}{}
			<-release
			return
		}
		describing(nil)(w, r)
	})
	var slow sync.WaitGroup
	statuses := make(chan int, 20)
	for i := range 20 {
		slow.Go(func() { statuses <- b.authorizeFrom(t, attacker, fmt.Sprintf("%s/lento/%d", p.URL, i)).Code })
	}
	for range documentsOfOne {
		<-arrived
	}
	for range 20 - documentsOfOne {
		if status := <-statuses; status != http.StatusTooManyRequests {
			t.Errorf("one too many of a network: status %d, want 429", status)
		}
	}
	location(t, b.authorizeFrom(t, somebody, p.URL+"/cliente"))
	close(release)
	slow.Wait()
}

// Concurrent requests with an unknown document share one fetch.
func TestDocumentIsFetchedOnce(t *testing.T) {
	b := newHarness(t)
	release := make(chan struct{})
	p := b.publisher(t, func(w http.ResponseWriter, r *http.Request) {
		<-release
		describing(nil)(w, r)
	})
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() { location(t, b.authorizeFrom(t, fmt.Sprintf("198.51.100.%d", i), p.URL+"/cliente")) })
	}
	close(release)
	all.Wait()
	p.wasAsked(t, 1)
}

// A client whose site is down stays known for a while (stale-if-error, RFC 5861 §4), and not every
// request asks the site. A client that withdrew its document is refused.
func TestSiteOfADocumentIsDown(t *testing.T) {
	b := newHarness(t)
	var mu sync.Mutex
	answer := describing(nil)
	set := func(to http.HandlerFunc) {
		mu.Lock()
		defer mu.Unlock()
		answer = to
	}
	p := b.publisher(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		now := answer
		mu.Unlock()
		now(w, r)
	})
	id := p.URL + "/cliente"
	ask := func() *httptest.ResponseRecorder {
		t.Helper()
		return b.authorize(t, asking(id))
	}
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	location(t, ask())
	const stale = `UPDATE oauth_client SET fresh_until = now() - interval '6 days', retry_at = NULL`
	for name, down := range map[string]http.HandlerFunc{
		"500": status(500), "503": status(503), "429": status(429),
		"cut short": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		set(down)
		b.execute(t, stale)
		before := p.asked.Load()
		for range 3 {
			location(t, ask())
		}
		if n := p.asked.Load() - before; n != 1 {
			t.Errorf("%s: the site was asked %d times by three requests, want once", name, n)
		}
	}
	b.execute(t, `UPDATE oauth_client SET retry_at = now()`)
	set(describing(func(d map[string]any) { d["client_name"] = "Voltou" }))
	location(t, ask())
	if found, err := b.client(t.Context(), id); err != nil || found.Name != "Voltou" {
		t.Errorf("after the pause: %+v, %v", found, err)
	}
	for name, gone := range map[string]http.HandlerFunc{
		"404": status(404), "410": status(410), "redirecting": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) },
		"other redirect URIs": describing(func(d map[string]any) { d["redirect_uris"] = []string{} }),
	} {
		set(gone)
		b.execute(t, stale)
		if w := ask(); w.Code != http.StatusBadRequest {
			t.Errorf("%s: status %d, want a refusal", name, w.Code)
		}
	}
	set(status(503))
	b.execute(t, `UPDATE oauth_client SET fresh_until = now() - interval '8 days', retry_at = now() + interval '1 minute'`)
	toldPerson(t, ask(), ErrMetadataDocument)
}

// A registration flood, from one network or many, displaces neither clients of other networks nor
// clients with a request that a user has opened.
func TestFloodOfRegistrations(t *testing.T) {
	b := newHarness(t)
	honest := b.registerFrom(t, somebody, callback)
	asked := b.registerFrom(t, attacker, callback)
	opened := location(t, b.authorizeFrom(t, attacker, asked)).Query().Get("authorization_id")
	b.open(t, opened, b.ana)
	b.execute(t, `UPDATE oauth_client SET created_at = now() - interval '1 hour'`)
	for i := range 3 {
		flood := b.registerFrom(t, fmt.Sprintf("203.0.113.%d", 10+i), callback)
		b.execute(t, `
			INSERT INTO oauth_client (id, origin, name, redirect_uris, network)
			SELECT c.id || n, 'registration', 'x', c.redirect_uris, c.network
			FROM oauth_client c, generate_series(1, 10000) n WHERE c.id = $1`, flood)
	}
	must(t, b.Purge(t.Context()))
	if n := b.count(t, "oauth_client"); n > maxUnused+1 {
		t.Errorf("%d clients are left", n)
	}
	for name, id := range map[string]string{"of another network": honest, "with a request that was opened": asked} {
		if _, err := b.client(t.Context(), id); err != nil {
			t.Errorf("the client %s: %v", name, err)
		}
	}
}

// The network of a client is deleted when a user authorizes it, because nothing needs it then.
func TestNetworkOfAClientIsForgotten(t *testing.T) {
	b := newHarness(t)
	b.signedUp(t, b.ana)
	b.register(t, callback)
	b.keeps(t, "oauth_client WHERE network IS NOT NULL", 1)
}

// A hundred networks that send ten thousand requests fill nothing: somebody who signs in afterwards
// consents to a request from before the flood, and to one from within it. The one statement of a
// request is the look-up of its client.
func TestFloodOfRequests(t *testing.T) {
	b := newHarness(t)
	client := b.register(t, callback)
	own := asking(client)
	before := b.requestID(t, own)
	statements := b.pool.Stat().AcquireCount()
	const networks, each = 101, 100
	for n := range networks {
		for range each {
			location(t, b.authorizeFrom(t, fmt.Sprintf("203.0.%d.%d", n, n), client))
		}
	}
	if n := b.pool.Stat().AcquireCount() - statements; n != networks*each {
		t.Errorf("%d statements for %d requests", n, networks*each)
	}
	for _, table := range []string{"oauth_request", "oauth_consent"} {
		b.keeps(t, table, 0)
	}
	within := b.requestID(t, own)
	for _, id := range []string{before, within} {
		b.open(t, id, b.ana)
		b.approve(t, id, b.ana)
	}
	b.signedUp(t, b.ana)
}

// What one account has pending is bounded without locking anybody out: other accounts notice nothing,
// and what was unbound is bound again when it is opened again.
func TestRequestsOfAnAccountAreBounded(t *testing.T) {
	b := newHarness(t)
	client := b.register(t, callback)
	good := asking(client)
	others, first := b.requestID(t, good), b.requestID(t, good)
	b.open(t, others, b.bia)
	b.open(t, first, b.ana)
	b.execute(t, `UPDATE oauth_consent SET expires_at = expires_at - interval '1 minute'`)
	for range 2 * maxPending {
		b.opened(t, b.ana, good)
	}
	b.keeps(t, "oauth_consent", maxPending+1) // and one of Bia
	if _, err := b.Approve(t.Context(), first, b.ana); !errors.Is(err, ErrNoRequest) {
		t.Errorf("approved although it was unbound: %v", err)
	}
	b.open(t, first, b.ana) // again
	for i := range maxDecided {
		if _, err := b.Deny(t.Context(), b.opened(t, b.ana, good), b.ana); err != nil {
			t.Fatalf("after %d decisions: %v", i, err)
		}
	}
	var busy *web.TooManyError
	if _, err := b.Request(t.Context(), b.requestID(t, good), b.ana); !errors.As(err, &busy) {
		t.Errorf("after %d decisions: %v", maxDecided, err)
	}
	b.approve(t, others, b.bia)
	b.execute(t, `UPDATE oauth_consent SET expires_at = now()`)
	b.opened(t, b.ana, good)
	must(t, b.Purge(t.Context()))
	b.keeps(t, "oauth_consent", 1)
}

// Redirect URIs that were registered under a laxer rule are checked against the current one.
func TestRulesHoldForRegisteredRedirects(t *testing.T) {
	b := newHarness(t)
	client := b.register(t, callback)
	const old = "search-ms://consulta/x"
	b.execute(t, `UPDATE oauth_client SET redirect_uris = redirect_uris || $1::text`, old)
	toldPerson(t, b.authorize(t, askingFor(client, old, oauth2.GenerateVerifier())), ErrRedirectURI)
	b.requestID(t, asking(client))
	if _, err := b.AddClient(t.Context(), "Interno", []string{old}); !errors.Is(err, ErrClientMetadata) {
		t.Errorf("of the operator: %v", err)
	}
}
