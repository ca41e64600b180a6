package places

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"razao/index/figures"
	"razao/internal/data/ptbr"
)

// dotMap draws municipalities as dots whose size says how far in front the municipality ranks by a
// measure.
type dotMap struct {
	Box    string   // viewBox
	Label  string   // the measure
	Where  string   // de São Paulo; "" for the country
	States []string // outlines, as SVG paths
	// Transform maps the outlines onto the plane of the dots (SVG transform attribute); "" when
	// both share one.
	Transform string
	Dots      []dots // smallest first, so that the largest are painted on top
}

// dots is one size class: all its municipalities in one SVG path. Tone is the class, 5 for the
// largest.
type dots struct {
	legendEntry
	Path string
}

// Ranks at which the size classes end, largest class first.
var (
	countryRanks = []int{10, 100, 500, 2000, math.MaxInt}
	stateRanks   = []int{1, 5, 20, 80, math.MaxInt}
)

// newDotMap draws the whole country. municipalities are in the order of m.
func newDotMap(shapes outlines, municipalities []*figures.Place, m measure) *dotMap {
	all := &dotMap{Box: mapBox, Label: m.label}
	for _, uf := range slices.Sorted(maps.Keys(shapes)) {
		all.States = append(all.States, shapes[uf])
	}
	all.Dots = newDots(municipalities, m, countryRanks, func(x, y float64) (float64, float64) { return x, y })
	return all
}

const (
	stateSide   = 1000 // longer side of a state's map, in units of its viewBox
	stateMargin = 25   // room for dots on the border
)

// newStateDots draws one state, scaled to stateSide; nil for a state with one municipality.
// municipalities are in the order of m.
func newStateDots(outline, where string, municipalities []*figures.Place, m measure) *dotMap {
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

// newDots splits the municipalities into size classes by rank. Those with a value of 0, at the end
// of the order, get no dot.
func newDots(ordered []*figures.Place, m measure, ranks []int, place func(x, y float64) (float64, float64)) []dots {
	if some := slices.IndexFunc(ordered, func(p *figures.Place) bool { return m.value(p) == 0 }); some >= 0 {
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

// rankText names the ranks after first up to rank: os 10 primeiros, do 11º ao 100º, os demais.
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

// dotPath draws places as zero-length lines, which stroke-linecap: round renders as dots, each at
// an offset relative to the previous one, which takes far fewer bytes than circle elements.
func dotPath(rows []*figures.Place, place func(x, y float64) (float64, float64)) string {
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
		if p[1] >= at[1] { // a minus sign separates numbers by itself
			path = append(path, ' ')
		}
		path = append(strconv.AppendInt(path, int64(p[1]-at[1]), 10), "h0"...)
		at = p
	}
	return string(path)
}

// stripWidth is the width of the strips of upAndDown, in units of the map.
const stripWidth = 24

// upAndDown orders points along a boustrophedon: down one vertical strip, up the next. Consecutive
// points are close, so the relative offsets of dotPath have few digits.
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

// project maps latitude and longitude in degrees onto the plane of the outlines: a Mercator
// projection whose scale and offset were fitted to them.
func project(latitude, longitude float64) (x, y float64) {
	north := math.Log(math.Tan(math.Pi/4+latitude*math.Pi/360)) * 180 / math.Pi
	return 31.22449*longitude + 2310.825, -31.02094*north + 164.234
}

// box is a bounding box.
type box struct{ left, top, right, bottom int }

// boxOf returns the bounding box of an outline: an SVG path of absolute moves (M), relative lines
// (l) and closes (z) in integers.
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

// leadingNumber parses the integer at the beginning of text. length is at least 1, so that a
// malformed outline cannot loop forever.
func leadingNumber(text string) (n, length int) {
	for length = 1; length < len(text) && text[length] >= '0' && text[length] <= '9'; length++ {
	}
	n, _ = strconv.Atoi(text[:length])
	return n, length
}
