package places

import (
	"math/big"

	"razao/index"
	"razao/internal/territory"
	"razao/site/wording"
)

// ExampleDrawings are the drawings of figures of places, with invented ones: the more inhabitants, the more companies.
type ExampleDrawings struct {
	Chart  *yearChart
	Map    *StateMap
	Dots   *dotMap
	Near   *dotMap
	Places []placeRow
}

// ExampleDrawings draws them.
func (rm *Room) ExampleDrawings() ExampleDrawings {
	var states, all, near []placeRow
	people := map[string]int{}
	for _, m := range rm.atlas.Municipalities() {
		row := placeRow{Name: m.Name, UF: m.UF, URL: "/componentes", Companies: int64(m.Population / 20), Population: m.Population, municipality: m}
		people[m.UF] += m.Population
		all = append(all, row)
		if m.UF == "SC" {
			near = append(near, row)
		}
	}
	for i, uf := range rm.atlas.UFs() {
		if uf.Code != territory.Abroad {
			states = append(states, placeRow{
				Name: uf.Name, UF: uf.Code, URL: "/componentes", Companies: int64(people[uf.Code] / 20 * (i % 7)), Population: people[uf.Code],
				Capital: new(big.Int),
			})
		}
	}
	return ExampleDrawings{
		Chart: newYearChart(inventedYears(), "2026-09", true), Map: newStateMap(rm.outlines, states, measures[perThousand]),
		Dots: newDotMap(rm.outlines, all), Near: newStateDots(rm.outlines["SC"], "SC", near), Places: near[:min(9, len(near))],
	}
}

func inventedYears() *index.PlaceFigures {
	var f index.PlaceFigures
	for year := 2000; year <= 2026; year++ {
		n := int64(year-1995) * int64(20+year%6)
		f.Openings = append(f.Openings, index.OpeningCount{Situacao: wording.SituacaoAtiva, Year: year, Count: n})
		f.Closings = append(f.Closings, index.ClosingCount{Year: year, Count: n / 2})
	}
	return &f
}
