package chart

import (
	"bytes"
	"context"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestScale(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		above, below int64
		want         string
	}{
		{0, 0, "0@0.0"},
		{1, 0, "1@0.0 0@100.0"},
		{50, 50, "40@10.0 20@30.0 0@50.0 20@70.0 40@90.0"},
		{100_000, 20_000, "100 mil@0.0 80 mil@16.7 60 mil@33.3 40 mil@50.0 20 mil@66.7 0@83.3 20 mil@100.0"},
		{5_200_000, 900_000, "5 mi@3.3 4 mi@19.7 3 mi@36.1 2 mi@52.5 1 mi@68.9 0@85.2"},
	} {
		columns := Columns{Series: make([]Series, 2), Points: []Point{{Values: [2]int64{c.above, c.below}}}}
		var marks []string
		for _, mark := range columns.draw().Scale {
			marks = append(marks, mark.Text+"@"+mark.At)
		}
		if got := strings.Join(marks, " "); got != c.want {
			t.Errorf("%d above, %d below: %s, want %s", c.above, c.below, got, c.want)
		}
	}
}

// TestScaleOfAmounts expects whole reais on a scale of cents, whatever the amounts.
func TestScaleOfAmounts(t *testing.T) {
	t.Parallel()
	for cents, want := range map[int64]string{1: "0", 199: "1 0", 1_234_56: "1.200 1.000 800 600 400 200 0", 7_654_321_00: "6 mi 4 mi 2 mi 0"} {
		columns := Columns{Money: true, Series: make([]Series, 1), Points: []Point{{Values: [2]int64{cents}}}}
		var texts []string
		for _, mark := range columns.draw().Scale {
			texts = append(texts, mark.Text)
		}
		if got := strings.Join(texts, " "); got != want {
			t.Errorf("%d cents: %s, want %s", cents, got, want)
		}
	}
}

