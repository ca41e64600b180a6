package site

import (
	"html"
	"strings"
	"testing"

	"razao/internal/data/source"
	"razao/internal/testing/outline"
	"razao/site/page/pagetest"
)

// TestTexts compares the pages that exist without a load, and the home page and the methodology,
// which show the load.
func TestTexts(t *testing.T) {
	t.Parallel()
	h, _ := released.open(t)
	empty, _ := nothingLoaded.open(t)
	records, _ := releasedRecords.open(t)
	comparePages(t, h, "text", []pageCase{
		{"home", "/", 200, []string{"CNPJ não encontrado"}},
		{"api", "/api", 200, nil},
		{"methodology-without-a-load", "/metodologia/bndes", 200, []string{"<table", "Carga em uso"}},
	})
	comparePages(t, records, "text", []pageCase{
		{"home-with-records", "/", 200, nil},
		{"methodology", "/metodologia/bndes", 200, []string{"Sem carga", "desatualizada"}},
	})
	comparePages(t, empty, "text", []pageCase{
		{"api-v1", "/api/v1", 200, nil},
		{"api-reference", "/api/docs", 200, nil},
		{"privacy", "/privacidade", 200, nil},
		{"terms", "/termos", 200, nil},
		{"hiding-form", "/privacidade/ocultar", 200, []string{"Pedido recebido"}},
	})
	comparePages(t, empty, "text", []pageCase{{"api-before-a-load", "/api", 200, nil}}, outline.Against(get(t, h, "/api").Body))
	comparePages(t, empty, "text", []pageCase{{"dictionary", "/dicionario", 200, nil}}, oneSource()...)
	terms := html.UnescapeString(get(t, empty, "/termos").Body.String())
	for _, src := range source.All() {
		pagetest.Texts(t, terms, []string{src.Title, src.Licenca, src.URL, src.Atribuicao}, nil)
	}
	methods := get(t, records, "/metodologia/bndes").Body.String()
	for _, id := range []string{"publicado", "inferido_raiz_no_nome", "inferido_mascara_nome_municipio", "nao_vinculado"} {
		if !strings.Contains(methods, id) {
			t.Errorf("the page does not explain %s", id)
		}
	}
	for _, path := range []string{"/api", "/api/v1", "/api/docs"} {
		if body := get(t, h, path).Body.String(); strings.Count(body, "<pre") != strings.Count(body, `<pre role="region" aria-label="`) {
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
