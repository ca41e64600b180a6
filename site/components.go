package site

import (
	"context"
	"fmt"
	"strconv"

	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/site/chart"
	"razao/site/find"
	"razao/site/page"
	"razao/site/places"
	"razao/site/records"
)

// componentsPage is the style guide: every component of the design with invented content.
type componentsPage struct {
	page.Frame
	find.Listing
	Colours []string // CSS custom properties without the leading "--"
	Badges  []wording.Status
	Sizes   chart.Bars
	Linked  chart.Columns
	Spark   chart.Columns

	Compared chart.Bars
	Holders  chart.Network
	places.ExampleDrawings
	records.ExampleCards
	Code code
	Last page.Pager
}

// components answers /componentes.
func (s *Site) components(context.Context, *snapshot.Snapshot) page.Page {
	p := &componentsPage{
		Colours: []string{"paper", "sheet", "ink", "soft", "rule", "green", "green-wash", "amber", "amber-wash"},
		Badges:  []wording.Status{{Text: "Ativa", Tone: "ok"}, {Text: "Inapta", Tone: "fact"}, {Text: "Baixada", Tone: "mute"}},
		Sizes: chart.Bars{
			Label: "Barras", Caption: "Barras: a tabela é o próprio gráfico", What: "Porte", Unit: "Empresas",
			Rows: chart.Scaled([]chart.Bar{{Text: "Microempresa", URL: "/componentes", Count: 1330}, {Text: "Empresa de Pequeno Porte", Count: 104}, {Text: "Demais", Count: 348}}),
		},
		Code: code{"Um comando", "curl -H \"Authorization: Bearer $RAZAO_CHAVE\" \\\n  \"$RAZAO_URL/v2/empresas/12345678/full\""},

		ExampleDrawings: s.places.ExampleDrawings(),
		ExampleCards:    records.NewExampleCards(),
		Listing:         find.ExampleListing(),
	}
	p.Compared = chart.Bars{Label: "Comparação", Caption: "Barras sem títulos: uma de várias comparações", What: "Município", Unit: "Empresas", Brief: true}
	for i, name := range []string{"Campinas/SP", "Santos/SP"} {
		p.Compared.Rows = append(p.Compared.Rows, chart.Bar{Text: name, Said: "R$\u00a01,2\u00a0milhão", Width: strconv.Itoa(100 / (i + 1))})
	}
	p.Holders = chart.Network{
		Title: "Rede: quem tem, à esquerda, e o que tem, à direita",
		Nodes: []chart.Node{
			{Text: "Padaria Estrela do Sul Ltda.", Kind: "company", URL: "/componentes", Current: true},
			{Text: "Estrela Participações S.A.", Kind: "company", URL: "/componentes"},
			{Text: "Marta Figueira Inventada", Kind: "person"},
			{Text: "Foreign Example LLC", Kind: "abroad"},
		},
		Edges: []chart.Edge{{From: 1, Text: "Sócia"}, {From: 2, Text: "Sócia"}, {From: 2, To: 1, Weak: true, Text: "Representante"}, {From: 3, To: 1, Text: "Sócia"}},
	}
	p.Linked = chart.Columns{
		Title: "Colunas com endereços: valor por ano, em reais", Axis: "Ano", Caption: "Valor por ano", Series: []chart.Series{{Name: "Valor"}}, Money: true,
	}
	p.Spark = chart.Columns{Title: "Aberturas, por mês", Series: []chart.Series{{Name: "Aberturas", One: "abertura", Many: "aberturas"}}, Small: true}
	for month := 1; month <= 12; month++ {
		p.Spark.Points = append(p.Spark.Points, chart.Point{Text: fmt.Sprintf("%02d/2026", month), Part: month == 12, Values: [2]int64{int64(1000 + month*month%7*100)}})
	}
	for year := 1994; year <= 2026; year++ {
		p.Linked.Points = append(p.Linked.Points, chart.Point{
			Text: strconv.Itoa(year), URL: "/componentes", Current: year == 2020, Values: [2]int64{int64(year*year%97) * 1_234_567_89},
		})
	}
	p.NoIndex, p.SearchInContent = true, true
	p.Title, p.Canonical, p.Crumbs = "Componentes", "/componentes", page.Trail("Componentes")
	p.Description = "Todos os componentes do site, com conteúdo inventado."
	p.Last = page.PagerOf("Páginas de um exemplo", 3, 20, 187, func(int) string { return "/componentes" })
	p.Last.Ends = true
	return p
}
