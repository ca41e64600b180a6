package clients

import (
	"bytes"
	"flag"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/api"
	"razao/internal/data/territory"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/web"
)

var update = flag.Bool("update", false, "write the generated files")

// document returns the OpenAPI document of v2. It needs no database.
func document(t *testing.T) []byte {
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
	engine := web.NewEngine(web.Options{Log: log})
	api.New(api.Config{Live: live}).Register(engine)
	w := httptest.NewRecorder()
	engine.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/v2/openapi.json", nil))
	return w.Body.Bytes()
}

// TestGenerated: the clients are what the document says.
func TestGenerated(t *testing.T) {
	t.Parallel()
	m, err := read(document(t))
	if err != nil {
		t.Fatal(err)
	}
	for path, write := range map[string]func(*model) ([]byte, error){
		"go/api.go": golang, "python/razao/api.py": python, "typescript/src/api.ts": typescript,
	} {
		want, err := write(m)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		path = filepath.Join("..", "..", "clients", filepath.FromSlash(path))
		if *update {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the document says, run this test with -update: %v", path, err)
		}
	}
}
