package snapshot_test

import (
	"slices"
	"testing"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/cnpj"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
)

// TestExportHasTheOrderOfFind checks that nth in an export is the position in the results of Find, and
// that the rows come in the order of their numbers.
func TestExportHasTheOrderOfFind(t *testing.T) {
	t.Parallel()
	s := held(t, fixture.Load(t))
	sorted, distinct := 0, 0
	for _, q := range []index.Query{
		{},
		{Text: "loja"},
		{Text: "estrela", ByCompany: true},
		{Text: "estrela"},
		{Text: "marta figueira inventada", Scope: index.InPartners},
		{Filters: filter.Of(filter.UF, "SP"), ByCompany: true},
	} {
		for by := index.ByRank; by <= index.ByOldest; by++ {
			q.Order = by
			for _, most := range []int{1, 7, 10_000} {
				asked := q
				asked.Limit = most
				found, err := s.Find(t.Context(), asked)
				if err != nil {
					t.Fatal(err)
				}
				var want []cnpj.Full
				for i := range found.Matches {
					want = append(want, found.Matches[i].Establishment.CNPJ)
				}
				visited, got := []cnpj.Full{}, make([]cnpj.Full, len(want))
				err = s.Export(t.Context(), q, most, func(nth int, m *snapshot.Match) {
					visited = append(visited, m.Establishment.CNPJ)
					got[nth] = m.Establishment.CNPJ
				})
				if err != nil || len(visited) != len(want) || !slices.IsSorted(visited) || !slices.Equal(got, want) {
					t.Errorf("%+v, the first %d: %v, visited %v, in order %v, want %v", q, most, err, visited, got, want)
				}
				if distinct++; slices.IsSorted(want) {
					sorted++
				}
			}
		}
	}
	if sorted > distinct/2 {
		t.Errorf("%d of %d queries have the order of the numbers: they show nothing", sorted, distinct)
	}
}
