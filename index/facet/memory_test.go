package facet

import "testing"

func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	var m Memory[int, string]
	for i := range maxRemembered + 10 {
		m.Put(i, "counts")
		if _, ok := m.Get(i); !ok || len(m.kept) > maxRemembered {
			t.Fatalf("after %d there are %d, the last %t", i, len(m.kept), ok)
		}
	}
	if _, ok := m.Get(-1); ok {
		t.Error("what was never kept is known")
	}
}
