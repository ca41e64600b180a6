package index

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/index/build"
	"razao/index/filter"
	"razao/index/indextest"
	"razao/internal/data/cnpj"
)

// TestCompaniesEqualTheOracle compares pages of companies, of up to four establishments each, with a
// scan of the documents.
func TestCompaniesEqualTheOracle(t *testing.T) {
	t.Parallel()
	docs := indextest.Varied(40_000)
	indextest.Regroup(docs, rand.New(rand.NewPCG(4, 4)))
	ix := open(t, indextest.Build(t, docs, build.Options{ShardDocs: 9000, Workers: 2}))
	slices.SortFunc(docs, func(a, b build.Doc) int { return indextest.CompareRank(&a, &b) })
	t.Run("listings", func(t *testing.T) { checkListingsByCompany(t, ix, docs) })
	t.Run("texts", func(t *testing.T) { checkTextsByCompany(t, ix, docs) })
}

// checkListingsByCompany covers results that are sorted as a whole and results of which only the page
// is looked for: see orderedScan.
func checkListingsByCompany(t *testing.T, ix *Index, docs []build.Doc) {
	t.Helper()
	rng := rand.New(rand.NewPCG(4, 5))
	for _, filters := range []filter.Set{
		{}, filter.Of(filter.HeadOffice, "filial"), filter.Of(filter.OpenedFrom, "1975-02-03"), filter.Of(filter.UF, "SP"), filter.Of(filter.SinceTo, "2013-12-31"),
	} {
		found := passing(docs, filters)
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

// TestBeginningsOfNumbers compares the results for the first digits of a CNPJ, in all orders, with a
// scan of the documents: companies up to a whole root, establishments beyond it.
func TestBeginningsOfNumbers(t *testing.T) {
	t.Parallel()
	docs := indextest.Varied(20_000) // no more, or the budget is spent
	rng := rand.New(rand.NewPCG(9, 9))
	indextest.Regroup(docs, rng)
	moveHeadOffices(docs, rng)
	ix := open(t, indextest.Build(t, docs, build.Options{ShardDocs: 4000, Workers: 2}))
	slices.SortFunc(docs, func(a, b build.Doc) int { return indextest.CompareRank(&a, &b) })
	some := docs[rng.IntN(len(docs))].CNPJ.String()
	for _, filters := range []filter.Set{{}, filter.Of(filter.UF, "SP"), filter.Of(filter.HeadOffice, "filial")} {
		left := passing(docs, filters)
		for _, typed := range []string{"000", "0000", "00001", some[:6], some[:8], some[:11], some} {
			for order := ByRank; order <= ByOldest; order++ {
				want := slices.DeleteFunc(slices.Clone(left), func(d *build.Doc) bool { return !strings.HasPrefix(d.CNPJ.String(), typed) })
				q := Query{Text: typed, Filters: filters, Order: order, ByCompany: rng.IntN(2) == 0, Limit: 30}
				if order == ByRank {
					slices.SortFunc(want, func(a, b *build.Doc) int { return int(a.CNPJ - b.CNPJ) })
				}
				if q.ByCompany && len(typed) <= rootLength {
					want = firstOfEach(want)
				}
				if order != ByRank {
					want = inOrder(want, order)
				}
				if q.ByCompany && len(typed) <= rootLength {
					want = withHeadOffices(want, left)
				}
				if len(want) > 0 {
					q.Offset = rng.IntN(min(len(want), 3000))
				}
				checkPage(t, ix, q, want)
			}
		}
	}
}

// moveHeadOffices makes another establishment than the first that of some companies, and leaves some without one.
func moveHeadOffices(docs []build.Doc, rng *rand.Rand) {
	for i := range docs {
		if !docs[i].HeadOffice || rng.IntN(2) == 0 {
			continue
		}
		docs[i].HeadOffice = false
		if to := i + 1 + rng.IntN(2); to < len(docs) && docs[to].CNPJ.Root() == docs[i].CNPJ.Root() {
			docs[to].HeadOffice, i = true, to
		}
	}
}

// withHeadOffices replaces documents by the head office of their company if that is left, too.
func withHeadOffices(docs, left []*build.Doc) []*build.Doc {
	offices := map[cnpj.Root]*build.Doc{}
	for _, d := range left {
		if d.HeadOffice {
			offices[d.CNPJ.Root()] = d
		}
	}
	docs = slices.Clone(docs)
	for i, d := range docs {
		docs[i] = cmp.Or(offices[d.CNPJ.Root()], d)
	}
	return docs
}

// checkTextsByCompany compares the companies that words find, in other orders than rank, with the
// establishments that they find, collapsed.
func checkTextsByCompany(t *testing.T, ix *Index, docs []build.Doc) {
	t.Helper()
	rng := rand.New(rand.NewPCG(9, 10))
	byNumber := map[cnpj.Full]*build.Doc{}
	for i := range docs {
		byNumber[docs[i].CNPJ] = &docs[i]
	}
	for _, text := range []string{"ltda", "comercio", "transportes ltda"} { // the first finds more companies than are counted
		var found []*build.Doc
		has := map[cnpj.Full]bool{}
		numbers, err := ix.Numbers(t.Context(), Query{Text: text, LiteralPlaces: true}, len(docs))
		for _, number := range numbers {
			found, has[number] = append(found, byNumber[number]), true
		}
		if err != nil || len(found) == 0 {
			t.Fatalf("%q: %d found, %v", text, len(found), err)
		}
		slices.SortFunc(found, indextest.CompareRank)
		for order := ByCapital; order <= ByOldest; order++ {
			results := inOrder(firstOfEach(found), order)
			for i, d := range results { // a head office that has the words stands for what was found
				if office := cnpj.Join(d.CNPJ.Root(), 1); has[office] {
					results[i] = byNumber[office]
				}
			}
			checkPage(t, ix, Query{Text: text, Order: order, ByCompany: true, LiteralPlaces: true, Limit: 20, Offset: rng.IntN(3000)}, results)
		}
	}
}

// firstOfEach returns the first document of each company.
func firstOfEach(docs []*build.Doc) (firsts []*build.Doc) {
	seen := map[cnpj.Root]bool{}
	for _, d := range docs {
		if !seen[d.CNPJ.Root()] {
			seen[d.CNPJ.Root()] = true
			firsts = append(firsts, d)
		}
	}
	return firsts
}

// checkPage compares a page with the results of which it is one, and returns it.
func checkPage(t *testing.T, ix *Index, q Query, results []*build.Doc) Results {
	t.Helper()
	r, err := ix.Search(t.Context(), q)
	if err != nil || r.Total != min(len(results), MaxTotal) || r.TotalIsFloor != (len(results) > MaxTotal) {
		t.Fatalf("%+v: %v, total %d, want %d", q, err, r.Total, len(results))
	}
	var got, want []string
	for _, hit := range r.Hits {
		got = append(got, hit.CNPJ.String())
	}
	for _, d := range results[min(q.Offset, len(results)):min(q.Offset+q.Limit, len(results))] {
		want = append(want, d.CNPJ.String())
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Fatalf("%+v (-want +got):\n%.1000s", q, diff)
	}
	return r
}
