package api

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/cnpj"
	"razao/internal/pgtest"
	"razao/internal/registry"
)

// stored writes companies, which are in the order of their roots, as a load of its own and opens it.
func stored(t testing.TB, pool *pgxpool.Pool, all ...*records) *registry.View {
	t.Helper()
	ctx := context.Background()
	store := registry.NewStore(pool)
	id, err := store.BeginLoad(ctx, registry.Receita, "2026-09")
	if err != nil {
		t.Fatal(err)
	}
	w, err := store.NewWriter(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if err := w.WriteRows(r.packed()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Commit(ctx, testDomains()); err != nil {
		t.Fatal(err)
	}
	view, err := store.View(ctx, registry.Snapshot{ID: 1, Loads: map[string]int64{registry.Receita: id}})
	if err != nil {
		t.Fatal(err)
	}
	return view
}

func rendererOf(view *registry.View) *v1Renderer {
	return &v1Renderer{renderer: renderer{domains: view.Domains, ibge: testIBGE}, view: view}
}

func TestLargeCompaniesAgreeWithTheContract(t *testing.T) {
	t.Parallel()
	rnd := random{rand.New(rand.NewPCG(5, 11))}
	for _, size := range []struct{ establishments, partners int }{{49, 50}, {50, 51}, {51, 49}, {100, 101}, {151, 0}, {0, 151}, {1200, 300}} {
		rec := rnd.records(size.establishments, size.partners)
		rec.company = usual().company
		view := stored(t, pgtest.Pool(t), rec)
		r := rendererOf(view)
		got, err := r.document(t.Context(), nil, document{root: rec.root})
		if err != nil {
			t.Fatal(err)
		}
		want := expected{t, view.Domains}.dados(rec)
		if wanted := marshal(t, want); !bytes.Equal(got, wanted) {
			t.Fatalf("%+v (-want +got):\n%s", size, cmp.Diff(string(wanted), string(got)))
		}
		for i := 0; i < size.establishments; i += 49 {
			one := want
			one.Estabelecimentos = want.Estabelecimentos[i : i+1]
			number := rec.establishments[i].CNPJ
			got, err := r.document(t.Context(), nil, document{root: rec.root, order: number.Order(), whole: true})
			if wanted := marshal(t, one); err != nil || !bytes.Equal(got, wanted) {
				t.Fatalf("establishment %s: %v (-want +got):\n%s", number, err, cmp.Diff(string(wanted), string(got)))
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
	pool := pgtest.Pool(t)
	view := stored(t, pool, large, alone)
	if _, err := pool.Exec(t.Context(), `UPDATE load_000001.record SET doc = '\x01ffff' WHERE root = 100 AND seq = 2`); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		name string
		ctx  context.Context
		d    document
		want error // nil: positively absent
		code string
	}{
		{"root not in the load", t.Context(), document{root: 300}, nil, "cnpj_nao_encontrado"},
		{"order not in the load", t.Context(), document{root: 100, order: 0, whole: true}, nil, "cnpj_nao_encontrado"},
		{"order in what does not decode", t.Context(), document{root: 100, order: cnpj.Orders - 1, whole: true}, registry.ErrCorrupt, "servico_indisponivel"},
		{"neither company nor establishment", t.Context(), document{root: 200}, nil, "cnpj_nao_encontrado"},
		{"a chunk that does not decode", t.Context(), document{root: 100}, registry.ErrCorrupt, "servico_indisponivel"},
		{"no answer from the database", ended, document{root: 300}, context.Canceled, "servico_indisponivel"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := rendererOf(view).document(tt.ctx, nil, tt.d)
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
	view := stored(b, pgtest.Pool(b), rec)
	r := rendererOf(view)
	r.ibge = func(string) string { return "3550308" } // the one of the tests allocates
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		out, err := r.document(b.Context(), buf[:0], document{root: rec.root})
		if err != nil {
			b.Fatal(err)
		}
		buf = out
		b.SetBytes(int64(len(out)))
	}
}
