package people_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/oauth2"

	"razao/internal/people/signin"
	"razao/internal/testing/outline"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// withProvider returns a site without a load at which people sign in by a provider, too.
func withProvider(t *testing.T, p signin.Provider) *sitetest.Site {
	t.Helper()
	return sitetest.Empty(t, func(s *sitetest.Setup) { s.Providers = []signin.Provider{p} })
}

// withOAuth returns a site without a load, with its authorization server.
func withOAuth(t *testing.T) *sitetest.Site {
	t.Helper()
	s := sitetest.Empty(t)
	s.OAuth.Register(s.Engine, s.RefuseAuthorization)
	return s
}

// golden is [sitetest.Shows] with a golden file. Unlike goldenWhole, it leaves out the usage of an
// account, which has a line per day.
func golden(t *testing.T, name string, w *httptest.ResponseRecorder, status int, lacks ...string) string {
	t.Helper()
	body := sitetest.Shows(t, w, status, nil, lacks)
	sitetest.Golden(t, name, w, append(slices.Clone(ofToday), outline.Without("section", "aria-labelledby", "uso"))...)
	return body
}

func goldenWhole(t *testing.T, name string, w *httptest.ResponseRecorder, status int, lacks ...string) string {
	t.Helper()
	body := sitetest.Shows(t, w, status, nil, lacks)
	sitetest.Golden(t, name, w, ofToday...)
	return body
}

// ofToday masks what differs between runs: keys, other secrets, dates and times.
var ofToday = []outline.Option{
	outline.Masked(`rz_[0-9A-Za-z]+`, "rz_chave"),
	outline.Masked(`((?:token|authorization_id|navegador|formulario) value=)\S+?\]`, "${1}segredo]"),
	outline.Masked(`cancelar\?token=[\w-]+`, "cancelar?token=segredo"),
	outline.Masked(`/conta/mudancas/[\w-]+`, "/conta/mudancas/segredo"),
	outline.Masked(`(name=(?:webhook|evento) value=)[\w-]+`, "${1}id"),
	outline.Masked(`\d\d/\d\d/\d{4}(,? (?:às )?\d\d:\d\d(?::\d\d)?)?`, "dd/mm/aaaa$1"),
	outline.Masked(`\d\d/\d\d\b`, "dd/mm"),
	outline.Masked(`\b\d\d:\d\d(:\d\d)?\b`, "hh:mm"),
}

// creating is a form that creates something.
type creating struct {
	page   func(*testing.T, *sitetest.Browser) string // opens a new form
	fields []string                                   // that people fill in; # is the number of the form
	count  string                                     // query: how many there are of what it creates
	shown  func(*testing.T, *sitetest.Browser) string // what the page shows that the answer leads to
}

// creatingForms are the forms of the site that create something.
var creatingForms = map[string]creating{
	"/conta/chaves": {opened("/conta"), []string{"nome", "planilha"}, `SELECT count(*) FROM api_key`, func(t *testing.T, b *sitetest.Browser) string {
		t.Helper()
		return plainKey.FindString(opened("/conta")(t, b))
	}},
	"/auth/magic-link": {
		func(t *testing.T, b *sitetest.Browser) string {
			t.Helper()
			clear(b.Cookies) // nobody is signed in
			return opened("/login")(t, b)
		},
		[]string{"email", "bia@exemplo.com"},
		`SELECT greatest((SELECT count(*) FROM mail_outbox), (SELECT count(*) FROM magic_link), (SELECT max(links) FROM signin_quota))`,
		func(t *testing.T, b *sitetest.Browser) string {
			t.Helper()
			return pagetest.Parse(t, opened("/login?aviso=enviado")(t, b)).Of("p", "role", "status")[0].Text()
		},
	},
	"/auth/callback": {
		func(t *testing.T, b *sitetest.Browser) string {
			t.Helper()
			clear(b.Cookies)
			token, _ := link(t, b, "bia@exemplo.com", "/estados")
			return opened("/auth/callback?token="+token)(t, b)
		},
		nil, `SELECT count(*) FROM session s JOIN account a ON a.id = s.account_id WHERE a.email = 'bia@exemplo.com'`,
		func(t *testing.T, b *sitetest.Browser) string {
			t.Helper()
			return pagetest.Between(opened("/conta")(t, b), "<dt>E-mail</dt>", "</dd>")
		},
	},
	"/conta/seguir": {
		opened("/conta/seguindo"), []string{"valor", "1234567#"}, `SELECT count(*) FROM follow`, opened("/conta/carteira"),
	},
	"/conta/webhooks": {
		opened("/conta/webhooks"), []string{"url", "https://exemplo.com/#"}, `SELECT count(*) FROM webhook`, func(t *testing.T, b *sitetest.Browser) string {
			t.Helper()
			return plainSecret.FindString(opened("/conta/webhooks")(t, b))
		},
	},
	"/conta/webhooks/testar": {
		func(t *testing.T, b *sitetest.Browser) string {
			t.Helper()
			if !strings.Contains(opened("/conta/webhooks")(t, b), "/conta/webhooks/testar") {
				b.Post(t, "/conta/webhooks", "url", "https://exemplo.com/")
			}
			return opened("/conta/webhooks")(t, b)
		},
		[]string{"webhook", "1"},
		`SELECT count(*) FROM webhook_delivery`, func(t *testing.T, b *sitetest.Browser) string {
			t.Helper()
			return pagetest.Parse(t, opened("/conta/webhooks")(t, b)).At(t, "entregas").Text()
		},
	},
	"/privacidade/ocultar": {
		opened("/privacidade/ocultar"),
		[]string{"cnpj", "12345678000195", "email", "rui#@exemplo.com"},
		`SELECT count(*) FROM hiding_request`, opened("/privacidade/ocultar?aviso=recebido"),
	},
	"/oauth/consent": {
		func(t *testing.T, b *sitetest.Browser) string {
			t.Helper()
			consent, _ := sent(t, b, asking(registered(t, b.Site, "x", assistant), assistant, oauth2.GenerateVerifier()))
			return opened(consent)(t, b)
		},
		[]string{"decisao", "permitir"},
		`SELECT count(*) FROM oauth_code`,
		func(*testing.T, *sitetest.Browser) string { return assistant },
	},
}

