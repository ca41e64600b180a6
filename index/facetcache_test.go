package index

import "testing"

func TestFacetCacheIsBounded(t *testing.T) {
	t.Parallel()
	var m facetCache[int, string]
	for i := range maxRemembered + 10 {
		m.put(i, "counts")
		if _, ok := m.get(i); !ok || len(m.kept) > maxRemembered {
			t.Fatalf("after %d there are %d, the last %t", i, len(m.kept), ok)
		}
	}
	if _, ok := m.get(-1); ok {
		t.Error("what was never kept is known")
	}
}
