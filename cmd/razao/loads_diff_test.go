package main

import (
	"strings"
	"testing"

	"razao/internal/testing/program"
)

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
	if code, _, log := p.Run("loads", "diff", "2", "77"); code != 1 || !strings.Contains(log, "load 77") {
		t.Errorf("exit code %d, %s", code, log)
	}
	if code, _, _ := p.Run("loads", "diff", "1", "x"); code != 2 {
		t.Errorf("exit code %d", code)
	}
}
