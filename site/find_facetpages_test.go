package site_test

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// TestExcludedFacets expects an excluded value to differ from an unselected one, and its link to
// remove the exclusion.
func TestExcludedFacets(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	body := h.Body(t, "/busca?q=loja&situacao=-08&mei=nao")
	pagetest.Texts(t, body, []string{
		`<a href="/busca?mei=nao&amp;q=loja" rel="nofollow" aria-current="true"><span><span class="unseen">Tirar o filtro</span> exceto Baixada</span>`,
		`<a href="/busca?mei=nao&amp;q=loja&amp;situacao=-08&amp;situacao=02" rel="nofollow"><span>Ativa</span>`,
	}, []string{"<span>Baixada</span>", "exceto Optante"})
}

// TestDrillDown goes from a subclass of the CNAE back to its division.
func TestDrillDown(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	for path, back := range map[string]string{
		"/busca?cnae=4711302&uf=SP": "/busca?cnae=47&amp;uf=SP",
		"/empresas?cnae=4711302":    "/empresas?cnae=47",
	} {
		pagetest.Texts(t, h.Body(t, path), []string{
			"<h2>Dentro de 47 Comércio varejista</h2>",
			`<a href="` + back + `" rel="nofollow" aria-current="true"><span><span class="unseen">Tirar o filtro</span> 4711-3/02`,
		}, nil)
	}
	for _, path := range []string{"/busca?cnae=G", "/busca?cnae=-47", "/busca?cnae=47&cnae=10"} {
		h.Texts(t, path, nil, []string{"Dentro de"})
	}
}

// TestCountedEstablishments expects a note that facets count establishments when results are
// companies.
func TestCountedEstablishments(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	for path, want := range map[string]bool{"/busca": true, "/busca?q=loja": true, "/busca?q=loja&agrupar=nao": false, "/empresas": false, "/uf/sp?tipo=todos": false} {
		if got := strings.Contains(h.Body(t, path), "Contagens de estabelecimentos."); got != want {
			t.Errorf("%s says so: %t", path, got)
		}
	}
}

// TestFacetForms submits the forms of the facets and expects the new value beside all earlier ones.
func TestFacetForms(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	for _, c := range []struct{ path, field, typed, action, kept, chip string }{
		{"/busca?q=estrela&uf=SP&ordem=nome&agrupar=nao", "municipio", "campinas", "/busca", "agrupar=nao&ordem=nome&q=estrela&uf=SP", "Município: Campinas/SP"},
		{"/busca?q=estrela+sp", "municipio", "São Paulo/SP", "/busca", "q=estrela", "Município: São Paulo/SP"},
		{"/busca?municipio=7107&municipio=-7071", "municipio", "6291", "/busca", "municipio=7107&municipio=-7071", "Município: Campinas/SP"},
		{"/busca?cnae=-47&q=estrela", "cnae", "6462-0/00", "/busca", "cnae=-47&q=estrela", "Atividade principal: 6462-0/00 Holdings"},
		{"/busca?q=estrela&capital_de=5", "capital_de", "100 mil", "/busca", "q=estrela", "Capital social: a partir de R$ 100.000"},
		{"/busca?q=estrela&ano_ate=2010", "ano_de", "2009", "/busca", "q=estrela", "Ano de abertura: desde 2009"},
		{"/empresas?situacao=02", "municipio", "Campinas/SP", "/empresas", "situacao=02", "Município: Campinas/SP"},
		{"/uf/sp?tipo=todos", "municipio", "São Paulo", "/uf/sp", "tipo=todos", "Município: São Paulo/SP"},
		{"/uf/sp/campinas?situacao=02", "cnae", "1091-1/02", "/uf/sp/campinas", "situacao=02", "Atividade principal: 1091-1/02"},
		{"/uf/sp/campinas?situacao=02", "municipio", "São Paulo", "/uf/sp", "situacao=02", "Município: São Paulo/SP"},
	} {
		t.Run(c.path+" "+c.field, func(t *testing.T) {
			t.Parallel()
			action, kept, ok := facetForm(t, h.Body(t, c.path), c.field)
			if !ok || action != c.action || kept.Encode() != c.kept {
				t.Fatalf("the form leads to %s and keeps %s", action, kept.Encode())
			}
			kept.Add(c.field, c.typed)
			w := h.Get(t, action+"?"+kept.Encode())
			pagetest.Texts(t, w.Body.String(), []string{c.chip}, nil)
		})
	}
	w := h.Get(t, "/busca?q=estrela&municipio=Bom+Jesus", "Accept", sitetest.HTML)
	pagetest.Texts(t, w.Body.String(), []string{"“Município” não pode ser “Bom Jesus”. Há mais de um: Bom Jesus/PB", `<a href="/busca?q=estrela">`}, nil)
	w = h.Get(t, "/busca?q=estrela&cnae=padaria+revenda", "Accept", sitetest.HTML)
	pagetest.Texts(t, w.Body.String(), []string{
		"“Atividade principal” não pode ser “padaria revenda”. Deve ser ", "Com estas palavras: 4721-1/02 Padaria e confeitaria com predominância de revenda.",
	}, nil)
}

// facetForm returns the action and the hidden fields of the form that has a field.
func facetForm(t *testing.T, body, field string) (action string, kept url.Values, ok bool) {
	t.Helper()
	kept = url.Values{}
	for _, form := range regexp.MustCompile(`(?s)<form class="brief".*?</form>`).FindAllString(body, -1) {
		if !strings.Contains(form, `<input name="`+field+`"`) {
			continue
		}
		for _, input := range regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`).FindAllStringSubmatch(form, -1) {
			kept.Add(input[1], html.UnescapeString(input[2]))
		}
		return pagetest.Between(form, `action="`, `"`), kept, true
	}
	return "", nil, false
}
