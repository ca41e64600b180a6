package sample

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"razao/internal/sample/country"
)

// TestChangesAreThosePlanted compares consecutive releases of a year and checks that MUDANCAS.csv
// lists exactly what differs.
func TestChangesAreThosePlanted(t *testing.T) {
	t.Parallel()
	const roots = 6000
	o := Options{Roots: roots, Seed: 6, Month: "2026-06"} // the seed has every event
	before := readRelease(t, o)
	events, opened := map[string]int{}, int64(0)
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
			events[strings.Split(change, ";")[2]]++
		}
		opened += after.sum.Companies - before.sum.Companies
		before = after
	}
	for _, event := range []string{
		"estabelecimento.aberto", "estabelecimento.atividade", "estabelecimento.atividades_secundarias", "estabelecimento.baixado",
		"estabelecimento.contato", "estabelecimento.endereco", "estabelecimento.matriz_filial", "estabelecimento.municipio",
		"estabelecimento.nome_fantasia", "estabelecimento.reativado", "estabelecimento.situacao", "estabelecimento.situacao_especial",
		"empresa.capital", "empresa.natureza", "empresa.nome", "empresa.porte", "empresa.removida", "empresa.responsavel",
		"socio.alterado", "socio.entrou", "socio.saiu", "simples.alterado", "simples.optou", "simples.saiu", "mei.optou", "mei.saiu",
	} {
		if events[event] == 0 {
			t.Errorf("no %s in a year: %v", event, events)
		}
	}
	if share := float64(opened) / 12 / roots; share < .006 || share > .009 {
		t.Errorf("%.4f of the companies are opened in a month", share)
	}
	if o.Month != "2027-06" {
		t.Errorf("a year after 2026-06 is %s", o.Month)
	}
}

