package site_test

import (
	"html"
	"strings"
	"testing"

	"razao/internal/data/source"
	"razao/internal/testing/outline"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// TestTexts compares the pages that exist without a load, and the home page and the methodology,
// which show the load.
func TestTexts(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	empty := sitetest.Nothing(t)
	records := sitetest.Records(t)
	h.Compare(t, "text", []sitetest.Page{
		sitetest.Case("home", "/", 200, "CNPJ não encontrado"),
		sitetest.Case("api", "/api", 200),
		sitetest.Case("methodology-without-a-load", "/metodologia/bndes", 200, "<table", "Carga em uso"),
	})
	records.Compare(t, "text", []sitetest.Page{
		sitetest.Case("home-with-records", "/", 200),
		sitetest.Case("methodology", "/metodologia/bndes", 200, "Sem carga", "desatualizada"),
	})
	empty.Compare(t, "text", []sitetest.Page{
		sitetest.Case("api-v1", "/api/v1", 200),
		sitetest.Case("api-reference", "/api/docs", 200),
		sitetest.Case("privacy", "/privacidade", 200),
		sitetest.Case("terms", "/termos", 200),
		sitetest.Case("hiding-form", "/privacidade/ocultar", 200, "Pedido recebido"),
	})
	empty.Compare(t, "text", []sitetest.Page{sitetest.Case("api-before-a-load", "/api", 200)}, outline.Against(h.Get(t, "/api").Body))
	empty.Compare(t, "text", []sitetest.Page{sitetest.Case("dictionary", "/dicionario", 200)}, oneSource()...)
	terms := html.UnescapeString(empty.Body(t, "/termos"))
	for _, src := range source.All() {
		pagetest.Texts(t, terms, []string{src.Title, src.Licenca, src.URL, src.Atribuicao}, nil)
	}
	methods := records.Body(t, "/metodologia/bndes")
	pagetest.Texts(t, methods, []string{"publicado", "inferido_raiz_no_nome", "inferido_mascara_nome_municipio", "nao_vinculado"}, nil)
	for _, path := range []string{"/api", "/api/v1", "/api/docs"} {
		if body := h.Body(t, path); strings.Count(body, "<pre") != strings.Count(body, `<pre role="region" aria-label="`) {
			t.Errorf("%s: code in a region without a name", path)
		}
	}
}

// oneSource leaves out of the dictionary's outline all sources but the first: their fields are tables that other tests read.
func oneSource() (options []outline.Option) {
	for _, src := range source.All()[1:] {
		options = append(options, outline.Without("section", "aria-labelledby", string(src.ID)))
	}
	return options
}
