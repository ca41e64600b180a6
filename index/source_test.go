package index

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/index/build"
	"razao/index/flags"
	"razao/index/indextest"
	"razao/internal/data/source"
)

// TestLoadsHaveFlagsOfTheirOwn opens one index for two snapshots that differ in a load. Each counts
// by its own load, from the cache too.
func TestLoadsHaveFlagsOfTheirOwn(t *testing.T) {
	t.Parallel()
	docs := indextest.Synthetic(3 * worthRemembering)
	dir := indextest.Build(t, docs, build.Options{})
	loads := indextest.Flag(t, dir, docs)
	w, err := flags.NewWriter(dir)
	if err != nil {
		t.Fatal(err)
	}
	one := docs[5].CNPJ
	var records flags.Records
	records.Add(one, one)
	if err := errors.Join(w.Write(t.Context(), "pgfn", 99, &records, 1), w.Close()); err != nil {
		t.Fatal(err)
	}
	opened := open(t, dir)
	for range 2 { // counted, then remembered
		for _, load := range []int64{loads["pgfn"], 99} {
			ix, err := opened.ForLoads(map[string]int64{"pgfn": load})
			if err != nil {
				t.Fatal(err)
			}
			want := int64(1)
			if load != 99 {
				want = 0
				for i := range docs {
					want += int64(indextest.SourcesOf(&docs[i]) & 1)
				}
			}
			counts, err := ix.Facets(t.Context(), Query{})
			if diff := gocmp.Diff([]FacetValue{{Value: "pgfn", Count: want}}, counts["fonte"]); err != nil || diff != "" {
				t.Errorf("load %d: %v %s", load, err, diff)
			}
			again, err := ix.Facets(t.Context(), Query{})
			if err != nil || reflect.ValueOf(counts).Pointer() != reflect.ValueOf(again).Pointer() {
				t.Error("they were counted twice")
			}
			found, err := ix.Search(t.Context(), Query{Filters: narrowed("fonte=pgfn")})
			if err != nil || int64(found.Total) != min(want, MaxTotal) {
				t.Errorf("load %d: %d found, %v; want %d", load, found.Total, err, want)
			}
		}
	}
}

// TestASourceThatIsNotKnown asks an index without the flags of one source, or without loads.
func TestASourceThatIsNotKnown(t *testing.T) {
	t.Parallel()
	docs := indextest.Synthetic(500)
	dir := indextest.Build(t, docs, build.Options{})
	loads := indextest.Flag(t, dir, docs)
	if err := os.Remove(filepath.Join(dir, "sources", "ceis-000011")); err != nil {
		t.Fatal(err)
	}
	opened := open(t, dir)
	ix, err := opened.ForLoads(loads)
	var unknown *SourceError
	if !errors.As(err, &unknown) || unknown.Source != "ceis" || !errors.Is(err, flags.ErrUnusable) {
		t.Errorf("opened for loads: %v", err)
	}
	if diff := gocmp.Diff([]string{"ceis"}, ix.Unflagged()); diff != "" {
		t.Error(diff)
	}
	for _, q := range []Query{{Filters: narrowed("fonte=ceis")}, {Filters: narrowed("fonte=ceis&mei=nao&ano_de=1990")}, {Text: "ltda", Filters: narrowed("fonte=ceis")}} {
		if _, err := ix.Search(t.Context(), q); !errors.As(err, &unknown) || unknown.Source != "ceis" {
			t.Errorf("%+v: %v", q, err)
		}
	}
	counts, err := ix.Facets(t.Context(), Query{})
	if err != nil || len(counts["fonte"]) == 0 || slices.ContainsFunc(counts["fonte"], func(v FacetValue) bool { return v.Value == "ceis" }) {
		t.Errorf("facets: %v, %v", counts["fonte"], err)
	}
	if r, err := ix.Search(t.Context(), Query{Filters: narrowed("fonte=pgfn")}); err != nil || r.Total == 0 {
		t.Errorf("another source: %d, %v", r.Total, err)
	}
	if r, err := ix.Search(t.Context(), Query{Filters: narrowed("fonte=rntrc")}); err != nil || r.Total != 0 {
		t.Errorf("a source without owners: %d, %v", r.Total, err)
	}
	if _, err := opened.Search(t.Context(), Query{Filters: narrowed("fonte=pgfn")}); !errors.As(err, &unknown) {
		t.Errorf("without loads: %v", err)
	}
	if diff := gocmp.Diff(source.IDs(), opened.Unflagged()); diff != "" {
		t.Error(diff)
	}
	if none, err := opened.ForLoads(nil); err != nil || none.Unflagged() != nil {
		t.Errorf("no loads: %v", err)
	}
}
