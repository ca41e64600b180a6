package oauthserver

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"

	"golang.org/x/oauth2"

	"razao/internal/account"
	"razao/internal/web"
)

// toldClient fails unless a request is refused to the client itself, with whose refusal it is.
func toldClient(t *testing.T, w *httptest.ResponseRecorder, code string) {
	t.Helper()
	u := location(t, w)
	q := u.Query()
	if u.Host != "assistente.exemplo" || q.Get("error") != code || q.Get("iss") != base || q.Get("code") != "" {
		t.Errorf("it leads to %s, want the error %s", u, code)
	}
	if q.Get("error_description") == "" {
		t.Error("the error is not explained")
	}
}

// toldPerson fails unless a request is refused with a page that leads nowhere.
func toldPerson(t *testing.T, w *httptest.ResponseRecorder, because error) {
	t.Helper()
	if w.Code != http.StatusBadRequest || w.Header().Get("Location") != "" || !strings.Contains(w.Body.String(), because.Error()) {
		t.Errorf("status %d to %q: %s, want a page with %q", w.Code, w.Header().Get("Location"), w.Body, because)
	}
}

func TestRequestsThatAreRefusedToTheClient(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	good := asking(b.register(t, callback), callback, oauth2.GenerateVerifier())
	b.requestID(t, good)
	tests := []struct {
		name       string
		parameters url.Values
		code       string
	}{
		{"no PKCE", with(with(good, "code_challenge"), "code_challenge_method"), "invalid_request"},
		{"no challenge", with(good, "code_challenge"), "invalid_request"},
		{"no method, which is plain", with(good, "code_challenge_method"), "invalid_request"},
		{"plain", with(good, "code_challenge_method", "plain"), "invalid_request"},
		{"short challenge", with(good, "code_challenge", "abc"), "invalid_request"},
		{"challenge that is no base64url", with(good, "code_challenge", strings.Repeat("+", 43)), "invalid_request"},
		{"two challenges", with(good, "code_challenge", strings.Repeat("A", 43), strings.Repeat("B", 43)), "invalid_request"},
		{"foreign resource", with(good, "resource", "https://outro.exemplo/mcp"), "invalid_target"},
		{"foreign resource beside ours", with(good, "resource", base+"/mcp", "https://outro.exemplo/mcp"), "invalid_target"},
		{"resource that begins like ours", with(good, "resource", base+"/mcp2"), "invalid_target"},
		{"implicit", with(good, "response_type", "token"), "unsupported_response_type"},
		{"hybrid", with(good, "response_type", "code id_token"), "unsupported_response_type"},
		{"no response type", with(good, "response_type"), "unsupported_response_type"},
		{"state with zero", with(good, "state", "a\x00b"), "invalid_request"},
		{"state that is no text", with(good, "state", "\xff"), "invalid_request"},
		{"long state", with(good, "state", strings.Repeat("x", maxState+1)), "invalid_request"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { toldClient(t, b.authorize(t, tt.parameters), tt.code) })
	}
	if n := b.count(t, "oauth_request"); n != 1 {
		t.Errorf("%d requests are kept, want the good one", n)
	}
}

