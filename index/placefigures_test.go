package index

import (
	"cmp"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/index/build"
	"razao/index/figures"
	"razao/index/indextest"
	"razao/index/term"
)

// happened is what the figures hold of a place, added up from the documents.
type happened struct {
	Opened, Closed int64
	Closings       map[int]int64
	Activities     map[string]int64
}

func happenedIn(docs []build.Doc, since, until int) map[string]*happened {
	all := map[string]*happened{}
	for i := range docs {
		d := &docs[i]
		for _, place := range []string{"", d.UF, d.Municipio} {
			h := all[place]
			if h == nil {
				h = &happened{Closings: map[int]int64{}, Activities: map[string]int64{}}
				all[place] = h
			}
			h.Opened += oneIf(d.Opening >= since && d.Opening < until)
			if d.SituacaoCadastral == "08" {
				h.Closings[d.Closing/10_000]++
				h.Closed += oneIf(d.Closing >= since && d.Closing < until)
			}
			if d.HeadOffice && d.SituacaoCadastral == term.SituacaoAtiva {
				h.Activities[d.CNAE]++
			}
		}
	}
	return all
}

// TestPlaceFigures compares what has happened in all places with sums over the documents.
func TestPlaceFigures(t *testing.T) {
	t.Parallel()
	docs := indextest.Varied(6000)
	ix := open(t, indextest.Build(t, docs, build.Options{Month: "2024-02", BucketBytes: 64 << 10}))
	r := ix.Rankings()
	if since, until := r.Lately(); since != 20230301 || until != 20240301 {
		t.Fatalf("lately is from %d to before %d", since, until)
	}
	for place, want := range happenedIn(docs, 20230301, 20240301) {
		sums, ok := r.Country(), true
		switch len(place) {
		case 2:
			sums, ok = r.UF(place)
		case 4:
			sums, ok = r.Municipality(place)
		}
		got := happened{sums.Opened, sums.Closed, map[int]int64{}, map[string]int64{}}
		for _, c := range sums.Closings {
			got.Closings[c.Year] = c.Count
		}
		if !ok || got.Opened != want.Opened || got.Closed != want.Closed || gocmp.Diff(want.Closings, got.Closings) != "" {
			t.Errorf("%q: %+v, want %+v", place, got, want)
		}
		if !slices.IsSortedFunc(sums.Closings, func(a, b figures.ClosingCount) int { return cmp.Compare(a.Year, b.Year) }) {
			t.Errorf("%q: closings %v are not in order", place, sums.Closings)
		}
		if wanted := mostFrequent(want.Activities); place != "" && !slices.Equal(sums.Activities, wanted) {
			t.Errorf("%q: activities %v, want %v", place, sums.Activities, wanted)
		}
	}
}

func oneIf(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

func mostFrequent(counts map[string]int64) []figures.ActivityCount {
	var all []figures.ActivityCount
	for code, count := range counts {
		all = append(all, figures.ActivityCount{CNAE: code, Count: count})
	}
	slices.SortFunc(all, func(a, b figures.ActivityCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.CNAE, b.CNAE))
	})
	return all[:min(len(all), 20)]
}
