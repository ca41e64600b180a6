package site_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"razao/internal/ops/health"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
	"razao/site/sitetest"
)

// TestPagesWithoutDatabase closes all connections to the database: whoever has no session goes on as
// before, and probes learn of it without taking the server out of service.
func TestPagesWithoutDatabase(t *testing.T) {
	t.Parallel()
	l := fixture.LoadRecords(t)
	l.Live = snapshot.Open(t.Context(), l.Store, l.IndexDir, fixture.Atlas(t), slog.New(slog.DiscardHandler), snapshot.UseRowCache())
	t.Cleanup(l.Live.Close)
	h := sitetest.New(t, l)
	office, branch, city := fixture.Full(t, fixture.Bakery).String(), fixture.Full(t, fixture.Chain).String(), fixture.Full(t, fixture.City).String()
	paths := []string{
		"/", "/" + office, "/" + office + ".md", "/" + branch, "/" + city, "/busca?q=padaria", "/empresas?uf=SP", "/estados", "/uf/sp", "/sugestoes?q=pad",
	}
	before := map[string]string{}
	for _, path := range paths {
		before[path] = h.Body(t, path)
	}
	if w := h.Get(t, "/health"); !strings.Contains(w.Body.String(), `"banco":"ok"`) {
		t.Fatalf("health before: %s", w.Body)
	}
	l.Pool.Close()
	for _, path := range paths {
		w := h.Get(t, path)
		if w.Code != http.StatusOK {
			t.Errorf("%s: status %d", path, w.Code)
		}
		// Pages of companies say which sources could not be asked; all else is as before.
		if strings.Contains(path, "?") && w.Body.String() != before[path] {
			t.Errorf("%s is another page without the database", path)
		}
	}
	h.Texts(t, "/"+office, []string{"PADARIA"}, nil)
	ready := health.New(l.Live, l.Pool.Ping)
	for path, handler := range map[string]http.Handler{"/health": h, "/health/ready": ready.Handler()} {
		w := sitetest.Get(t, handler, path)
		if body := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(body, `"status":"degradado"`) || !strings.Contains(body, `"banco":"indisponivel"`) {
			t.Errorf("%s: status %d, %s", path, w.Code, body)
		}
	}
}
