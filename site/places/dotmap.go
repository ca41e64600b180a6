package places

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"razao/internal/ptbr"
	"razao/internal/snapshot"
)

// dotMap shows municipalities as dots, the larger the further in front they are in the order of a measure.
type dotMap struct {
	Box    string
	Label  string   // what the map shows
	Where  string   // the state, in words: de São Paulo; "" for the country
	States []string // outlines
	// Transform brings the outlines to the plane of the dots; "" when they are on it.
	Transform string
	Dots      []dots // the largest last, so that they lie on top
}

// dots are municipalities of one size.
type dots struct {
	legendEntry
	Path string
}

// Ranks with which the sizes of the dots end, from the largest size on.
var (
	countryRanks = []int{10, 100, 500, 2000, math.MaxInt}
	stateRanks   = []int{1, 5, 20, 80, math.MaxInt}
)

// newDotMap shows the municipalities of the country, which are in the order of the measure.
func newDotMap(shapes outlines, municipalities []*snapshot.Place, m measure) *dotMap {
	all := &dotMap{Box: mapBox, Label: m.label}
	for _, uf := range slices.Sorted(maps.Keys(shapes)) {
		all.States = append(all.States, shapes[uf])
	}
	all.Dots = newDots(municipalities, m, countryRanks, func(x, y float64) (float64, float64) { return x, y })
	return all
}

const (
	stateSide   = 1000 // longer side of the map of a state
	stateMargin = 25   // for dots on the border
)

// newStateDots shows the municipalities of one state, which are in the order of the measure; nil when it has but one.
func newStateDots(outline, where string, municipalities []*snapshot.Place, m measure) *dotMap {
	if len(municipalities) < 2 {
		return nil
	}
	b := boxOf(outline)
	scale := (stateSide - 2*stateMargin) / float64(max(b.right-b.left, b.bottom-b.top))
	place := func(x, y float64) (float64, float64) {
		return (x-float64(b.left))*scale + stateMargin, (y-float64(b.top))*scale + stateMargin
	}
	width, height := place(float64(b.right), float64(b.bottom))
	return &dotMap{
		Box: fmt.Sprintf("0 0 %.0f %.0f", width+stateMargin, height+stateMargin), Label: m.label, Where: where, States: []string{outline},
		Transform: fmt.Sprintf("translate(%d %d) scale(%.4f) translate(%d %d)", stateMargin, stateMargin, scale, -b.left, -b.top),
		Dots:      newDots(municipalities, m, stateRanks, place),
	}
}

// newDots parts the municipalities by rank and places those that have any of the measure.
func newDots(ordered []*snapshot.Place, m measure, ranks []int, place func(x, y float64) (float64, float64)) []dots {
	if some := slices.IndexFunc(ordered, func(p *snapshot.Place) bool { return m.value(p) == 0 }); some >= 0 {
		ordered = ordered[:some]
	}
	var all []dots
	first := 0
	for i, rank := range ranks {
		last := min(rank, len(ordered))
		if first >= last {
			break
		}
		rows := ordered[first:last]
		span := ptbr.Span(m.text(rows[len(rows)-1]), m.text(rows[0]))
		all = append(all, dots{legendEntry{len(ranks) - i, rankText(first, rank) + ": " + span}, dotPath(rows, place)})
		first = last
	}
	slices.Reverse(all)
	return all
}

// rankText names the places behind the first ones, up to a rank.
func rankText(first, rank int) string {
	switch {
	case rank == 1:
		return "o primeiro"
	case first == 0:
		return "os " + strconv.Itoa(rank) + " primeiros"
	case rank == math.MaxInt:
		return "os demais"
	}
	return fmt.Sprintf("do %sº ao %sº", ptbr.Count(first+1), ptbr.Count(rank))
}

// dotPath draws places as lines without length, which round ends make dots, each reached from the one before: a tenth of
// the bytes of circles.
func dotPath(rows []*snapshot.Place, place func(x, y float64) (float64, float64)) string {
	points := make([][2]int, len(rows))
	for i, row := range rows {
		x, y := place(project(row.Municipality.Latitude, row.Municipality.Longitude))
		points[i] = [2]int{int(math.Round(x)), int(math.Round(y))}
	}
	slices.SortFunc(points, upAndDown)
	path := []byte("M0 0")
	var at [2]int
	for _, p := range points {
		path = strconv.AppendInt(append(path, 'm'), int64(p[0]-at[0]), 10)
		if p[1] >= at[1] { // a minus parts numbers by itself
			path = append(path, ' ')
		}
		path = append(strconv.AppendInt(path, int64(p[1]-at[1]), 10), "h0"...)
		at = p
	}
	return string(path)
}

// stripWidth is that of the strips in which a pen goes up and down over a map, so that its ways are short.
const stripWidth = 24

func upAndDown(a, b [2]int) int {
	strip := a[0] / stripWidth
	if order := cmp.Compare(strip, b[0]/stripWidth); order != 0 {
		return order
	}
	if strip%2 == 0 {
		return cmp.Or(cmp.Compare(a[1], b[1]), cmp.Compare(a[0], b[0]))
	}
	return cmp.Or(cmp.Compare(b[1], a[1]), cmp.Compare(a[0], b[0]))
}

// project returns where a point of the earth lies on the plane of the outlines, a Mercator projection.
func project(latitude, longitude float64) (x, y float64) {
	north := math.Log(math.Tan(math.Pi/4+latitude*math.Pi/360)) * 180 / math.Pi
	return 31.22449*longitude + 2310.825, -31.02094*north + 164.234
}

// box is what an outline covers.
type box struct{ left, top, right, bottom int }

// boxOf measures an outline, which is made of absolute moves (M), relative lines (l) and ends (z), in whole units.
func boxOf(outline string) box {
	b := box{math.MaxInt, math.MaxInt, math.MinInt, math.MinInt}
	var at [2]int
	axis, relative := 0, false
	for i := 0; i < len(outline); {
		switch c := outline[i]; c {
		case 'M', 'l':
			axis, relative = 0, c == 'l'
			i++
		case ' ', 'z':
			i++
		default:
			n, length := leadingNumber(outline[i:])
			if !relative {
				at[axis] = 0
			}
			at[axis] += n
			if axis = 1 - axis; axis == 0 {
				b.left, b.top, b.right, b.bottom = min(b.left, at[0]), min(b.top, at[1]), max(b.right, at[0]), max(b.bottom, at[1])
			}
			i += length
		}
	}
	return b
}

// leadingNumber reads the number with which a text begins; its length is at least 1.
func leadingNumber(text string) (n, length int) {
	for length = 1; length < len(text) && text[length] >= '0' && text[length] <= '9'; length++ {
	}
	n, _ = strconv.Atoi(text[:length])
	return n, length
}
