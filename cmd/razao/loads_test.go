package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"razao/internal/store/registry"
)

// TestLoadsTellsOfLeftovers lists what a killed process left, or who is at work.
func TestLoadsTellsOfLeftovers(t *testing.T) {
	t.Parallel()
	p, pool := onDatabase(t)
	if _, err := pool.Exec(t.Context(), `CREATE SCHEMA load_000007 AUTHORIZATION razao_ingest`); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(p.Data, "index", "000007.tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	if out := p.Must("loads"); !strings.Contains(out, "schema  load_000007  0 MB") || !strings.Contains(out, "index   000007.tmp   0 MB") {
		t.Errorf("loads says:\n%s", out)
	}
	lock, err := registry.NewStore(pool).Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	if out := p.Must("loads"); strings.Contains(out, "load_000007") || !strings.Contains(out, "another process is loading data: process ") {
		t.Errorf("during a load it says:\n%s", out)
	}
	if code, _, log := p.Run("loads", "prune"); code != 1 || !strings.Contains(log, "another process is loading data: process ") {
		t.Errorf("prune during a load: exit code %d\n%s", code, log)
	}
	lock.Release()
	p.Must("loads", "prune")
	if out := p.Must("loads"); strings.Contains(out, "000007") {
		t.Errorf("after pruning:\n%s", out)
	}
}
