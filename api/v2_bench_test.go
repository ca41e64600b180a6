package api

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
)

// BenchmarkV2 asks the handler, without a client: the key check and PostgreSQL are part of it.
func BenchmarkV2(b *testing.B) {
	l := fixture.Load(b)
	crowded(b, l, 30)
	s := start(b, l)
	engine := newEngine(New(Config{Live: l.Live, Admit: patient(openMeter(b, l.Pool), l.Pool)}))
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

// BenchmarkBatch asks for a thousand numbers in a batch and, beside it, in calls of their own.
func BenchmarkBatch(b *testing.B) {
	l := fixture.Load(b)
	crowded(b, l, 30)
	s := start(b, l)
	meter := openMeter(b, l.Pool)
	engine := newEngine(New(Config{Live: l.Live, Admit: patient(meter, l.Pool), Charge: generous(meter, l.Pool)}))
	for name, ask := range map[string]func() (numbers int, r *http.Request){
		"batch": func() (int, *http.Request) {
			body := batchBody(b, slices.Repeat([]string{fixture.Bakery, branch(b, fixture.Bakery, "0003"), fixture.Chain, fixture.OldMEI}, mostInBatch/4))
			return mostInBatch, httptest.NewRequestWithContext(b.Context(), "POST", batchPath, strings.NewReader(body))
		},
		"fields": func() (int, *http.Request) {
			body := batchBody(b, slices.Repeat([]string{fixture.Bakery, fixture.City, fixture.Chain, fixture.OldMEI}, mostInBatch/4), "razao_social", "situacao_cadastral", "uf")
			return mostInBatch, httptest.NewRequestWithContext(b.Context(), "POST", batchPath, strings.NewReader(body))
		},
		"single": func() (int, *http.Request) {
			return 1, httptest.NewRequestWithContext(b.Context(), "GET", "/v2/empresas/"+fixture.Bakery+"/basic", nil)
		},
	} {
		b.Run(name, func(b *testing.B) {
			numbers := 0
			for b.Loop() {
				n, r := ask()
				r.Header.Set("Authorization", "Bearer "+s.key)
				w := &discard{header: http.Header{}}
				if engine.ServeHTTP(w, r); w.status != http.StatusOK {
					b.Fatalf("status %d", w.status)
				}
				numbers += n
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(numbers), "µs/number")
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