func TestRequestsThatAreRefusedWithAPage(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	own := b.register(t, callback, "http://localhost:3000/callback", "cursor://anysphere.cursor-mcp/oauth/callback")
	other := b.register(t, "https://outro.exemplo/callback")
	good := asking(own, callback, oauth2.GenerateVerifier())
	for name, redirect := range map[string][]string{
		"missing":             nil,
		"empty":               {""},
		"twice":               {callback, "https://mal.exemplo/"},
		"foreign":             {"https://mal.exemplo/callback"},
		"of another client":   {"https://outro.exemplo/callback"},
		"longer path":         {callback + "/mais"},
		"with a query":        {callback + "?x=1"},
		"with a fragment":     {callback + "#x"},
		"other case":          {strings.ToUpper(callback)},
		"with a user":         {"https://assistente.exemplo@mal.exemplo/callback"},
		"other port":          {"https://assistente.exemplo:8443/callback"},
		"without TLS":         {"http://assistente.exemplo/callback"},
		"path that climbs":    {"https://assistente.exemplo/x/../callback"},
		"other local path":    {"http://localhost:3000/outro"},
		"other local name":    {"http://127.0.0.1:3000/callback"},
		"name like the local": {"http://localhost.mal.exemplo:3000/callback"},
		"local user":          {"http://localhost:3000@mal.exemplo/callback"},
		"local with TLS":      {"https://localhost:3000/callback"},
		"other program":       {"cursor://mal/oauth/callback"},
		"script":              {"javascript:alert(1)"},
	} {
		t.Run(name, func(t *testing.T) {
			toldPerson(t, b.authorize(t, with(good, "redirect_uri", redirect...)), ErrRedirect)
		})
	}
	for name, client := range map[string][]string{
		"missing": nil, "unknown": {"ninguem"}, "twice": {own, other}, "with zero": {own + "\x00"}, "no text": {"\xff"}, "without TLS": {"http://assistente.exemplo/doc"},
	} {
		t.Run("client "+name, func(t *testing.T) {
			toldPerson(t, b.authorize(t, with(good, "client_id", client...)), ErrUnknownClient)
		})
	}
	if err := b.DeleteClient(t.Context(), own); err != nil {
		t.Fatal(err)
	}
	toldPerson(t, b.authorize(t, good), ErrUnknownClient)
	if n := b.count(t, "oauth_request"); n != 0 {
		t.Errorf("%d requests are kept", n)
	}
}

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

// concurrently fails unless one of many who send the same form at once gets tokens, which end because the others sent it too.
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

// A server that moved does not take what was given for its old address.
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

func TestConsentForgedFromAnotherSession(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	ana, bia := b.visitor(t, "ana@exemplo.com"), b.visitor(t, "bia@exemplo.com")
	phone := b.visitor(t, "ana@exemplo.com")
	client := b.register(t, callback)
	id := b.requestID(t, asking(client, callback, oauth2.GenerateVerifier()))
	if _, err := b.Approve(t.Context(), id, ana); !errors.Is(err, ErrNoRequest) {
		t.Errorf("approved before it was shown: %v", err)
	}
	if _, err := b.Request(t.Context(), id, ana); err != nil {
		t.Fatal(err)
	}
	for name, who := range map[string]account.Session{"another account": bia, "another browser": phone} {
		_, shown := b.Request(t.Context(), id, who)
		_, approved := b.Approve(t.Context(), id, who)
		_, denied := b.Deny(t.Context(), id, who)
		for _, err := range []error{shown, approved, denied} {
			if !errors.Is(err, ErrNoRequest) {
				t.Errorf("%s: %v, want ErrNoRequest", name, err)
			}
		}
	}
	if _, err := b.Request(t.Context(), id, ana); err != nil {
		t.Errorf("looked at again: %v", err)
	}
	if _, err := b.Approve(t.Context(), id, ana); err != nil {
		t.Errorf("approved by who looked at it: %v", err)
	}
}

func TestConsentUsedTwice(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	ana := b.visitor(t, "ana@exemplo.com")
	client := b.register(t, callback)
	decide := []func() error{}
	for _, f := range []func(string) error{
		func(id string) error { _, err := b.Approve(t.Context(), id, ana); return err },
		func(id string) error { _, err := b.Deny(t.Context(), id, ana); return err },
	} {
		id := b.requestID(t, asking(client, callback, oauth2.GenerateVerifier()))
		if _, err := b.Request(t.Context(), id, ana); err != nil {
			t.Fatal(err)
		}
		decide = append(decide, func() error { return f(id) })
	}
	for i, f := range decide {
		if err := f(); err != nil {
			t.Errorf("%d, first: %v", i, err)
		}
		if err := f(); !errors.Is(err, ErrNoRequest) {
			t.Errorf("%d, second: %v, want ErrNoRequest", i, err)
		}
	}
	if n := b.count(t, "oauth_code"); n != 1 {
		t.Errorf("%d codes were given, want one", n)
	}
}

