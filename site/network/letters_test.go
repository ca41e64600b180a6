package network_test

import (
	"net/http"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
	"razao/site/sitetest"
)

// TestRootsOfLetters: a root may have letters only. Its company has all its pages, and a word of eight letters that no company has is a word.
func TestRootsOfLetters(t *testing.T) {
	t.Parallel()
	const letters = "MUIHHZQA"
	l := fixture.Empty(t)
	l.Publish(t, fixture.Network(t, []string{letters, first}, [][]string{fixture.CompanyRow(first, letters, "777888", "PROCURADORA FICTICIA")}))
	h := sitetest.New(t, l)
	office := "/" + fixture.Full(t, letters).String()
	for _, path := range []string{office, "/" + letters + "/rede", "/" + letters + "/grupo", "/" + letters + "/rede.csv", "/" + letters + "/grupo.csv", "/" + letters + "/mudancas.atom"} {
		if w := h.Get(t, path); w.Code != http.StatusOK && w.Code != http.StatusFound && w.Code != http.StatusSeeOther {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	for path, want := range map[string]string{"/" + letters: office, "/muihhzqa.md": office + ".md", office + "/rede": "/" + letters + "/rede", "/muihhzqa/rede": "/" + letters + "/rede"} {
		if w := h.Get(t, path); w.Code/100 != 3 || w.Header().Get("Location") != want {
			t.Errorf("%s: %d to %s, want %s", path, w.Code, w.Header().Get("Location"), want)
		}
	}
	h.Texts(t, "/caminho?de="+letters+"&para="+first, []string{"Empresa Muihhzqa"}, nil)
	for _, word := range []string{"/padarias", "/padarias.md", "/padarias/rede", "/padarias/grupo"} {
		if w := h.Get(t, word); w.Code != http.StatusNotFound || strings.Contains(w.Body.String(), "PA.DAR.IAS") {
			t.Errorf("%s: %d", word, w.Code)
		}
	}
	if w := h.Get(t, "/caminho?de=padarias&para="+first); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "Deve ser um CNPJ") {
		t.Errorf("a word at the end of a path: %d", w.Code)
	}
	ana := h.SignedIn(t, "ana@exemplo.com")
	sitetest.Leads(t, ana.Post(t, "/conta/seguir", "tipo", "empresa", "valor", letters), "/conta/seguindo")
	sitetest.Shows(t, ana.Post(t, "/conta/seguir", "tipo", "empresa", "valor", "padarias"), http.StatusUnprocessableEntity, []string{"Escreva o CNPJ de uma empresa"}, nil)
}
