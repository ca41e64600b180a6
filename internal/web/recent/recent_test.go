package recent

import (
	"strconv"
	"testing"
)

func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	const size = 10
	m := New[string, int](size)
	m.Put("kept", -1)
	for i := range 1000 {
		m.Put(strconv.Itoa(i), i)
		if v, ok := m.Get("kept"); !ok || v != -1 {
			t.Fatalf("what is read all the time is forgotten after %d", i)
		}
		if v, ok := m.Get(strconv.Itoa(i - 2)); i > 1 && (!ok || v != i-2) {
			t.Fatalf("%d is forgotten at once", i-2)
		}
		if n := m.Len(); n > size {
			t.Fatalf("%d keys are remembered, more than %d", n, size)
		}
	}
	if _, ok := m.Get("3"); ok {
		t.Error("what nobody read is still there")
	}
	m.Delete("kept")
	if _, ok := m.Get("kept"); ok {
		t.Error("what was deleted is still there")
	}
}

// TestOverwritingEvictsNothing: a key of the full younger generation needs no room.
func TestOverwritingEvictsNothing(t *testing.T) {
	t.Parallel()
	m := New[string, int](4)
	for i, key := range []string{"a", "b", "c", "d"} {
		m.Put(key, i)
	}
	m.Put("d", 5)
	m.Put("d", 6)
	for key, want := range map[string]int{"a": 0, "b": 1, "c": 2, "d": 6} {
		got, ok := m.younger[key]
		if !ok {
			got, ok = m.older[key] // Get would be a use
		}
		if !ok || got != want {
			t.Errorf("%s: %d, %t, want %d", key, got, ok, want)
		}
	}
}