func TestBrief(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{0: "0", 9_999: "9.999", 20_000: "20 mil", 1_500_000: "1,5 mi", 2_000_000_000: "2 bi", 3_200_000_000_000: "3,2 tri"} {
		if got := Brief(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

// TestLabelsDoNotTouch expects at least eight pixels between labels of the axis at the least width of a
// column, and a label at the last column, which ends with it.
func TestLabelsDoNotTouch(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"2019", "31/12", "12/2019"} {
		for n := 1; n <= 240; n++ {
			linked := n%2 == 0
			columns := Columns{Series: make([]Series, 1), Wide: len(text)}
			for range n {
				p := Point{Text: text, Values: [2]int64{1}}
				if linked {
					p.URL = "/"
				}
				columns.Points = append(columns.Points, p)
			}
			room := n
			if linked {
				room = max(n, fewest)
			}
			width := float64(max(300/room, 1))
			if linked {
				width = max(width, 24)
			}
			ticks, wide := columns.draw().Ticks, 8*float64(len(text))
			end := 0.0 // of the label before
			for i, tick := range ticks {
				at, err := strconv.ParseFloat(tick.At, 64)
				if err != nil {
					t.Fatal(err)
				}
				from := at*width*float64(room)/100 - wide/2
				if tick.Anchor == "end" {
					from -= wide / 2
				}
				if i > 0 && from-end < 7.5 { // positions have one decimal
					t.Errorf("%d columns, links %v: %.1f pixels before label %d of %d", n, linked, from-end, i+1, len(ticks))
				}
				end = from + wide
			}
			if n > 1 && n == room && (ticks[len(ticks)-1].At != "100" || ticks[len(ticks)-1].Anchor != "end") {
				t.Errorf("%d columns: the last label is at %v", n, ticks[len(ticks)-1])
			}
		}
	}
}

// TestCommonScale expects two charts with the same room for the largest of both to draw a number alike.
func TestCommonScale(t *testing.T) {
	t.Parallel()
	points := func(up, down int64) Columns {
		return Columns{Series: make([]Series, 2), Points: []Point{{Text: "2026", Values: [2]int64{up, down}}}, Most: [2]int64{300, 100}}
	}
	for _, c := range []Columns{points(300, 20), points(30, 100), points(0, 0)} {
		d := c.draw()
		up, down := c.Points[0].Values[0], c.Points[0].Values[1]
		if d.Line != "75.0" || d.Uprights[0].Up != Share(up, 400) || d.Uprights[0].Down != Share(down, 400) || len(d.Scale) != 5 {
			t.Errorf("%d above, %d below: line at %s, %s up, %s down, scale %v", up, down, d.Line, d.Uprights[0].Up, d.Uprights[0].Down, d.Scale)
		}
	}
}

// TestSparklineIsBare expects columns with their numbers in words, and nothing around them.
func TestSparklineIsBare(t *testing.T) {
	t.Parallel()
	c := Columns{Title: "Aberturas", Series: []Series{{One: "abertura", Many: "aberturas"}}, Points: []Point{{Text: "1", Values: [2]int64{3}}, {Text: "2", Values: [2]int64{1}, Part: true}}, Small: true}
	var b bytes.Buffer
	if err := c.Figure().Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`aria-label="Aberturas"`, "1: 3 aberturas", `<g class="part"><title>2: 1 abertura`} {
		if !strings.Contains(b.String(), text) {
			t.Errorf("no %s: %s", text, b.String())
		}
	}
	if strings.Contains(b.String(), "<text") || strings.Contains(b.String(), "<table") || strings.Count(b.String(), "<line") != 1 {
		t.Errorf("more than columns on a line: %s", b.String())
	}
}

// TestFewColumns expects the columns of two years no wider than those of seven, and whole where
// nothing can be clicked.
func TestFewColumns(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{"/a": "11.4", "": "40.0"} {
		columns := Columns{Series: make([]Series, 1), Points: []Point{{Text: "2024", URL: url, Values: [2]int64{1}}, {Text: "2025", URL: url}}}
		if got := columns.draw().Width; got != want {
			t.Errorf("with links to %q, columns of %s %%, want %s", url, got, want)
		}
	}
}

// TestChosenBar expects the mark of what is chosen on the bar's link alone.
func TestChosenBar(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	bars := Bars{Rows: []Bar{{Text: "Bahia", URL: "/a", Current: true}, {Text: "Acre", URL: "/b"}}}
	if err := bars.Table().Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `<a href="/a" rel="nofollow" aria-current="true">Bahia</a>`) || strings.Count(b.String(), "aria-current") != 1 {
		t.Errorf("%s", &b)
	}
}

// TestTableHasWhatIsDrawn expects every point in the drawing and in the table, with the same words,
// links and numbers.
func TestTableHasWhatIsDrawn(t *testing.T) {
	t.Parallel()
	columns := Columns{
		Title: "Aberturas, por ano", Axis: "Ano", Series: []Series{{Name: "Aberturas", One: "abertura", Many: "aberturas"}, {Name: "Baixas", One: "baixa", Many: "baixas"}},
		Points: []Point{
			{Text: "2024", URL: "/a?ano=2024&b=1", Values: [2]int64{1_234, 0}},
			{Text: "2025", Row: "2025, até <05/2025>", URL: "/a?ano=2025", Current: true, Part: true, Values: [2]int64{1, 7}},
		},
		Extra: []Point{{Row: "Total", Values: [2]int64{1_235, 7}}},
	}
	var b bytes.Buffer
	if err := columns.Figure().Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	drawing, table, _ := strings.Cut(b.String(), `<table class="narrow">`)
	for _, text := range []string{"2024: 1.234 aberturas, 0 baixas", "2025, até &lt;05/2025&gt;: 1 abertura, 7 baixas", `href="/a?ano=2024&amp;b=1"`, `class="part" aria-current="true"`} {
		if !strings.Contains(drawing, text) {
			t.Errorf("the drawing lacks %s:\n%s", text, drawing)
		}
	}
	text := strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(table, " ")), " ")
	if want := "Ano Aberturas Baixas 2024 1.234 0 2025, até &lt;05/2025&gt; 1 7 Total 1.235 7"; text != want {
		t.Errorf("the table says %s, want %s", text, want)
	}
	if links := strings.Count(table, "<a "); links != 2 {
		t.Errorf("the table has %d links", links)
	}
}
