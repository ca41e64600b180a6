package people_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/oauth2"

	"razao/internal/web"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

const assistant = "https://assistente.exemplo/callback"

// registered registers a client and returns its id.
func registered(t *testing.T, h http.Handler, name string, redirects ...string) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{"client_name": name, "redirect_uris": redirects})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/oauth/register", strings.NewReader(string(body)))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	var client struct {
		ID string `json:"client_id"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &client); err != nil || w.Code != http.StatusCreated {
		t.Fatalf("registration: %d %s", w.Code, w.Body)
	}
	return client.ID
}

// asking returns an authorization request URL.
func asking(client, redirect, verifier string) string {
	config := oauth2.Config{
		ClientID: client, RedirectURL: redirect, Scopes: []string{"consulta"}, Endpoint: oauth2.Endpoint{AuthURL: "/oauth/authorize"},
	}
	return config.AuthCodeURL("estado", oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("resource", "https://razao.exemplo/mcp"))
}

// sent opens an authorization request and returns the consent page and the id of the request.
func sent(t *testing.T, p *sitetest.Browser, address string) (consent, id string) {
	t.Helper()
	w := p.Open(t, address)
	consent = w.Header().Get("Location")
	u, err := url.Parse(consent)
	if err != nil || w.Code != http.StatusSeeOther || u.Path != "/oauth/consent" || u.Host != "" {
		t.Fatalf("the request leads to %q: %d %s", consent, w.Code, w.Body)
	}
	return consent, u.Query().Get("authorization_id")
}

var revocationOfProgram = regexp.MustCompile(`action="(/conta/autorizacoes/[0-9]+/revogar)"`)

func TestConsentFromEndToEnd(t *testing.T) {
	t.Parallel()
	h := withOAuth(t)
	check := sitetest.NewAnswerCheck(t)
	client, verifier := registered(t, h, "Assistente <b>", assistant), oauth2.GenerateVerifier()
	stranger := h.Visitor()
	consent, id := sent(t, stranger, asking(client, assistant, verifier))
	w := stranger.Open(t, consent)
	sitetest.Leads(t, w, "/login?next="+url.QueryEscape(consent))
	check.Answer(t, "/oauth/consent", w)
	sitetest.Leads(t, stranger.Post(t, "/oauth/consent", "authorization_id", id, "decisao", "permitir"), "/login?next="+url.QueryEscape(consent))

	ana := h.SignedIn(t, "ana@exemplo.com")
	sitetest.Leads(t, ana.Open(t, "/login?next="+url.QueryEscape(consent)), consent)
	w = ana.Open(t, consent)
	golden(t, "consent", w, 200, "Assistente <b>", "Publicado por", "este computador", "deste aparelho")
	pagetest.Texts(t, w.Body.String(), []string{`name="authorization_id" value="` + id + `"`}, nil)
	check.Answer(t, "/oauth/consent", w)
	w = ana.Post(t, "/oauth/consent", "authorization_id", id, "decisao", "permitir")
	check.AnswerTo(t, http.MethodPost, "/oauth/consent", w)
	back, err := url.Parse(w.Header().Get("Location"))
	if err != nil || w.Code != http.StatusSeeOther || back.Host != "assistente.exemplo" || back.Query().Get("state") != "estado" ||
		back.Query().Get("iss") != "https://razao.exemplo" || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("back at %s, %d, %v", back, w.Code, w.Header())
	}
	form := url.Values{
		"grant_type": {"authorization_code"}, "client_id": {client}, "code": {back.Query().Get("code")}, "code_verifier": {verifier}, "redirect_uri": {assistant},
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/oauth/token", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w = httptest.NewRecorder()
	h.ServeHTTP(w, r)
	var issued oauth2.Token
	if err := json.Unmarshal(w.Body.Bytes(), &issued); err != nil || w.Code != http.StatusOK {
		t.Fatalf("tokens: %d %s", w.Code, w.Body)
	}
	golden(t, "account-program", ana.Open(t, "/conta"), 200, "Nenhum programa autorizado")
	if _, err := h.OAuth.Verify(t.Context(), issued.AccessToken); err != nil {
		t.Fatal(err)
	}
	body := sitetest.Shows(t, ana.Open(t, "/conta"), 200, nil, []string{"<td>nunca</td>"})
	revoke := revocationOfProgram.FindStringSubmatch(body)[1]
	bia := h.SignedIn(t, "bia@exemplo.com")
	w = bia.Post(t, revoke)
	if w.Code != http.StatusNotFound {
		t.Errorf("revoked by somebody else: %d", w.Code)
	}
	check.AnswerTo(t, http.MethodPost, "/conta/autorizacoes/{id}/revogar", w)
	sitetest.Leads(t, h.Visitor().Post(t, revoke), "/login?next=%2Fconta")
	sitetest.Shows(t, bia.Open(t, "/conta"), 200, []string{"Nenhum programa autorizado"}, []string{"Assistente &lt;b"})
	sitetest.Leads(t, ana.Post(t, revoke), "/conta")
	golden(t, "account-program-revoked", ana.Open(t, "/conta"), 200)
	if _, err := h.OAuth.Verify(t.Context(), issued.AccessToken); err == nil {
		t.Error("the token of a revoked authorization is taken")
	}
}

func TestConsentDenied(t *testing.T) {
	t.Parallel()
	h := withOAuth(t)
	ana := h.SignedIn(t, "ana@exemplo.com")
	for _, decision := range []string{"recusar", "", "Permitir"} { // only one word lets a program in
		consent, id := sent(t, ana, asking(registered(t, h, "x", assistant), assistant, oauth2.GenerateVerifier()))
		sitetest.Shows(t, ana.Open(t, consent), 200, nil, nil)
		w := ana.Post(t, "/oauth/consent", "authorization_id", id, "decisao", decision)
		back, err := url.Parse(w.Header().Get("Location"))
		if err != nil || back.Host != "assistente.exemplo" || back.Query().Get("error") != "access_denied" || back.Query().Get("code") != "" {
			t.Errorf("%q: back at %s", decision, back)
		}
	}
	sitetest.Shows(t, ana.Open(t, "/conta"), 200, []string{"Nenhum programa autorizado"}, nil)
}

// A client that was approved before must ask again: there is no silent consent.
func TestNoSilentConsent(t *testing.T) {
	t.Parallel()
	h := withOAuth(t)
	ana := h.SignedIn(t, "ana@exemplo.com")
	client := registered(t, h, "x", assistant)
	for range 2 {
		consent, id := sent(t, ana, asking(client, assistant, oauth2.GenerateVerifier()))
		sitetest.Shows(t, ana.Open(t, consent), 200, []string{"Autorizar <bdi>x</bdi>?"}, nil)
		if w := ana.Post(t, "/oauth/consent", "authorization_id", id, "decisao", "permitir"); !strings.Contains(w.Header().Get("Location"), "code=") {
			t.Fatalf("%d to %s", w.Code, w.Header().Get("Location"))
		}
	}
}

func TestConsentForged(t *testing.T) {
	t.Parallel()
	h := withOAuth(t)
	client := registered(t, h, "x", assistant)
	ana, phone := h.SignedIn(t, "ana@exemplo.com"), h.SignedIn(t, "ana@exemplo.com")
	bia := h.SignedIn(t, "bia@exemplo.com")
	consent, id := sent(t, ana, asking(client, assistant, oauth2.GenerateVerifier()))
	fields := []string{"authorization_id", id, "decisao", "permitir"}
	sitetest.Leads(t, ana.Post(t, "/oauth/consent", fields...), "/oauth/consent?erro=pedido") // before anything was shown
	sitetest.Shows(t, ana.Open(t, consent), 200, nil, nil)
	for _, other := range []*sitetest.Browser{phone, bia} {
		w := other.Open(t, consent)
		golden(t, "consent-of-another-browser", w, 404, "permitir")
		sitetest.Leads(t, other.Post(t, "/oauth/consent", fields...), "/oauth/consent?erro=pedido")
	}
	for _, from := range []string{"cross-site", "same-site"} {
		if w := ana.Send(sitetest.Form(t, "/oauth/consent", from, fields...)); w.Code != http.StatusForbidden {
			t.Errorf("a form of a %s page: %d", from, w.Code)
		}
	}
	if w := ana.Open(t, "/oauth/consent?"+url.Values{"authorization_id": {id}, "decisao": {"permitir"}}.Encode()); w.Code != http.StatusOK {
		t.Errorf("a decision in the address: %d", w.Code)
	}
	answer := ana.Post(t, "/oauth/consent", fields...).Header().Get("Location")
	if !strings.HasPrefix(answer, assistant+"?code=") {
		t.Errorf("who was asked: to %s", answer)
	}
	sitetest.Leads(t, ana.Post(t, "/oauth/consent", fields...), answer) // twice
	sitetest.Leads(t, ana.Post(t, "/oauth/consent", "authorization_id", id, "decisao", "recusar"), "/oauth/consent?erro=pedido")
	for _, other := range []*sitetest.Browser{phone, bia} {
		sitetest.Leads(t, other.Post(t, "/oauth/consent", fields...), "/oauth/consent?erro=pedido")
	}
	golden(t, "consent-answered", ana.Open(t, "/oauth/consent?erro=pedido"), 200)
	sitetest.Shows(t, ana.Open(t, consent), 404, []string{"já foi respondido"}, nil)
}

// The page cannot be framed (clickjacking), and its form can only lead to the request's
// destination.
func TestConsentIsNotFramed(t *testing.T) {
	t.Parallel()
	h := withOAuth(t)
	ana := h.SignedIn(t, "ana@exemplo.com")
	redirects := map[string]string{
		assistant: "form-action 'self' https:;", "http://localhost:3000/callback": "form-action 'self' https: http:;",
		"cursor://anysphere.cursor-mcp/oauth/callback": "form-action 'self' https: cursor:;",
	}
	for redirect, want := range redirects {
		consent, _ := sent(t, ana, asking(registered(t, h, "x", redirect), redirect, oauth2.GenerateVerifier()))
		w := ana.Open(t, consent)
		policy := w.Header().Get("Content-Security-Policy")
		pagetest.Texts(t, policy, []string{want, "frame-ancestors 'none'", "default-src 'none'", "script-src 'self';", "base-uri 'none'"}, nil)
		if w.Header().Get("X-Frame-Options") != "DENY" || w.Code != http.StatusOK {
			t.Errorf("%s: %d %v", redirect, w.Code, w.Header())
		}
	}
	if policy := ana.Open(t, "/conta").Header().Get("Content-Security-Policy"); !strings.Contains(policy, "form-action 'self';") {
		t.Errorf("other pages: %s", policy)
	}
}

func TestConsentSaysWhereTheAnswerGoes(t *testing.T) {
	t.Parallel()
	h := withOAuth(t)
	ana := h.SignedIn(t, "ana@exemplo.com")
	for name, redirect := range map[string]string{
		"website": assistant, "program-of-this-computer": "http://localhost:3000/x", "loopback-address": "http://127.0.0.1/x",
		"program-of-this-device": "cursor://anysphere.cursor-mcp/x", "punycode": "https://xn--clude-5ve.ai:443/x",
	} {
		consent, _ := sent(t, ana, asking(registered(t, h, "x", redirect), redirect, oauth2.GenerateVerifier()))
		golden(t, "consent-"+name, ana.Open(t, consent), 200)
	}
	operators, err := h.OAuth.AddClient(t.Context(), "Sistema interno", []string{assistant})
	if err != nil {
		t.Fatal(err)
	}
	consent, _ := sent(t, ana, asking(operators.ID, assistant, oauth2.GenerateVerifier()))
	golden(t, "consent-operators-program", ana.Open(t, consent), 200, "não verificado")
}

// The consent page and /conta show hosts as browsers use them, and names without hidden characters,
// also those of clients and authorizations from when the rules were laxer.
func TestLookAlikesAreShownAsTheyAre(t *testing.T) {
	t.Parallel()
	h := withOAuth(t)
	l := h.Stores
	ana := h.SignedIn(t, "ana@exemplo.com")
	execute := func(query string, arguments ...any) {
		t.Helper()
		if _, err := l.Pool.Exec(t.Context(), query, arguments...); err != nil {
			t.Fatal(err)
		}
	}
	const punycode = "https://xn--clude-5ve.ai/x"
	client := registered(t, h, "Cl\u200baude\u202e\u3164", "https://CLAUDE.ai/x", punycode, "http://localhost/x")
	execute(`UPDATE oauth_client SET name = $2 WHERE id = $1`, client, "\u202eClaude\u2800")
	hidden := []string{"\u202e", "\u200b", "\u3164", "\u2800", "CLAUDE", "\u0430"}
	for _, redirect := range []string{"https://CLAUDE.ai/x", punycode, "http://localhost:1/x", "http://localhost:2/x"} {
		consent, id := sent(t, ana, asking(client, redirect, oauth2.GenerateVerifier()))
		sitetest.Shows(t, ana.Open(t, consent), 200, []string{"<bdi>Claude</bdi>"}, hidden)
		if w := ana.Post(t, "/oauth/consent", "authorization_id", id, "decisao", "permitir"); w.Code != http.StatusSeeOther {
			t.Fatalf("%s: %d", redirect, w.Code)
		}
	}
	const document = "https://publica.exemplo/cliente"
	execute(`INSERT INTO oauth_client (id, origin, name, redirect_uris, fresh_until) VALUES ($1, 'document', 'Documentado', ARRAY[$2], now() + interval '1 hour')`,
		document, assistant)
	consent, id := sent(t, ana, asking(document, assistant, oauth2.GenerateVerifier()))
	golden(t, "consent-published", ana.Open(t, consent), 200)
	ana.Post(t, "/oauth/consent", "authorization_id", id, "decisao", "permitir")
	execute(`UPDATE oauth_code SET redirect_uri = $1 WHERE redirect_uri = $2`, "https://cl\u0430ude.ai/x", assistant)
	golden(t, "account-look-alikes", ana.Open(t, "/conta"), 200, hidden...)
}

// A client that was deleted, or has lost the redirect URI, since it asked.
func TestClientThatChangedMeanwhile(t *testing.T) {
	t.Parallel()
	h := withOAuth(t)
	l := h.Stores
	ana := h.SignedIn(t, "ana@exemplo.com")
	for code, change := range map[string]string{
		"programa": `DELETE FROM oauth_client WHERE id = $1`, "destino": `UPDATE oauth_client SET redirect_uris = '{https://outro.exemplo/}' WHERE id = $1`,
	} {
		client := registered(t, h, "x", assistant)
		consent, id := sent(t, ana, asking(client, assistant, oauth2.GenerateVerifier()))
		sitetest.Shows(t, ana.Open(t, consent), 200, nil, nil)
		if _, err := l.Pool.Exec(t.Context(), change, client); err != nil {
			t.Fatal(err)
		}
		name := map[string]string{"programa": "consent-unknown-program", "destino": "consent-refused-address"}[code]
		golden(t, name, ana.Open(t, consent), 404, "permitir")
		for _, decision := range []string{"permitir", "recusar"} {
			sitetest.Leads(t, ana.Post(t, "/oauth/consent", "authorization_id", id, "decisao", decision), "/oauth/consent?erro="+code)
		}
	}
}

// The longest request that is allowed gets through sign-in by mail, in a browser that sends cookies
// and as long a Referer as there is: 4,096 bytes (Referrer Policy §8.3). The limit of headers is 16 KB.
func TestLongestRequestThroughSignIn(t *testing.T) {
	t.Parallel()
	h := withOAuth(t)
	l := h.Stores
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(ctx, listener, h, slog.New(slog.DiscardHandler)) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	cookies := map[string]string{}
	ask := func(method, target, body string) (location, page string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, "http://"+listener.Addr().String()+target, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.Header.Set("User-Agent", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36")
		r.Header.Set("Referer", "https://razao.exemplo/"+strings.Repeat("r", 4096-len("https://razao.exemplo/")))
		for name, value := range cookies {
			r.AddCookie(&http.Cookie{Name: name, Value: value})
		}
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = answer.Body.Close() }()
		text, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusSeeOther {
			t.Fatalf("%s %.60s: %d %.200s, %v", method, target, answer.StatusCode, text, err)
		}
		for _, c := range answer.Cookies() {
			cookies[c.Name] = c.Value
		}
		return answer.Header.Get("Location"), string(text)
	}
	document := "https://publica.exemplo/" + strings.Repeat("c", 500-len("https://publica.exemplo/"))
	redirect := assistant + "?x=" + strings.Repeat("r", 2000-len(assistant)-3)
	if _, err := l.Pool.Exec(t.Context(), `
		INSERT INTO oauth_client (id, origin, name, redirect_uris, fresh_until) VALUES ($1, 'document', 'x', ARRAY[$2], now() + interval '1 hour')`,
		document, redirect); err != nil {
		t.Fatal(err)
	}
	state := strings.Repeat("s", 4<<10)
	consent, _ := ask(http.MethodGet, strings.Replace(asking(document, redirect, oauth2.GenerateVerifier()), "state=estado", "state="+state, 1), "")
	id := strings.TrimPrefix(consent, "/oauth/consent?authorization_id=")
	login, _ := ask(http.MethodGet, consent, "")
	if login != "/login?next="+url.QueryEscape(consent) {
		t.Fatalf("led to %.80s", login)
	}
	if _, page := ask(http.MethodGet, login, ""); !strings.Contains(page, id) {
		t.Error("the sign-in page has lost the request")
	}
	sent, _ := ask(http.MethodPost, "/auth/magic-link", url.Values{"email": {"ana@exemplo.com"}, "next": {consent}}.Encode())
	ask(http.MethodGet, sent, "")
	link, err := url.Parse(mailedLink.FindStringSubmatch(h.Mail(t))[1])
	if err != nil || link.Query().Get("next") != consent {
		t.Fatalf("the mail's link goes on to %.80s, %v", link.Query().Get("next"), err)
	}
	ask(http.MethodGet, link.RequestURI(), "")
	next, _ := ask(http.MethodPost, "/auth/callback", url.Values{"token": {link.Query().Get("token")}, "next": {consent}}.Encode())
	if next != consent {
		t.Fatalf("signed in and led to %.80s", next)
	}
	if _, page := ask(http.MethodGet, consent, ""); !strings.Contains(page, id) {
		t.Error("the consent page has lost the request")
	}
	back, _ := ask(http.MethodPost, "/oauth/consent", url.Values{"authorization_id": {id}, "decisao": {"permitir"}}.Encode())
	u, err := url.Parse(back)
	if err != nil || !strings.HasPrefix(back, redirect+"&code=") || u.Query().Get("state") != state {
		t.Errorf("back at %.80s, %v", back, err)
	}
}

func TestRequestsThatLeadNowhere(t *testing.T) {
	t.Parallel()
	h := withOAuth(t)
	l := h.Stores
	ana := h.SignedIn(t, "ana@exemplo.com")
	client := registered(t, h, "x", assistant)
	for address, name := range map[string]string{
		asking("ninguem", assistant, oauth2.GenerateVerifier()):                   "unknown-program",
		asking(client, "https://mal.exemplo/callback", oauth2.GenerateVerifier()): "refused-address",
		asking("https://127.0.0.1:1/doc", assistant, oauth2.GenerateVerifier()):   "unidentified-program",
		asking("https://localhost/../doc", assistant, oauth2.GenerateVerifier()):  "unidentified-program",
		"/oauth/authorize": "unknown-program",
		strings.Replace(asking(client, assistant, oauth2.GenerateVerifier()), "S256", "plain", 1): "invalid-request",
	} {
		w := ana.Open(t, address)
		golden(t, "consent-"+name, w, 400, "permitir")
		if w.Header().Get("Location") != "" {
			t.Errorf("%s leads to %s", address, w.Header().Get("Location"))
		}
	}
	for code, name := range map[string]string{
		"programa": "unknown-program", "documento": "unidentified-program", "destino": "refused-address",
		"pedido": "ended", "x": "ended", "<script>": "ended",
	} {
		golden(t, "consent-error-"+name, ana.Open(t, "/oauth/consent?erro="+url.QueryEscape(code)), 200, "<script>")
	}
	for _, query := range []string{"", "?authorization_id=", "?authorization_id=x", "?authorization_id=%00"} {
		golden(t, "consent-without-a-request", ana.Open(t, "/oauth/consent"+query), 404)
	}
	consent, id := sent(t, ana, asking(client, assistant, oauth2.GenerateVerifier()))
	l.Pool.Close()
	for _, w := range []*httptest.ResponseRecorder{
		ana.Open(t, consent), ana.Post(t, "/oauth/consent", "authorization_id", id, "decisao", "permitir"),
		ana.Open(t, asking(client, assistant, oauth2.GenerateVerifier())),
	} {
		sitetest.Shows(t, w, 503, []string{"Não foi possível consultar agora"}, nil)
	}
}
