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

// dotMap shows municipalities as dots that are the larger the more active companies they have.
type dotMap struct {
	Box    string
	Where  string   // "" for the country
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

// newDotMap shows the municipalities of the country.
func newDotMap(shapes outlines, municipalities []snapshot.Place) *dotMap {
	m := &dotMap{Box: mapBox}
	for _, uf := range slices.Sorted(maps.Keys(shapes)) {
		m.States = append(m.States, shapes[uf])
	}
	m.Dots = newDots(municipalities, countryRanks, func(x, y float64) (float64, float64) { return x, y })
	return m
}

const (
	stateSide   = 1000 // longer side of the map of a state
	stateMargin = 25   // for dots on the border
)

// newStateDots shows the municipalities of one state, nil when it has but one.
func newStateDots(outline, where string, municipalities []snapshot.Place) *dotMap {
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
		Box: fmt.Sprintf("0 0 %.0f %.0f", width+stateMargin, height+stateMargin), Where: where, States: []string{outline},
		Transform: fmt.Sprintf("translate(%d %d) scale(%.4f) translate(%d %d)", stateMargin, stateMargin, scale, -b.left, -b.top),
		Dots:      newDots(municipalities, stateRanks, place),
	}
}

// newDots parts the municipalities by rank and places them.
func newDots(municipalities []snapshot.Place, ranks []int, place func(x, y float64) (float64, float64)) []dots {
	rows := slices.Clone(municipalities)
	slices.SortStableFunc(rows, func(a, b snapshot.Place) int { return cmp.Compare(b.ActiveCompanies, a.ActiveCompanies) })
	var all []dots
	first := 0
	for i, rank := range ranks {
		last := min(rank, len(rows))
		entry := legendEntry{len(ranks) - i, "os demais com alguma empresa"}
		switch {
		case rank == 1:
			entry.Text = "o que tem mais empresas ativas"
		case i == 0:
			entry.Text = "os " + strconv.Itoa(rank) + " com mais empresas ativas"
		case i < len(ranks)-1:
			entry.Text = fmt.Sprintf("do %sº ao %sº", ptbr.Count(first+1), ptbr.Count(rank))
		}
		if path := dotPath(rows[min(first, last):last], place); path != "" {
			all = append(all, dots{entry, path})
		}
		first = last
	}
	slices.Reverse(all)
	return all
}

// dotPath draws places as lines without length, which round ends make dots, each reached from the one before: a tenth of
// the bytes of circles. Places without companies have none.
func dotPath(rows []snapshot.Place, place func(x, y float64) (float64, float64)) string {
	var points [][2]int
	for i := range rows {
		if rows[i].ActiveCompanies > 0 {
			x, y := place(project(rows[i].Municipality.Latitude, rows[i].Municipality.Longitude))
			points = append(points, [2]int{int(math.Round(x)), int(math.Round(y))})
		}
	}
	if len(points) == 0 {
		return ""
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
