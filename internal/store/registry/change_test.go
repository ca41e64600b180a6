package registry_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/registry/history"
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
	header := &history.Header{Load: id, Former: former}
	if former == 0 {
		header.Gaps = []history.Gap{{Part: change.Establishments, Why: history.First}}
	} else {
		err := s.WriteChanges(ctx, former, id, func(add func(cnpj.Root) error) error {
			return registry.EachDifference(ctx, viewOf(t, s, former), viewOf(t, s, id), func(root cnpj.Root, _, _ *change.State) error { return add(root) })
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.WriteHistory(ctx, header, func(func(uint64, []byte) error) error { return nil }); err != nil {
		t.Fatal(err)
	}
	return openView(t, s, id)
}

// viewOf opens a load that need not be in service.
func viewOf(t *testing.T, s *registry.Store, load int64) *registry.View {
	t.Helper()
	v, err := s.View(t.Context(), registry.Snapshot{Loads: map[string]int64{registry.Receita: load}})
	if err != nil {
		t.Fatal(err)
	}
	return v
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
	}{
		{"first", first, map[cnpj.Root]int64{}},
		{"second", second, map[cnpj.Root]int64{renamed: 2, late: 2, back: 2, large: 2, brief: 2}},
		{"third", third, map[cnpj.Root]int64{renamed: 2, late: 3, gone: 3, back: 3, large: 3, brief: 3}},
	} {
		got := changed(t, c.view)
		for root := range got {
			if _, err := c.view.Head(t.Context(), root); registry.IsAbsent(err) {
				delete(c.want, root) // it is gone, and listed only by the load that removed it
				if got[root] != c.view.Load.ID {
					t.Errorf("%s load: %d is gone and listed as changed by %d", c.name, root, got[root])
				}
				delete(got, root)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s load: %s", c.name, diff)
		}
	}
	if former := third.Former(); former == nil || former.Period != "2026-02" {
		t.Errorf("the third load was compared with %+v", former)
	}
	if l, ok := third.Beginning(); !ok || l != first.Load.ID {
		t.Errorf("it began with %d", l)
	}
}

// TestRecordsOfAnotherVersionAreNotComparable, nor are those of a load without any.
func TestRecordsOfAnotherVersionAreNotComparable(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s := registry.NewStore(pool)
	firms := []firm{{root: 1, name: "SAME"}}
	first, second, empty := load(t, s, 0, firms...), load(t, s, 0, firms...), load(t, s, 0)
	for _, c := range []struct {
		loads []int64
		want  bool
	}{{[]int64{first.Load.ID, second.Load.ID}, true}, {[]int64{first.Load.ID, empty.Load.ID}, false}} {
		if same, err := s.Comparable(t.Context(), c.loads...); err != nil || same != c.want {
			t.Errorf("loads %d: %t, %v", c.loads, same, err)
		}
	}
	if _, err := pool.Exec(t.Context(), fmt.Sprintf(`UPDATE load_%06d.record SET doc = set_byte(doc, 0, 200)`, first.Load.ID)); err != nil {
		t.Fatal(err)
	}
	if same, err := s.Comparable(t.Context(), first.Load.ID, second.Load.ID); err != nil || same {
		t.Errorf("another version: %t, %v", same, err)
	}
}

// TestDifference compares two loads whose rows come from PostgreSQL, from files, or from a file that is damaged. With neither
// table nor file, nobody is told that all companies are gone.
func TestDifference(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s := registry.NewStore(pool)
	const root, late, gone = 7, 8, 9
	before := firm{root: root, name: "OLD", partners: people(120), establishments: branches(root, 120)}
	after := firm{root: root, name: "NEW", partners: people(120), establishments: branches(root, 120)}
	after.partners = append([]record.Partner{{NomeSocio: "A NEW PERSON"}}, after.partners...) // moves everybody by one
	after.partners = append(after.partners[:61], after.partners[62:]...)                      // PERSON 060
	after.establishments[99].SituacaoCadastral = "08"
	after.establishments = append(after.establishments[:3], after.establishments[4:]...)
	after.establishments = append(after.establishments, record.Establishment{CNPJ: cnpj.Join(root, 500), NomeFantasia: "FAR"})
	first := load(t, s, 0, before, firm{root: gone, name: "GONE"})
	second := load(t, s, first.Load.ID, after, firm{root: late, name: "LATE", establishments: branches(late, 1)})
	want := []string{
		"7 empresa.nome 0", "7 socio.saiu PERSON 0600", "7 socio.entrou A NEW PERSON0",
		"7 estabelecimento.removido 4", "7 estabelecimento.baixado 100", "7 estabelecimento.aberto 500",
		"8 estabelecimento.aberto 1", "9 empresa.removida 0",
	}
	differences := func() (got []string, err error) {
		all := func(change.Part) bool { return true }
		err = registry.EachDifference(t.Context(), first, second, func(root cnpj.Root, before, after *change.State) error {
			for _, e := range change.Compare(before, after, all) {
				got = append(got, fmt.Sprint(int64(root), " ", e.Kind.Info().Code, " ", e.Partner.Name, int(e.Order)))
			}
			return nil
		})
		return got, err
	}
	compare := func(from string) {
		t.Helper()
		got, err := differences()
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", from, err, diff)
		}
	}
	compare("from PostgreSQL")
	was, dir := writtenFile(t, first)
	now, _ := writtenFile(t, second)
	first.ReadThrough(was)
	compare("one load from a file")
	path := filepath.Join(dir, registry.RowCacheName)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(whole)
	damaged[bytes.LastIndex(damaged, []byte("GONE"))] ^= 1
	if err := os.WriteFile(path, damaged, 0o600); err != nil { // in place: the open file sees it
		t.Fatal(err)
	}
	second.ReadThrough(now)
	compare("one load from a damaged file")
	if was.Damage() == nil {
		t.Error("the damage is not noted")
	}
	if _, err := pool.Exec(t.Context(), fmt.Sprintf(`DROP TABLE load_%06d.record`, first.Load.ID)); err != nil {
		t.Fatal(err)
	}
	if got, err := differences(); err == nil || len(got) > 0 {
		t.Errorf("without the former load: %v, %q", err, got)
	}
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	compare("from files")
}
