package sample

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestChangesAreThosePlanted compares consecutive releases of a year and checks that MUDANCAS.csv
// lists exactly what differs.
func TestChangesAreThosePlanted(t *testing.T) {
	t.Parallel()
	o := Options{Roots: 3000, Seed: 2, Month: "2026-06"} // the seed has branches in each situation whose company closes
	before := readRelease(t, o)
	kinds := map[string]int{}
	for range 12 {
		var err error
		if o, err = Next(filepath.Dir(filepath.Dir(before.sum.Dir)), ""); err != nil {
			t.Fatal(err)
		}
		after := readRelease(t, o)
		planted := readChanges(t, after.sum.Dir)
		if diff := cmp.Diff(planted, differences(&before, &after)); diff != "" {
			t.Errorf("%s: planted - found +: %s", o.Month, diff)
		}
		if after.sum.Changes != int64(len(planted)) {
			t.Errorf("%s: the summary counts %d changes, the list %d", o.Month, after.sum.Changes, len(planted))
		}
		for _, change := range planted {
			kinds[strings.Split(change, ";")[2]]++
		}
		before = after
	}
	for _, kind := range []string{
		"abertura", "situacao_cadastral", "endereco", "municipio", "socio_entrou", "socio_saiu", "socio_qualificacao",
		"razao_social", "capital_social", "simples", "mei",
	} {
		if kinds[kind] == 0 {
			t.Errorf("no change %s in a year: %v", kind, kinds)
		}
	}
	if share := float64(kinds["abertura"]) / 12 / 3000; share < .007 || share > .009 {
		t.Errorf("%.4f of the companies are opened in a month", share)
	}
	if o.Month != "2027-06" {
		t.Errorf("a year after 2026-06 is %s", o.Month)
	}
}

func TestMonthsThatDoNotFollow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := Next(dir, ""); err == nil || !strings.Contains(err.Error(), State) {
		t.Errorf("an empty folder is followed: %v", err)
	}
	if _, err := Write(t.Context(), dir, Options{Roots: 50, Month: "2026-09", OnlyReceita: true}); err != nil {
		t.Fatal(err)
	}
	for _, month := range []string{"2026-09", "2026-08", "2025-12"} {
		if _, err := Next(dir, month); err == nil {
			t.Errorf("%s follows 2026-09", month)
		}
	}
	o, err := Next(dir, "2026-12")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Options{Roots: 50, First: "2026-09", Since: "2026-09", Month: "2026-12"}, o); diff != "" {
		t.Error(diff)
	}
	o.OnlyReceita = true
	if _, err := Write(t.Context(), dir, o); err != nil {
		t.Errorf("a release after two months without one, beside the first: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "receita", "2026-12", State), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Next(dir, ""); err == nil || !strings.Contains(err.Error(), State) {
		t.Errorf("a damaged state is followed: %v", err)
	}
}

// readChanges returns the sorted rows of MUDANCAS.csv.
func readChanges(t *testing.T, dir string) []string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, "MUDANCAS.csv"))
	if err != nil {
		t.Fatal(err)
	}
	var asReleased bytes.Buffer // in ISO-8859-1
	for _, c := range string(content) {
		asReleased.WriteByte(byte(c))
	}
	reader := csv.NewReader(&asReleased)
	reader.Comma = ';'
	rows, err := reader.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(rows[0], ";"); got != "raiz;ordem;tipo;antes;depois" {
		t.Errorf("columns %s", got)
	}
	var changes []string
	for _, row := range rows[1:] {
		changes = append(changes, strings.Join(row, ";"))
	}
	slices.Sort(changes)
	return changes
}

// differences returns what differs between two releases, in the rows of MUDANCAS.csv, sorted.
func differences(before, after *published) []string {
	var found []string
	add := func(columns ...string) { found = append(found, strings.Join(columns, ";")) }
	was, is := rowsByKey(before), rowsByKey(after)
	for key := range was {
		if len(is[key]) == 0 && key.table != "Socios" {
			add("gone", key.table, key.root, key.order)
		}
	}
	known := map[string]bool{}
	for key := range was {
		known[key.root] = true
	}
	for key, rows := range is {
		opened := !known[key.root]
		switch {
		case opened && key.table == "Estabelecimentos":
			add(key.root, key.order, "abertura", "", rows[0][10])
		case opened || key.table == "Socios":
		case len(rows) != len(was[key]):
			add("new", key.table, key.root, key.order)
		default:
			for i, row := range rows {
				differingColumns(key, was[key][i], row, add)
			}
		}
	}
	for key := range is {
		if key.table == "Empresas" && known[key.root] {
			partners := tableKey{"Socios", key.root, ""}
			differingPartners(key.root, was[partners], is[partners], add)
		}
	}
	slices.Sort(found)
	return found
}

type tableKey struct{ table, root, order string }

// rowsByKey returns the rows of the four tables of records by key, those of one key sorted.
func rowsByKey(r *published) map[tableKey][][]string {
	rows := map[tableKey][][]string{}
	for _, table := range []string{"Empresas", "Estabelecimentos", "Socios", "Simples"} {
		for _, row := range r.rows[table] {
			key := tableKey{table, row[0], ""}
			if table == "Estabelecimentos" {
				key.order = row[1]
			}
			rows[key] = append(rows[key], row)
		}
	}
	for _, alike := range rows {
		slices.SortFunc(alike, slices.Compare)
	}
	return rows
}

// differingColumns reports a change for each group of columns that differs, and any other column
// that does.
func differingColumns(key tableKey, was, is []string, add func(...string)) {
	groups := map[string][]struct {
		kind     string
		from, to int
	}{
		"Empresas":         {{"razao_social", 1, 2}, {"capital_social", 4, 5}},
		"Estabelecimentos": {{"situacao_cadastral", 5, 8}, {"endereco", 13, 21}},
		"Simples":          {{"simples", 1, 4}, {"mei", 4, 7}},
	}
	was, is = slices.Clone(was), slices.Clone(is)
	for _, g := range groups[key.table] {
		if !slices.Equal(was[g.from:g.to], is[g.from:g.to]) {
			kind := g.kind
			if kind == "endereco" && was[20] != is[20] {
				kind = "municipio"
			}
			add(key.root, key.order, kind, strings.Join(was[g.from:g.to], "|"), strings.Join(is[g.from:g.to], "|"))
		}
		copy(was[g.from:g.to], is[g.from:g.to])
	}
	if !slices.Equal(was, is) {
		add("other columns", key.table, key.root, strings.Join(was, "|"), strings.Join(is, "|"))
	}
}

// differingPartners pairs partners by the columns that no change touches.
func differingPartners(root string, was, is [][]string, add func(...string)) {
	same := func(a, b []string) bool {
		return slices.Equal(a[:4], b[:4]) && slices.Equal(a[5:], b[5:])
	}
	text := func(row []string) string { return strings.Join(row[1:6], "|") }
	for _, row := range was {
		if !slices.ContainsFunc(is, func(other []string) bool { return same(row, other) }) {
			add(root, "", "socio_saiu", text(row), "")
		}
	}
	for _, row := range is {
		i := slices.IndexFunc(was, func(other []string) bool { return same(row, other) })
		switch {
		case i < 0:
			add(root, "", "socio_entrou", "", text(row))
		case was[i][4] != row[4]:
			add(root, "", "socio_qualificacao", text(was[i]), text(row))
		}
	}
}
