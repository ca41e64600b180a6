package company

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
	"razao/site/page"
	"razao/site/page/pagetest"
	"razao/site/records"
)

// newHandlers returns the handlers over what is loaded, and the snapshot in service.
func newHandlers(t *testing.T, live *snapshot.Live) (*Handlers, *snapshot.Snapshot) {
	t.Helper()
	pages, snap := pagetest.Server(t, live)
	hs, err := New(Config{Pages: pages, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	return hs, snap.ForVisitors()
}

// TestNoIndex calls the rule itself: with invented data, every served page is noindex anyway.
func TestNoIndex(t *testing.T) {
	t.Parallel()
	hs, snap := newHandlers(t, fixture.Load(t).Live)
	for root, want := range map[string]bool{fixture.MEI: true, fixture.OldMEI: true, fixture.Bakery: false, fixture.City: false} {
		number := fixture.Full(t, root)
		head, err := snap.Company(t.Context(), number.Root())
		if err != nil {
			t.Fatal(err)
		}
		establishment, err := snap.Establishment(t.Context(), &head, number.Order())
		if err != nil {
			t.Fatal(err)
		}
		p := hs.companyPage(snap, &head, establishment)
		if p.Private != want || p.NoIndex != want {
			t.Errorf("%s: private %t, noindex %t; want both %t", root, p.Private, p.NoIndex, want)
		}
	}
}

func TestHoldingsThatCouldNotBeRead(t *testing.T) {
	t.Parallel()
	var body bytes.Buffer
	if err := page.Render(&body, &companyPage{Holdings: holdingTable{Failed: true}, Records: &records.Section{}}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(body.String(), "Não foi possível consultar agora de que empresas") {
		t.Errorf("the page says nothing of it: %s", &body)
	}
}

func TestPagesHoldHostileText(t *testing.T) {
	t.Parallel()
	pagetest.Hostile[page.Page](t, page.Render, &companyPage{})
}
