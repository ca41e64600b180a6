package site_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

func TestSearchPages(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	h.Compare(t, "search", []sitetest.Page{
		sitetest.Case("by-name", "/busca?q=estrela", 200),
		sitetest.Case("empty", "/busca", 200, "Nada encontrado"),
		sitetest.Case("with-filters", "/busca?q=estrela&uf=SP&municipio=6291&ano_de=2009&ano_ate=2010&ordem=nome&literal=1&utm_source=abc&pagina=1", 200, "utm_source"),
	})
	h.Compare(t, "search", []sitetest.Page{
		sitetest.Case("by-partner", "/busca?q="+url.QueryEscape("marta figueira inventada"), 200),
		sitetest.Case("blank", "/busca?q=+++", 200, "Nada encontrado"),
		sitetest.Case("nothing-found", "/busca?q=xyzzyxqqq", 200, "<ol"),
		sitetest.Case("nothing-found-with-filters", "/busca?q=estrela&uf=RJ", 200, "<ol"),
		sitetest.Case("hostile", "/busca?q="+url.QueryEscape(`"><script>alert(1)</script>`), 200, "<script>alert"),
		sitetest.Case("long", "/busca?q="+strings.Repeat("palavra+", 500), 200, strings.Repeat("palavra ", 30)),
		sitetest.Case("wrong-check-digits", "/busca?q=12.345.678/0001-96", 200),
		sitetest.Case("name-of-14-positions", "/busca?q=xyzzyqqq+abcd12", 200, "não é um CNPJ"),
		sitetest.Case("absent-cnpj", "/busca?q=11444777000161", 200),
		sitetest.Case("past-the-results", "/busca?q=estrela&pagina=500", 200),
		sitetest.Case("far-past-the-results", "/busca?q=estrela&pagina=2000000000", 200),
		sitetest.Case("past-nothing", "/busca?q=xyzzyxqqq&pagina=3", 200, "não tem a página"),
		sitetest.Case("second-page", "/busca?q=loja&agrupar=nao&pagina=2", 200),
		sitetest.Case("city-as-a-filter", "/busca?q=padaria+estrela+campinas", 200),
		sitetest.Case("city-as-a-word", "/busca?q=padaria+estrela+campinas&literal=1", 200, "Usado como filtro"),
		sitetest.Case("filters-in-words", "/busca?q=padarias+em+campinas+abertas+depois+de+2009+com+capital+acima+de+R%24+10+mil", 200),
		sitetest.Case("filters-in-words-nothing", "/busca?q=padarias+em+campinas+abertas+depois+de+2030", 200),
		sitetest.Case("another-spelling", "/busca?q=padria+estrela", 200),
		sitetest.Case("without-a-word", "/busca?q=padaria+estrela+xyzzyqqq", 200),
		sitetest.Case("all-words", "/busca?q=padaria+estrela", 200, `class="notice"`),
		sitetest.Case("invalid-page", "/busca?q=x&pagina=um", 422),
	}, sitetest.WithoutFacets)
}

// TestListingPagesAndPlaces compares listings, places and a partner.
func TestListingPagesAndPlaces(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	h.Compare(t, "listing", []sitetest.Page{
		sitetest.Case("companies", "/empresas", 200),
		sitetest.Case("state-with-filters", "/uf/sp?situacao=02", 200),
		sitetest.Case("states", "/estados", 200, "Baixar o ranking"),
		sitetest.Case("municipalities", "/municipios", 200),
	})
	h.CompareStates(t, "listing", []sitetest.Page{
		sitetest.Case("city", "/uf/sp/sao-paulo", 200),
		sitetest.Case("city-with-a-hostile-company", "/uf/sp/campinas?tipo=matriz", 200, "<SCRIPT>"),
		sitetest.Case("state", "/uf/sp", 200),
		sitetest.Case("state-without-companies", "/uf/rj", 200, "Principais atividades"),
		sitetest.Case("abroad", "/uf/ex", 200, `id="municipios"`),
	})
	h.Compare(t, "listing", []sitetest.Page{
		sitetest.Case("branches", "/empresas?tipo=filial&situacao=08", 200),
		sitetest.Case("all-establishments", "/uf/sp/sao-paulo?tipo=todos", 200),
		sitetest.Case("by-opening", "/empresas?ordem=recente", 200),
		sitetest.Case("nothing-with-filters", "/uf/sp?porte=03&mei=sim&tipo=filial", 200),
		sitetest.Case("partner", "/socio/456789/marta-figueira-inventada", 200, "incompleta", "ACIONISTA"),
		sitetest.Case("past-the-end", "/empresas?pagina=9", 404),
	}, sitetest.WithoutFacets)
}

func TestPartnerPage(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	d := h.Page(t, "/12345678000195")
	address := d.Links()["Marta Figueira Inventada"]
	if address != "/socio/456789/marta-figueira-inventada" {
		t.Fatalf("the company links its partner to %q", address)
	}
	w := h.Get(t, address)
	pagetest.Form(t, w.Body.String())
	if n := len(pagetest.Parse(t, w.Body.String()).Results()); n != 2 {
		t.Errorf("%d companies, want 2", n)
	}
	chain := h.Page(t, "/"+fixture.Full(t, fixture.Chain).String())
	if got := chain.Links()["Acionista 037 Ficticio"]; got != "/socio/000001/acionista-037-ficticio" {
		t.Errorf("a partner among many is linked to %q", got)
	}
	// A partner beyond the first row (chunk) of its company.
	if w := h.Get(t, "/socio/000129/"+strings.ToLower(fmt.Sprintf("acionista-%03d-ficticio", (129*37)%fixture.ChainQSA))); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "1 empresa na competência") {
		t.Errorf("the last partner of many: status %d", w.Code)
	}
}