// TestDemonstrationCompanyChangesEveryMonth goes twice through what happens to it, in countries of any size.
func TestDemonstrationCompanyChangesEveryMonth(t *testing.T) {
	t.Parallel()
	root := country.Demonstration().Root().String()
	for _, roots := range []int{1, 50, 40_000} {
		events := map[string]int{}
		first := time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)
		const months = 1 + 2*18
		for k := 1; k <= months; k++ {
			c, err := country.New(uint64(roots), roots, "2026-09", first.AddDate(0, k, 0).Format("2006-01"))
			if err != nil {
				t.Fatal(err)
			}
			before, err := c.Earlier(first.AddDate(0, k-1, 0).Format("2006-01"))
			if err != nil {
				t.Fatal(err)
			}
			r := rowBuffer{dialect: dialect{end: "\n"}}
			p := pair{before: &release{before}, now: &release{c}}
			p.changes(&r, roots)
			for row := range strings.Lines(string(r.bytes)) {
				columns := strings.Split(row, ";")
				if columns[0] != root {
					t.Errorf("%d companies: %s is not about the demonstration company", roots, row)
				}
				events[columns[2]]++
			}
			if r.count == 0 {
				t.Errorf("%d companies: nothing happens in month %d", roots, k)
			}
		}
		for event, want := range map[string]int{
			"estabelecimento.aberto": 3, "estabelecimento.baixado": 2, "estabelecimento.contato": 2, "estabelecimento.endereco": 2,
			"estabelecimento.municipio": 2, "estabelecimento.nome_fantasia": 2, "empresa.capital": 2, "empresa.porte": 2, "empresa.nome": 2,
			"socio.saiu": 2, "socio.alterado": 2, "simples.optou": 2, "simples.saiu": 2,
		} {
			if events[event] != want {
				t.Errorf("%d companies: %d times %s in %d months, want %d", roots, events[event], event, months, want)
			}
		}
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
	if got := strings.Join(rows[0], ";"); got != "raiz;ordem;evento;data;antes;depois" {
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
	known := func(rows map[tableKey][][]string, root string) bool {
		return len(rows[tableKey{"Empresas", root, ""}]) == 1
	}
	for key := range was {
		switch stays := known(is, key.root); {
		case stays && len(is[key]) == 0 && key.table != "Socios":
			add("gone", key.table, key.root, key.order)
		case !stays && key.table == "Empresas":
			add(key.root, "", "empresa.removida", "", "", "")
		}
	}
	for key, rows := range is {
		former := was[key]
		switch {
		case key.table == "Socios":
		case len(former) == 0 && key.table == "Estabelecimentos":
			add(key.root, key.order, "estabelecimento.aberto", rows[0][10], "", rows[0][10])
		case len(rows) != 1 || len(former) != 1 && known(was, key.root):
			add("rows", key.table, key.root, key.order)
		case len(former) == 1:
			differingColumns(key, former[0], rows[0], add)
		}
	}
	for key := range is {
		if key.table == "Empresas" {
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

// columnEvents holds the event of each column but those of options, by table. Neighbours with the same event are one.
var columnEvents = map[string][]string{
	"Empresas": {"", "empresa.nome", "empresa.natureza", "empresa.responsavel", "empresa.capital", "empresa.porte", "empresa.ente"},
	"Estabelecimentos": {
		3: "matriz_filial", 4: "nome_fantasia", 5: "situacao", 6: "situacao", 7: "situacao", 11: "atividade", 12: "atividades_secundarias",
		13: "endereco", 14: "endereco", 15: "endereco", 16: "endereco", 17: "endereco", 18: "endereco", 19: "endereco", 20: "endereco",
		21: "contato", 22: "contato", 23: "contato", 24: "contato", 25: "contato", 26: "contato", 27: "contato",
		28: "situacao_especial", 29: "situacao_especial",
	},
	"Simples": {"", "simples", "simples", "simples", "mei", "mei", "mei"},
}

// differingColumns reports an event for each group of columns that differs, and any other column
// that does.
func differingColumns(key tableKey, was, is []string, add func(...string)) {
	events := columnEvents[key.table]
	for from, to := 0, 0; from < len(is); from = to {
		for to = from + 1; to < len(is) && events[from] != "" && events[to] == events[from]; to++ {
		}
		former, now := strings.Join(was[from:to], "|"), strings.Join(is[from:to], "|")
		if former == now {
			continue
		}
		event, date := events[from], ""
		switch {
		case event == "":
			event = "another column"
		case key.table == "Simples" && was[from] == is[from]:
			event += ".alterado"
		case key.table == "Simples" && is[from] == "S":
			event, date = event+".optou", is[from+1]
		case key.table == "Simples":
			event, date = event+".saiu", is[from+2]
		case event == "endereco" && was[20] != is[20]:
			event = "municipio"
		case event == "situacao":
			date = is[6]
			if was[5] != is[5] && is[5] == "08" {
				event = "baixado"
			} else if was[5] != is[5] && is[5] == "02" {
				event = "reativado"
			}
		case event == "situacao_especial":
			date = is[29]
		}
		if key.table == "Estabelecimentos" {
			event = "estabelecimento." + event
		}
		add(key.root, key.order, event, date, former, now)
	}
}

// differingPartners pairs partners by identificador_socio, nome_socio and cnpj_cpf_do_socio.
func differingPartners(root string, was, is [][]string, add func(...string)) {
	former, now := map[string][]string{}, map[string][]string{} // the other columns
	for _, side := range []struct {
		rows [][]string
		by   map[string][]string
	}{{was, former}, {is, now}} {
		for _, row := range side.rows {
			who, rest := strings.Join(row[1:4], "|"), strings.Join(row[4:], "|")
			if !slices.Contains(side.by[who], rest) { // rows that are alike in all columns are one partner
				side.by[who] = append(side.by[who], rest)
			}
		}
	}
	for who := range former {
		if _, stays := now[who]; !stays {
			now[who] = nil
		}
	}
	for who, rows := range now {
		a, b := without(former[who], rows), without(rows, former[who])
		for len(a) > 0 && len(b) > 0 {
			add(root, "", "socio.alterado", "", who+"|"+a[0], who+"|"+b[0])
			a, b = a[1:], b[1:]
		}
		for _, rest := range a {
			add(root, "", "socio.saiu", "", who+"|"+rest, "")
		}
		for _, rest := range b {
			add(root, "", "socio.entrou", strings.Split(rest, "|")[1], "", who+"|"+rest)
		}
	}
}

// without returns the texts of a that b lacks, as often as they occur more often.
func without(a, b []string) []string {
	b = slices.Clone(b)
	return slices.DeleteFunc(slices.Clone(a), func(text string) bool {
		i := slices.Index(b, text)
		if i >= 0 {
			b = slices.Delete(b, i, i+1)
		}
		return i >= 0
	})
}
