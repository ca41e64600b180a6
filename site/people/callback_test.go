package people_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"razao/internal/people/signin"
	"razao/site/sitetest"
)

// newProvider is a fake GitHub with one user, whose address is verified or not, and one valid code.
func newProvider(t *testing.T, verified bool) signin.Provider {
	t.Helper()
	mux := http.NewServeMux()
	answer := func(path, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if r.Method == http.MethodPost && r.FormValue("code") != "certo" {
				_, _ = fmt.Fprint(w, `{"error":"bad_verification_code"}`)
				return
			}
			_, _ = fmt.Fprint(w, body)
		})
	}
	answer("/login/oauth/access_token", `{"access_token":"ficha","token_type":"bearer"}`)
	answer("/api/v3/user", `{"id":7}`)
	answer("/api/v3/user/emails", fmt.Sprintf(`[{"email":"ana@exemplo.com","primary":true,"verified":%t}]`, verified))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return signin.Provider{ID: "github", Name: "Provedor & Cia", Kind: signin.GitHub, Issuer: server.URL, ClientID: "razao", ClientSecret: "segredo"}
}

// leave starts a sign-in at the provider and returns its state parameter.
func leave(t *testing.T, p *sitetest.Browser, next string) string {
	t.Helper()
	w := p.Open(t, "/auth/github?next="+url.QueryEscape(next))
	u, err := url.Parse(w.Header().Get("Location"))
	if err != nil || w.Code != http.StatusSeeOther || !strings.HasSuffix(u.Path, "/login/oauth/authorize") {
		t.Fatalf("status %d to %s, %v", w.Code, u, err)
	}
	if back := u.Query().Get("redirect_uri"); back != "https://razao.exemplo/auth/callback" {
		t.Errorf("the provider leads back to %s", back)
	}
	return url.QueryEscape(u.Query().Get("state"))
}

func TestSignInByProvider(t *testing.T) {
	t.Parallel()
	h := withProvider(t, newProvider(t, true))
	ana := h.Visitor()
	golden(t, "login-with-a-provider", ana.Open(t, "/login?next=%2Fbusca%3Fq%3Da"), 200)
	sitetest.Leads(t, ana.Open(t, "/auth/callback?error=access_denied&state="+leave(t, ana, "/conta")), "/login?error=cancelado&next=%2Fconta")
	sitetest.Leads(t, ana.Open(t, "/auth/callback?code=errado&state="+leave(t, ana, "/conta")), "/login?error=provedor&next=%2Fconta")

	state := leave(t, ana, "/busca?q=a")
	target := "/auth/callback?code=certo&state=" + state
	head := httptest.NewRequestWithContext(t.Context(), http.MethodHead, target, nil)
	if w := ana.Send(head); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("a look at the answer: status %d", w.Code)
	}
	sitetest.Leads(t, h.Visitor().Open(t, "/auth/callback?code=certo&state="+leave(t, ana, "/")), "/login?error=tentativa")
	sitetest.Leads(t, ana.Open(t, target), "/busca?q=a")
	sitetest.Shows(t, ana.Open(t, "/conta"), 200, []string{"ana@exemplo.com"}, nil)
	sitetest.Leads(t, ana.Open(t, target), "/login?error=tentativa")

	before := ana.Cookies[sitetest.SessionCookie]
	sitetest.Leads(t, ana.Open(t, "/auth/callback?code=certo&state="+leave(t, ana, "//outro.exemplo")), "/")
	if ana.Cookies[sitetest.SessionCookie] == before {
		t.Error("the session kept its token at a new sign-in")
	}
	body := sitetest.Shows(t, ana.Open(t, "/conta"), 200, nil, nil)
	if n := len(ending.FindAllString(body, -1)); n != 1 {
		t.Errorf("%d sessions are open in one browser", n)
	}
}

func TestProviderThatFails(t *testing.T) {
	t.Parallel()
	stranger := withProvider(t, newProvider(t, false)).Visitor()
	sitetest.Leads(t, stranger.Open(t, "/auth/callback?code=certo&state="+leave(t, stranger, "/")), "/login?error=email")

	away := signin.Provider{ID: "longe", Name: "Longe", Issuer: "http://127.0.0.1:1", ClientID: "razao"}
	stranger = withProvider(t, away).Visitor()
	sitetest.Leads(t, stranger.Open(t, "/auth/longe?next=%2Fconta"), "/login?error=provedor&next=%2Fconta")
}