func opened(target string) func(*testing.T, *sitetest.Browser) string {
	return func(t *testing.T, b *sitetest.Browser) string {
		t.Helper()
		return sitetest.Shows(t, b.Open(t, target), 200, nil, nil)
	}
}

// TestFormsThatCreate fails if a form of the site is not known to create something or nothing.
func TestFormsThatCreate(t *testing.T) {
	t.Parallel()
	nothing := []string{
		"/conta/sair", "/conta/excluir", "/conta/chaves/:id/revogar", "/conta/sessoes/:id/encerrar", "/conta/sessoes/encerrar-outras",
		"/conta/autorizacoes/:id/revogar", "/conta/deixar-de-seguir", "/conta/seguindo/avisos", "/conta/seguindo/atom/revogar",
		"/conta/carteira",      // several of what /conta/seguir creates, which the form names: sent twice, it makes the same
		"/conta/seguindo/atom", // an address in place of the former one; a form sent twice makes the same
		"/conta/webhooks/excluir", "/conta/webhooks/ligar", "/conta/webhooks/reenviar", "/avisos/cancelar", "/lista", "/lista/:lista",
		"/conta/carteira/acoes", "/lista/:lista/escolhas", // sent twice, it makes the same
	}
	var forms []string
	for _, route := range sitetest.Empty(t).Routes() {
		if route.Method == http.MethodPost {
			forms = append(forms, route.Path)
		}
	}
	slices.Sort(forms)
	if known := slices.Sorted(slices.Values(slices.AppendSeq(nothing, maps.Keys(creatingForms)))); !slices.Equal(known, forms) {
		t.Errorf("the site has the forms %q, known are %q", forms, known)
	}
}

// TestFormsSentTwice sends forms that create something again and again, to two servers of one database: the first form one time
// after the other, the second at once. They come with the cookies of the page, because a browser that sends a form again drops
// the first answer. A form creates one thing, and its last answer says what the first said.
func TestFormsSentTwice(t *testing.T) {
	t.Parallel()
	for action, form := range creatingForms {
		t.Run(strings.TrimPrefix(action, "/"), func(t *testing.T) {
			t.Parallel()
			h := withOAuth(t)
			servers := []*sitetest.Site{h, sitetest.New(t, h.Stores)}
			ana := h.SignedIn(t, "ana@exemplo.com")
			fields := func(number string) []string {
				filled := strings.Split(strings.ReplaceAll(strings.Join(form.fields, "\n"), "#", number), "\n")
				return slices.Concat(pagetest.Fields(t, form.page(t, ana), action), filled[:len(form.fields)])
			}
			send := func(i int, fields []string) (outcome string, b *sitetest.Browser) {
				b = &sitetest.Browser{Site: servers[i%2], Cookies: maps.Clone(ana.Cookies)}
				w := b.Post(t, action, fields...)
				if outcome = w.Header().Get("Location"); w.Code != http.StatusSeeOther || strings.Contains(outcome, "erro") {
					t.Errorf("sent as %d: %d to %s", i, w.Code, outcome)
				}
				return outcome + b.Cookies[sitetest.SessionCookie], b
			}
			made := func(want int) {
				t.Helper()
				var n int
				if err := h.Stores.Pool.QueryRow(t.Context(), form.count).Scan(&n); err != nil || n != want {
					t.Errorf("%d forms made %d, %v", want, n, err)
				}
			}
			outcomes := make([]string, 6)
			one := fields("1")
			for i := range 2 {
				outcome, b := send(i, one)
				outcomes[i] = outcome + form.shown(t, b)
			}
			if outcomes[0] != outcomes[1] || outcomes[0] == "" {
				t.Errorf("one after the other: %q", outcomes)
			}
			made(1)
			next := fields("2")
			browsers := make([]*sitetest.Browser, len(outcomes))
			var all sync.WaitGroup
			for i := range outcomes {
				all.Go(func() { outcomes[i], browsers[i] = send(i, next) })
			}
			all.Wait()
			if len(slices.Compact(outcomes)) != 1 || form.shown(t, browsers[0]) == "" {
				t.Errorf("at once: %q", outcomes)
			}
			made(2)
		})
	}
}
