package snapshot_test

import (
	"slices"
	"testing"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/cnpj"
	"razao/internal/testing/fixture"
)

// TestExportHasTheOrderOfFind checks that long lists come in the order of the results of Find.
func TestExportHasTheOrderOfFind(t *testing.T) {
	t.Parallel()
	s := fixture.Acquire(t, fixture.Load(t).Live)
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
				numbers, err := s.Numbers(t.Context(), q, most)
				var got []cnpj.Full
				for m, unread := range s.Read(t.Context(), numbers) {
					if unread != nil {
						t.Fatal(unread)
					}
					got = append(got, m.Establishment.CNPJ)
				}
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%+v, the first %d: %v, got %v, want %v", q, most, err, got, want)
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
