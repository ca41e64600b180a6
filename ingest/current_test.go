package ingest_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"razao/ingest"
	"razao/ingest/receita"
	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
	"razao/internal/testing/fixture/sourcefiles"
)

// isCurrent fails the test unless err says that a load is in service already.
func isCurrent(t *testing.T, err error, load int64) {
	t.Helper()
	var current *ingest.CurrentError
	if !errors.As(err, &current) || current.Loads[0].ID != load {
		t.Errorf("got %v, want that load %d is current", err, load)
	}
}

// TestSameFilesAreLoadedOnce recognizes files by their checksums, wherever they lie.
func TestSameFilesAreLoadedOnce(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	for _, id := range []string{"pncp", "bndes", "cepim"} {
		first := loadSource(t, l, id, sourcefiles.Folder(t, id), ingest.SourceOptions{Force: true})[0]
		before := len(allLoads(t, l))
		_, err := l.Ingester.Source(t.Context(), id, sourcefiles.Folder(t, id), ingest.SourceOptions{})
		isCurrent(t, err, first.ID)
		if n := len(allLoads(t, l)); n != before {
			t.Errorf("%s: %d loads were begun for nothing", id, n-before)
		}
		if again := loadSource(t, l, id, sourcefiles.Folder(t, id), ingest.SourceOptions{Force: true})[0]; again.ID == first.ID {
			t.Errorf("%s: --force did not load again", id)
		}
	}
	// The newest of several files is what counts: the others are known only after it was read.
	first := loadSource(t, l, "mte_ceac", sourcefiles.Folder(t, "mte_ceac"), ingest.SourceOptions{Force: true})[0]
	more := sourcefiles.Folder(t, "mte_ceac")
	if err := os.WriteFile(filepath.Join(more, "2025_0009.csv"), []byte("an older version"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := l.Ingester.Source(t.Context(), "mte_ceac", more, ingest.SourceOptions{})
	isCurrent(t, err, first.ID)
	checkServed(t, l, first.ID)
	checkNoLitter(t, l)
}

func TestOlderPeriodsDoNotReplaceNewerOnes(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	some := establishments(t, fixture.Chain, decimalOrders(t, 5)...)
	served := loadSource(t, l, "rntrc", carriers(t, "2026-09", some...), ingest.SourceOptions{Force: true})[0]
	older := carriers(t, "2026-08", some...)
	for _, o := range []ingest.SourceOptions{{}, {Period: "2026-07"}} {
		_, err := l.Ingester.Source(t.Context(), "rntrc", older, o)
		if !errors.Is(err, ingest.ErrRefused) || !strings.Contains(err.Error(), "older than 2026-09") || !strings.Contains(err.Error(), "--force") {
			t.Errorf("%+v: %v", o, err)
		}
		checkServed(t, l, served.ID)
	}
	if back := loadSource(t, l, "rntrc", older, ingest.SourceOptions{Force: true})[0]; back.Period != "2026-08" {
		t.Errorf("forced: %+v", back)
	}
}

// TestRolledBackFilesAreNotLoadedAgain keeps a timer from undoing an operator's rollback.
func TestRolledBackFilesAreNotLoadedAgain(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	some := establishments(t, fixture.Chain, decimalOrders(t, 5)...)
	newer := carriers(t, "2026-09", some...)
	before := loadSource(t, l, "rntrc", carriers(t, "2026-08", some...), ingest.SourceOptions{Force: true})[0]
	bad := loadSource(t, l, "rntrc", newer, ingest.SourceOptions{Force: true})[0]
	if _, err := l.Ingester.Rollback(t.Context(), "rntrc"); err != nil {
		t.Fatal(err)
	}
	var held *ingest.HeldError
	if _, err := l.Ingester.Source(t.Context(), "rntrc", newer, ingest.SourceOptions{}); !errors.As(err, &held) || held.Load.ID != bad.ID ||
		!strings.Contains(err.Error(), "loads activate") {
		t.Errorf("got %v, want to be told of load %d", err, bad.ID)
	}
	checkServed(t, l, before.ID)
}

// TestRefusedFilesAreNotReadAgainEveryHour: an unattended run repeats a refusal without reading the
// files, an operator's run reads them.
func TestRefusedFilesAreNotReadAgainEveryHour(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	short := carriers(t, "2026-09", establishments(t, fixture.Chain, decimalOrders(t, 5)...)...)
	_, err := l.Ingester.Source(t.Context(), "rntrc", short, ingest.SourceOptions{})
	if !errors.Is(err, ingest.ErrRefused) {
		t.Fatal(err)
	}
	refused := allLoads(t, l)[0]
	_, err = l.Ingester.Source(t.Context(), "rntrc", short, ingest.SourceOptions{Unattended: true})
	if !errors.Is(err, ingest.ErrRefused) || !strings.Contains(err.Error(), "fewer than the 500000") || allLoads(t, l)[0].ID != refused.ID {
		t.Errorf("got %v, want to hear of load %d again", err, refused.ID)
	}
	_, err = l.Ingester.Source(t.Context(), "rntrc", short, ingest.SourceOptions{})
	if !errors.Is(err, ingest.ErrRefused) || allLoads(t, l)[0].ID == refused.ID {
		t.Errorf("an operator who asks again is heard: %v", err)
	}
}

func TestReleasesFollowEachOther(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	release := func(month string, mend ...string) receita.Release {
		rel := fixture.Published(t, month, mend...)
		rel.Fictional = true // not held to the size of every real release
		return rel
	}
	september := release("2026-09")
	first, err := l.Ingester.Receita(t.Context(), &september, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	again := release("2026-09")
	_, err = l.Ingester.Receita(t.Context(), &again, ingest.Options{})
	isCurrent(t, err, first.ID)
	august := release("2026-08")
	if _, err := l.Ingester.Receita(t.Context(), &august, ingest.Options{}); !errors.Is(err, ingest.ErrRefused) || !strings.Contains(err.Error(), "--force") {
		t.Errorf("an older month: %v", err)
	}
	// The tax authority at times publishes a month again.
	mended := release("2026-09", "PADARIA", "CONFEITARIA")
	second, err := l.Ingester.Receita(t.Context(), &mended, ingest.Options{})
	if err != nil || !second.Active || second.Period != "2026-09" {
		t.Errorf("the month, published again: %+v, %v", second, err)
	}
	loads := allLoads(t, l)
	if len(loads) != 2 || loads[1].State != registry.LoadReady {
		t.Errorf("%d loads were begun, 2 are expected", len(loads))
	}
}

// TestAmendedContractsReplaceEarlierOnes adds a file of amendments to the file of the original
// publication.
func TestAmendedContractsReplaceEarlierOnes(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	dir := sourcefiles.Folder(t, "pncp")
	loadSource(t, l, "pncp", dir, ingest.SourceOptions{Force: true})
	bakery := establishments(t, fixture.Bakery, decimalOrders(t, 1)...)[0]
	amounts := func() (all []string) {
		page := pageOf(t, l, "pncp", registry.Document{Root: bakery.Root()}, registry.Range{Limit: 50})
		for i := range page.Items {
			all = append(all, page.Items[i].Value("valor_global"))
		}
		return all
	}
	before := amounts()
	published, err := os.ReadFile(filepath.Join(dir, "pncp_contratos_2026-02.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(published), "\n")
	amended := strings.NewReplacer("2026-03-01T17:17:03", "2026-09-30T08:00:00", "120000.5,", "98765.43,").Replace(first)
	if err := os.WriteFile(filepath.Join(dir, "pncp_atualizacoes_2026-09-30_2026-09-30.jsonl"), []byte(amended+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	load := loadSource(t, l, "pncp", dir, ingest.SourceOptions{Force: true})[0]
	if load.Counts.Discarded["versao_superada"] == 0 || load.Period != "2026-09" {
		t.Errorf("load %+v", load)
	}
	after := amounts()
	if len(before) == 0 || len(after) != len(before) || slices.Contains(after, "120000.5") || !slices.Contains(after, "98765.43") {
		t.Errorf("amounts %q, before %q", after, before)
	}
}