func TestRequestExpires(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	ana := b.visitor(t, "ana@exemplo.com")
	id := b.requestID(t, asking(b.register(t, callback), callback, oauth2.GenerateVerifier()))
	if _, err := b.Request(t.Context(), id, ana); err != nil {
		t.Fatal(err)
	}
	b.execute(t, `UPDATE oauth_request SET created_at = created_at - interval '21 minutes'`)
	if _, err := b.Request(t.Context(), id, ana); !errors.Is(err, ErrNoRequest) {
		t.Errorf("shown: %v", err)
	}
	if _, err := b.Approve(t.Context(), id, ana); !errors.Is(err, ErrNoRequest) {
		t.Errorf("approved: %v", err)
	}
}

// A client that talks to several servers can tell whose answer it got, also when it is an error.
func TestMixUp(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	ana := b.visitor(t, "ana@exemplo.com")
	good := asking(b.register(t, callback), callback, oauth2.GenerateVerifier())
	id := b.requestID(t, good)
	if _, err := b.Request(t.Context(), id, ana); err != nil {
		t.Fatal(err)
	}
	denied, err := b.Deny(t.Context(), id, ana)
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string]*url.URL{
		"code": b.consent(t, ana, good), "access_denied": parsed(t, denied),
		"invalid_request": location(t, b.authorize(t, with(good, "code_challenge_method", "plain"))),
	}
	for name, u := range answers {
		q := u.Query()
		if q.Get("iss") != base || q.Get("state") != "estado&1" || (q.Get("code") == "") == (q.Get("error") == "") {
			t.Errorf("%s: %s", name, u)
		}
	}
}

