package site_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"razao/internal/data/ptbr"
	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

func TestListingTotals(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	all := h.Establishments(t)
	cases := []struct {
		path string
		want int
		noun string
	}{
		{"/empresas", all.Count(sitetest.Head), "empresas, contadas pela matriz"},
		{"/empresas?tipo=matriz", all.Count(sitetest.Head), "empresas, contadas pela matriz"},
		{"/empresas?tipo=filial", all.Count(sitetest.Branch), "filiais"},
		{"/empresas?tipo=todos", len(all), "estabelecimentos, entre"},
		{"/empresas?uf=SP", all.Count(sitetest.Head, sitetest.InUF("SP")), "empresas"},
		{"/empresas?municipio=6291&tipo=todos", all.Count(sitetest.InCity("6291")), "estabelecimentos"},
		{"/empresas?situacao=08&tipo=filial", all.Count(sitetest.Branch, func(e *sitetest.Establishment) bool { return e.SituacaoCadastral == "08" }), "filiais"},
		{"/empresas?porte=05", all.Count(sitetest.Head, func(e *sitetest.Establishment) bool { return e.Company.PorteEmpresa == "05" }), "empresas"},
		{"/empresas?cnae=4711302&tipo=todos", all.Count(func(e *sitetest.Establishment) bool { return e.CNAEFiscalPrincipal == "4711302" }), "estabelecimentos"},
		{"/empresas?natureza=2135", all.Count(sitetest.Head, func(e *sitetest.Establishment) bool { return e.Company.NaturezaJuridica == "2135" }), "empresas"},
		{"/empresas?ano_de=2026&ano_ate=2026", all.Count(sitetest.Head, func(e *sitetest.Establishment) bool { return e.DataInicioAtividade.Year() == 2026 }), "empresa, contada"},
		{"/empresas?mei=sim", 1, "empresa, contada"},
		{"/empresas?simples=sim", 2, "empresas"},
		{"/empresas?capital=100m", 1, "empresa, contada"},
		{"/uf/sp", all.Count(sitetest.Head, sitetest.InUF("SP")), "empresas"},
		{"/uf/sp?uf=RJ", all.Count(sitetest.Head, sitetest.InUF("SP")), "empresas"},
		{"/uf/sp?tipo=todos", all.Count(sitetest.InUF("SP")), "estabelecimentos"},
		{"/uf/ex", all.Count(sitetest.Head, sitetest.InUF("EX")), "empresa, contada"},
		{"/uf/sp/campinas", all.Count(sitetest.Head, sitetest.InCity("6291")), "empresas"},
		{"/uf/sp/sao-paulo?tipo=todos", all.Count(sitetest.InCity("7107")), "estabelecimentos"},
	}
	for _, c := range cases {
		t.Run(c.path, func(t *testing.T) {
			t.Parallel()
			w := h.Get(t, c.path, "Accept", sitetest.HTML)
			body := w.Body.String()
			if w.Code != http.StatusOK || c.want == 0 {
				t.Fatalf("status %d, want 200; %d entries", w.Code, c.want)
			}
			pagetest.Form(t, body)
			text := pagetest.Parse(t, body).At(t, "conteudo").Text()
			if want := fmt.Sprintf("%d %s", c.want, c.noun); !strings.Contains(text, want) {
				t.Errorf("the page does not say %q: %s", want, text)
			}
			if got := len(pagetest.Parse(t, body).Results()); got != min(c.want, 20) {
				t.Errorf("%d results, want %d", got, min(c.want, 20))
			}
		})
	}
}

// The pages of a listing together have each establishment exactly once.
func TestListingPages(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	all := h.Establishments(t)
	for _, order := range []string{"", "capital", "nome", "recente", "antiga"} {
		t.Run("ordem "+order, func(t *testing.T) {
			t.Parallel()
			seen := map[string]bool{}
			next := "/empresas?" + url.Values{"tipo": {"todos"}, "ordem": {order}}.Encode()
			for pages := 0; next != "" && pages < 20; pages++ {
				d := h.Page(t, next)
				for _, heading := range d.All("h2") {
					for _, href := range heading.Links() {
						seen[href] = true
					}
				}
				next = d.Next()
			}
			if len(seen) != len(all) {
				t.Errorf("%d establishments on all pages, want %d", len(seen), len(all))
			}
		})
	}
	for path, status := range map[string]int{
		"/empresas?tipo=todos&pagina=7": 200, "/empresas?tipo=todos&pagina=8": 404, "/empresas?pagina=2000000000": 404,
		"/uf/sp?pagina=2": 404, "/uf/rj": 200, "/uf/rj?pagina=2": 404, "/uf/sp/campinas?pagina=99": 404,
	} {
		h.Status(t, status, path)
	}
}

