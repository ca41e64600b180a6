package index

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/index/build"
	"razao/index/filter"
	"razao/index/indextest"
	"razao/internal/cnpj"
)

// TestTenThousandCombinations compares a page, its order, the total and now and then the facets of random combinations of filters
// with a scan of the documents.
func TestTenThousandCombinations(t *testing.T) {
	t.Parallel()
	docs := indextest.Varied(1200)
	ix := openFlagged(t, docs, build.Options{BucketBytes: 64 << 10, ShardDocs: 250, Workers: 2})
	slices.SortFunc(docs, func(a, b build.Doc) int { return indextest.CompareRank(&a, &b) })
	rng := rand.New(rand.NewPCG(19, 6))
	seen, some, several := map[filter.Set]bool{}, 0, 0
	for round := 0; len(seen) < 10_000; round++ {
		q := Query{
			Filters: randomFilters(rng, &docs[rng.IntN(len(docs))], &docs[rng.IntN(len(docs))]), Order: Order(rng.IntN(5)), Limit: 1 + rng.IntN(30),
		}
		if seen[q.Filters] {
			continue
		}
		seen[q.Filters] = true
		var left []*build.Doc
		passes := passer(q.Filters)
		for i := range docs {
			if passes(&docs[i]) {
				left = append(left, &docs[i])
			}
		}
		if len(left) > 0 {
			some++
		}
		if strings.Contains(q.Filters.String(), "=-") {
			several++
		}
		q.Offset = rng.IntN(len(left) + 1)
		want := []cnpj.Full{}
		for _, d := range inOrder(left, q.Order)[q.Offset:min(len(left), q.Offset+q.Limit)] {
			want = append(want, d.CNPJ)
		}
		r, err := ix.Search(t.Context(), q)
		got := []cnpj.Full{}
		for _, hit := range r.Hits {
			got = append(got, hit.CNPJ)
		}
		if err != nil || r.Total != len(left) || r.TotalIsFloor || !slices.Equal(want, got) {
			t.Fatalf("%v, order %d, from %d: %v, total %d, want %d; %v, want %v", q.Filters, q.Order, q.Offset, err, r.Total, len(left), got, want)
		}
		if round%20 > 0 {
			continue
		}
		facets, err := ix.Facets(t.Context(), q)
		if diff := gocmp.Diff(facetsOf(docs, &q), facets); err != nil || diff != "" {
			t.Fatalf("facets of %v: %v %.800s", q.Filters, err, diff)
		}
	}
	if some < 5000 || several < 2000 {
		t.Errorf("%d combinations find something and %d exclude, want more", some, several)
	}
}