func TestSecretsInTheQueryString(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	client := b.register(t, callback)
	form := b.code(t, b.visitor(t, "ana@exemplo.com"), client, callback)
	for _, body := range []url.Values{{}, {"client_id": {client}}, {"client_id": {client}, "grant_type": {"authorization_code"}}} {
		if w := b.post(t, "/oauth/token?"+form.Encode(), body); w.Code != 400 {
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

func TestTenThousandRegistrations(t *testing.T) {
	t.Parallel()
	b := newRig(t, func(c *Config) { c.NewClients = web.NewThrottle(1, 60) })
	ana := b.visitor(t, "ana@exemplo.com")
	body := `{"redirect_uris":["` + callback + `"]}`
	statuses := map[int]int{}
	for range 1000 {
		w := b.send(t, http.MethodPost, "/oauth/register", "application/json", body, "203.0.113.7")
		statuses[w.Code]++
		if w.Code == http.StatusTooManyRequests && w.Header().Get("Retry-After") == "" {
			t.Fatal("no Retry-After")
		}
	}
	if made := statuses[http.StatusCreated]; made < 60 || made > 70 || made+statuses[http.StatusTooManyRequests] != 1000 {
		t.Errorf("one address: %v", statuses)
	}
	// From as many addresses as it takes: many clients are there, and nothing is slower or fuller for long.
	b.execute(t, `
		INSERT INTO oauth_client (id, origin, name, redirect_uris, created_at)
		SELECT 'muitos' || n, 'registration', 'x', ARRAY[$1], now() - n * interval '1 second' FROM generate_series(1, 30000) n`, callback)
	if w := b.send(t, http.MethodPost, "/oauth/register", "application/json", body, "203.0.113.8"); w.Code != http.StatusCreated {
		t.Fatalf("another address: %d", w.Code)
	}
	client := b.register(t, callback)
	issued := b.tokens(t, b.code(t, ana, client, callback))
	if err := b.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := b.count(t, "oauth_client"); n > 20_001+1 {
		t.Errorf("%d clients are left", n)
	}
	b.alive(t, issued.Access)
	b.execute(t, `UPDATE oauth_client SET created_at = created_at - interval '25 hours'`)
	if err := b.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := b.count(t, "oauth_client"); n != 1 {
		t.Errorf("%d clients are left, want the one in use", n)
	}
	b.alive(t, issued.Access)
}

func TestDeletedClientRegistersAgain(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	client, issued := b.signedUp(t, b.visitor(t, "ana@exemplo.com"))
	if err := b.DeleteClient(t.Context(), client); err != nil {
		t.Fatal(err)
	}
	b.dead(t, issued.Access)
	b.refused(t, refreshing(client, issued.Refresh), 401, "invalid_client")
	w := b.post(t, "/oauth/token", refreshing("", issued.Refresh), "Authorization", "Basic "+basic(client))
	if w.Code != 401 || !strings.HasPrefix(w.Header().Get("WWW-Authenticate"), "Basic ") {
		t.Errorf("by header: %d %v", w.Code, w.Header())
	}
}

func TestDeletedAccountKillsTokens(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	ana, bia := b.visitor(t, "ana@exemplo.com"), b.visitor(t, "bia@exemplo.com")
	client, issued := b.signedUp(t, ana)
	others := b.tokens(t, b.code(t, bia, client, callback))
	form := b.code(t, ana, client, callback)
	id := b.requestID(t, asking(client, callback, oauth2.GenerateVerifier()))
	if _, err := b.Request(t.Context(), id, ana); err != nil {
		t.Fatal(err)
	}
	if err := b.accounts.Delete(t.Context(), ana.Account); err != nil {
		t.Fatal(err)
	}
	b.dead(t, issued.Access)
	b.refused(t, refreshing(client, issued.Refresh), 400, "invalid_grant")
	b.refused(t, form, 400, "invalid_grant")
	if _, err := b.Approve(t.Context(), id, ana); !errors.Is(err, ErrNoRequest) {
		t.Errorf("approved by a deleted account: %v", err)
	}
	b.alive(t, others.Access)
	for _, table := range []string{"oauth_grant", "oauth_code", "oauth_access_token", "oauth_refresh_token"} {
		if n := b.count(t, table); n != 1 {
			t.Errorf("%s has %d rows, want that of somebody else", table, n)
		}
	}
}

// A token that is not one is refused without asking the database; trouble is never a refusal.
func TestVerifyRefusesOtherTexts(t *testing.T) {
	t.Parallel()
	b := newRig(t)
	client, issued := b.signedUp(t, b.visitor(t, "ana@exemplo.com"))
	for _, token := range []string{
		"", "x", "rz_abc", accessPrefix, issued.Access + "x", issued.Access[:len(issued.Access)-1], issued.Refresh,
		strings.Replace(issued.Refresh, refreshPrefix, accessPrefix, 1), "\x00", "rza_\xff",
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
	if w := b.authorize(t, asking(client, callback, oauth2.GenerateVerifier())); w.Code != 503 {
		t.Errorf("a request without a database: %d", w.Code)
	}
}

func TestPublicAddresses(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"93.184.216.34": true, "1.1.1.1": true, "2606:4700::1111": true, "2a00:1450:4001::1": true,
		"127.0.0.1": false, "127.8.9.1": false, "10.0.0.1": false, "172.16.0.1": false, "172.31.255.255": false, "192.168.1.1": false,
		"169.254.169.254": false, "100.64.0.1": false, "0.0.0.0": false, "0.1.2.3": false, "224.0.0.1": false, "239.1.1.1": false,
		"255.255.255.255": false, "240.0.0.1": false, "192.0.0.8": false, "192.0.2.1": false, "198.18.0.1": false, "198.51.100.1": false,
		"203.0.113.1": false, "192.88.99.1": false,
		"::1": false, "::": false, "fe80::1": false, "fe80::1%eth0": false, "fc00::1": false, "fd12::1": false, "ff02::1": false,
		"::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "::ffff:93.184.216.34": true, "::127.0.0.1": false,
		"64:ff9b::7f00:1": false, "64:ff9b:1::1": false, "2002:7f00:1::": false, "2001::1": false, "2001:db8::1": false, "100::1": false,
		"fec0::1": false, "3fff::1": false, "5f00::1": false,
	} {
		if got := isPublic(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: %t, want %t", address, got, want)
		}
	}
}
