package registry_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/testing/pgtest"
)

// firm is the records of a root in a load.
type firm struct {
	root           cnpj.Root
	name           string
	partners       []record.Partner
	establishments []record.Establishment
}

func (f *firm) rows() []byte {
	parts := pack.Parts{Company: pack.AppendCompany(nil, &record.Company{RazaoSocial: f.name})}
	for i := range f.partners {
		parts.Partners = append(parts.Partners, pack.AppendPartner(nil, &f.partners[i]))
	}
	for i := range f.establishments {
		e := &f.establishments[i]
		parts.Establishments = append(parts.Establishments, pack.AppendEstablishment(nil, e))
		parts.Orders = append(parts.Orders, e.CNPJ.Order())
	}
	return pack.AppendRows(nil, f.root, &parts)
}

// branches returns n establishments of a root with a trade name each.
func branches(root cnpj.Root, n int) []record.Establishment {
	all := make([]record.Establishment, n)
	for i := range all {
		all[i] = record.Establishment{CNPJ: cnpj.Join(root, cnpj.Order(i+1)), NomeFantasia: fmt.Sprint("STORE ", i+1), SituacaoCadastral: "02"}
	}
	return all
}

func people(n int) []record.Partner {
	all := make([]record.Partner, n)
	for i := range all {
		all[i] = record.Partner{NomeSocio: fmt.Sprintf("PERSON %03d", i)}
	}
	return all
}

