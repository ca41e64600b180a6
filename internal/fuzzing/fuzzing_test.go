package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestExecutions(t *testing.T) {
	t.Parallel()
	out := []byte("fuzz: elapsed: 0s, gathering baseline coverage: 0/3 completed\n" +
		"fuzz: elapsed: 3s, execs: 1200 (400/sec), new interesting: 1 (total: 4)\n" +
		"fuzz: elapsed: 5s, execs: 2345 (572/sec), new interesting: 1 (total: 4)\nPASS\n")
	if got := executions(out); got != 2345 {
		t.Errorf("got %d", got)
	}
	if got := executions([]byte("FAIL")); got != 0 {
		t.Errorf("nothing was executed: %d", got)
	}
}

func TestAdd(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "security.md")
	day := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	if err := os.WriteFile(path, []byte("before\n998,001 executions so far, 1 January 2026.\nafter\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := add(path, 2_000, day); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if want := "before\n1,000,001 executions so far, 2 November 2026.\nafter\n"; err != nil || string(got) != want {
		t.Errorf("got %q, %v", got, err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if add(path, 1, day) == nil {
		t.Error("a document without a total is accepted")
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	targets, err := find([]string{"razao/internal/data/cnpj"})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(targets, target{"razao/internal/data/cnpj", "FuzzParseFull"}) {
		t.Errorf("got %v", targets)
	}
}
