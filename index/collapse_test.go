package index

import (
	"math/rand/v2"
	"slices"
	"testing"

	"razao/index/build"
	"razao/index/filter"
	"razao/index/indextest"
)

// TestCompaniesInOrder compares pages of companies, of up to four establishments each, with a scan
// of the documents. It covers results that are sorted as a whole and results of which only the page
// is looked for: see orderedScan.
func TestCompaniesInOrder(t *testing.T) {
	t.Parallel()
	docs := indextest.Varied(40_000)
	rng := rand.New(rand.NewPCG(4, 4))
	indextest.Regroup(docs, rng)
	ix := open(t, indextest.Build(t, docs, build.Options{ShardDocs: 9000, Workers: 2}))
	slices.SortFunc(docs, func(a, b build.Doc) int { return indextest.CompareRank(&a, &b) })
	for _, filters := range []filter.Set{
		{}, filter.Of(filter.HeadOffice, "filial"), filter.Of(filter.OpenedFrom, "1975-02-03"), filter.Of(filter.UF, "SP"), filter.Of(filter.SinceTo, "2013-12-31"),
	} {
		var found []*build.Doc
		passes := passer(filters)
		for i := range docs {
			if d := &docs[i]; passes(d) {
				found = append(found, d)
			}
		}
		firsts := firstOfEach(found)
		for order := ByRank; order <= ByOldest; order++ {
			for _, byCompany := range []bool{true, false} {
				results := firsts
				if !byCompany {
					results = found
				}
				if !byCompany && order != ByName && order != ByOldest {
					continue // sorting takes long
				}
				sorted := inOrder(results, order)
				for range 8 {
					q := Query{Filters: filters, Order: order, ByCompany: byCompany, Limit: rng.IntN(21), Offset: rng.IntN(1 + rng.IntN(2000))}
					r := checkPage(t, ix, q, sorted)
					if !r.TotalIsFloor && r.Establishments != len(found) {
						t.Fatalf("%v: %d establishments, want %d", filters, r.Establishments, len(found))
					}
				}
			}
		}
	}
}
