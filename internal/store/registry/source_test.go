package registry_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/testing/pgtest"
)

// written is a record as it is written; shown returns what reading it must return.
type written struct {
	root   cnpj.Root
	owner  pack.ItemOwner
	values []string
}

// first selects the first record.
var first = registry.Selection{Range: registry.Range{Limit: 1}}

// writeSource stores records, whose roots ascend, as a load of a source and returns its id.
func writeSource(t *testing.T, s *registry.Store, id string, records []written) int64 {
	t.Helper()
	ctx := t.Context()
	src, _ := source.Find(id)
	load, err := s.BeginLoad(ctx, id, "2026-09")
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.NewWriter(ctx, load)
	if err != nil {
		t.Fatal(err)
	}
	tables := registry.SourceTables{Fields: src.Fields, Dictionary: &pack.Dictionary{}, Owners: &registry.PackedOwners{}}
	var keys []uint64
	for i := 0; i < len(records); {
		root := records[i].root
		var items [][]byte
		for ; i < len(records) && records[i].root == root; i++ {
			items = append(items, pack.AppendItem(nil, src.Fields, tables.Dictionary, records[i].owner, records[i].values))
		}
		keys = registry.AppendOwners(keys, root, items)
		if err := w.WriteRows(pack.AppendItemRows(nil, root, items)); err != nil {
			t.Fatal(err)
		}
	}
	tables.Owners.Add(keys)
	if _, err := w.CommitSource(ctx, &tables); err != nil {
		t.Fatal(err)
	}
	l := registry.Load{ID: load, Period: "2026-09", State: registry.LoadReady}
	if err := s.EndLoad(ctx, &l); err != nil {
		t.Fatal(err)
	}
	return load
}

// invent returns n records of root, spread over its first orders, some of the company alone.
func invent(rng *rand.Rand, root cnpj.Root, n, orders int) []written {
	src, _ := source.Find("ceis")
	out := make([]written, n)
	for i := range out {
		r := &out[i]
		r.root = root
		r.owner = pack.ItemOwner{Order: cnpj.Order(1 + rng.IntN(orders)), HasOrder: true}
		if rng.IntN(20) == 0 {
			r.owner = pack.ItemOwner{Published: "12345678000199"}
		}
		r.values = make([]string, len(src.Fields))
		for k, f := range src.Fields {
			switch {
			case rng.IntN(4) == 0: // null
			case f.Kind == source.Code:
				r.values[k] = fmt.Sprint("código ", rng.IntN(5))
			default:
				r.values[k] = strings.Repeat(fmt.Sprint(i, " "), rng.IntN(60))
			}
		}
	}
	return out
}

// blank empties the values of records and gives them the fields of a source.
func blank(records []written, id string) []written {
	src, _ := source.Find(id)
	for i := range records {
		records[i].values = make([]string, len(src.Fields))
	}
	return records
}

