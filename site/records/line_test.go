package records

import (
	"testing"
	"time"

	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
	"razao/site/page"
)

// TestLine asks twice for the row of every source in every state, from two loads, fresh and stale,
// with and without counts, and compares it with the row rendered from the card itself. With counts
// it is not kept.
func TestLine(t *testing.T) {
	t.Parallel()
	hs, snap := newHandlers(t, fixture.Load(t).Live)
	day := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	first, second := registry.Load{ID: 1, Period: "2026-01", FinishedAt: &day}, registry.Load{ID: 2, Period: "2019-07", CoverageStart: "2019-01-01"}
	second.Provenance.Faltantes = []string{"parte-2.zip"}
	for range 2 {
		for _, src := range source.All() {
			for _, status := range []registry.Status{registry.None, registry.Unavailable, registry.Failed} {
				for _, load := range []*registry.Load{nil, &first, &second} {
					for _, now := range []time.Time{day, day.AddDate(9, 0, 0)} {
						for _, counts := range []string{"", "0 neste CNPJ · 3 na empresa toda"} {
							c := cardOf(&registry.SourcePage{Source: src, Status: status, Load: load}, nil, now)
							c.Counts = counts
							got, err := hs.line(snap, &c, load)
							if err != nil {
								t.Fatal(err)
							}
							want, err := page.Once(sourceRow(&c))
							if counts != "" {
								want = page.Fragment{}
							}
							if err != nil || got != want {
								t.Fatalf("%s %s, error %v:\n%s\nwant\n%s", src.ID, status, err, got, want)
							}
						}
					}
				}
			}
		}
	}
}
