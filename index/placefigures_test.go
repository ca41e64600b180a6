package index

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// happened is what placesFile holds of a place, added up from the documents.
type happened struct {
	Opened, Closed int64
	Closings       map[int]int64
	Activities     map[string]int64
}

func happenedIn(docs []Doc, since, until int) map[string]*happened {
	all := map[string]*happened{}
	for i := range docs {
		d := &docs[i]
		for _, place := range []string{"", d.UF, d.Municipio} {
			h := all[place]
			if h == nil {
				h = &happened{Closings: map[int]int64{}, Activities: map[string]int64{}}
				all[place] = h
			}
			h.Opened += int64(bit(d.Opening >= since && d.Opening < until))
			if d.SituacaoCadastral == "08" {
				h.Closings[d.Closing/10_000]++
				h.Closed += int64(bit(d.Closing >= since && d.Closing < until))
			}
			if d.HeadOffice && d.SituacaoCadastral == situacaoAtiva {
				h.Activities[d.CNAE]++
			}
		}
	}
	return all
}

// TestPlaceFigures compares what has happened in all places with sums over the documents.
func TestPlaceFigures(t *testing.T) {
	t.Parallel()
	docs := varied(6000)
	ix := open(t, build(t, docs, BuildOptions{Month: "2024-02", BucketBytes: 64 << 10}))
	r := ix.Rankings()
	if since, until := r.Lately(); since != 20230301 || until != 20240301 {
		t.Fatalf("lately is from %d to before %d", since, until)
	}
	for place, want := range happenedIn(docs, 20230301, 20240301) {
		figures, ok := r.Country(), true
		switch len(place) {
		case 2:
			figures, ok = r.UF(place)
		case 4:
			figures, ok = r.Municipality(place)
		}
		got := happened{figures.Opened, figures.Closed, map[int]int64{}, map[string]int64{}}
		for _, c := range figures.Closings {
			got.Closings[c.Year] = c.Count
		}
		if !ok || got.Opened != want.Opened || got.Closed != want.Closed || gocmp.Diff(want.Closings, got.Closings) != "" {
			t.Errorf("%q: %+v, want %+v", place, got, want)
		}
		if !slices.IsSortedFunc(figures.Closings, func(a, b ClosingCount) int { return cmp.Compare(a.Year, b.Year) }) {
			t.Errorf("%q: closings %v are not in order", place, figures.Closings)
		}
		if wanted := mostFrequent(want.Activities); place != "" && !slices.Equal(figures.Activities, wanted) {
			t.Errorf("%q: activities %v, want %v", place, figures.Activities, wanted)
		}
	}
}

func mostFrequent(counts map[string]int64) []ActivityCount {
	var all []ActivityCount
	for code, count := range counts {
		all = append(all, ActivityCount{code, count})
	}
	slices.SortFunc(all, func(a, b ActivityCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.CNAE, b.CNAE))
	})
	return all[:min(len(all), maxActivities)]
}

// TestIndexOfBefore opens an index from before closings were counted: it has everything else.
func TestIndexOfBefore(t *testing.T) {
	t.Parallel()
	dir := build(t, varied(500), BuildOptions{Month: "2024-02"})
	full := open(t, dir)
	m := full.Manifest()
	m.Files = slices.DeleteFunc(slices.Clone(m.Files), func(f File) bool { return f.Path == placesFile })
	body, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, manifestName), body)
	if err := os.Remove(filepath.Join(dir, placesFile)); err != nil {
		t.Fatal(err)
	}
	old := open(t, dir)
	if since, until := old.Rankings().Lately(); since != 0 || until != 0 {
		t.Errorf("lately is from %d to before %d", since, until)
	}
	want, got := full.Rankings().Country(), old.Rankings().Country()
	if got.Closings != nil || got.Opened != 0 || got.Closed != 0 || got.ActiveCompanies != want.ActiveCompanies {
		t.Errorf("the country has %d closings, %d companies", len(got.Closings), got.ActiveCompanies)
	}
	if diff := gocmp.Diff(want.Openings, got.Openings); diff != "" {
		t.Errorf("openings: %s", diff)
	}
}

func TestTwelveMonths(t *testing.T) {
	t.Parallel()
	for month, want := range map[string]period{
		"2026-12": {20260101, 20270101}, "2026-01": {20250201, 20260201}, "2024-02": {20230301, 20240301}, "teste": {},
	} {
		if got := twelveMonths(month); got != want {
			t.Errorf("twelveMonths(%q) = %v, want %v", month, got, want)
		}
	}
}
