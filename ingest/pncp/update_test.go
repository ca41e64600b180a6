package pncp

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestUpdateFollowsTheDays updates a folder day after day: newly published contracts and amended
// ones, once each.
func TestUpdateFollowsTheDays(t *testing.T) {
	t.Parallel()
	a := newAPI(t, nil)
	o, _ := a.options(t, 3, 0)
	want := map[string][]int{}
	update := func(day int, files map[string][]int) {
		t.Helper()
		now := time.Date(2026, 1, day, 15, 0, 0, 0, time.UTC)
		o.now = func() time.Time { return now }
		before, calls := names(t, o.Dir), len(a.calls)
		if err := Update(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		for _, name := range names(t, o.Dir) {
			if !slices.Contains(before, name) {
				if err := os.Chtimes(filepath.Join(o.Dir, name), now, now); err != nil {
					t.Fatal(err)
				}
			}
		}
		maps.Copy(want, files)
		checkFiles(t, o.Dir, want)
		if len(files) == 0 && len(a.calls) != calls {
			t.Errorf("on the %d.: asked %q for nothing", day, a.calls[calls:])
		}
	}
	update(5, map[string][]int{"pncp_contratos_2026-01-03_2026-01-04.jsonl": {3, 4}})
	update(5, nil)
	update(6, map[string][]int{
		"pncp_contratos_2026-01-05_2026-01-05.jsonl":    {5},
		"pncp_atualizacoes_2026-01-05_2026-01-05.jsonl": {5},
	})
	update(6, nil)
	update(9, map[string][]int{
		"pncp_contratos_2026-01-06_2026-01-07.jsonl":    {6, 7},
		"pncp_contratos_2026-01-08_2026-01-08.jsonl":    {8},
		"pncp_atualizacoes_2026-01-06_2026-01-07.jsonl": {6, 7},
		"pncp_atualizacoes_2026-01-08_2026-01-08.jsonl": {8},
	})
	// Days that are filled in later lead to no call for updates that the folder holds.
	back := o
	back.From, back.To = january(1), january(2)
	if err := Fetch(t.Context(), back); err != nil {
		t.Fatal(err)
	}
	update(9, map[string][]int{"pncp_contratos_2026-01-01_2026-01-02.jsonl": {1, 2}})
	for _, call := range a.calls {
		if strings.Contains(call, "dataFinal=20260109") {
			t.Errorf("asked for a day that is not over: %s", call)
		}
	}
}

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		names = append(names, filepath.Base(p))
	}
	return names
}
