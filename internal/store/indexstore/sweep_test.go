package indexstore

import (
	"slices"
	"testing"

	"razao/internal/store/registry"
)

func TestNeeded(t *testing.T) {
	t.Parallel()
	snapshot := func(id int64, index string, receita, pgfn int64) registry.Snapshot {
		return registry.Snapshot{ID: id, IndexName: index, Loads: map[string]int64{registry.Receita: receita, "pgfn": pgfn}}
	}
	indexes, loads := Needed([]registry.Snapshot{
		snapshot(6, "000003", 3, 5), snapshot(5, "000003", 3, 4), snapshot(4, "000001-2", 1, 4), snapshot(3, "000001", 1, 4),
		{ID: 2, Loads: map[string]int64{"pgfn": 4}},
	})
	if !slices.Equal(indexes, []string{"000003", "000001-2"}) {
		t.Errorf("indexes %v", indexes)
	}
	for id, want := range map[int64]bool{1: true, 2: false, 3: true, 4: true, 5: true} {
		if loads[id] != want {
			t.Errorf("load %d: %t", id, loads[id])
		}
	}
}
