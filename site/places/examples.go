package places

import (
	"math/big"

	"razao/index/figures"
	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/site/chart"
)

// ExampleDrawings are all drawings of these pages with invented figures proportional to population,
// for the page that shows all components.
type ExampleDrawings struct {
	Chart  *chart.Columns
	Map    *StateMap
	Dots   *dotMap
	Near   *dotMap
	Places []placeRow
}

// ExampleDrawings draws them. Every link leads back to that page.
func (hs *Handlers) ExampleDrawings() ExampleDrawings {
	const here = "/componentes"
	var states, all, near []figures.Place
	people := map[string]int{}
	for _, m := range hs.atlas.Municipalities() {
		p := figures.Place{Name: m.Name, UF: m.UF, Population: m.Population, Municipality: m}
		p.ActiveCompanies = int64(m.Population / 20)
		people[m.UF] += m.Population
		all = append(all, p)
		if m.UF == "SC" {
			near = append(near, p)
		}
	}
	for i, uf := range hs.atlas.UFs() {
		if uf.Code != territory.Abroad {
			p := figures.Place{Name: uf.Name, UF: uf.Code, Population: people[uf.Code]}
			p.ActiveCompanies, p.Capital = int64(people[uf.Code]/20*(i%7)), new(big.Int)
			states = append(states, p)
		}
	}
	said := &figures.Places{PeopleYear: territory.PopulationYear}
	companies := measuresOf(said)[0]
	ranked := figures.Ranked(near, companies.compare)
	drawn := ExampleDrawings{
		Chart: newYearChart(inventedYears(), "2026-09", true), Map: hs.stateMap(said, states, measure{}),
		Dots: newDotMap(hs.outlines, figures.Ranked(all, companies.compare), companies),
		Near: newStateDots(hs.outlines["SC"], "de Santa Catarina", ranked, companies), Places: rowsOf(ranked[:min(9, len(ranked))]),
	}
	for i := range drawn.Map.States {
		drawn.Map.States[i].URL = here
	}
	for i := range drawn.Places {
		drawn.Places[i].URL = here
	}
	return drawn
}

func inventedYears() *figures.Sums {
	var f figures.Sums
	for year := 2000; year <= 2026; year++ {
		n := int64(year-1995) * int64(20+year%6)
		f.Openings = append(f.Openings, figures.OpeningCount{Situacao: record.SituacaoAtiva, Year: year, Count: n})
		f.Closings = append(f.Closings, figures.ClosingCount{Year: year, Count: n / 2})
	}
	return &f
}
