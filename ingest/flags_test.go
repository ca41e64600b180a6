package ingest_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/index"
	"razao/index/filter"
	"razao/index/folder"
	"razao/ingest"
	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
	"razao/internal/testing/fixture/sourcefiles"
)

// register loads a month of the register of carriers with the first establishments of the chain.
func register(t *testing.T, l *fixture.Loaded, month string, establishmentsOfChain int) registry.Load {
	t.Helper()
	chain := establishments(t, fixture.Chain, decimalOrders(t, establishmentsOfChain)...)
	return loadSource(t, l, "rntrc", carriers(t, month, chain...), ingest.SourceOptions{Force: true})[0]
}

// now returns the snapshot in service until the test ends.
func now(t *testing.T, l *fixture.Loaded) *snapshot.Snapshot {
	t.Helper()
	if err := l.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := fixture.Acquire(t, l.Live)
	return s
}

// checkFlags demands that want establishments have records of a source, by the filter, by the facet
// and in an export.
func checkFlags(t *testing.T, s *snapshot.Snapshot, when, id string, want int) {
	t.Helper()
	q := index.Query{Filters: filter.Of(filter.Source, id), Limit: 1}
	found, err := s.Find(t.Context(), q)
	if err != nil || found.Total != want {
		t.Errorf("%s: %d establishments have records of %s, want %d; %v", when, found.Total, id, want, err)
	}
	counts, err := s.Facets(t.Context(), index.Query{})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(counts["fonte"], func(v index.FacetValue) bool { return v.Value == id })
	if i < 0 && want > 0 || i >= 0 && counts["fonte"][i].Count != int64(want) {
		t.Errorf("%s: %s is counted otherwise, want %d: %v", when, id, want, counts["fonte"])
	}
	numbers, err := s.Numbers(t.Context(), q, 1000)
	if err != nil || len(numbers) != want {
		t.Errorf("%s: %d exported of %s, want %d; %v", when, len(numbers), id, want, err)
	}
}

func TestSourceFlagsFollowTheLoads(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	checkFlags(t, now(t, l), "before any load", "rntrc", 0)
	register(t, l, "2026-07", 3)
	first := now(t, l)
	checkFlags(t, first, "without an index build", "rntrc", 3)
	customs := "RAZÃO SOCIAL;CNPJ EMPRESA;MODALIDADE HABILITAÇÃO\nPADARIA;" + fixture.Bakery + ";ILIMITADA\n"
	loadSource(t, l, "habilitacao_aduaneira", sourcefiles.Write(t, "empresas-habilitadas.csv", customs), ingest.SourceOptions{Period: "2026-09", Force: true})
	checkFlags(t, now(t, l), "a source of companies", "habilitacao_aduaneira", 4)

	register(t, l, "2026-08", 2)
	checkFlags(t, now(t, l), "one carrier less", "rntrc", 2)
	checkFlags(t, first, "a request that began before", "rntrc", 3)
	if _, err := l.Ingester.Rollback(t.Context(), "rntrc"); err != nil {
		t.Fatal(err)
	}
	checkFlags(t, now(t, l), "after going back", "rntrc", 3)

	if _, err := l.Ingester.RebuildIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkFlags(t, now(t, l), "after an index build", "rntrc", 3)
	checkFlags(t, now(t, l), "after an index build", "habilitacao_aduaneira", 4)
	if _, err := l.Ingester.Rollback(t.Context(), "rntrc"); err != nil {
		t.Fatal(err)
	}
	checkFlags(t, now(t, l), "a former load with a newer index", "rntrc", 2)
	l.Ingest(t)
	checkFlags(t, now(t, l), "after a new release", "rntrc", 2)
	checkFlags(t, now(t, l), "after a new release", "habilitacao_aduaneira", 4)
	if _, err := l.Ingester.Rollback(t.Context(), registry.Receita); err != nil {
		t.Fatal(err)
	}
	checkFlags(t, now(t, l), "after going back to the former release", "rntrc", 2)
}

