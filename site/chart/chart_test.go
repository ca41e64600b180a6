package chart

import (
	"bytes"
	"context"
	"regexp"
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

// TestLabelsDoNotTouch expects at least 40 pixels from label to label of the axis at the least width of
// a column, and a label at the last column.
func TestLabelsDoNotTouch(t *testing.T) {
	t.Parallel()
	for _, linked := range []bool{false, true} {
		for n := 1; n <= 120; n++ {
			columns := Columns{Series: make([]Series, 1)}
			for range n {
				p := Point{Text: "2019", Values: [2]int64{1}}
				if linked {
					p.URL = "/"
				}
				columns.Points = append(columns.Points, p)
			}
			width := 300 / float64(n)
			if linked {
				width = max(width, 24)
			}
			every := columns.labelled(linked)
			if float64(every)*width < 40 && every < n {
				t.Errorf("%d columns, links %v: a label every %d columns", n, linked, every)
			}
			if ticks := columns.draw().Ticks; len(ticks) != (n+every-1)/every {
				t.Errorf("%d columns: %d labels, one every %d", n, len(ticks), every)
			}
		}
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
			{Text: "2025", Row: "2025, até <05/2025>", URL: "/a?ano=2025", Current: true, Values: [2]int64{1, 7}},
		},
		Extra: []Point{{Row: "Total", Values: [2]int64{1_235, 7}}},
	}
	var b bytes.Buffer
	if err := columns.Figure().Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	drawing, table, _ := strings.Cut(b.String(), `<table class="narrow">`)
	for _, text := range []string{"2024: 1.234 aberturas, 0 baixas", "2025, até &lt;05/2025&gt;: 1 abertura, 7 baixas", `href="/a?ano=2024&amp;b=1"`, `aria-current="true"`} {
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
