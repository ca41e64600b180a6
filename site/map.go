package site

import (
	"cmp"
	_ "embed" // the outlines below
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"razao/internal/territory"
)

//go:embed data/estados.csv
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

// project returns where a point of the earth lies on the plane of the outlines, a Mercator projection.
func project(latitude, longitude float64) (x, y int) {
	north := math.Log(math.Tan(math.Pi/4+latitude*math.Pi/360)) * 180 / math.Pi
	return int(math.Round(31.22449*longitude + 2310.825)), int(math.Round(-31.02094*north + 164.234))
}

// tones is how many shades the states of a map have; 0 is for nothing at all.
const tones = 5

// stateMap shows a figure of the states by their shade.
type stateMap struct {
	Box    string
	Label  string // what the map shows
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

// newStateMap shows the active companies per 1,000 inhabitants: the fifth of the states that has most is darkest.
func newStateMap(shapes outlines, states []placeRow) *stateMap {
	m := &stateMap{Box: mapBox, Label: "Empresas ativas por mil habitantes, por estado"}
	rows := slices.Clone(states)
	slices.SortStableFunc(rows, func(a, b placeRow) int { return cmp.Compare(a.PerThousand(), b.PerThousand()) })
	empty := slices.IndexFunc(rows, func(r placeRow) bool { return r.Companies > 0 })
	if empty < 0 {
		empty = len(rows)
	}
	if empty > 0 {
		m.Legend = append(m.Legend, legendEntry{0, "nenhuma"})
	}
	toneOf := map[string]int{}
	some := rows[empty:]
	for tone := range tones {
		fifth := some[tone*len(some)/tones : (tone+1)*len(some)/tones]
		if len(fifth) == 0 {
			continue
		}
		for _, row := range fifth {
			toneOf[row.UF] = tone + 1
		}
		m.Legend = append(m.Legend, legendEntry{tone + 1, span(formatRate(fifth[0].PerThousand()), formatRate(fifth[len(fifth)-1].PerThousand()))})
	}
	for _, row := range states {
		m.States = append(m.States, stateShape{row.Name + ": " + formatRate(row.PerThousand()), row.URL, shapes[row.UF], toneOf[row.UF]})
	}
	return m
}

// dotMap shows the municipalities as dots that are the larger the more active companies they have.
type dotMap struct {
	Box    string
	States []string // outlines
	Dots   []dots   // the largest last, so that they lie on top
}

// dots are municipalities of one size.
type dots struct {
	legendEntry
	Path string
}

// dotLimits are the ranks with which the sizes end, from the largest size on.
var dotLimits = [...]int{10, 100, 500, 2000, math.MaxInt}

func newDotMap(shapes outlines, municipalities []placeRow) *dotMap {
	m := &dotMap{Box: mapBox}
	for _, uf := range slices.Sorted(maps.Keys(shapes)) {
		m.States = append(m.States, shapes[uf])
	}
	rows := slices.Clone(municipalities)
	slices.SortStableFunc(rows, func(a, b placeRow) int { return cmp.Compare(b.Companies, a.Companies) })
	first := 0
	for i, limit := range dotLimits {
		last := min(limit, len(rows))
		entry := legendEntry{len(dotLimits) - i, "os demais com alguma empresa"}
		switch {
		case i == 0:
			entry.Text = "os " + strconv.Itoa(limit) + " com mais empresas ativas"
		case i < len(dotLimits)-1:
			entry.Text = "até o " + formatCount(int64(limit)) + "º"
		}
		if path := dotPath(rows[min(first, last):last]); path != "" {
			m.Dots = append(m.Dots, dots{entry, path})
		}
		first = last
	}
	slices.Reverse(m.Dots)
	return m
}

// dotPath draws places as lines without length, which round ends make dots: a fifth of the bytes of circles. Places
// without companies have none.
func dotPath(rows []placeRow) string {
	var path []byte
	for i := range rows {
		if rows[i].Companies == 0 {
			continue
		}
		x, y := project(rows[i].municipality.Latitude, rows[i].municipality.Longitude)
		path = append(path, 'M')
		path = strconv.AppendInt(path, int64(x), 10)
		path = append(path, ' ')
		path = strconv.AppendInt(path, int64(y), 10)
		path = append(path, "h0"...)
	}
	return string(path)
}