func TestListingAddresses(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	t.Run("canonical and indexing", func(t *testing.T) {
		for path, want := range map[string]string{
			"/empresas":                                "/empresas",
			"/empresas?ordem=capital&tipo=matriz":      "/empresas",
			"/empresas?uf=sp":                          "/uf/sp",
			"/empresas?municipio=6291":                 "/uf/sp/campinas",
			"/uf/sp?municipio=6291&porte=05":           "/uf/sp/campinas?porte=05",
			"/uf/sp?tipo=todos&ordem=nome&utm=x":       "/uf/sp?ordem=nome&amp;tipo=todos",
			"/empresas?tipo=todos&pagina=2":            "/empresas?pagina=2&amp;tipo=todos",
			"/uf/sp/campinas?ano_de=2009&ano_ate=2009": "/uf/sp/campinas?ano_ate=2009&amp;ano_de=2009",
		} {
			body := h.Body(t, path)
			if got := pagetest.Between(body, `rel="canonical" href="https://razao.exemplo`, `"`); got != want {
				t.Errorf("%s: canonical %s, want %s", path, got, want)
			}
		}
	})
	t.Run("redirects", func(t *testing.T) {
		for path, want := range map[string]string{
			"/uf/SP":                                 "/uf/sp",
			"/uf/Sp?pagina=1":                        "/uf/sp?pagina=1",
			"/uf/SP/Campinas":                        "/uf/sp/campinas",
			"/uf/rj/parati?x=1":                      "/uf/rj/paraty?x=1",
			"/uf/sp/santa-barbara-doeste":            "/uf/sp/santa-barbara-d-oeste",
			"/uf/sp/S%C3%A3o%20Paulo?x=1":            "/uf/sp/sao-paulo?x=1",
			"/uf/ex/exterior":                        "/uf/ex",
			"/socio/456789/Marta-Figueira-INVENTADA": "/socio/456789/marta-figueira-inventada",
		} {
			w := h.Get(t, path)
			if got := w.Header().Get("Location"); w.Code != http.StatusMovedPermanently || got != want {
				t.Errorf("%s: %d to %q, want 301 to %q", path, w.Code, got, want)
			}
		}
	})
	t.Run("unknown", func(t *testing.T) {
		for _, path := range []string{
			"/uf/xx", "/uf/", "/uf/sp/rio-de-janeiro", "/uf/sp/nada", "/uf/sp/---", "/uf/xx/campinas", "/uf/sp/campinas/mais",
			"/socio/456789/outra-pessoa", "/socio/000000/socio", "/socio/45678/marta-figueira-inventada", "/socio/45678a/marta",
			"/socio/456780/marta-figueira-inventada", "/socio/456789/-", "/socio/456789/marta-figueira",
		} {
			if w := h.Get(t, path, "Accept", sitetest.HTML); w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "Página não encontrada") {
				t.Errorf("%s: status %d, want 404 with a page", path, w.Code)
			}
		}
	})
	t.Run("invalid", func(t *testing.T) {
		for _, path := range []string{
			"/empresas?pagina=0", "/empresas?pagina=um", "/empresas?ordem=relevancia", "/empresas?ordem=recentes", "/uf/sp?ordem=x", "/empresas?uf=XX",
			"/empresas?tipo=sede", "/uf/sp/campinas?pagina=-1", "/empresas?situacao=77", "/uf/sp?municipio=vila-nenhuma", "/uf/sp?ano_de=2010&ano_ate=2009",
			"/estados?ordem=x", "/municipios?ordem=capital2", "/empresas?fonte=serasa", "/empresas?porte=9", "/empresas?cnae=Z", "/empresas?capital=x",
		} {
			w := h.Get(t, path, "Accept", "application/json")
			if w.Code != http.StatusUnprocessableEntity || !strings.HasPrefix(w.Body.String(), `{"detail":[{"loc":["query",`) {
				t.Errorf("%s: %d %s, want 422", path, w.Code, w.Body)
			}
		}
	})
}

