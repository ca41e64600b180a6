package places

import (
	"cmp"
	_ "embed" // the outlines below
	"encoding/csv"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"razao/internal/ptbr"
	"razao/internal/snapshot"
	"razao/internal/territory"
)

//go:embed estados.csv
var outlineTable string

// outlines are the paths of the states by their two letters, on the plane of mapBox.
type outlines map[string]string

// mapBox is the plane of the outlines, as viewBox.
const mapBox = "0 0 1226 1278"

func loadOutlines(atlas *territory.Atlas) (outlines, error) {
	records, err := csv.NewReader(strings.NewReader(outlineTable)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read outlines of states: %w", err)
	}
	all := outlines{}
	for _, record := range records[1:] {
		all[record[0]] = record[1]
	}
	for _, uf := range atlas.UFs() {
		if all[uf.Code] == "" && uf.Code != territory.Abroad {
			return nil, fmt.Errorf("read outlines of states: %s is missing", uf.Code)
		}
	}
	return all, nil
}

// tones is how many shades the states of a map have; 0 is for nothing at all.
const tones = 5

// StateMap shows a figure of the states by their shade.
type StateMap struct {
	Box    string
	Label  string // what the map shows
	People int    // year of the population behind it; 0: none is
	States []stateShape
	Legend []legendEntry
}

// stateShape is one state on the map, a link to its page.
type stateShape struct {
	Text    string // name and figure
	URL     string
	Outline string
	Tone    int
}

// legendEntry says what a shade or a dot stands for.
type legendEntry struct {
	Tone int
	Text string
}

// measure is a figure that a map of the states can show.
type measure struct {
	label string
	value func(p *snapshot.Place) float64
	text  func(p *snapshot.Place) string
	note  func(p *snapshot.Place) string // what a state says besides; nil: nothing
}

// perThousand is the measure that does not only say where most people live.
const perThousand = "por_mil"

// measures are by the name of the order of the ranking that goes with them: see ranking.stateMap.
var measures = map[string]measure{
	"": {
		label: "Empresas ativas, por estado", value: func(p *snapshot.Place) float64 { return float64(p.ActiveCompanies) },
		text: func(p *snapshot.Place) string { return ptbr.Count(p.ActiveCompanies) },
	},
	perThousand: {
		label: "Empresas ativas por mil habitantes, por estado", value: (*snapshot.Place).PerThousand,
		text: func(p *snapshot.Place) string { return ptbr.Rate(p.PerThousand()) },
	},
	"aberturas": {
		label: "Estabelecimentos abertos no último ano completo, por estado", value: func(p *snapshot.Place) float64 { return float64(p.OpenedInYear) },
		text: func(p *snapshot.Place) string { return ptbr.Count(p.OpenedInYear) },
	},
	"baixas": {
		label: "Estabelecimentos baixados, por estado", value: func(p *snapshot.Place) float64 { return float64(p.ClosedEstablishments) },
		text: func(p *snapshot.Place) string { return ptbr.Count(p.ClosedEstablishments) },
	},
	"capital": {
		label: "Capital social das empresas ativas, por estado", value: func(p *snapshot.Place) float64 {
			amount, _ := new(big.Float).SetInt(p.Capital).Float64()
			return amount
		},
		text: func(p *snapshot.Place) string { return ptbr.Rounded(p.Capital) },
		note: func(p *snapshot.Place) string { return ptbr.LeftOut(p.ImplausibleCompanies, p.PublishedCapital) },
	},
}

// newStateMap shows a measure in shades: the fifth of the states that has most is darkest. What reads the same has the
// same shade.
func newStateMap(shapes outlines, states []snapshot.Place, m measure) *StateMap {
	all := &StateMap{Box: mapBox, Label: m.label}
	rows := slices.Clone(states)
	slices.SortStableFunc(rows, func(a, b snapshot.Place) int { return cmp.Compare(m.value(&a), m.value(&b)) })
	empty := slices.IndexFunc(rows, func(p snapshot.Place) bool { return m.value(&p) > 0 })
	if empty < 0 {
		empty = len(rows)
	}
	if empty > 0 {
		all.Legend = append(all.Legend, legendEntry{0, "zero"})
	}
	toneOf := map[string]int{}
	some := rows[empty:]
	first, last := "", ""
	for i := range some {
		text, tone := m.text(&some[i]), i*tones/len(some)+1
		if text == last {
			tone = all.Legend[len(all.Legend)-1].Tone
		} else if len(all.Legend) == 0 || all.Legend[len(all.Legend)-1].Tone != tone {
			all.Legend = append(all.Legend, legendEntry{Tone: tone})
			first = text
		}
		all.Legend[len(all.Legend)-1].Text = ptbr.Span(first, text)
		toneOf[some[i].UF], last = tone, text
	}
	for i := range states {
		row := &states[i]
		said := row.Name + ": " + m.text(row)
		if m.note != nil {
			said = ptbr.Join(", ", said, m.note(row))
		}
		all.States = append(all.States, stateShape{said, pathOf(row), shapes[row.UF], toneOf[row.UF]})
	}
	return all
}
