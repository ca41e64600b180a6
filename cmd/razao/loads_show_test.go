package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"razao/internal/testing/fixture/sourcefiles"
)

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
		"20260928_CEPIM.csv line 4: the row has 2 columns, the header has 5\n    \"\\\"only\\\";\\\"two\\x1b[31m ***982247**",
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
	if code, _, log := p.Run("ingest", "cepim", "--from", filepath.Clean(writeBad)); code != 1 || !strings.Contains(log, "razao loads show 2") {
		t.Errorf("exit code %d, %s", code, log)
	}
	if out := p.Must("loads", "show", "2"); !strings.Contains(out, "refused") || !strings.Contains(out, "101 rows cannot be read") || !strings.Contains(out, "rejected rows: 20 of 101") {
		t.Errorf("a refused load is\n%s", out)
	}
	if code, _, log := p.Run("loads", "show", "77"); code != 1 || !strings.Contains(log, "load 77") {
		t.Errorf("exit code %d, %s", code, log)
	}
	if code, _, _ := p.Run("loads", "show", "x"); code != 2 {
		t.Errorf("exit code %d", code)
	}
}
