package site

import (
	"net/url"
	"strings"
	"testing"
)

func TestSearchPages(t *testing.T) {
	t.Parallel()
	h, _ := released.open(t)
	comparePages(t, h, "search", []pageCase{
		{"by-name", "/busca?q=estrela", 200, nil},
		{"empty", "/busca", 200, []string{"Nada encontrado"}},
		{"with-filters", "/busca?q=estrela&uf=SP&municipio=6291&ano_de=2009&ano_ate=2010&ordem=nome&literal=1&utm_source=abc&pagina=1", 200, []string{"utm_source"}},
	})
	comparePages(t, h, "search", []pageCase{
		{"by-partner", "/busca?q=" + url.QueryEscape("marta figueira inventada"), 200, nil},
		{"blank", "/busca?q=+++", 200, []string{"Nada encontrado"}},
		{"nothing-found", "/busca?q=xyzzyxqqq", 200, []string{"<ol"}},
		{"nothing-found-with-filters", "/busca?q=estrela&uf=RJ", 200, []string{"<ol"}},
		{"hostile", "/busca?q=" + url.QueryEscape(`"><script>alert(1)</script>`), 200, []string{"<script>alert"}},
		{"long", "/busca?q=" + strings.Repeat("palavra+", 500), 200, []string{strings.Repeat("palavra ", 30)}},
		{"wrong-check-digits", "/busca?q=12.345.678/0001-96", 200, nil},
		{"name-of-14-positions", "/busca?q=xyzzyqqq+abcd12", 200, []string{"não é um CNPJ"}},
		{"absent-cnpj", "/busca?q=11444777000161", 200, nil},
		{"past-the-results", "/busca?q=estrela&pagina=500", 200, nil},
		{"far-past-the-results", "/busca?q=estrela&pagina=2000000000", 200, nil},
		{"past-nothing", "/busca?q=xyzzyxqqq&pagina=3", 200, []string{"não tem a página"}},
		{"second-page", "/busca?q=loja&agrupar=nao&pagina=2", 200, nil},
		{"city-as-a-filter", "/busca?q=padaria+estrela+campinas", 200, nil},
		{"city-as-a-word", "/busca?q=padaria+estrela+campinas&literal=1", 200, []string{"Usado como filtro"}},
		{"filters-in-words", "/busca?q=padarias+em+campinas+abertas+depois+de+2009+com+capital+acima+de+R%24+10+mil", 200, nil},
		{"filters-in-words-nothing", "/busca?q=padarias+em+campinas+abertas+depois+de+2030", 200, nil},
		{"another-spelling", "/busca?q=padria+estrela", 200, nil},
		{"without-a-word", "/busca?q=padaria+estrela+xyzzyqqq", 200, nil},
		{"all-words", "/busca?q=padaria+estrela", 200, []string{`class="notice"`}},
		{"invalid-page", "/busca?q=x&pagina=um", 422, nil},
	}, withoutFacets)
}

// TestListingPagesAndPlaces compares listings, places and a partner.
func TestListingPagesAndPlaces(t *testing.T) {
	t.Parallel()
	h, _ := released.open(t)
	comparePages(t, h, "listing", []pageCase{
		{"companies", "/empresas", 200, nil},
		{"state-with-filters", "/uf/sp?situacao=02", 200, nil},
		{"states", "/estados", 200, []string{"Baixar o ranking"}},
		{"municipalities", "/municipios", 200, nil},
	})
	compareStates(t, h, "listing", []pageCase{
		{"city", "/uf/sp/sao-paulo", 200, nil},
		{"city-with-a-hostile-company", "/uf/sp/campinas?tipo=matriz", 200, []string{"<SCRIPT>"}},
		{"state", "/uf/sp", 200, nil},
		{"state-without-companies", "/uf/rj", 200, []string{"Principais atividades"}},
		{"abroad", "/uf/ex", 200, []string{`id="municipios"`}},
	})
	comparePages(t, h, "listing", []pageCase{
		{"branches", "/empresas?tipo=filial&situacao=08", 200, nil},
		{"all-establishments", "/uf/sp/sao-paulo?tipo=todos", 200, nil},
		{"by-opening", "/empresas?ordem=recente", 200, nil},
		{"nothing-with-filters", "/uf/sp?porte=03&mei=sim&tipo=filial", 200, nil},
		{"partner", "/socio/456789/marta-figueira-inventada", 200, []string{"incompleta", "ACIONISTA"}},
		{"past-the-end", "/empresas?pagina=9", 404, nil},
	}, withoutFacets)
}
