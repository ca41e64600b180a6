package index

import (
	"math/rand/v2"
	"slices"
	"testing"

	"razao/index/build"
	"razao/index/indextest"
	"razao/index/term"
)

// TestOpenedInEqualsTheOracle compares ranges of years with the years of the documents, among them days that are unknown
// or too far away to have a year, in indexes with few and with many documents in a stage.
func TestOpenedInEqualsTheOracle(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(13, 13))
	for name, far := range map[string]int{"sound": 0, "some far away": 40, "most far away": 2} {
		for _, n := range []int{100, 6000} {
			docs := indextest.Varied(n)
			for i := range docs {
				if far > 0 && rng.IntN(far) == 0 {
					docs[i].Opening = indextest.Pick(rng, 29991231, 20600101, 17000101)
				}
			}
			ix := open(t, indextest.Build(t, docs, build.Options{ShardDocs: 700}))
			slices.SortFunc(docs, func(a, b build.Doc) int { return indextest.CompareRank(&a, &b) })
			for range 40 {
				from := 1960 + rng.IntN(80)
				c := clause{years: [2]int{from, from + rng.IntN(40)}}
				s := ix.begin(&Query{}, &page{})
				for i := range s.shards {
					v := s.shard(i)
					got := v.openedIn(s.work.FirstN(int(v.Docs())), &c)
					for doc := range v.Docs() {
						year := docs[v.base+doc].Opening / 10_000
						if want := term.IsYear(year) && year >= c.years[0] && year <= c.years[1]; got.Contains(doc) != want {
							t.Errorf("%s, %d documents: one of %d is in %v: %t", name, n, year, c.years, !want)
						}
					}
				}
				s.end()
			}
		}
	}
}
