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
)

const (
	attacker = "203.0.113.7"
	somebody = "198.51.100.9"
)

// authorizeFrom is authorize from another address.
func (b *rig) authorizeFrom(t *testing.T, address, client string) *httptest.ResponseRecorder {
	t.Helper()
	good := asking(client, callback, oauth2.GenerateVerifier())
	return b.send(t, http.MethodGet, "/oauth/authorize?"+good.Encode(), "", "", address)
}

// Anybody can register a client with any redirect URI, so redirecting its invalid requests would
// make an open redirector (RFC 9700 §4.11.2). Their errors are shown to the user; only clients of
// the operator get them by redirect.
func TestBadRequestsAreNoOpenRedirector(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	p := newPublisher(t, describing(nil))
	b.reach(p, anywhere)
	for name, client := range map[string]string{"registration": b.register(t, callback), "document": p.URL + "/cliente"} {
		good := asking(client, callback, oauth2.GenerateVerifier())
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
	toldClient(t, b.authorize(t, with(asking(b.trusted(t), callback, ""), "code_challenge_method", "plain")), invalidRequest)
}

// Fetches caused by one network from sites that do not respond leave slots for other networks.
func TestSlowDocumentsOfOneNetwork(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	arrived, release := make(chan struct{}, 100), make(chan struct{})
	p := newPublisher(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/lento") {
			arrived <- struct{}{}
			<-release
			return
		}
		describing(nil)(w, r)
	})
	b.reach(p, anywhere)
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
	t.Parallel()
	b := newRig(t)
	release := make(chan struct{})
	p := newPublisher(t, func(w http.ResponseWriter, r *http.Request) {
		<-release
		describing(nil)(w, r)
	})
	b.reach(p, anywhere)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() { location(t, b.authorizeFrom(t, fmt.Sprintf("198.51.100.%d", i), p.URL+"/cliente")) })
	}
	close(release)
	all.Wait()
	if n := p.asked.Load(); n != 1 {
		t.Errorf("the document was fetched %d times, want once", n)
	}
}

// A client whose site is down stays known for a while (stale-if-error, RFC 5861 §4), and not every
// request asks the site. A client that withdrew its document is refused.
func TestSiteOfADocumentIsDown(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	var mu sync.Mutex
	answer := describing(nil)
	set := func(to http.HandlerFunc) {
		mu.Lock()
		defer mu.Unlock()
		answer = to
	}
	p := newPublisher(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		now := answer
		mu.Unlock()
		now(w, r)
	})
	b.reach(p, anywhere)
	id := p.URL + "/cliente"
	ask := func() *httptest.ResponseRecorder {
		t.Helper()
		return b.authorize(t, asking(id, callback, oauth2.GenerateVerifier()))
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
// clients with a pending request.
func TestFloodOfRegistrations(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	body := `{"redirect_uris":["` + callback + `"]}`
	honest := answerOf[registered](t, b.send(t, http.MethodPost, "/oauth/register", "application/json", body, somebody)).ID
	asked := answerOf[registered](t, b.send(t, http.MethodPost, "/oauth/register", "application/json", body, attacker)).ID
	location(t, b.authorizeFrom(t, attacker, asked))
	b.execute(t, `UPDATE oauth_client SET created_at = now() - interval '1 hour'`)
	for i := range 3 {
		flood := answerOf[registered](t, b.send(t, http.MethodPost, "/oauth/register", "application/json", body, fmt.Sprintf("203.0.113.%d", 10+i))).ID
		b.execute(t, `
			INSERT INTO oauth_client (id, origin, name, redirect_uris, network)
			SELECT c.id || n, 'registration', 'x', c.redirect_uris, c.network
			FROM oauth_client c, generate_series(1, 10000) n WHERE c.id = $1`, flood)
	}
	if err := b.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := b.count(t, "oauth_client"); n > maxUnused+1 {
		t.Errorf("%d clients are left", n)
	}
	for name, id := range map[string]string{"of another network": honest, "with a request that waits": asked} {
		if _, err := b.client(t.Context(), id); err != nil {
			t.Errorf("the client %s: %v", name, err)
		}
	}
}

// The network of a client is deleted when a user authorizes it, because nothing needs it then.
func TestNetworkOfAClientIsForgotten(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	b.signedUp(t, b.visitor(t, "ana@exemplo.com"))
	b.register(t, callback)
	if n := b.count(t, "oauth_client WHERE network IS NOT NULL"); n != 1 {
		t.Errorf("%d clients have a network, want the one that waits", n)
	}
}

// Pending requests are bounded per network and in total.
func TestRequestsAreBounded(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	client := b.register(t, callback)
	location(t, b.authorizeFrom(t, "2001:db8:1::1", client))
	const more = `
		INSERT INTO oauth_request (hash, client_id, redirect_uri, state, code_challenge, resource, network)
		SELECT sha256(($2 || n)::bytea), client_id, '', '', '', '', CASE WHEN $2 = 'own' THEN network ELSE sha256(n::text::bytea) END
		FROM (SELECT client_id, network FROM oauth_request LIMIT 1) r, generate_series(2, $1) n`
	b.execute(t, more, maxRequestsOfOne, "own")
	for address, want := range map[string]int{"2001:db8:1::1": 429, "2001:db8:1:ffff::1": 429, "2001:db8:2::1": 303, somebody: 303} {
		if w := b.authorizeFrom(t, address, client); w.Code != want {
			t.Errorf("%s: status %d, want %d", address, w.Code, want)
		}
	}
	b.execute(t, `UPDATE oauth_request SET created_at = now() - interval '21 minutes'`)
	location(t, b.authorizeFrom(t, "2001:db8:1::1", client))
	b.execute(t, more, maxRequests, "other")
	if w := b.authorizeFrom(t, somebody, client); w.Code != http.StatusServiceUnavailable {
		t.Errorf("when all places are taken: status %d, want 503", w.Code)
	}
	b.execute(t, `UPDATE oauth_request SET created_at = now() - interval '21 minutes'`)
	if err := b.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	location(t, b.authorizeFrom(t, somebody, client))
}

// Redirect URIs that were registered under a laxer rule are checked against the current one.
func TestRulesHoldForRegisteredRedirects(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	client := b.register(t, callback)
	const old = "search-ms://consulta/x"
	b.execute(t, `UPDATE oauth_client SET redirect_uris = redirect_uris || $1::text`, old)
	toldPerson(t, b.authorize(t, asking(client, old, oauth2.GenerateVerifier())), ErrRedirectURI)
	b.requestID(t, asking(client, callback, oauth2.GenerateVerifier()))
	if _, err := b.AddClient(t.Context(), "Interno", []string{old}); !errors.Is(err, ErrClientMetadata) {
		t.Errorf("of the operator: %v", err)
	}
}
