package api

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/data/cnpj"
	"razao/internal/store/registry"
	"razao/internal/store/render"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
)

// stored adds companies to the load that is served.
func stored(t testing.TB, all ...*records) (*fixture.Loaded, *snapshot.Snapshot) {
	t.Helper()
	l := fixture.Load(t)
	for _, r := range all {
		for row := range r.rows() {
			if _, err := l.Pool.Exec(context.Background(), `INSERT INTO load_000001.record VALUES ($1, $2, $3)`, int64(r.root), row.seq, row.doc); err != nil {
				t.Fatal(err)
			}
		}
	}
	snap := fixture.Acquire(t, l.Live)
	return l, snap
}

func establishment(root cnpj.Root, order cnpj.Order) registry.Document {
	return registry.Document{Root: root, Order: &order}
}

func rendererOf(snap *snapshot.Snapshot) *v1Renderer {
	return &v1Renderer{Renderer: render.New(snap.Domains, testIBGE), snap: snap}
}

func TestLargeCompaniesAgreeWithTheContract(t *testing.T) {
	t.Parallel()
	rnd := random{rand.New(rand.NewPCG(5, 11))}
	for _, size := range []struct{ establishments, partners int }{{49, 50}, {50, 51}, {51, 49}, {100, 101}, {151, 0}, {0, 151}, {1200, 300}} {
		rec := rnd.records(size.establishments, size.partners)
		rec.company = usual().company
		_, snap := stored(t, rec)
		r := rendererOf(snap)
		got, err := r.document(t.Context(), nil, registry.Document{Root: rec.root})
		if err != nil {
			t.Fatal(err)
		}
		x := expected{t, snap.Domains}
		if want := x.dados(rec); string(got) != want {
			t.Fatalf("%+v (-want +got):\n%s", size, cmp.Diff(want, string(got)))
		}
		for i := 0; i < size.establishments; i += 49 {
			one := *rec
			one.establishments = rec.establishments[i : i+1]
			number := rec.establishments[i].CNPJ
			got, err := r.document(t.Context(), nil, establishment(rec.root, number.Order()))
			if want := x.dados(&one); err != nil || string(got) != want {
				t.Fatalf("establishment %s: %v (-want +got):\n%s", number, err, cmp.Diff(want, string(got)))
			}
		}
	}
}
