package ingest_test

import (
	"archive/zip"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"razao/ingest"
	"razao/ingest/receita"
	"razao/internal/sample"
	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
)

// inventedMonths returns the folders of a release and of the month that follows.
func inventedMonths(t *testing.T, roots int) (first, next string) {
	t.Helper()
	first, next = t.TempDir(), t.TempDir()
	write := func(dir string, o sample.Options) {
		o.OnlyReceita = true
		if _, err := sample.Write(t.Context(), dir, o); err != nil {
			t.Fatal(err)
		}
	}
	write(first, sample.Options{Month: "2026-09", Roots: roots})
	o, err := sample.Next(first, "")
	if err != nil {
		t.Fatal(err)
	}
	write(next, o)
	return filepath.Join(first, "receita"), filepath.Join(next, "receita")
}

// spoiltRelease returns a copy of a release in which the rows of a table, all of its files together, are others.
func spoiltRelease(t *testing.T, from, month, table string, spoil func(rows [][]string)) receita.Release {
	t.Helper()
	to := filepath.Join(t.TempDir(), month)
	if err := os.CopyFS(to, os.DirFS(filepath.Join(from, month))); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(to, table+"*.zip"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	var all [][]string
	var ends []int
	var members []string
	for _, file := range files {
		z, err := zip.OpenReader(file)
		if err != nil {
			t.Fatal(err)
		}
		f, err := z.File[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		r := csv.NewReader(f)
		r.Comma = ';'
		rows, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		all, members = append(all, rows...), append(members, z.File[0].Name)
		ends = append(ends, len(all))
		_ = z.Close()
	}
	spoil(all)
	start := 0
	for i, file := range files {
		writeZip(t, file, members[i], all[start:ends[i]])
		start = ends[i]
	}
	return find(t, to, month)
}

func writeZip(t *testing.T, path, member string, rows [][]string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	w, err := z.Create(member)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		quoted := make([]string, len(row))
		for i, value := range row {
			quoted[i] = `"` + strings.ReplaceAll(value, `"`, `""`) + `"`
		}
		if _, err := io.WriteString(w, strings.Join(quoted, ";")+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

func find(t *testing.T, dir, month string) receita.Release {
	t.Helper()
	rel, err := receita.Find(dir, month, receita.Accept{})
	if err != nil {
		t.Fatal(err)
	}
	return rel
}

// set returns a spoiler that sets a column of the rows for which when is true; nil: of all.
func set(column int, value func(string) string, when func(row []string) bool) func([][]string) {
	return func(rows [][]string) {
		for _, row := range rows {
			if when == nil || when(row) {
				row[column] = value(row[column])
			}
		}
	}
}

func always(value string) func(string) string { return func(string) string { return value } }

// TestSpoiltMonthsAreNotPublished loads months with one spoilt column after an honest one: each is refused, and
// nothing of it is announced. With --force it is published, and the load says so; the next honest month is measured by
// the last one that was not forced.
func TestSpoiltMonthsAreNotPublished(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	first, next := inventedMonths(t, 4000)
	load := func(rel receita.Release, o ingest.Options) (registry.Load, error) {
		return l.Ingester.Receita(t.Context(), &rel, o)
	}
	honest, err := load(find(t, first, "2026-09"), ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	spoilt := func(table string, spoil func([][]string)) receita.Release {
		return spoiltRelease(t, next, "2026-10", table, spoil)
	}
	months := map[string]struct {
		table string
		spoil func([][]string)
		says  string
	}{
		"CNPJs of partners cut to the root": {
			"Socios", set(3, func(v string) string { return v[:min(len(v), 8)] }, func(row []string) bool { return row[1] == "1" }), "Socios.cnpj_cpf_socio",
		},
		"every municipality São Paulo": {"Estabelecimentos", set(20, always("7107"), nil), "Estabelecimentos.municipio"},
		"every opening in 2000":        {"Estabelecimentos", set(10, always("20000101"), nil), "Estabelecimentos.data_inicio_atividade"},
		"no capital":                   {"Empresas", set(4, always("0,00"), nil), "Empresas.capital_social"},
		"no e-mail":                    {"Estabelecimentos", set(27, always(""), nil), "Estabelecimentos.correio_eletronico: filled"},
		"names of the row before": {"Empresas", func(rows [][]string) {
			last := rows[len(rows)-1][1]
			for _, row := range rows {
				row[1], last = last, row[1]
			}
		}, "empresa.nome (razao_social): "},
		"descriptions of another code": {"Municipios", func(rows [][]string) {
			for i := range len(rows) / 2 {
				rows[i][1], rows[len(rows)-1-i][1] = rows[len(rows)-1-i][1], rows[i][1]
			}
		}, "the table municipio: "},
		"two descriptions exchanged": {"Naturezas", func(rows [][]string) {
			of := map[string][]string{}
			for _, row := range rows {
				of[row[0]] = row
			}
			of["2062"][1], of["2135"][1] = of["2135"][1], of["2062"][1]
		}, "2 of them that of another code"},
		"the active of a state inapt since ever": {
			"Estabelecimentos", set(5, always("04"), func(row []string) bool { return row[19] == "SP" && row[5] == "02" }), "leave data_situacao_cadastral as it was",
		},
		"a state without its municipalities": {
			"Estabelecimentos", set(19, always("RJ"), func(row []string) bool { return row[19] == "SP" }), "Estabelecimentos.uf",
		},
		"some of a state without their municipalities": {
			"Estabelecimentos", set(19, always("RJ"), func(row []string) bool { return row[19] == "SP" && row[0] > "8" }), "leave municipio as it was",
		},
		"days and months exchanged": {"Simples", set(6, func(v string) string {
			if len(v) != 8 || v[6:] > "12" || v[4:6] == "00" {
				return v
			}
			return v[:4] + v[6:] + v[4:6]
		}, nil), "values of data_exclusao_mei changed"},
		"situations of another day in an eighth": {
			"Estabelecimentos", set(6, always("19990101"), func(row []string) bool { return row[0] < "2" && row[0][1] < '5' }), "data_situacao_cadastral changed",
		},
		"codes one higher": {"Naturezas", set(0, func(v string) string {
			n, _ := strconv.Atoi(v)
			return fmt.Sprintf("%04d", n+1)
		}, nil), "the table natureza_juridica: 91 of"},
		"codes without zeros": {"Qualificacoes", set(0, func(v string) string { return cmp.Or(strings.TrimLeft(v, "0"), "0") }, nil), "could have, such as "},
	}
	for name, c := range months {
		_, err := load(spoilt(c.table, c.spoil), ingest.Options{})
		if !errors.Is(err, ingest.ErrRefused) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "--force") {
			t.Errorf("%s: %v, want %q in it", name, err, c.says)
		}
		checkServed(t, l, honest.ID)
		checkNoLitter(t, l)
	}
	chain, err := l.Store.History(t.Context())
	if err != nil || len(chain.Loads) != 1 || chain.Loads[0].Companies != 0 {
		t.Errorf("refused loads are announced: %v, %+v", err, chain.Loads)
	}

	bad := months["every municipality São Paulo"]
	forced, err := load(spoilt(bad.table, bad.spoil), ingest.Options{Force: true})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(forced.Overruled, func(why string) bool { return strings.Contains(why, bad.says) }) {
		t.Errorf("overruled: %q, want %q in it", forced.Overruled, bad.says)
	}
	good := find(t, next, "2026-10")
	if _, err := load(good, ingest.Options{}); !errors.Is(err, ingest.ErrRefused) || !strings.Contains(err.Error(), "estabelecimento.municipio") || !strings.Contains(err.Error(), "go back first") {
		t.Errorf("an honest month after a forced one announces changes back: %v", err)
	}
	// The same files forced twice push the honest load out of the two that are kept: it stays, since nothing since passed.
	if _, err := load(spoilt(bad.table, bad.spoil), ingest.Options{Force: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Ingester.Prune(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := l.Ingester.Activate(t.Context(), honest.ID); err != nil {
		t.Errorf("the last load that passed is gone: %v", err)
	}
	if err := l.Ingester.Activate(t.Context(), forced.ID); err != nil {
		t.Fatal(err)
	}
	if err := l.Ingester.Activate(t.Context(), honest.ID); err != nil {
		t.Fatal(err)
	}
	again, err := load(good, ingest.Options{})
	if err != nil || len(again.Overruled) > 0 {
		t.Errorf("an honest month after the rollback: %v, %q", err, again.Overruled)
	}
	if measured, err := l.Store.Measure(t.Context(), []registry.Load{again}); err != nil || len(measured[0].Tables) != 10 {
		t.Errorf("measured: %+v, %v", measured, err)
	}
}
