package snapshot_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"razao/index"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
)

// fromFiles opens the load in service as a server does that reads records from files.
func fromFiles(t *testing.T, l *fixture.Loaded) (*snapshot.Live, *snapshot.Snapshot) {
	t.Helper()
	live := open(t, l, snapshot.UseRowCache())
	return live, fixture.Acquire(t, live)
}

// TestCompaniesWithoutPostgreSQL closes every connection to the database: companies, searches and
// completion are answered as before.
func TestCompaniesWithoutPostgreSQL(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	live, s := fromFiles(t, l)
	l.Pool.Close()
	if h, err := s.Company(t.Context(), root(t, fixture.Chain)); err != nil || h.Establishments != fixture.ChainSize {
		t.Errorf("company: %d establishments, %v", h.Establishments, err)
	}
	found, err := s.Find(t.Context(), index.Query{Text: "padaria estrela", Limit: 5})
	if err != nil || len(found.Matches) == 0 {
		t.Errorf("search: %d matches, %v", len(found.Matches), err)
	}
	if matches, err := s.Suggest(t.Context(), "padaria", 5); err != nil || len(matches) == 0 {
		t.Errorf("completion: %d matches, %v", len(matches), err)
	}
	if err := live.Refresh(t.Context()); err == nil || live.Trouble() == nil {
		t.Error("nobody is told that the database is gone")
	}
	if _, err := fixture.Acquire(t, live).Company(t.Context(), root(t, fixture.Chain)); err != nil {
		t.Errorf("company after a look for snapshots: %v", err)
	}
}

// TestRottenRowCache alters the row cache so that only reading it tells: companies are read
// from PostgreSQL, search goes on, and the operator is told.
func TestRottenRowCache(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	live, s := fromFiles(t, l)
	path := filepath.Join(l.IndexDir, s.Internals().Records().Snapshot.IndexName, registry.RowCacheName)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	content = bytes.ReplaceAll(content, []byte("PALMEIRAS"), []byte("PALMEIRA5"))
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	h, err := s.Company(t.Context(), root(t, fixture.City))
	if err != nil {
		t.Fatal(err)
	}
	if c := h.FirstEstablishments(); !c.Next() || c.Establishment.Logradouro != "DAS PALMEIRAS" {
		t.Errorf("the street is %q", c.Establishment.Logradouro)
	}
	err = live.Refresh(t.Context())
	if err == nil || !strings.Contains(err.Error(), "razao index build") || live.Trouble() == nil {
		t.Errorf("the operator is told %v", err)
	}
	if !fixture.Acquire(t, live).Searchable() {
		t.Error("search has gone with the file")
	}
}
