package site_test

import (
	"net/http"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
	"razao/site/sitetest"
)

// TestPagesOfAPartialLoad: no page may tell what is in a missing file as absent.
func TestPagesOfAPartialLoad(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Without(t, "2026-08", "Socios0", "Simples"))
	h := sitetest.New(t, l)
	const banner = "A publicação de 08/2026 foi lida sem Socios0.zip, Simples.zip"
	company := "/" + fixture.Bakery + "000195"
	for _, path := range []string{"/", company, company + ".md", "/estados", "/empresas", "/busca?q=padaria", "/" + fixture.Bakery + "/rede", "/" + fixture.Bakery + "/grupo", "/fontes"} {
		h.Texts(t, path, []string{banner}, nil)
	}
	absent := []string{"A publicação não traz sócios", "Sem registro de opção", "Nenhum sócio", "Não há cadeia"}
	h.Texts(t, company, []string{"Não se sabe quem são os sócios", "Não se sabe: faltou Simples.zip"}, absent)
	h.Texts(t, company+".md", []string{"Não se sabe quem são os sócios", "Não se sabe: faltou Simples.zip"}, absent)
	h.Texts(t, "/"+fixture.Bakery+"/rede", []string{"A rede pode ter mais do que está aqui"}, absent)
	h.Texts(t, "/"+fixture.Bakery+"/grupo", []string{"pode ter mais do que está aqui"}, absent)
	h.Texts(t, "/caminho?de="+fixture.Bakery+"&para="+fixture.Chain, []string{"Faltam arquivos a estes dados"}, absent)
	h.Texts(t, "/busca?q=ninguem+inventado+zzz", []string{"Nada foi encontrado no que foi lido"}, []string{"Nenhuma empresa da competência", "filtros demais"})
	for _, path := range []string{"/empresas?socios_ate=0", "/busca?q=padaria&simples=nao", "/socio/456789/marta-figueira-inventada"} {
		w := h.Get(t, path, "Accept", "text/html")
		if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "não pode dizer que não existe") {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	if body := h.Body(t, "/sugestoes?q=padaria"); !strings.Contains(body, "PADARIA") && !strings.Contains(body, "Padaria") {
		t.Errorf("suggestions: %s", body)
	}
	h.Status(t, http.StatusNotFound, "/99999999000191")

	l.Publish(t, fixture.Without(t, "2026-09", "Empresas1"))
	w := h.Get(t, "/99999999", "Accept", "text/html")
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "Empresas1.zip") {
		t.Errorf("a company that may be in a missing file: %d", w.Code)
	}
	if w := h.Get(t, "/99999999", "Accept", "application/json"); !strings.Contains(w.Body.String(), "carga_parcial") {
		t.Errorf("for programs: %s", w.Body)
	}
}

// TestListsOfAPartialLoad: a number that is not found may be in what is missing.
func TestListsOfAPartialLoad(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Without(t, "2026-08", "Estabelecimentos1"))
	h := sitetest.New(t, l)
	body := sendList(t, h.SignedIn(t, "ana@exemplo.com"), "CNPJ\n12345678000195\n99999999000191\n").Body.String()
	if !strings.Contains(body, "não se sabe: os dados foram lidos sem Estabelecimentos1.zip") || strings.Contains(body, "não está na carga") {
		t.Errorf("got %s", body)
	}
}
