package site

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"razao/internal/people/signin"
	"razao/internal/testing/fixture"
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
func (p *person) leave(t *testing.T, next string) string {
	t.Helper()
	w := p.open(t, "/auth/github?next="+url.QueryEscape(next))
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
	h := served(newSite(t, fixture.Empty(t), t.TempDir(), newProvider(t, true)))
	ana := newPerson(h, "")
	told(t, "login-with-a-provider", ana.open(t, "/login?next=%2Fbusca%3Fq%3Da"), 200)
	leads(t, ana.open(t, "/auth/callback?error=access_denied&state="+ana.leave(t, "/conta")), "/login?error=cancelado&next=%2Fconta")
	leads(t, ana.open(t, "/auth/callback?code=errado&state="+ana.leave(t, "/conta")), "/login?error=provedor&next=%2Fconta")

	state := ana.leave(t, "/busca?q=a")
	target := "/auth/callback?code=certo&state=" + state
	head := httptest.NewRequestWithContext(t.Context(), http.MethodHead, target, nil)
	if w := ana.send(head); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("a look at the answer: status %d", w.Code)
	}
	leads(t, newPerson(h, "").open(t, "/auth/callback?code=certo&state="+ana.leave(t, "/")), "/login?error=tentativa")
	leads(t, ana.open(t, target), "/busca?q=a")
	shows(t, ana.open(t, "/conta"), 200, []string{"ana@exemplo.com"}, nil)
	leads(t, ana.open(t, target), "/login?error=tentativa")

	before := ana.cookies[sessionCookie]
	leads(t, ana.open(t, "/auth/callback?code=certo&state="+ana.leave(t, "//outro.exemplo")), "/")
	if ana.cookies[sessionCookie] == before {
		t.Error("the session kept its token at a new sign-in")
	}
	body := shows(t, ana.open(t, "/conta"), 200, nil, nil)
	if n := len(ending.FindAllString(body, -1)); n != 1 {
		t.Errorf("%d sessions are open in one browser", n)
	}
}

func TestProviderThatFails(t *testing.T) {
	t.Parallel()
	stranger := newPerson(served(newSite(t, fixture.Empty(t), t.TempDir(), newProvider(t, false))), "")
	leads(t, stranger.open(t, "/auth/callback?code=certo&state="+stranger.leave(t, "/")), "/login?error=email")

	away := signin.Provider{ID: "longe", Name: "Longe", Issuer: "http://127.0.0.1:1", ClientID: "razao"}
	stranger = newPerson(served(newSite(t, fixture.Empty(t), t.TempDir(), away)), "")
	leads(t, stranger.open(t, "/auth/longe?next=%2Fconta"), "/login?error=provedor&next=%2Fconta")
}

// The page's URL holds the token, so it sets Referrer-Policy: no-referrer, and browsers post its
// form with Origin: null. Without Sec-Fetch-Site (plain http, older Safari) that must be accepted
// from the same browser, and from nobody else.
func TestCallbackSendsNoReferrer(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	h := served(newSite(t, l, t.TempDir()))
	ana := newPerson(h, "")
	token, _ := ana.link(t, l, "ana@exemplo.com", "/estados")
	link := "/auth/callback?token=" + token + "&next=%2Festados"
	body := ""
	for _, target := range []string{link, "/auth/callback", "/auth/callback?token=x", "/auth/callback?state=x&code=y"} {
		w := ana.open(t, target)
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
	confirm := func(p *person, navegador string) *httptest.ResponseRecorder {
		t.Helper()
		r := form(t, "/auth/callback", "", "token", token, "next", "/estados", "navegador", navegador)
		r.Header.Del("Sec-Fetch-Site")
		r.Header.Set("Origin", "null")
		return p.send(r)
	}
	other := newPerson(h, "")
	other.open(t, "/auth/callback?token=x")
	for name, w := range map[string]*httptest.ResponseRecorder{
		"without the field": confirm(ana, ""), "with another": confirm(ana, browser[1]+"x"), "of another browser": confirm(other, browser[1]),
		"of a browser without cookies": confirm(newPerson(h, ""), browser[1]),
	} {
		if w.Code != http.StatusForbidden {
			t.Errorf("%s: status %d, want 403", name, w.Code)
		}
	}
	w := confirm(ana, browser[1])
	leads(t, w, "/estados")
	if policy := w.Header().Get("Referrer-Policy"); policy != "no-referrer" {
		t.Errorf("confirmed: Referrer-Policy %q", policy)
	}
}