// load stores firms as a load that is compared with former, 0 for none, and publishes it.
func load(t *testing.T, s *registry.Store, former int64, firms ...firm) *registry.View {
	t.Helper()
	ctx := t.Context()
	loads, err := s.Loads(ctx)
	if err != nil {
		t.Fatal(err)
	}
	id, err := s.BeginLoad(ctx, registry.Receita, fmt.Sprintf("2026-%02d", len(loads)+1))
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.NewWriter(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	w.Compare(former, len(loads) == 0)
	for i := range firms {
		if err := w.WriteRows(firms[i].rows()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Commit(ctx, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.EndLoad(ctx, &registry.Load{ID: id, State: registry.LoadReady, Period: fmt.Sprintf("2026-%02d", len(loads)+1)}); err != nil {
		t.Fatal(err)
	}
	return openView(t, s, id)
}

// since returns the period since which a root has its records, with ~ before it if they may be
// older, or "" if that is unknown.
func since(t *testing.T, v *registry.View, root cnpj.Root) string {
	t.Helper()
	c, known, err := v.Change(t.Context(), root)
	switch {
	case err != nil:
		t.Fatal(err)
	case !known:
		return ""
	case !c.Exact:
		return "~" + c.Period
	}
	return c.Period
}

func changed(t *testing.T, v *registry.View) map[cnpj.Root]int64 {
	t.Helper()
	all, last := map[cnpj.Root]int64{}, cnpj.Root(-1)
	err := v.EachChange(t.Context(), func(root cnpj.Root, load int64) error {
		if root <= last {
			t.Errorf("%d comes after %d", root, last)
		}
		all[root], last = load, root
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestChangesAreCarriedFromLoadToLoad(t *testing.T) {
	t.Parallel()
	s := registry.NewStore(pgtest.Pool(t))
	const same, renamed, late, gone, back, large, brief = 1, 2, 3, 4, 5, 6, 7
	before := []firm{
		{root: same, name: "SAME"},
		{root: renamed, name: "OLD"},
		{root: gone, name: "GONE"},
		{root: back, name: "BACK"},
		{root: large, name: "LARGE", partners: people(120), establishments: branches(large, 120)},
	}
	first := load(t, s, 0, before...)
	moved := branches(large, 120)
	moved[119].NomeFantasia = "MOVED" // in the third chunk
	second := load(t, s, first.Load.ID,
		before[0], firm{root: renamed, name: "NEW"}, firm{root: late, name: "LATE"}, before[2],
		firm{root: large, name: "LARGE", partners: people(120), establishments: moved}, firm{root: brief, name: "BRIEF"})
	third := load(t, s, second.Load.ID,
		before[0], firm{root: renamed, name: "NEW"}, firm{root: late, name: "LATER"}, before[3],
		firm{root: large, name: "LARGE", partners: people(119), establishments: moved})
	for _, c := range []struct {
		name string
		view *registry.View
		want map[cnpj.Root]int64
		says map[cnpj.Root]string
	}{
		{"first", first, map[cnpj.Root]int64{}, map[cnpj.Root]string{same: "~2026-01", large: "~2026-01"}},
		{"second", second, map[cnpj.Root]int64{renamed: 2, late: 2, large: 2, brief: 2}, map[cnpj.Root]string{same: "~2026-01", renamed: "2026-02"}},
		{
			"third", third,
			map[cnpj.Root]int64{renamed: 2, late: 3, back: 3, large: 3},
			map[cnpj.Root]string{same: "~2026-01", renamed: "2026-02", late: "2026-03", back: "2026-03"},
		},
	} {
		if diff := cmp.Diff(c.want, changed(t, c.view)); diff != "" {
			t.Errorf("%s load: %s", c.name, diff)
		}
		for root, want := range c.says {
			if got := since(t, c.view, root); got != want {
				t.Errorf("%s load: %d is as it is since %q, want %q", c.name, root, got, want)
			}
		}
	}
	if former, ok := third.Former(); !ok || former.Period != "2026-02" {
		t.Errorf("the third load was compared with %+v", former)
	}
	if l, ok := third.Beginning(); !ok || l.Period != "2026-01" {
		t.Errorf("it began with %+v", l)
	}
}

func TestNothingIsKnownWithoutComparison(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s := registry.NewStore(pool)
	const root = 1
	firms := []firm{{root: root, name: "SAME"}}
	old := write(t, s, company{"00000001", 0, 0}) // as programs wrote it that compared nothing
	if got := since(t, openView(t, s, old), root); got != "" {
		t.Errorf("without tables: %q", got)
	}
	if all := changed(t, openView(t, s, old)); len(all) > 0 {
		t.Errorf("without tables: %v", all)
	}
	if _, err := openView(t, s, old).Difference(t.Context(), &pack.Head{Root: root}); !errors.Is(err, registry.ErrGone) {
		t.Errorf("without tables: %v", err)
	}
	apart := load(t, s, 0, firms...) // beside one that does not tell the same
	if got := since(t, apart, root); got != "" {
		t.Errorf("compared with none: %q", got)
	}
	repacked(t, pool, apart.Load.ID)
	after := load(t, s, apart.Load.ID, firms...)
	if got := since(t, after, root); got != "" {
		t.Errorf("compared with records of another version: %q", got)
	}
	next := load(t, s, after.Load.ID, firms...)
	if got := since(t, next, root); got != "~2026-03" {
		t.Errorf("the same as the load before: %q", got)
	}
	if _, ok := next.Beginning(); ok {
		t.Error("records of unknown age have a beginning")
	}
	third := load(t, s, old, firms...) // that has no such tables, but records
	if got := since(t, third, root); got != "2026-05" {
		t.Errorf("compared with a load without tables: %q", got)
	}
}

// repacked makes the records of a load look as if another version of the program had packed them.
func repacked(t *testing.T, pool *pgxpool.Pool, load int64) {
	t.Helper()
	query := fmt.Sprintf(`UPDATE load_%06d.record SET doc = set_byte(doc, 0, 200)`, load)
	if _, err := pool.Exec(t.Context(), query); err != nil {
		t.Fatal(err)
	}
}

func TestDifference(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s := registry.NewStore(pool)
	const root, late = 7, 8
	before := firm{root: root, name: "OLD", partners: people(120), establishments: branches(root, 120)}
	after := firm{root: root, name: "NEW", partners: people(120), establishments: branches(root, 120)}
	after.partners = append([]record.Partner{{NomeSocio: "A NEW PERSON"}}, after.partners...) // moves everybody by one
	after.partners = append(after.partners[:61], after.partners[62:]...)                      // PERSON 060
	after.establishments[99].SituacaoCadastral = "08"
	after.establishments = append(after.establishments[:3], after.establishments[4:]...)
	after.establishments = append(after.establishments, record.Establishment{CNPJ: cnpj.Join(root, 500), NomeFantasia: "FAR"})
	first := load(t, s, 0, before)
	second := load(t, s, first.Load.ID, after, firm{root: late, name: "LATE"})
	d, err := second.Difference(t.Context(), &pack.Head{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	if d.New || d.Heads[0].Company.RazaoSocial != "OLD" || d.Heads[1].Company.RazaoSocial != "NEW" {
		t.Errorf("company: %+v", d.Heads)
	}
	if want := [2][]record.Partner{{{NomeSocio: "PERSON 060"}}, {{NomeSocio: "A NEW PERSON"}}}; !cmp.Equal(want, d.Partners) {
		t.Error(cmp.Diff(want, d.Partners))
	}
	var pairs []string
	for _, p := range d.Establishments {
		pairs = append(pairs, situation(p.Before)+">"+situation(p.After))
	}
	if want := []string{"STORE 4 02>", "STORE 100 02>STORE 100 08", ">FAR "}; !cmp.Equal(want, pairs) {
		t.Error(cmp.Diff(want, pairs))
	}
	if d, err := second.Difference(t.Context(), &pack.Head{Root: late}); err != nil || !d.New {
		t.Errorf("a new company: %+v, %v", d, err)
	}
	if err := s.DropRecords(t.Context(), first.Load.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := second.Difference(t.Context(), &pack.Head{Root: root}); !errors.Is(err, registry.ErrGone) {
		t.Errorf("the former records are deleted: %v", err)
	}
	pool.Close() // PostgreSQL, which logs what fails, is not asked again
	if _, err := second.Difference(t.Context(), &pack.Head{Root: root}); !errors.Is(err, registry.ErrGone) {
		t.Errorf("asked again: %v", err)
	}
}

func situation(e *record.Establishment) string {
	if e == nil {
		return ""
	}
	return e.NomeFantasia + " " + e.SituacaoCadastral
}
