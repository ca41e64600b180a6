package site

import (
	"strings"
	"testing"

	"razao/internal/testing/outline"
	"razao/site/page/pagetest"
)

// TestLayout compares header and footer: signed out and signed in, with invented data and with
// none.
func TestLayout(t *testing.T) {
	t.Parallel()
	h, s := newHandler(t, peopled(t))
	ana := newPerson(h, signedIn(t, s, "ana@exemplo.com"))
	empty, _ := nothingLoaded.open(t)
	for name, body := range map[string]string{
		"visitor":        get(t, h, "/estados").Body.String(),
		"signed-in":      ana.open(t, "/estados").Body.String(),
		"nothing-loaded": get(t, empty, "/estados").Body.String(),
		"search":         get(t, h, "/busca?q=estrela&uf=SP&ordem=nome&literal=1").Body.String(),
		"own-search":     get(t, h, "/").Body.String(),
	} {
		outline.Golden(t, "layout/"+name, strings.NewReader(body), outline.Without("main", "class", "wrap"))
	}
	pagetest.Texts(t, get(t, h, "/api").Body.String(), []string{`aria-current="page">API<`}, nil)
}
