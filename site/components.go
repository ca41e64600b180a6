package site

import (
	"context"
	"net/url"

	"razao/internal/cnpj"
	"razao/internal/snapshot"
	"razao/site/company"
	"razao/site/page"
	"razao/site/places"
	"razao/site/wording"
)

// componentsPage shows every component of the design with invented content, for those who work on the site.
type componentsPage struct {
	page.Frame
	listing
	Crumbs  []page.Crumb
	Colours []string // tokens without their dashes
	Badges  []wording.Status
	Sizes   []page.Bar
	Columns page.ColumnChart
	places.ExampleDrawings
	company.ExampleCards
	Code code
	Last page.Pager
}

func (*componentsPage) Template() string { return "components" }

// components answers /componentes.
func (s *Site) components(context.Context, *snapshot.Snapshot) page.Page {
	p := &componentsPage{
		Colours: []string{"paper", "sheet", "ink", "soft", "rule", "green", "green-wash", "amber", "amber-wash"},
		Crumbs:  page.Trail("Componentes"),
		Badges:  []wording.Status{{Text: "Ativa", Tone: "ok"}, {Text: "Inapta", Tone: "fact"}, {Text: "Baixada", Tone: "mute"}},
		Sizes:   page.Bars([]page.Bar{{Text: "Microempresa", URL: "/componentes", Count: 1330, Width: ""}, {Text: "Empresa de Pequeno Porte", URL: "", Count: 104, Width: ""}, {Text: "Demais", URL: "", Count: 348, Width: ""}}),
		Code:    code{"Um comando", "curl -H \"Authorization: Bearer $RAZAO_CHAVE\" \\\n  \"$RAZAO_URL/v2/empresas/12345678/full\""},

		ExampleDrawings: s.places.ExampleDrawings(),
		ExampleCards:    company.NewExampleCards(),
		listing:         exampleListing(),
	}
	p.Columns = page.NewColumnChart(p.Sizes)
	p.NoIndex, p.SearchInContent = true, true
	p.Title, p.Canonical = "Componentes", "/componentes"
	p.Description = "Todos os componentes do site, com conteúdo inventado."
	p.Last = page.PagerOf("Páginas de um exemplo", 3, 20, 187, func(int) string { return "/componentes" })
	p.Last.Ends = true
	return p
}

func exampleListing() listing {
	here := &url.URL{Path: "/componentes"}
	values := []facetValue{{"São Paulo", 1806, "/componentes", true}, {"Minas Gerais", 819, "/componentes", false}}
	number, _ := cnpj.ParseFull("12345678000195")
	return listing{
		Chips: []chip{{"Estado: São Paulo", "/componentes"}}, Filtered: 1,
		Facets: []facet{{Label: "Estado", First: values, Rest: values[1:], Note: "Conforme a última construção do índice."}, {Label: "Abertura", First: values[1:], Years: &yearForm{Action: "/componentes"}}},
		Orders: []orderLink{{&order{Text: "maior capital"}, "/componentes", true}, {&order{Text: "nome"}, "/componentes", false}},
		Total:  187, Pager: page.NewPager("Páginas de resultados", here, "pagina", "", 1, resultsPerPage, 187),
		Results: []result{
			{
				CNPJ: number, Name: "PADARIA ESTRELA DO SUL LTDA", TradeName: "ESTRELA DO SUL PÃES E DOCES", HeadOffice: "Matriz", City: "Campinas/SP",
				Status: wording.Status{Text: "Ativa", Tone: "ok"}, Activity: wording.Activity{Code: "1091-1/02", Text: "Fabricação de produtos de padaria"}, Reason: "Encontrada pelo nome",
			},
			{CNPJ: number, Name: "UMA RAZÃO SOCIAL COMPRIDA O BASTANTE PARA OCUPAR MAIS DE UMA LINHA EM QUALQUER TELEFONE LTDA", Status: wording.Status{Text: "Baixada", Tone: "mute"}},
		},
	}
}
