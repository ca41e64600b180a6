package registry_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"razao/internal/data/cnpj"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/testing/pgtest"
)

// TestCompaniesWithoutRecordsCostNoStatement asks about companies that all, some or none of the
// sources have records of, before and after the view has learnt whose they are.
func TestCompaniesWithoutRecordsCostNoStatement(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s := registry.NewStore(pool)
	rng := rand.New(rand.NewPCG(5, 6))
	v := openView(t, s, write(t, s, company{"00000001", 1, 0}))
	v = withSource(t, s, v, "ceis", writeSource(t, s, "ceis", append(invent(rng, 5000, 70, 3), invent(rng, 9000, 2, 1)...)))
	v = withSource(t, s, v, "rntrc", writeSource(t, s, "rntrc", blank(invent(rng, 5000, 1, 1), "rntrc")))
	order := cnpj.Order(2)
	documents := []registry.Document{{Root: 5000}, {Root: 5000, Order: &order}, {Root: 9000}, {Root: 4999}, {Root: 5001, Order: &order}}
	var want [][]registry.SourcePage
	for _, d := range documents {
		want = append(want, v.Sources(t.Context(), d, 20))
	}
	if err := v.LearnOwners(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for i, d := range documents {
		before := pool.Stat().AcquireCount()
		got := v.Sources(t.Context(), d, 20)
		if diff := cmp.Diff(want[i], got, cmpopts.IgnoreUnexported(pack.Item{}), cmpopts.EquateErrors()); diff != "" {
			t.Errorf("%d: once owners are known (-before +after):\n%s", d.Root, diff)
		}
		owner := d.Root == 5000 || d.Root == 9000
		if asked := pool.Stat().AcquireCount() > before; asked != owner {
			t.Errorf("%d: asked PostgreSQL: %v, has records: %v", d.Root, asked, owner)
		}
	}
	for root, want := range map[cnpj.Root]int{5000: 2, 9000: 1, 4999: 0} {
		if got := v.SourcesOf(root); got != want || v.Unlisted() != nil {
			t.Errorf("%d: %d sources have records, want %d; without a list: %v", root, got, want, v.Unlisted())
		}
	}

	next, err := s.View(t.Context(), v.Snapshot)
	if err != nil {
		t.Fatal(err)
	}
	before := pool.Stat().AcquireCount()
	if err := next.LearnOwners(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	if n := pool.Stat().AcquireCount() - before; n != 0 {
		t.Errorf("owners of the same loads were read again: %d statements", n)
	}
}

// TestALoadThatListsNoOwnersIsAsked takes the list away from a load that has records: nobody may be
// told that there are none.
func TestALoadThatListsNoOwnersIsAsked(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s := registry.NewStore(pool)
	load := writeSource(t, s, "ceis", invent(rand.New(rand.NewPCG(7, 8)), 5000, 3, 1))
	v := withSource(t, s, openView(t, s, write(t, s, company{"00000001", 1, 0})), "ceis", load)
	if _, err := pool.Exec(t.Context(), fmt.Sprintf(`DELETE FROM load_%06d.presence`, load)); err != nil {
		t.Fatal(err)
	}
	if err := v.LearnOwners(t.Context(), nil); err == nil {
		t.Error("an empty list of a load with records was believed")
	}
	if got := v.Unlisted(); !slices.Equal(got, []string{"ceis"}) || v.SourcesOf(5000) != 0 {
		t.Errorf("without a list: %v; counted %d", got, v.SourcesOf(5000))
	}
	for _, p := range v.Sources(t.Context(), registry.Document{Root: 5000}, 20) {
		if p.Source.ID == "ceis" && p.Status != registry.Found {
			t.Errorf("ceis: %s, want %s", p.Status, registry.Found)
		}
	}
}
