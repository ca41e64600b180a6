package places

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"razao/index/figures"
	"razao/internal/data/territory"
	"razao/internal/testing/fixture"
)

// somePlaces returns the outlines and states with 0, 1, 1, 2, 3 … companies.
func somePlaces(t *testing.T) (outlines, []figures.Place) {
	t.Helper()
	atlas := fixture.Atlas(t)
	shapes, err := loadOutlines(atlas)
	if err != nil {
		t.Fatal(err)
	}
	var rows []figures.Place
	for _, uf := range atlas.UFs() {
		if uf.Code != territory.Abroad {
			rows = append(rows, figures.Place{Name: uf.Name, UF: uf.Code, Sums: sums(max(len(rows)-1, len(rows)/2))})
		}
	}
	return shapes, rows
}

func sums(companies int) figures.Sums {
	return figures.Sums{ActiveCompanies: int64(companies), Capital: new(big.Int)}
}

// companies is the first measure.
var companies = measuresOf(&figures.Places{})[0]

// TestStateMapTellsItsFigures checks shades and legend against the figures: more is never lighter,
// equal figures share a shade, and every figure lies in the span that the legend gives for its
// shade.
func TestStateMapTellsItsFigures(t *testing.T) {
	t.Parallel()
	shapes, rows := somePlaces(t)
	m := newStateMap(shapes, rows, "Empresas ativas", companies)
	spans := map[int]string{}
	for _, entry := range m.Legend {
		spans[entry.Tone] = entry.Text
	}
	if len(m.States) != 27 || len(spans) != tones+1 || spans[0] != "zero" {
		t.Fatalf("%d states, legend %v", len(m.States), m.Legend)
	}
	for i := range m.States {
		a, count := m.States[i], rows[i].ActiveCompanies
		var from, to int64
		if n, _ := fmt.Sscanf(spans[a.Tone], "%d a %d", &from, &to); n == 1 {
			to = from
		}
		if a.Text != fmt.Sprintf("%s: %d", rows[i].Name, count) || a.Tone > 0 && (count < from || count > to) || (a.Tone == 0) != (count == 0) {
			t.Errorf("%+v for %d in %q", a.Text, count, spans[a.Tone])
		}
		for j := range m.States {
			if b := m.States[j]; rows[j].ActiveCompanies > count && b.Tone < a.Tone || rows[j].ActiveCompanies == count && b.Tone != a.Tone {
				t.Errorf("%s has tone %d, %s %d", a.Text, a.Tone, b.Text, b.Tone)
			}
		}
	}
}

// TestBoxesHoldTheirMunicipalities projects every municipality and expects it inside the bounding
// box of its state.
func TestBoxesHoldTheirMunicipalities(t *testing.T) {
	t.Parallel()
	shapes, _ := somePlaces(t)
	atlas := fixture.Atlas(t)
	if got, want := boxOf("M57 476l1-4 10 2zM50 480l-2 3z"), (box{48, 472, 68, 483}); got != want {
		t.Errorf("boxOf = %v, want %v", got, want)
	}
	const slack = 4 // of 1226: the outlines are simplified
	for _, m := range atlas.Municipalities() {
		if m.UF == territory.Abroad || m.Name == "Fernando de Noronha" {
			continue
		}
		b := boxOf(shapes[m.UF])
		x, y := project(m.Latitude, m.Longitude)
		if x < float64(b.left-slack) || x > float64(b.right+slack) || y < float64(b.top-slack) || y > float64(b.bottom+slack) {
			t.Errorf("%s/%s at %.0f %.0f is outside of %v", m.Name, m.UF, x, y, b)
		}
	}
}

// pointsOf replays a path of dots and counts the dots at each point.
func pointsOf(t *testing.T, path string) map[[2]int]int {
	t.Helper()
	points := map[[2]int]int{}
	at := [2]int{}
	for _, step := range regexp.MustCompile(`m(-?[0-9]+) ?(-?[0-9]+)h0`).FindAllStringSubmatch(path, -1) {
		dx, _ := strconv.Atoi(step[1])
		dy, _ := strconv.Atoi(step[2])
		at[0] += dx
		at[1] += dy
		points[at]++
	}
	return points
}

// TestDotsOfTheCountry expects a dot for every municipality, in at most 13,000 bytes of gzip.
func TestDotsOfTheCountry(t *testing.T) {
	t.Parallel()
	shapes, _ := somePlaces(t)
	atlas := fixture.Atlas(t)
	var rows []figures.Place
	want := map[[2]int]int{}
	for _, m := range atlas.Municipalities() {
		if m.UF == territory.Abroad {
			continue
		}
		rows = append(rows, figures.Place{UF: m.UF, Sums: sums(1 + m.Population), Municipality: m})
		x, y := project(m.Latitude, m.Longitude)
		want[[2]int{int(math.Round(x)), int(math.Round(y))}]++
	}
	got := map[[2]int]int{}
	var all strings.Builder
	for _, d := range newDotMap(shapes, figures.Ranked(rows, companies.compare), companies).Dots {
		all.WriteString(d.Path)
		for p, n := range pointsOf(t, d.Path) {
			got[p] += n
		}
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("dots (-places +map): %.500s", diff)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := io.WriteString(w, all.String()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if n := packed.Len(); n > 13_000 {
		t.Errorf("%d dots take %d bytes of gzip", len(rows), n)
	}
}

func TestStateDots(t *testing.T) {
	t.Parallel()
	shapes, _ := somePlaces(t)
	atlas := fixture.Atlas(t)
	var rows []figures.Place
	for _, m := range atlas.Municipalities() {
		if m.UF == "SE" {
			rows = append(rows, figures.Place{UF: m.UF, Sums: sums(len(rows)), Municipality: m})
		}
	}
	m := newStateDots(shapes["SE"], "de Sergipe", figures.Ranked(rows, companies.compare), companies)
	counts := map[int]int{}
	for _, d := range m.Dots {
		counts[d.Tone] = strings.Count(d.Path, "h0")
	}
	// One municipality has no company and no dot.
	if want := map[int]int{5: 1, 4: 4, 3: 15, 2: len(rows) - 21}; fmt.Sprint(counts) != fmt.Sprint(want) {
		t.Errorf("dots by size: %v, want %v", counts, want)
	}
	if newStateDots(shapes["DF"], "do Distrito Federal", figures.Ranked(rows[:1], companies.compare), companies) != nil {
		t.Error("a map of one municipality")
	}
}
