package loads_test

import (
	"errors"
	"testing"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/loads"
	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
)

// TestPastLoads: the load in service is told from those before it, of which one may be read by its number.
func TestPastLoads(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-08"))
	l.Publish(t, fixture.Published(t, "2026-09"))
	s := fixture.Acquire(t, l.Live)
	served, err := loads.Served(t.Context(), s, registry.Receita)
	if err != nil || len(served) != 2 || served[0].ID != s.Load.ID {
		t.Fatalf("%d loads, %v", len(served), err)
	}
	for i, want := range []string{record.LoadServed, record.LoadKept} {
		if got := loads.Past(s, &served[i]); got.Situacao != want || got.Competencia != served[i].Period {
			t.Errorf("load %d: %+v, want %s", served[i].ID, got, want)
		}
	}
	if former, err := loads.Find(t.Context(), s, served[1].ID); err != nil || former.Period != "2026-08" {
		t.Errorf("the former load: %s, %v", former.Period, err)
	}
	if _, err := loads.Find(t.Context(), s, 99); !errors.Is(err, registry.ErrNoLoad) {
		t.Errorf("a load that there never was: %v", err)
	}
	q, err := loads.QualityOf(t.Context(), s, registry.Receita, 0)
	if err != nil || q.Load.ID != served[0].ID || q.Former == nil || q.Former.ID != served[1].ID || len(q.Columns) == 0 {
		t.Errorf("quality %+v, %v", q, err)
	}
}

// TestProofsHoldNoContactsOfIndividuals: rows are whole, so visitors get none of a natural person in business.
func TestProofsHoldNoContactsOfIndividuals(t *testing.T) {
	t.Parallel()
	s := fixture.Acquire(t, fixture.Shared(t).Live)
	for text, withheld := range map[string]bool{fixture.MEI: true, fixture.Bakery: false} {
		root, err := cnpj.ParseRoot(text)
		if err != nil {
			t.Fatal(err)
		}
		if l, err := loads.Prove(t.Context(), s, root); err != nil || len(l.Rows) == 0 {
			t.Errorf("%s: %d rows for the API, %v", text, len(l.Rows), err)
		}
		if l, err := loads.Prove(t.Context(), s.ForVisitors(), root); err != nil || (len(l.Rows) == 0) != withheld || (l.Nonce == nil) != withheld {
			t.Errorf("%s: %d rows for visitors, %v", text, len(l.Rows), err)
		}
	}
}