// lock holds a table of a load in a transaction, which the caller ends.
func lock(t *testing.T, db interface {
	Begin(context.Context) (pgx.Tx, error)
}, load int64, table string,
) pgx.Tx {
	t.Helper()
	tx, err := db.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	name := pgx.Identifier{fmt.Sprintf("load_%06d", load), table}.Sanitize()
	if _, err := tx.Exec(t.Context(), `LOCK TABLE `+name+` IN ACCESS EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	return tx
}

// shown returns the values as they are read: the document is derived from the owner.
func (r *written) shown() []string {
	src, _ := source.Find("ceis")
	values := slices.Clone(r.values)
	for i, f := range src.Fields {
		if f.Kind != source.Document {
			continue
		}
		values[i] = r.owner.Published
		if r.owner.HasOrder {
			values[i] = cnpj.Join(r.root, r.owner.Order).String()
		}
	}
	return values
}

// walk reads all pages of a document.
func walk(t *testing.T, v *registry.View, id string, d registry.Document, limit int) [][]string {
	t.Helper()
	var values [][]string
	in := registry.Range{Limit: limit}
	for {
		page, found := v.Select(t.Context(), id, d, registry.Selection{Range: in})
		if !found || page.Err != nil {
			t.Fatalf("%s from %d: found %v, error %v", id, in.From, found, page.Err)
		}
		for i := range page.Items {
			values = append(values, page.Items[i].Values)
		}
		next, more := page.Next()
		if !more {
			if page.Total != len(values) {
				t.Errorf("%s: total %d, %d were walked", id, page.Total, len(values))
			}
			if want := map[bool]registry.Status{true: registry.Found, false: registry.None}[len(values) > 0]; page.Status != want {
				t.Errorf("%s: status %s, want %s", id, page.Status, want)
			}
			return values
		}
		if next <= in.From {
			t.Fatalf("%s: %d is followed by %d", id, in.From, next)
		}
		in.From = next
	}
}

func TestSourcePagesAreWhatWasWritten(t *testing.T) {
	t.Parallel()
	s := registry.NewStore(pgtest.Pool(t))
	rng := rand.New(rand.NewPCG(1, 2))
	var records []written
	sizes := []int{1, 2, 9, 11, 20, 99, 101, 450}
	for i, n := range sizes {
		records = append(records, invent(rng, cnpj.Root(1000+i), n, 1+i)...)
	}
	load := writeSource(t, s, "ceis", records)
	v := openView(t, s, write(t, s, company{"00000001", 1, 0}))
	v = withSource(t, s, v, "ceis", load)
	for i := range sizes {
		root := cnpj.Root(1000 + i)
		for _, limit := range []int{1, 7, 20, 100} {
			checkWalk(t, v, records, registry.Document{Root: root}, limit)
			for order := range cnpj.Order(i + 3) { // 0 and the one after the last have nothing
				checkWalk(t, v, records, registry.Document{Root: root, Order: &order}, limit)
			}
		}
	}
	checkWalk(t, v, records, registry.Document{Root: 999}, 20)
}

func withSource(t *testing.T, s *registry.Store, v *registry.View, id string, load int64) *registry.View {
	t.Helper()
	snapshot := v.Snapshot
	snapshot.Loads[id] = load
	v, err := s.View(t.Context(), snapshot)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func checkWalk(t *testing.T, v *registry.View, records []written, d registry.Document, limit int) {
	t.Helper()
	var want [][]string
	for i := range records {
		r := &records[i]
		if r.root == d.Root && (d.Order == nil || r.owner.HasOrder && r.owner.Order == *d.Order) {
			want = append(want, r.shown())
		}
	}
	if diff := cmp.Diff(want, walk(t, v, "ceis", d, limit)); diff != "" {
		t.Errorf("root %d, limit %d (-want +got):\n%s", d.Root, limit, diff)
	}
	pages := v.Sources(t.Context(), d, limit)
	page := pages[slices.Index(source.IDs(), "ceis")]
	if page.Err != nil || page.Total != len(want) || len(page.Items) != min(limit, len(want)) {
		t.Errorf("root %d among all sources: error %v, total %d, %d items; want %d in all", d.Root, page.Err, page.Total, len(page.Items), len(want))
	}
	for i := range page.Items {
		if diff := cmp.Diff(want[i], page.Items[i].Values); diff != "" {
			t.Errorf("root %d among all sources (-want +got):\n%s", d.Root, diff)
		}
	}
}

func TestOwners(t *testing.T) {
	t.Parallel()
	s := registry.NewStore(pgtest.Pool(t))
	establishment := func(order cnpj.Order) pack.ItemOwner { return pack.ItemOwner{Order: order, HasOrder: true} }
	ceis := writeSource(t, s, "ceis", blank([]written{
		{root: 7, owner: establishment(1)},
		{root: 7, owner: establishment(3)},
		{root: 7, owner: pack.ItemOwner{Published: "no"}},
		{root: 9, owner: pack.ItemOwner{Published: "no"}},
	}, "ceis"))
	customs := writeSource(t, s, "habilitacao_aduaneira", blank([]written{{root: 7}, {root: 8}}, "habilitacao_aduaneira"))
	for _, tc := range []struct {
		source string
		load   int64
		want   [][2]cnpj.Full
	}{
		{"ceis", ceis, [][2]cnpj.Full{{cnpj.Join(7, 1), cnpj.Join(7, 1)}, {cnpj.Join(7, 3), cnpj.Join(7, 3)}}},
		{"habilitacao_aduaneira", customs, [][2]cnpj.Full{{cnpj.Join(7, 0), cnpj.Join(7, cnpj.Orders-1)}, {cnpj.Join(8, 0), cnpj.Join(8, cnpj.Orders-1)}}},
	} {
		src, _ := source.Find(tc.source)
		var got [][2]cnpj.Full
		err := s.Owners(t.Context(), &src, tc.load, func(first, last cnpj.Full) { got = append(got, [2]cnpj.Full{first, last}) })
		if diff := cmp.Diff(tc.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", tc.source, err, diff)
		}
	}
}

// TestEachRecordPassesAll reads whole loads, with roots of one and of many chunks. A missing chunk
// must be an error.
func TestEachRecordPassesAll(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s := registry.NewStore(pool)
	rng := rand.New(rand.NewPCG(7, 8))
	var records []written
	for i, n := range []int{1, 450, 9, 101, 20} {
		records = append(records, invent(rng, cnpj.Root(1000+i), n, 1+i)...)
	}
	load := writeSource(t, s, "ceis", records)
	src, _ := source.Find("ceis")
	type passed struct {
		Root   cnpj.Root
		Order  cnpj.Order
		Own    bool
		Values []string
	}
	read := func(fields []string) (all []passed, err error) {
		err = s.EachRecord(t.Context(), &src, load, fields, func(root cnpj.Root, it *pack.Item) {
			p := passed{Root: root, Values: slices.Clone(it.Values)}
			if p.Order, p.Own = it.Owner(); !p.Own {
				p.Order = 0
			}
			all = append(all, p)
		})
		return all, err
	}
	var want, some []passed
	for i := range records {
		r := &records[i]
		p := passed{r.root, r.owner.Order, r.owner.HasOrder, r.shown()}
		want = append(want, p)
		p.Values = []string{r.values[slices.IndexFunc(src.Fields, func(f source.Field) bool { return f.Name == "data_final_sancao" })]}
		some = append(some, p)
	}
	got, err := read(nil)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("all fields, %v (-want +got):\n%.800s", err, diff)
	}
	got, err = read([]string{"data_final_sancao"})
	if diff := cmp.Diff(some, got); diff != "" || err != nil {
		t.Errorf("one field, %v (-want +got):\n%.800s", err, diff)
	}
	table := pgx.Identifier{fmt.Sprintf("load_%06d", load), "record"}.Sanitize()
	for _, missing := range []string{`root = 1003 AND seq = 1`, `root = 1001 AND seq = 3`, `root = 1001 AND seq = 0`} { // the last, one between, a head
		if _, err := pool.Exec(t.Context(), `DELETE FROM `+table+` WHERE `+missing); err != nil {
			t.Fatal(err)
		}
		if _, err := read(nil); !errors.Is(err, pack.ErrCorrupt) {
			t.Errorf("without %s: %v", missing, err)
		}
	}
}

func TestASourceInTroubleHarmsNoOther(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s := registry.NewStore(pool)
	rng := rand.New(rand.NewPCG(3, 4))
	records := invent(rng, 5000, 3, 1)
	loads := map[string]int64{}
	for _, id := range []string{"ceis", "cepim", "rntrc"} {
		loads[id] = writeSource(t, s, id, blank(records, id))
	}
	open := func() *registry.View {
		v := openView(t, s, write(t, s, company{"00000001", 1, 0}))
		for id, load := range loads {
			v = withSource(t, s, v, id, load)
		}
		return v
	}
	statuses := func(v *registry.View) map[string]registry.Status {
		got := map[string]registry.Status{}
		for _, p := range v.Sources(t.Context(), registry.Document{Root: 5000}, 20) {
			got[p.Source.ID] = p.Status
		}
		return got
	}
	check := func(got map[string]registry.Status, ceis registry.Status) {
		t.Helper()
		for _, id := range source.IDs() {
			want := registry.Unavailable
			switch {
			case id == "ceis":
				want = ceis
			case loads[id] != 0:
				want = registry.Found
			}
			if got[id] != want {
				t.Errorf("%s: %s, want %s", id, got[id], want)
			}
		}
	}
	v := open()
	check(statuses(v), registry.Found)

	// Slow: another session holds the table.
	tx := lock(t, pool, loads["ceis"], "record")
	check(statuses(v), registry.Failed)
	late, cancelLate := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancelLate()
	if page, _ := v.Select(late, "ceis", registry.Document{Root: 5000}, first); page.Status != registry.Failed {
		t.Errorf("with the caller's own deadline over: %s", page.Status)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(statuses(v), registry.Found)

	// Gone, under a view that is open and one that opens after.
	if _, err := pool.Exec(t.Context(), fmt.Sprintf(`DROP TABLE load_%06d.record`, loads["ceis"])); err != nil {
		t.Fatal(err)
	}
	check(statuses(v), registry.Failed)
	check(statuses(open()), registry.Failed)
}

// TestWaitingToOpenEndsWithTheCaller asks a source that another caller is trying to open: a caller
// whose context has ended must not wait for that attempt.
func TestWaitingToOpenEndsWithTheCaller(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s := registry.NewStore(pool)
	load := writeSource(t, s, "ceis", invent(rand.New(rand.NewPCG(5, 6)), 7, 1, 1))
	snapshot := openView(t, s, write(t, s, company{"00000001", 1, 0})).Snapshot
	snapshot.Loads["ceis"] = load
	tx := lock(t, pool, load, "field")
	v, err := s.View(t.Context(), snapshot)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(ctx context.Context) {
		if page, _ := v.Select(ctx, "ceis", registry.Document{Root: 7}, first); page.Status != registry.Failed {
			t.Errorf("status %s", page.Status)
		}
	}
	patient := make(chan struct{})
	go func() {
		defer close(patient)
		ask(t.Context())
	}()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	ask(ended)
	select {
	case <-patient:
		t.Error("a caller that had given up waited for one that had not")
	default:
	}
	<-patient
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if page, _ := v.Select(t.Context(), "ceis", registry.Document{Root: 7}, first); page.Status != registry.Found {
		t.Errorf("after the trouble: %s, %v", page.Status, page.Err)
	}
}