// Filters, orders and pages of a place keep the place in the path.
func TestListingLinks(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	d := h.Page(t, "/uf/sp?situacao=02")
	links := map[string]bool{}
	for _, a := range d.All("a") {
		links[a.Attribute("href")] = true
	}
	for _, want := range []string{
		"/uf/sp", "/uf/sp/campinas?situacao=02", "/empresas?situacao=02", "/uf/sp?situacao=02&tipo=filial",
		"/uf/sp?situacao=02&tipo=todos", "/uf/ex?situacao=02", "/uf/sp?porte=05&situacao=02", "/empresas/todas.csv?situacao=02&uf=SP", "/estados",
	} {
		if !links[want] {
			t.Errorf("the page has no link to %s", want)
		}
	}
	for href := range links {
		if strings.HasPrefix(href, "/uf/") || strings.HasPrefix(href, "/empresas?") {
			h.Status(t, http.StatusOK, href)
		}
	}
	if empty := h.Page(t, "/uf/sp?porte=03&mei=sim&tipo=filial").Links()["Tirar os filtros"]; empty != "/uf/sp" {
		t.Errorf("without filters the list is at %q", empty)
	}
	for _, form := range d.All("form")[1:] { // after the search of the header
		if action := form.Attribute("action"); action != "/uf/sp" && action != "/empresas" {
			t.Errorf("a form goes to %s", action)
		}
	}
}

// Results are in the order that the page names, and show the value that they are ordered by.
func TestListingOrders(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	for order, want := range map[string]struct{ name, reason string }{
		"":        {"Estrela Participações S.A.", "Capital R$\u00a012.500.000,50"},
		"nome":    {"Estrela Participações S.A.", ""},
		"antiga":  {"", "Abertura 14/03/2009"},
		"recente": {"Letras e Numeros Comercio Ltda.", "Abertura 03/08/2026"},
	} {
		first := h.Page(t, "/empresas?ordem="+order).Results()[0].Text()
		if !strings.HasPrefix(first, want.name) || !strings.Contains(first, strings.ReplaceAll(want.reason, "\u00a0", " ")) {
			t.Errorf("ordem=%s: the first is %q", order, first)
		}
	}
}

// TestImplausibleCapitalIsListedBehind expects implausible capital, marked, after the smallest
// capital and before companies without one.
func TestImplausibleCapitalIsListedBehind(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	body := ptbr.Plain(h.Body(t, "/empresas"))
	zero, marked := strings.LastIndex(body, "<dd>R$ 0,00"), strings.Index(body, `<dd>R$ 999.999.999.999,00 <span class="soft">(improvável)</span></dd>`)
	if none := strings.Index(body, "<dd>não informado"); zero < 0 || marked < zero || none < marked {
		t.Errorf("nothing at %d, implausible at %d, unknown at %d", zero, marked, none)
	}
}

// Listings show individual entrepreneurs without their contacts, and other pages link to listings.
func TestListingsKeepPeopleApart(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	for _, path := range []string{"/empresas?mei=sim", "/uf/sp", "/uf/sp/campinas?natureza=2135"} {
		body := h.Body(t, path)
		if !strings.Contains(body, "Joana Ficticia") {
			t.Errorf("%s: the individual entrepreneur is missing", path)
		}
		pagetest.Texts(t, body, nil, []string{"SEGREDO", "Segredo", "RESERVADA", "Reservada", "99887766", "9988-7766", "bolos.exemplo", "13024", "CAMBUI", "Cambui", fixture.HiddenCPF})
	}
	page := h.Body(t, "/12345678000195")
	pagetest.Texts(t, page, []string{`<a href="/uf/sp">São Paulo</a>`, `<a href="/uf/sp/campinas">Campinas</a>`}, nil)
	company := pagetest.Parse(t, page).Links()
	found := false
	for _, href := range company {
		found = found || href == "/empresas?cnae=1091102"
	}
	if !found {
		t.Error("the company does not link its activity to the companies that share it")
	}
	states := 0
	for _, a := range h.Page(t, "/").Of("figure", "class", "map")[0].All("a") {
		if strings.HasPrefix(a.Attribute("href"), "/uf/") {
			states++
		}
	}
	if states != 27 {
		t.Errorf("the map links to %d states", states)
	}
}
