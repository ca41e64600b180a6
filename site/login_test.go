package site

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"razao/internal/account"
	"razao/internal/fixture"
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
		shows(t, w, 403, []string{"não é deste site"}, nil)
		check.answerTo(t, http.MethodPost, strings.Replace(target, "/1/", "/{id}/", 1), w)
		oversize := form(t, target, "same-origin", "email", strings.Repeat("x", 20<<10))
		shows(t, newPerson(h, cookie).send(oversize), 413, []string{"Formulário grande demais"}, nil)
		upload := form(t, target, "same-origin", "email", "ana@exemplo.com")
		upload.Header.Set("Content-Type", "text/plain")
		shows(t, newPerson(h, cookie).send(upload), 400, []string{"Formulário ilegível"}, nil)
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
	shows(t, newPerson(h, "").open(t, "/login?next=//outro.exemplo"), 200, []string{`name="next" value="/"`}, []string{"outro.exemplo"})
}

func TestLoginErrors(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	h, _ := newHandler(t, l)
	for code, text := range map[string]string{
		"link":      "Este link de acesso já foi usado ou venceu. Peça outro abaixo: ele vale por 15 minutos e uma única vez.",
		"tentativa": "Esta tentativa de entrar venceu, já terminou ou começou em outro navegador. Comece de novo.",
		"cancelado": "A entrada foi cancelada no provedor. Nada mudou; tente de novo ou use um link por e-mail.",
		"provedor":  "O provedor não respondeu como devia. Tente de novo em instantes ou use um link por e-mail.",
		"email":     "O provedor não confirmou nenhum endereço de e-mail seu. Confirme o endereço no provedor ou use um link por e-mail.",
	} {
		shows(t, newPerson(h, "").open(t, "/login?error="+code), 200, []string{text, `role="alert"`}, nil)
	}
	for _, code := range []string{"x", url.QueryEscape("<script>")} {
		shows(t, newPerson(h, "").open(t, "/login?error="+code), 200, []string{"Não foi possível entrar"}, []string{"<script>"})
	}
	for _, email := range []string{"", "ana", "ana@exemplo.com\r\nBcc: x@exemplo.com", "а@exemplo.com", "\"><script>@"} {
		w := newPerson(h, "").post(t, "/auth/magic-link", "email", email, "next", "/conta")
		shows(t, w, 422, []string{"endereço de e-mail completo", `aria-invalid="true"`, `name="next" value="/conta"`}, []string{"<script>@"})
	}
	last := 0
	for range 20 {
		w := newPerson(h, "").post(t, "/auth/magic-link", "email", "ana@exemplo.com")
		if last = w.Code; last != http.StatusSeeOther {
			shows(t, w, 429, []string{"Foram pedidos links demais"}, nil)
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
	if _, err := New(Config{Live: l.Live, Ping: l.Pool.Ping, Accounts: account.NewStore(l.Pool)}); err == nil {
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