// The confirmation of a magic link that a browser sends again continues its session, for a minute and until that ends. It is
// worthless in another browser.
func TestConfirmationSentTwice(t *testing.T) {
	t.Parallel()
	h := sitetest.Empty(t)
	other := h.Visitor()
	other.Open(t, "/auth/callback?token=x") // has a cookie of its own
	ends := map[string]func(*sitetest.Browser){
		"signed out": func(b *sitetest.Browser) { sitetest.Leads(t, b.Post(t, "/conta/sair"), "/login?aviso=saiu") },
		"later": func(*sitetest.Browser) {
			if _, err := h.Stores.Pool.Exec(t.Context(), `UPDATE session SET created_at = now() - interval '61 seconds'`); err != nil {
				t.Fatal(err)
			}
		},
	}
	for name, end := range ends {
		ana := h.Visitor()
		token, _ := link(t, ana, "ana@exemplo.com", "/")
		ana.Open(t, "/auth/callback?token="+token)
		confirm := func(b *sitetest.Browser, where string) {
			t.Helper()
			sitetest.Leads(t, b.Post(t, "/auth/callback", "token", token), where)
		}
		confirm(ana, "/")
		session := ana.Cookies[sitetest.SessionCookie]
		delete(ana.Cookies, sitetest.SessionCookie) // the browser dropped the first answer
		confirm(ana, "/")
		if again := ana.Cookies[sitetest.SessionCookie]; again != session || again == "" {
			t.Errorf("%s: session %q became %q", name, session, again)
		}
		confirm(other, "/login?error=link")
		confirm(h.Visitor(), "/login?error=link")
		end(ana)
		confirm(ana, "/login?error=link")
	}
}

// The page's URL holds the token, so it sets Referrer-Policy: no-referrer, and browsers post its
// form with Origin: null. Without Sec-Fetch-Site (plain http, older Safari) that must be accepted
// from the same browser, and from nobody else.
func TestCallbackSendsNoReferrer(t *testing.T) {
	t.Parallel()
	h := sitetest.Empty(t)
	ana := h.Visitor()
	token, _ := link(t, ana, "ana@exemplo.com", "/estados")
	link := "/auth/callback?token=" + token + "&next=%2Festados"
	body := ""
	for _, target := range []string{link, "/auth/callback", "/auth/callback?token=x", "/auth/callback?state=x&code=y"} {
		w := ana.Open(t, target)
		if policy := w.Header().Get("Referrer-Policy"); policy != "no-referrer" {
			t.Errorf("%s: Referrer-Policy %q", target, policy)
		}
		if target == link {
			body = w.Body.String()
		}
	}
	browser := regexp.MustCompile(`name="navegador" value="([^"]+)"`).FindStringSubmatch(body)
	if browser == nil {
		t.Fatalf("the form is not of this browser: %s", body)
	}
	confirm := func(p *sitetest.Browser, navegador string) *httptest.ResponseRecorder {
		t.Helper()
		r := sitetest.Form(t, "/auth/callback", "", "token", token, "next", "/estados", "navegador", navegador)
		r.Header.Del("Sec-Fetch-Site")
		r.Header.Set("Origin", "null")
		return p.Send(r)
	}
	other := h.Visitor()
	other.Open(t, "/auth/callback?token=x")
	for name, w := range map[string]*httptest.ResponseRecorder{
		"without the field": confirm(ana, ""), "with another": confirm(ana, browser[1]+"x"), "of another browser": confirm(other, browser[1]),
		"of a browser without cookies": confirm(h.Visitor(), browser[1]),
	} {
		if w.Code != http.StatusForbidden {
			t.Errorf("%s: status %d, want 403", name, w.Code)
		}
	}
	w := confirm(ana, browser[1])
	sitetest.Leads(t, w, "/estados")
	if policy := w.Header().Get("Referrer-Policy"); policy != "no-referrer" {
		t.Errorf("confirmed: Referrer-Policy %q", policy)
	}
}
