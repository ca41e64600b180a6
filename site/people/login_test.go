package people_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"razao/internal/people/account"
	"razao/site"
	"razao/site/sitetest"
)

func TestFormsOfOtherSites(t *testing.T) {
	t.Parallel()
	h := sitetest.Empty(t)
	cookie := h.Session(t, "ana@exemplo.com")
	check := sitetest.NewAnswerCheck(t)
	for _, target := range []string{
		"/auth/magic-link", "/auth/callback", "/conta/sair", "/conta/chaves", "/conta/chaves/1/revogar", "/conta/sessoes/1/encerrar",
		"/conta/sessoes/encerrar-outras", "/conta/excluir",
	} {
		r := sitetest.Form(t, target, "cross-site", "email", "ana@exemplo.com", "nome", "x")
		w := h.Browser(cookie).Send(r)
		golden(t, "form-of-another-site", w, 403)
		check.AnswerTo(t, http.MethodPost, strings.Replace(target, "/1/", "/{id}/", 1), w)
		oversize := sitetest.Form(t, target, "same-origin", "email", strings.Repeat("x", 20<<10))
		golden(t, "form-too-large", h.Browser(cookie).Send(oversize), 413)
		upload := sitetest.Form(t, target, "same-origin", "email", "ana@exemplo.com")
		upload.Header.Set("Content-Type", "text/plain")
		golden(t, "form-unreadable", h.Browser(cookie).Send(upload), 400)
	}
	body := sitetest.Shows(t, h.Browser(cookie).Open(t, "/conta"), 200, []string{"Ainda não há chaves"}, nil)
	if strings.Count(body, "/encerrar\"") != 1 {
		t.Error("the session is not the only one any more")
	}
}

func TestLoginNext(t *testing.T) {
	t.Parallel()
	h := sitetest.Empty(t)
	cookie := h.Session(t, "ana@exemplo.com")
	for next, want := range map[string]string{
		"/busca?q=a&uf=SP": "/busca?q=a&uf=SP", "//outro.exemplo": "/conta", "https://outro.exemplo/": "/conta", `/\outro.exemplo`: "/conta",
		"/%2foutro.exemplo": "/conta", "javascript:alert(1)": "/conta", "": "/conta",
	} {
		sitetest.Leads(t, h.Browser(cookie).Open(t, "/login?next="+url.QueryEscape(next)), want)
	}
	golden(t, "login-next-elsewhere", h.Visitor().Open(t, "/login?next=//outro.exemplo"), 200, "outro.exemplo")
}

func TestLoginErrors(t *testing.T) {
	t.Parallel()
	h := sitetest.Empty(t)
	for _, code := range []string{"link", "tentativa", "cancelado", "provedor", "email"} {
		golden(t, "login-error-"+code, h.Visitor().Open(t, "/login?error="+code), 200)
	}
	for _, code := range []string{"x", url.QueryEscape("<script>")} {
		golden(t, "login-error-of-another-kind", h.Visitor().Open(t, "/login?error="+code), 200, "<script>")
	}
	for i, email := range []string{"", "ana", "ana@exemplo.com\r\nBcc: x@exemplo.com", "а@exemplo.com", "\"><script>@"} {
		w := h.Visitor().Post(t, "/auth/magic-link", "email", email, "next", "/conta")
		golden(t, "login-address-refused-"+strconv.Itoa(i), w, 422, "<script>@")
	}
	last := 0
	for range 20 {
		w := h.Visitor().Post(t, "/auth/magic-link", "email", "ana@exemplo.com")
		if last = w.Code; last != http.StatusSeeOther {
			golden(t, "login-too-many-links", w, 429)
			if w.Header().Get("Retry-After") == "" {
				t.Error("no Retry-After")
			}
			break
		}
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("after many links: status %d", last)
	}
	sitetest.Leads(t, h.Visitor().Open(t, "/auth/callback"), "/login")
	sitetest.Leads(t, h.Visitor().Open(t, "/auth/callback?state=x&code=y"), "/login?error=tentativa")
	sitetest.Leads(t, h.Visitor().Open(t, "/auth/callback?token=x&next=%2Fconta"), "/login?error=link&next=%2Fconta")
	if w := h.Visitor().Open(t, "/auth/ninguem"); w.Code != http.StatusNotFound {
		t.Errorf("unknown provider: status %d", w.Code)
	}
}

func TestExpiredLink(t *testing.T) {
	t.Parallel()
	h := sitetest.Empty(t)
	h.Visitor().Post(t, "/auth/magic-link", "email", "ana@exemplo.com")
	link := mailedLink.FindStringSubmatch(h.Mail(t))[1]
	sitetest.Shows(t, h.Visitor().Open(t, link), 200, []string{"ana@exemplo.com"}, nil)
	if _, err := h.Stores.Pool.Exec(t.Context(), `UPDATE magic_link SET created_at = now() - interval '15 minutes 1 second'`); err != nil {
		t.Fatal(err)
	}
	sitetest.Leads(t, h.Visitor().Open(t, link), "/login?error=link")
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	sitetest.Leads(t, h.Visitor().Post(t, "/auth/callback", "token", u.Query().Get("token")), "/login?error=link")
}

func TestSignInIsWholeOrAbsent(t *testing.T) {
	t.Parallel()
	l := sitetest.WithAccounts(t).Stores
	if _, err := site.New(site.Config{Live: l.Live, Ping: l.Pool.Ping, Accounts: account.NewStore(l.Pool, nil)}); err == nil {
		t.Error("accounts without sign-in are accepted")
	}
	h := sitetest.Serve(t, site.Config{Live: l.Live, Ping: l.Pool.Ping})
	for _, target := range []string{"/login", "/conta", "/auth/callback"} {
		if w := h.Get(t, target); w.Code != http.StatusNotFound || strings.Contains(w.Body.String(), ">Entrar<") {
			t.Errorf("%s: status %d", target, w.Code)
		}
	}
	h.Status(t, http.StatusSeeOther, "/empresas.csv")
}
