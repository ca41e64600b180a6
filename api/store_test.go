package api

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/data/cnpj"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
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
	snap, err := l.Live.Acquire()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(snap.Release)
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

func TestNotFoundIsNotTrouble(t *testing.T) {
	t.Parallel()
	rnd := random{rand.New(rand.NewPCG(3, 9))}
	large, alone := rnd.records(120, 0), rnd.records(0, 1)
	large.root, alone.root = 100, 200
	alone.company, alone.simples = nil, usual().simples
	l, snap := stored(t, large, alone)
	if _, err := l.Pool.Exec(t.Context(), `UPDATE load_000001.record SET doc = '\x01ffff' WHERE root = 100 AND seq = 2`); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		name string
		ctx  context.Context
		d    registry.Document
		want error // nil: positively absent
		code string
	}{
		{"root not in the load", t.Context(), registry.Document{Root: 300}, nil, "cnpj_nao_encontrado"},
		{"order not in the load", t.Context(), establishment(100, 0), nil, "cnpj_nao_encontrado"},
		{"order in what does not decode", t.Context(), establishment(100, cnpj.Orders-1), pack.ErrCorrupt, "servico_indisponivel"},
		{"neither company nor establishment", t.Context(), registry.Document{Root: 200}, nil, "cnpj_nao_encontrado"},
		{"a chunk that does not decode", t.Context(), registry.Document{Root: 100}, pack.ErrCorrupt, "servico_indisponivel"},
		{"no answer from the database", ended, registry.Document{Root: 300}, context.Canceled, "servico_indisponivel"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := rendererOf(snap).document(tt.ctx, nil, tt.d)
			if tt.want == nil && !registry.IsAbsent(err) || tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if got := failureOf(err).code; got != tt.code {
				t.Errorf("%v is answered with %s, want %s", err, got, tt.code)
			}
		})
	}
}

func BenchmarkV1LargeCompany(b *testing.B) {
	rec := usual()
	for range 4999 {
		branch := rec.establishments[len(rec.establishments)-1]
		branch.CNPJ++
		rec.establishments = append(rec.establishments, branch)
	}
	_, snap := stored(b, rec)
	r := rendererOf(snap)
	r.Renderer = render.New(snap.Domains, func(string) string { return "3550308" }) // the one of the tests allocates
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		out, err := r.document(b.Context(), buf[:0], registry.Document{Root: rec.root})
		if err != nil {
			b.Fatal(err)
		}
		buf = out
		b.SetBytes(int64(len(out)))
	}
}
