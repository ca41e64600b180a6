package ingest_test

import (
	"slices"
	"testing"
	"time"

	"razao/internal/data/cnpj"
	"razao/internal/store/journal"
	"razao/internal/store/registry"
	"razao/internal/store/registry/history"
	"razao/internal/store/sitemap"
	"razao/internal/testing/fixture"
)

// listedPages returns the pages in the sitemap of the snapshot in service, with their days.
func listedPages(t *testing.T, served *fixture.Served) map[cnpj.Full]sitemap.Day {
	t.Helper()
	ix := served.Index(t)
	list, err := sitemap.Open(ix.Folder())
	if err != nil {
		t.Fatal(err)
	}
	pages := map[cnpj.Full]sitemap.Day{}
	for part := range list.Parts() {
		err := list.Each(part, func(number cnpj.Full, changed sitemap.Day) error {
			pages[number] = changed
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	m := ix.Manifest()
	if err := m.Verify(t.Context(), ix.Folder()); err != nil {
		t.Error(err)
	}
	for _, f := range m.Files {
		if f.Path == "sitemap" && f.Bytes == int64(10*len(pages)) {
			return pages
		}
	}
	t.Error("the manifest of the index does not name the list")
	return nil
}

// madeOn moves a load to another day, because all loads of a test are made on the same one.
func madeOn(t *testing.T, l *fixture.Loaded, load int64, day string) sitemap.Day {
	t.Helper()
	if _, err := l.Pool.Exec(t.Context(), `UPDATE load SET started_at = $2::date + time '12:00' WHERE id = $1`, load, day); err != nil {
		t.Fatal(err)
	}
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		t.Fatal(err)
	}
	return sitemap.DayOf(at)
}

func TestPagesAreThoseOfActiveCompanies(t *testing.T) {
	t.Parallel()
	pages := listedPages(t, fixture.Shared(t))
	for _, root := range []string{fixture.MEI, fixture.OldMEI, fixture.Closed} {
		for _, number := range establishments(t, root, 1) {
			if _, listed := pages[number]; listed {
				t.Errorf("%s is listed", number)
			}
		}
	}
	for _, root := range []string{fixture.Bakery, fixture.Chain, fixture.Hostile} {
		if _, listed := pages[establishments(t, root, 1)[0]]; !listed {
			t.Errorf("%s is not listed", root)
		}
	}
	if want := 101 - 2; len(pages) != want { // active establishments but those of MEI and OldMEI
		t.Errorf("%d pages, want %d", len(pages), want)
	}
}

func TestDaysFollowTheRecords(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	bakery, holding := establishments(t, fixture.Bakery, 1)[0], establishments(t, fixture.Holding, 1)[0]
	l.Publish(t, fixture.Published(t, "2026-08"))
	first := madeOn(t, l, 1, "2026-08-15")
	l.Publish(t, fixture.Published(t, "2026-09", "ESTRELA DO SUL LTDA", "ESTRELA DO NORTE LTDA"))
	second := madeOn(t, l, 2, "2026-09-14")
	check := func(when string, wantBakery, wantHolding sitemap.Day) {
		t.Helper()
		if _, err := l.Ingester.RebuildIndex(t.Context()); err != nil { // with the days that the loads were moved to
			t.Fatal(err)
		}
		if err := l.Live.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		pages := listedPages(t, &l.Served)
		if pages[bakery] != wantBakery || pages[holding] != wantHolding {
			t.Errorf("%s: the bakery changed on %s, the holding on %s", when, pages[bakery].Time(), pages[holding].Time())
		}
		if len(pages) != 99 {
			t.Errorf("%s: %d pages", when, len(pages))
		}
	}
	check("after a new name", second, first)
	l.Publish(t, fixture.Published(t, "2026-10", "ESTRELA DO SUL LTDA", "ESTRELA DO NORTE LTDA"))
	madeOn(t, l, 3, "2026-10-12")
	check("after a load that changed nothing", second, first)
	if _, err := l.Ingester.Rollback(t.Context(), registry.Receita); err != nil {
		t.Fatal(err)
	}
	check("after going back", second, first)
	l.Publish(t, fixture.Published(t, "2026-11", "ESTRELA DO SUL LTDA", "ESTRELA DO NORTE LTDA", "ESTRELA PARTICIPA", "ESTRELAS PARTICIPA"))
	fourth := madeOn(t, l, 4, "2026-11-16")
	check("after the holding's new name", fourth, fourth) // which is a partner of the bakery
	checkNoLitter(t, l)
}

// TestLoadsOfAnotherKindAreNotCompared: the day of a page is then unknown, until loads of one kind
// follow each other to the first.
func TestLoadsOfAnotherKindAreNotCompared(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t) // invented
	bakery := establishments(t, fixture.Bakery, 1)[0]
	for _, step := range []struct {
		name string
		do   func()
		why  history.Why // of the gaps
		day  bool
	}{
		{"the first of all", func() {}, history.First, true},
		{"true after invented", func() { l.Publish(t, fixture.Published(t, "2026-10")) }, history.OtherKind, false},
		{"true after true", func() { l.Publish(t, fixture.Published(t, "2026-11")) }, "", false},
	} {
		step.do()
		loads := journal.Loads(now(t, l))
		var whys []history.Why
		for _, gap := range loads[len(loads)-1].Gaps {
			whys = append(whys, gap.Why)
		}
		whys = slices.Compact(whys)
		if want := slices.DeleteFunc([]history.Why{step.why}, func(w history.Why) bool { return w == "" }); !slices.Equal(whys, want) {
			t.Errorf("%s: gaps %q, want %q", step.name, whys, want)
		}
		if day := listedPages(t, &l.Served)[bakery]; day != 0 != step.day {
			t.Errorf("%s: changed on %s", step.name, day.Time())
		}
	}
}
