package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"razao/internal/store/registry"
	"razao/internal/testing/fixture/sourcefiles"
	"razao/internal/testing/program"
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
	refused(p, 1, "another process is loading data: process ", "loads", "prune")
	lock.Release()
	p.Must("loads", "prune")
	if out := p.Must("loads"); strings.Contains(out, "000007") {
		t.Errorf("after pruning:\n%s", out)
	}
}

// TestPruneGoesOn: a schema that the program may not drop stops neither the deletion of the others nor a
// load.
func TestPruneGoesOn(t *testing.T) {
	t.Parallel()
	p, pool := onDatabase(t)
	for _, query := range []string{
		`CREATE SCHEMA load_000107`, `CREATE SCHEMA load_000108 AUTHORIZATION razao_ingest`, `CREATE SCHEMA load_000109 AUTHORIZATION razao_ingest`,
	} {
		if _, err := pool.Exec(t.Context(), query); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"index/000107.tmp", "work/000107"} {
		if err := os.MkdirAll(filepath.Join(p.Data, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	const why = "schema load_000107: delete records of load 107: ERROR: must be owner of schema load_000107"
	refused(p, 1, why, "loads", "prune")
	if out := p.Must("loads"); !strings.Contains(out, "load_000107") || strings.Contains(out, "000107.tmp") || strings.Contains(out, "work") ||
		strings.Contains(out, "load_000108") || strings.Contains(out, "load_000109") {
		t.Errorf("left:\n%s", out)
	}
	code, out, log := p.Run("ingest", "cepim", "--from", cepim(t, "20260928_CEPIM.csv", cepimRow), "--force")
	if code != 0 || !strings.Contains(out, "is being served") || !strings.Contains(log, why) {
		t.Errorf("a load: exit code %d, %s\n%s", code, out, log)
	}
	if _, err := pool.Exec(t.Context(), `DROP SCHEMA load_000107`); err != nil {
		t.Fatal(err)
	}
	p.Must("loads", "prune")
}

// Rows of CEPIM: one that is a record, and one that is about nobody with a CNPJ.
const (
	cepimRow     = "\"11222333000181\";\"ENTIDADE\";\"0001\";\"ORGAO\";\"MOTIVO\"\r\n"
	cepimDropped = "\"EX1\";\"ENTIDADE\";\"0001\";\"ORGAO\";\"MOTIVO\"\r\n"
)

// cepim returns a folder with a file of these rows.
func cepim(t *testing.T, name string, rows ...string) string {
	t.Helper()
	return sourcefiles.Write(t, name, sourcefiles.Header("cepim/20260928_CEPIM.csv")+"\r\n"+strings.Join(rows, ""))
}

func TestLoadsShow(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	p.Must("migrate")
	bad := "\"only\";\"two\x1b[31m 529.982.247-25\"\r\n"
	dir := cepim(t, "20260928_CEPIM.csv", cepimRow, cepimDropped, strings.Repeat(bad, 30))
	p.Must("ingest", "cepim", "--from", dir, "--force")
	out := p.Must("loads", "show", "1")
	for _, want := range []string{
		"load 1: cepim 2026-09-28, active", "read       32\n", "loaded     1   (3.1 %)", "rejected   30  (93.8 %)", "nao_cnpj  1  (3.1 %)",
		"20260928_CEPIM.csv  ", "registros  1\n", "rejected rows: 20 of 30", "stages\n", "  cepim: merge",
		"20260928_CEPIM.csv line 4: the row has 2 columns, the header has 5\n    \"only\";\"two\\x1b[31m ***982247**\"\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if strings.Contains(out, "\x1b") || strings.Contains(out, "529.982") || strings.Count(out, "the row has 2 columns") != 20 {
		t.Errorf("the rejects are\n%s", out)
	}
	if few := p.Must("loads", "show", "1", "--rejects", "3"); strings.Count(few, "the row has 2 columns") != 3 {
		t.Errorf("three rejects are\n%s", few)
	}
	var shown struct {
		Estado     string
		Ativa      bool
		Contagens  struct{ Descartadas map[string]int64 }
		Etapas     []struct{ Etapa string }
		Rejeitadas []struct {
			Arquivo string
			Linha   int64
		}
	}
	if err := json.Unmarshal([]byte(p.Must("loads", "show", "1", "--json", "--all-rejects")), &shown); err != nil {
		t.Fatal(err)
	}
	if shown.Estado != "ready" || !shown.Ativa || shown.Contagens.Descartadas["nao_cnpj"] != 1 || len(shown.Rejeitadas) != 30 || shown.Rejeitadas[29].Linha != 33 ||
		len(shown.Etapas) != 2 {
		t.Errorf("as JSON: %+v", shown)
	}

	writeBad := cepim(t, "20260929_CEPIM.csv", cepimRow, strings.Repeat(bad, 130))
	refused(p, 1, "razao loads show 2", "ingest", "cepim", "--from", filepath.Clean(writeBad))
	if out := p.Must("loads", "show", "2"); !strings.Contains(out, "refused") || !strings.Contains(out, "101 rows cannot be read") || !strings.Contains(out, "rejected rows: 20 of 101") {
		t.Errorf("a refused load is\n%s", out)
	}
	refused(p, 1, "load 77", "loads", "show", "77")
	refused(p, 2, "", "loads", "show", "x")
}

// unpadded makes one blank of those that align a table.
func unpadded(table string) string {
	var b strings.Builder
	for line := range strings.Lines(table) {
		b.WriteString(strings.Join(strings.Fields(line), " ") + "\n")
	}
	return b.String()
}

func TestLoadsDiff(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	p.Must("migrate")
	bad := "\"only\";\"two\"\r\n"
	for _, c := range []struct{ file, rows string }{
		{"20260928_CEPIM.csv", cepimRow + cepimDropped + strings.Repeat(bad, 2)},
		{"20260929_CEPIM.csv", cepimRow + strings.Replace(cepimRow, "0001", "0002", 1) + strings.Repeat(cepimDropped, 3) + bad},
	} {
		p.Must("ingest", "cepim", "--from", cepim(t, c.file, c.rows), "--force")
	}
	out := unpadded(p.Must("loads", "diff", "1", "2"))
	for _, want := range []string{
		"cepim load 1 load 2 difference\n", "period 2026-09-28 2026-09-29\n", "rows read 4 6 +2 (+50.0 %)\n", "rows loaded 1 2 +1 (+100.0 %)\n",
		"rows rejected 2 1 -1 (-50.0 %)\n", "cnpjs 1 2 +1 (+100.0 %)\n", "nao_cnpj 1 (25.00 %) 3 (50.00 %) +2 (+200.0 %)\n", "\ncepim: merge 0.",
		"20260929_CEPIM.csv 0 ", " added\n", "20260928_CEPIM.csv ", " gone\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if out := unpadded(p.Must("loads", "diff", "1", "1")); !strings.Contains(out, "rows read 4 4 =\n") || !strings.Contains(out, "same SHA-256") || strings.Contains(out, "added") {
		t.Errorf("beside itself:\n%s", out)
	}
	p.Must("ingest", "receita", "--from", program.Sample(t, t.TempDir(), "2026-09", 100))
	if out := p.Must("loads", "show", "3"); !strings.Contains(out, "index 000003") || !strings.Contains(out, "index: invert") {
		t.Errorf("the load of companies:\n%s", out)
	}
	code, _, log := p.Run("loads", "diff", "2", "3")
	if code != 1 || !strings.Contains(log, "load 2 is of cepim, load 3 of receita: only loads of one source can be compared") {
		t.Errorf("exit code %d, %s", code, log)
	}
	refused(p, 1, "load 77", "loads", "diff", "2", "77")
	refused(p, 2, "", "loads", "diff", "1", "x")
}
