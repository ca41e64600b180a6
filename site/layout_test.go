package site_test

import (
	"strings"
	"testing"

	"razao/internal/testing/outline"
	"razao/site/sitetest"
)

// TestLayout compares header and footer: signed out and signed in, with invented data and with
// none.
func TestLayout(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	ana := h.SignedIn(t, "ana@exemplo.com")
	empty := sitetest.Nothing(t)
	for name, body := range map[string]string{
		"visitor":        h.Body(t, "/estados"),
		"signed-in":      ana.Open(t, "/estados").Body.String(),
		"nothing-loaded": empty.Get(t, "/estados").Body.String(),
		"search":         h.Body(t, "/busca?q=estrela&uf=SP&ordem=nome&literal=1"),
		"own-search":     h.Body(t, "/"),
	} {
		outline.Golden(t, "layout/"+name, strings.NewReader(body), outline.Without("main", "class", "wrap"))
	}
	h.Texts(t, "/api", []string{`aria-current="page">API<`}, nil)
}
