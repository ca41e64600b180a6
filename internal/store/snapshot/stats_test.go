package snapshot_test

import (
	"testing"

	"razao/index"
	"razao/index/filter"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
)

// TestStats counts searches and records, also of a source whose records are deleted, and without an
// index.
func TestStats(t *testing.T) {
	t.Parallel()
	l := fixture.LoadRecords(t)
	snap := fixture.Acquire(t, l.Live)
	head := company(t, snap, fixture.Bakery)
	d := registry.Document{Root: head.Root}
	for _, q := range []string{"padaria", "zzzzzz qqqqqq"} {
		if _, err := snap.Find(t.Context(), index.Query{Text: q, Limit: 5}); err != nil {
			t.Fatal(err)
		}
	}
	_, _ = snap.Find(t.Context(), index.Query{Filters: filter.Of(filter.UF, "nowhere")})
	snap.Records(t.Context(), head, d, 5, nil)
	before := l.Live.Stats()
	if !before.Searchable || before.Snapshot == 0 || before.Trouble != nil || len(before.Loads) == 0 {
		t.Errorf("%+v", before)
	}
	ended := before.Queries[snapshot.Searches]
	if ended[snapshot.Answered] != 2 || ended[snapshot.Refused] != 1 || ended[snapshot.Broken] != 0 || before.Cut != 0 {
		t.Errorf("searches %v, %d cut", ended, before.Cut)
	}
	hits := int64(0)
	for _, n := range before.Searches {
		hits += n
	}
	if hits != 1 {
		t.Errorf("tiers %v", before.Searches)
	}

	if err := l.Store.DropRecords(t.Context(), before.Loads["ceis"]); err != nil {
		t.Fatal(err)
	}
	snap.Records(t.Context(), head, d, 5, nil)
	after := l.Live.Stats()
	for i, s := range after.Sources {
		if failed := s.Answers[registry.Failed]; s.Failing != (s.ID == "ceis") || (failed > 0) != (s.ID == "ceis") {
			t.Errorf("%s: %+v", s.ID, s)
		}
		if before.Sources[i].Failing {
			t.Errorf("%s failed before: %+v", s.ID, before.Sources[i])
		}
	}
}
