package site

import (
	"context"

	"razao/internal/store/snapshot"
	"razao/site/find"
	"razao/site/page"
	"razao/site/places"
	"razao/site/records"
	"razao/site/wording"
)

// componentsPage is the style guide: every component of the design with invented content.
type componentsPage struct {
	page.Frame
	find.Listing
	Colours []string // CSS custom properties without the leading "--"
	Badges  []wording.Status
	Sizes   []page.Bar
	Columns page.ColumnChart
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
		Sizes:   page.Bars([]page.Bar{{Text: "Microempresa", URL: "/componentes", Count: 1330, Width: ""}, {Text: "Empresa de Pequeno Porte", URL: "", Count: 104, Width: ""}, {Text: "Demais", URL: "", Count: 348, Width: ""}}),
		Code:    code{"Um comando", "curl -H \"Authorization: Bearer $RAZAO_CHAVE\" \\\n  \"$RAZAO_URL/v2/empresas/12345678/full\""},

		ExampleDrawings: s.places.ExampleDrawings(),
		ExampleCards:    records.NewExampleCards(),
		Listing:         find.ExampleListing(),
	}
	p.Columns = page.NewColumnChart(p.Sizes)
	p.NoIndex, p.SearchInContent = true, true
	p.Title, p.Canonical, p.Crumbs = "Componentes", "/componentes", page.Trail("Componentes")
	p.Description = "Todos os componentes do site, com conteúdo inventado."
	p.Last = page.PagerOf("Páginas de um exemplo", 3, 20, 187, func(int) string { return "/componentes" })
	p.Last.Ends = true
	return p
}
