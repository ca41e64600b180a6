package places

import (
	"cmp"
	_ "embed" // the outlines below
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strings"

	"razao/index/figures"
	"razao/internal/data/ptbr"
	"razao/internal/data/territory"
)

//go:embed estados.csv
var outlineTable string

// outlines maps a UF to its SVG path on the plane of mapBox. NOTICE names their source and license.
type outlines map[string]string

// mapBox is the viewBox of the outlines.
const mapBox = "0 0 1226 1278"

// loadOutlines parses estados.csv and requires an outline for every UF except EX.
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

// tones is the number of shades of a state map. Tone 0 is extra: it means a value of zero.
const tones = 5

// StateMap is a choropleth map of the states.
type StateMap struct {
	Box    string // viewBox
	Label  string // the measure
	People int    // year of the population estimate it is based on; 0 for none
	States []stateShape
	Land   []string // outlines of the states around, when the map shows only some
	Legend []legendEntry
}

// stateShape is one state of the map, with a link to its listing.
type stateShape struct {
	Text    string // name and figure
	URL     string
	Outline string
	Tone    int
}

// legendEntry says what a shade or a dot size stands for.
type legendEntry struct {
	Tone int
	Text string
}

// newStateMap shades states by quintile of a measure, darkest for the most. States whose figures
// read the same get the same shade, so the legend's spans never overlap.
func newStateMap(shapes outlines, states []figures.Place, label string, m measure) *StateMap {
	all := &StateMap{Box: mapBox, Label: label}
	rows := slices.Clone(states)
	slices.SortStableFunc(rows, func(a, b figures.Place) int { return cmp.Compare(m.value(&a), m.value(&b)) })
	empty := slices.IndexFunc(rows, func(p figures.Place) bool { return m.value(&p) > 0 })
	if empty < 0 {
		empty = len(rows)
	}
	if empty > 0 {
		all.Legend = append(all.Legend, legendEntry{0, "zero"})
	}
	toneOf := map[string]int{}
	for i := range rows[:empty] {
		toneOf[rows[i].UF] = 0
	}
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
	if len(states) < len(shapes) {
		all.zoom(shapes, toneOf)
	}
	return all
}

// Margin around the shown states, and the least side of the viewBox, which keeps a small region
// from filling the map.
const (
	zoomMargin = 20
	zoomLeast  = 600 // width and height of what is shown
)

// zoom narrows the viewBox to the states of the map, whose UFs are the keys of own, and keeps the
// others as land around them.
func (m *StateMap) zoom(shapes outlines, own map[string]int) {
	b := box{math.MaxInt, math.MaxInt, math.MinInt, math.MinInt}
	for uf, outline := range shapes {
		if _, ok := own[uf]; !ok {
			m.Land = append(m.Land, outline)
			continue
		}
		one := boxOf(outline)
		b.left, b.top, b.right, b.bottom = min(b.left, one.left), min(b.top, one.top), max(b.right, one.right), max(b.bottom, one.bottom)
	}
	slices.Sort(m.Land)
	width, height := max(b.right-b.left+2*zoomMargin, zoomLeast), max(b.bottom-b.top+2*zoomMargin, zoomLeast)
	m.Box = fmt.Sprintf("%d %d %d %d", (b.left+b.right-width)/2, (b.top+b.bottom-height)/2, width, height)
}
