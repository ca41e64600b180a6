package api

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"razao/internal/testing/fixture"
)

// BenchmarkV2 asks the handler, without a client: the key check and PostgreSQL are part of it.
func BenchmarkV2(b *testing.B) {
	l := fixture.Load(b)
	crowded(b, l, 30)
	s := start(b, l)
	engine := newEngine(New(Config{Live: l.Live, Admit: patient(b, l.Pool)}))
	l.Records(b, "ceis", "cnep", "cepim", "rntrc")
	for _, bench := range []struct{ name, path string }{
		{"v1", "/v1/cnpj/" + fixture.Bakery},
		{"basic", "/v2/empresas/" + fixture.Bakery + "/basic"},
		{"establishment", "/v2/estabelecimentos/" + branch(b, fixture.Bakery, "0001") + "/basic"},
		{"fonte", "/v2/empresas/" + fixture.Bakery + "/fontes/ceis"},
		{"fonte_20_items", "/v2/empresas/" + fixture.Chain + "/fontes/pgfn"},
		{"full", "/v2/empresas/" + fixture.Bakery + "/full"},
		{"full_200_items", "/v2/empresas/" + fixture.Chain + "/full"},
		{"fontes", "/v2/fontes"},
		{"busca", "/v2/busca?q=estrela"},
		{"busca_20_items", "/v2/busca?q=exemplo&agrupar=nao"},
		{"busca_facetas", "/v2/busca?uf=SP&situacao=02&facetas=sim"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			request := httptest.NewRequestWithContext(b.Context(), "GET", bench.path, nil)
			request.Header.Set("Authorization", "Bearer "+s.key)
			w := &discard{header: http.Header{}}
			engine.ServeHTTP(w, request)
			if w.status != http.StatusOK {
				b.Fatalf("status %d", w.status)
			}
			size := float64(w.bytes)
			b.ReportAllocs()
			for b.Loop() {
				clear(w.header)
				engine.ServeHTTP(w, request)
			}
			b.ReportMetric(size, "bytes")
		})
	}
}

// discard is a response of which only the size is kept.
type discard struct {
	header        http.Header
	status, bytes int
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) WriteHeader(status int)      { d.status = status }
func (d *discard) Write(p []byte) (int, error) { d.bytes += len(p); return len(p), nil }
