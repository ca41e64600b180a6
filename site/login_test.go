package site

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"razao/internal/people/account"
	"razao/internal/testing/fixture"
)

func TestFormsOfOtherSites(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	s := newSite(t, l, t.TempDir())
	cookie := signedIn(t, s, "ana@exemplo.com")
	h := served(s)
	check := newAnswerCheck(t)
	for _, target := range []string{
		"/auth/magic-link", "/auth/callback", "/conta/sair", "/conta/chaves", "/conta/chaves/1/revogar", "/conta/sessoes/1/encerrar",
		"/conta/sessoes/encerrar-outras", "/conta/excluir",
	} {
		r := form(t, target, "cross-site", "email", "ana@exemplo.com", "nome", "x")
		w := newPerson(h, cookie).send(r)
		told(t, "form-of-another-site", w, 403)
		check.answerTo(t, http.MethodPost, strings.Replace(target, "/1/", "/{id}/", 1), w)
		oversize := form(t, target, "same-origin", "email", strings.Repeat("x", 20<<10))
		told(t, "form-too-large", newPerson(h, cookie).send(oversize), 413)
		upload := form(t, target, "same-origin", "email", "ana@exemplo.com")
		upload.Header.Set("Content-Type", "text/plain")
		told(t, "form-unreadable", newPerson(h, cookie).send(upload), 400)
	}
	body := shows(t, newPerson(h, cookie).open(t, "/conta"), 200, []string{"Ainda não há chaves"}, nil)
	if strings.Count(body, "/encerrar\"") != 1 {
		t.Error("the session is not the only one any more")
	}
}

func TestLoginNext(t *testing.T) {
	t.Parallel()
	h, s := newHandler(t, fixture.Empty(t))
	cookie := signedIn(t, s, "ana@exemplo.com")
	for next, want := range map[string]string{
		"/busca?q=a&uf=SP": "/busca?q=a&uf=SP", "//outro.exemplo": "/conta", "https://outro.exemplo/": "/conta", `/\outro.exemplo`: "/conta",
		"/%2foutro.exemplo": "/conta", "javascript:alert(1)": "/conta", "": "/conta",
	} {
		leads(t, newPerson(h, cookie).open(t, "/login?next="+url.QueryEscape(next)), want)
	}
	told(t, "login-next-elsewhere", newPerson(h, "").open(t, "/login?next=//outro.exemplo"), 200, "outro.exemplo")
}

func TestLoginErrors(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	h, _ := newHandler(t, l)
	for _, code := range []string{"link", "tentativa", "cancelado", "provedor", "email"} {
		told(t, "login-error-"+code, newPerson(h, "").open(t, "/login?error="+code), 200)
	}
	for _, code := range []string{"x", url.QueryEscape("<script>")} {
		told(t, "login-error-of-another-kind", newPerson(h, "").open(t, "/login?error="+code), 200, "<script>")
	}
	for i, email := range []string{"", "ana", "ana@exemplo.com\r\nBcc: x@exemplo.com", "а@exemplo.com", "\"><script>@"} {
		w := newPerson(h, "").post(t, "/auth/magic-link", "email", email, "next", "/conta")
		told(t, "login-address-refused-"+strconv.Itoa(i), w, 422, "<script>@")
	}
	last := 0
	for range 20 {
		w := newPerson(h, "").post(t, "/auth/magic-link", "email", "ana@exemplo.com")
		if last = w.Code; last != http.StatusSeeOther {
			told(t, "login-too-many-links", w, 429)
			if w.Header().Get("Retry-After") == "" {
				t.Error("no Retry-After")
			}
			break
		}
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("after many links: status %d", last)
	}
	leads(t, newPerson(h, "").open(t, "/auth/callback"), "/login")
	leads(t, newPerson(h, "").open(t, "/auth/callback?state=x&code=y"), "/login?error=tentativa")
	leads(t, newPerson(h, "").open(t, "/auth/callback?token=x&next=%2Fconta"), "/login?error=link&next=%2Fconta")
	if w := newPerson(h, "").open(t, "/auth/ninguem"); w.Code != http.StatusNotFound {
		t.Errorf("unknown provider: status %d", w.Code)
	}
}

func TestExpiredLink(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	mails := t.TempDir()
	h := served(newSite(t, l, mails))
	newPerson(h, "").post(t, "/auth/magic-link", "email", "ana@exemplo.com")
	link := mailedLink.FindStringSubmatch(letter(t, l, mails))[1]
	shows(t, newPerson(h, "").open(t, link), 200, []string{"ana@exemplo.com"}, nil)
	if _, err := l.Pool.Exec(t.Context(), `UPDATE magic_link SET created_at = now() - interval '15 minutes 1 second'`); err != nil {
		t.Fatal(err)
	}
	leads(t, newPerson(h, "").open(t, link), "/login?error=link")
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	leads(t, newPerson(h, "").post(t, "/auth/callback", "token", u.Query().Get("token")), "/login?error=link")
}

func TestSignInIsWholeOrAbsent(t *testing.T) {
	t.Parallel()
	l := peopled(t)
	if _, err := New(Config{Live: l.Live, Ping: l.Pool.Ping, Accounts: account.NewStore(l.Pool, nil)}); err == nil {
		t.Error("accounts without sign-in are accepted")
	}
	s, err := New(Config{Live: l.Live, Ping: l.Pool.Ping})
	if err != nil {
		t.Fatal(err)
	}
	h := served(s)
	for _, target := range []string{"/login", "/conta", "/auth/callback"} {
		if w := get(t, h, target); w.Code != http.StatusNotFound || strings.Contains(w.Body.String(), ">Entrar<") {
			t.Errorf("%s: status %d", target, w.Code)
		}
	}
	if w := get(t, h, "/empresas.csv"); w.Code != http.StatusSeeOther {
		t.Errorf("/empresas.csv: status %d", w.Code)
	}
}
