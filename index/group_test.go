package index

import (
	"math/rand/v2"
	"slices"
	"testing"

	"razao/index/build"
	"razao/index/filter"
	"razao/index/indextest"
	"razao/internal/cnpj"
)

// TestCompaniesInOrder compares pages of companies, each of which has up to four establishments, with a scan of the documents: few results,
// of which all are put in order, and more than are counted, of which only the page is looked for. See near.
func TestCompaniesInOrder(t *testing.T) {
	t.Parallel()
	docs := indextest.Varied(40_000)
	rng := rand.New(rand.NewPCG(4, 4))
	for i := 0; i < len(docs); {
		root := cnpj.Root(i)
		for n := range 1 + rng.IntN(4) {
			if i == len(docs) {
				break
			}
			docs[i].CNPJ, docs[i].HeadOffice = cnpj.Join(root, cnpj.Order(n+1)), n == 0
			i++
		}
	}
	ix := open(t, indextest.Build(t, docs, build.Options{ShardDocs: 9000, Workers: 2}))
	slices.SortFunc(docs, func(a, b build.Doc) int { return indextest.CompareRank(&a, &b) })
	for _, filters := range []filter.Set{
		{}, filter.Of(filter.HeadOffice, "filial"), filter.Of(filter.OpenedFrom, "1975-02-03"), filter.Of(filter.UF, "SP"), filter.Of(filter.SinceTo, "2013-12-31"),
	} {
		var found, firsts []*build.Doc
		seen := map[cnpj.Root]bool{}
		passes := passer(filters)
		for i := range docs {
			d := &docs[i]
			if !passes(d) {
				continue
			}
			if found = append(found, d); !seen[d.CNPJ.Root()] {
				seen[d.CNPJ.Root()] = true
				firsts = append(firsts, d)
			}
		}
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
					r, err := ix.Search(t.Context(), q)
					if err != nil || r.Total != min(len(sorted), MaxTotal) || r.TotalIsFloor != (len(sorted) > MaxTotal) || !r.TotalIsFloor && r.Establishments != len(found) {
						t.Fatalf("%v, order %d: %v, total %d, want %d of %d", filters, order, err, r.Total, len(sorted), len(found))
					}
					var got, want []cnpj.Full
					for _, hit := range r.Hits {
						got = append(got, hit.CNPJ)
					}
					for _, d := range sorted[min(q.Offset, len(sorted)):min(q.Offset+q.Limit, len(sorted))] {
						want = append(want, d.CNPJ)
					}
					if !slices.Equal(want, got) {
						t.Fatalf("%v, order %d from %d: %v, want %v", filters, order, q.Offset, got, want)
					}
				}
			}
		}
	}
}
