package openapi

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/api"
	"razao/internal/data/territory"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/web"
	"razao/site"
)

// served returns the documents of the pages, of v1 and of v2 by their addresses, as they are served. It needs no database.
func served(t *testing.T) map[string][]byte {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	atlas, err := territory.Open()
	if err != nil {
		t.Fatal(err)
	}
	nowhere, err := pgxpool.New(t.Context(), "postgres://127.0.0.1:1/")
	if err != nil {
		t.Fatal(err)
	}
	defer nowhere.Close()
	live := snapshot.Open(t.Context(), registry.NewStore(nowhere), t.TempDir(), atlas, log)
	defer live.Close()
	pages, err := site.New(site.Config{Live: live, Ping: nowhere.Ping})
	if err != nil {
		t.Fatal(err)
	}
	engine := web.NewEngine(web.Options{Log: log})
	api.New(api.Config{Live: live}).Register(engine)
	pages.Register(engine)
	documents := map[string][]byte{}
	for _, path := range []string{"/openapi.json", "/v1/openapi.json", "/v2/openapi.json"} {
		w := httptest.NewRecorder()
		engine.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		if w.Code != http.StatusOK {
			t.Fatalf("%s: %d", path, w.Code)
		}
		documents[path] = w.Body.Bytes()
	}
	return documents
}
