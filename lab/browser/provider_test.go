package browser

import (
	"net/url"
	"testing"

	"razao/internal/testing/oidctest"
)

const byProvider = `.choices a[href^="/auth/oidc"]`

// byOIDC signs in by a provider of identities: the first time, a second time, after a cancelled consent, to a page that was
// asked for and to one of somebody else's.
func (w *website) byOIDC(t *testing.T) {
	t.Parallel()
	issuer, err := url.Parse(w.provider.Issuer)
	if err != nil {
		t.Fatal(err)
	}
	v := w.visit(t, issuer.Host)
	enter := func(login, arrival string) {
		t.Helper()
		w.provider.Queue(oidctest.Person{Subject: "1", Email: "davi@exemplo.com.br", Verified: true})
		v.open(login)
		v.click(byProvider)
		v.at(arrival)
	}
	w.provider.Refuse(true)
	v.open("/conta")
	v.click(byProvider)
	v.at("/login?error=cancelado&next=%2Fconta")
	v.shows("A entrada foi cancelada no provedor. Nada mudou")
	w.provider.Refuse(false)

	enter("/login?error=cancelado&next=%2Fconta", "/conta")
	v.shows("davi@exemplo.com.br", "Ainda não há chaves")
	v.createKey("primeira")
	for _, next := range []string{"https://evil.example/", "//evil.example/", `/\evil.example/`, "/%5Cevil.example", "/%2F/evil.example"} {
		v.open("/conta")
		v.click(`form[action="/conta/sair"] button`)
		enter("/login?next="+url.QueryEscape(next), "/")
	}
	v.open("/conta") // the same as the first time
	v.shows("davi@exemplo.com.br", "primeira")
}
