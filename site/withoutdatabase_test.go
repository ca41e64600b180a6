package site

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"razao/internal/ops/health"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
)

// TestPagesWithoutDatabase closes all connections to the database: whoever has no session goes on as
// before, and probes learn of it without taking the server out of service.
func TestPagesWithoutDatabase(t *testing.T) {
	t.Parallel()
	l := fixture.LoadRecords(t)
	l.Live = snapshot.Open(t.Context(), l.Store, l.IndexDir, fixture.Atlas(t), slog.New(slog.DiscardHandler), snapshot.UseRowCache())
	t.Cleanup(l.Live.Close)
	h, _ := newHandler(t, l)
	office, branch, city := full(t, fixture.Bakery), full(t, fixture.Chain), full(t, fixture.City)
	paths := []string{
		"/", "/" + office, "/" + office + ".md", "/" + branch, "/" + city, "/busca?q=padaria", "/empresas?uf=SP", "/estados", "/uf/sp", "/sugestoes?q=pad",
	}
	before := map[string]string{}
	for _, path := range paths {
		before[path] = get(t, h, path).Body.String()
	}
	if w := get(t, h, "/health"); !strings.Contains(w.Body.String(), `"banco":"ok"`) {
		t.Fatalf("health before: %s", w.Body)
	}
	l.Pool.Close()
	for _, path := range paths {
		w := get(t, h, path)
		if w.Code != http.StatusOK {
			t.Errorf("%s: status %d", path, w.Code)
		}
		// Pages of companies say which sources could not be asked; all else is as before.
		if strings.Contains(path, "?") && w.Body.String() != before[path] {
			t.Errorf("%s is another page without the database", path)
		}
	}
	pagetest.Texts(t, get(t, h, "/"+office).Body.String(), []string{"PADARIA"}, nil)
	ready := health.New(l.Live, l.Pool.Ping)
	for path, handler := range map[string]http.Handler{"/health": h, "/health/ready": ready.Handler()} {
		w := get(t, handler, path)
		if body := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(body, `"status":"degradado"`) || !strings.Contains(body, `"banco":"indisponivel"`) {
			t.Errorf("%s: status %d, %s", path, w.Code, body)
		}
	}
}