// TestFlagsEqualTheRecords loads every source and compares the flags with the records of each
// establishment: whether it has any, and their sums.
func TestFlagsEqualTheRecords(t *testing.T) {
	t.Parallel()
	l := fixture.LoadRecords(t)
	s := now(t, l)
	loads := currentSnapshot(t, l)
	owners := ownersOf(t, l, loads)
	want, got := map[string][]cnpj.Full{}, map[string][]cnpj.Full{}
	every, err := s.Numbers(t.Context(), index.Query{}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, number := range every {
		for _, id := range source.IDs() {
			if owners[id].has(number) {
				want[id] = append(want[id], number)
			}
		}
	}
	for _, id := range source.IDs() {
		var err error
		if got[id], err = s.Numbers(t.Context(), index.Query{Filters: filter.Of(filter.Source, id)}, 1000); err != nil {
			t.Error(err)
		}
		checkFlags(t, s, "all sources", id, len(want[id]))
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 10 {
		t.Errorf("of %d sources the flags differ (-records +index):\n%s", len(want), diff)
	}
	checkMeasures(t, l, loads)
}

// flagFiles returns the flags of an index, by their names.
func flagFiles(t *testing.T, l *fixture.Loaded, name string) []string {
	t.Helper()
	return namesIn(t, filepath.Join(l.IndexDir, name, "sources"))
}

// TestFormerFlagsAreDeleted keeps the flags of loads that can be served and deletes the rest,
// including what a killed process left.
func TestFormerFlagsAreDeleted(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	kept := []string{"receita-000001"}
	for i := range 3 {
		kept = append(kept, fmt.Sprintf("rntrc-%06d", register(t, l, fmt.Sprintf("2026-0%d", i+1), i+1).ID))
	}
	kept = slices.Delete(kept, 1, 2) // of the first register
	if diff := cmp.Diff(kept, flagFiles(t, l, "000001")); diff != "" {
		t.Errorf("flags (-want +got):\n%s", diff)
	}
	for _, litter := range []string{"rntrc-000009.tmp", "rntrc-000009"} {
		if err := os.WriteFile(filepath.Join(l.IndexDir, "000001", "sources", litter), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Ingester.Prune(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(kept, flagFiles(t, l, "000001")); diff != "" {
		t.Errorf("flags after pruning (-want +got):\n%s", diff)
	}
	ix := l.Index(t)
	m := ix.Manifest()
	if err := m.Verify(t.Context(), ix.Folder()); err != nil {
		t.Errorf("flags are no part of what the manifest names: %v", err)
	}
}

// TestOneSourceWithoutFlags damages the flags of one source: only that filter fails, and publishing
// the same load again rewrites them.
func TestOneSourceWithoutFlags(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(path string) error{
		"missing": os.Remove,
		"cut":     func(path string) error { return os.Truncate(path, 40) },
		"empty":   func(path string) error { return os.Truncate(path, 0) },
		"changed": func(path string) error {
			body, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			body[len(body)/2] ^= 1
			return os.WriteFile(path, body, 0o600)
		},
		"of another load": func(path string) error {
			return os.Rename(filepath.Join(filepath.Dir(path), "rntrc-000002"), path)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := fixture.Load(t)
			register(t, l, "2026-07", 3)
			loaded := register(t, l, "2026-08", 2)
			l.Records(t, "ceis")
			if err := spoil(filepath.Join(l.IndexDir, "000001", "sources", fmt.Sprintf("rntrc-%06d", loaded.ID))); err != nil {
				t.Fatal(err)
			}
			if _, err := l.Store.Publish(t.Context(), nil, ""); err != nil { // as a server that starts now
				t.Fatal(err)
			}
			s := now(t, l)
			var unknown *index.SourceError
			if _, err := s.Find(t.Context(), index.Query{Filters: filter.Of(filter.Source, "rntrc")}); !errors.As(err, &unknown) || unknown.Source != "rntrc" {
				t.Errorf("filter: %v", err)
			}
			if _, err := s.Facets(t.Context(), index.Query{Filters: filter.Of(filter.Source, "rntrc")}); !errors.As(err, &unknown) {
				t.Errorf("facets: %v", err)
			}
			if diff := cmp.Diff([]string{"rntrc"}, s.Unflagged()); diff != "" {
				t.Errorf("sources without flags (-want +got):\n%s", diff)
			}
			if found, err := s.Find(t.Context(), index.Query{Text: "padaria estrela"}); err != nil || found.Total == 0 {
				t.Errorf("the rest of the search: %d, %v", found.Total, err)
			}
			if counts, err := s.Facets(t.Context(), index.Query{}); err != nil || len(counts["uf"]) == 0 || len(counts["fonte"]) != 1 {
				t.Errorf("facets of the rest: %v, %v", counts["fonte"], err)
			}
			if err := l.Ingester.Activate(t.Context(), loaded.ID); err != nil {
				t.Fatal(err)
			}
			checkFlags(t, now(t, l), "made again", "rntrc", 2)
			if missing := now(t, l).Unflagged(); len(missing) > 0 {
				t.Errorf("made again, but without flags: %v", missing)
			}
		})
	}
}

// TestFormerFlagsAreWrittenAgain finds flags of an older format after an upgrade: the source cannot
// be filtered by until anything is published, which rewrites them.
func TestFormerFlagsAreWrittenAgain(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	l.Records(t, "ceis")
	checkFlags(t, now(t, l), "loaded", "ceis", 3)
	names := flagFiles(t, l, "000001")
	path := filepath.Join(l.IndexDir, "000001", "sources", names[0])
	body, err := os.ReadFile(path)
	if err != nil || len(names) != 2 {
		t.Fatal(names, err)
	}
	body = append([]byte("RZFLAGS1"), body[8:len(body)-sha256.Size]...)
	sum := sha256.Sum256(body)
	if err := os.WriteFile(path, append(body, sum[:]...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Store.Publish(t.Context(), nil, ""); err != nil { // as a server that starts now
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"ceis"}, now(t, l).Unflagged()); diff != "" {
		t.Errorf("sources without flags (-want +got):\n%s", diff)
	}
	register(t, l, "2026-07", 3)
	checkFlags(t, now(t, l), "another source was loaded", "ceis", 3)
	snapshot := currentSnapshot(t, l)
	checkMeasures(t, l, snapshot)
}

// TestSourcesLoadWithoutTheIndex publishes records while the index is damaged: they are served, and
// the next index has their flags.
func TestSourcesLoadWithoutTheIndex(t *testing.T) {
	t.Parallel()
	edit := func(dir, name string, change func([]byte) []byte) error {
		paths, err := filepath.Glob(filepath.Join(dir, name))
		if err != nil || len(paths) != 1 {
			return fmt.Errorf("files %v, %w", paths, err)
		}
		body, err := os.ReadFile(paths[0])
		if err != nil {
			return err
		}
		return os.WriteFile(paths[0], change(body), 0o600)
	}
	overwrite := func(body []byte) []byte {
		return append(body[:len(body)/2:len(body)/2], bytes.Repeat([]byte{0xff}, len(body)-len(body)/2)...)
	}
	for name, spoil := range map[string]func(dir string) error{
		"missing": os.RemoveAll,
		"of another format": func(dir string) error {
			return edit(dir, "manifest.json", func(b []byte) []byte {
				return bytes.Replace(b, fmt.Appendf(nil, `"format": %d`, folder.Format), []byte(`"format": 3`), 1)
			})
		},
		"segment overwritten": func(dir string) error { return edit(dir, "shard-000/store/*.zap", overwrite) },
		"bolt overwritten":    func(dir string) error { return edit(dir, "shard-000/store/root.bolt", overwrite) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := fixture.Load(t)
			if err := spoil(filepath.Join(l.IndexDir, "000001")); err != nil {
				t.Fatal(err)
			}
			register(t, l, "2026-07", 3)
			chain := registry.Document{Root: establishments(t, fixture.Chain, 1)[0].Root()}
			if page, found := l.View(t).Select(t.Context(), "rntrc", chain, registry.Selection{Range: registry.Range{Limit: 5}}); !found || page.Total != 3 {
				t.Errorf("%d records are served", page.Total)
			}
			if _, err := l.Ingester.RebuildIndex(t.Context()); err != nil {
				t.Fatal(err)
			}
			checkFlags(t, now(t, l), "after an index build", "rntrc", 3)
		})
	}
}
