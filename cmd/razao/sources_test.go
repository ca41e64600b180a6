package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"razao/internal/data/source"
	"razao/internal/people/seal"
	"razao/internal/testing/fixture/sourcefiles"
)

func TestEverythingInAFolder(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	dir := filepath.Join(t.TempDir(), "sample")
	if out := p.Must("sample", "--roots", "2000", "--out", dir, "--month", "2026-10"); !strings.Contains(out, "2000 companies") && !strings.Contains(out, "2001 companies") && !strings.Contains(out, "2002 companies") {
		t.Errorf("sample says %q", out)
	}
	p.Must("migrate")
	out := p.Must("ingest", "all", "--from", dir)
	for _, id := range append(source.IDs(), "receita") {
		if !strings.Contains(out, ": "+id+" ") {
			t.Errorf("%s is not among the loads:\n%s", id, out)
		}
	}
	loads := p.Must("loads")
	if n := strings.Count(loads, "  active  "); n != 15 {
		t.Errorf("%d loads are active, 15 are expected:\n%s", n, loads)
	}

	// Again, it goes on where it was: everything is there.
	if out := p.Must("ingest", "all", "--from", dir); strings.Count(out, "is already current") != 15 {
		t.Errorf("the second time it says:\n%s", out)
	}
	if again := p.Must("loads"); again != loads {
		t.Errorf("the second time it loaded:\n%s", again)
	}

	// What cannot be loaded is said, and keeps nothing else from being loaded.
	if err := os.WriteFile(filepath.Join(dir, "cepim", "20261101_CEPIM.csv"), []byte("\"A\";\"B\"\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "receita")); err != nil {
		t.Fatal(err)
	}
	code, out, log := p.Run("ingest", "all", "--from", dir)
	if code != 1 || strings.Count(log, "20261101_CEPIM.csv: its header (line 1) lacks") != 1 || !strings.Contains(out, ": bndes ") {
		t.Errorf("exit code %d\n%s\n%s", code, out, log)
	}
	refused(p, 1, "neither a folder receita", "ingest", "all", "--from", t.TempDir())
	p.Must("ingest", "ceis", "--from", filepath.Join(dir, "ceis"), "--force")
	if back := p.Must("loads", "rollback", "ceis"); !strings.Contains(back, "ceis 2026-10") {
		t.Errorf("rollback says %q", back)
	}
}

func TestSecretIsMadeOnce(t *testing.T) {
	t.Parallel()
	a := &app{settings: settings{Data: filepath.Join(t.TempDir(), "data")}} // which nothing has made yet
	first, err := a.secret()
	if err != nil || len(first) < seal.LeastSecret {
		t.Fatalf("%q, %v", first, err)
	}
	again, err := a.secret()
	if err != nil || again != first {
		t.Errorf("then %q, %v", again, err)
	}
	path := filepath.Join(a.settings.Data, "secret")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if err := os.WriteFile(path, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := a.secret()
	if err == nil {
		t.Fatalf("a secret that was cut short is used: %q", got)
	}
	for _, says := range []string{path, "5 bytes", "backup", "feeds", "webhooks", "checkpoints", "cursors"} {
		if !strings.Contains(err.Error(), says) {
			t.Errorf("%q does not name %q", err, says)
		}
	}
	if cut, err := os.ReadFile(path); err != nil || string(cut) != "short" {
		t.Errorf("the file is %q, %v", cut, err)
	}
	a.settings.Secret = strings.Repeat("x", seal.LeastSecret) // RAZAO_SECRET, whose length readSettings checks
	if got, err := a.secret(); err != nil || got != a.settings.Secret {
		t.Errorf("with RAZAO_SECRET: %q, %v", got, err)
	}
}

func TestSourceFromItsPublisher(t *testing.T) {
	t.Parallel()
	header := sourcefiles.Header("mte_empregadores/cadastro_de_empregadores.csv") + "\r\n"
	files := map[string]string{
		"/cadastro_de_empregadores.csv": header + "1;2024;SP;PADARIA INVENTADA LTDA;12.345.678/0001-95;RUA A;3;1091-1/02;01/02/2025;06/10/2025",
		"/cadastro_de_empregadores.txt": "Cadastro. Atualização periódica de 6 de abril de 2026. Cadastro atualizado em 04/09/2026.\r\n",
	}
	var gone atomic.Bool
	publisher := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, ok := files[r.URL.Path]
		if !ok || gone.Load() {
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, r.URL.Path, time.Time{}, strings.NewReader(content))
	}))
	defer publisher.Close()
	p := newProgram(t, "RAZAO_SOURCE_URLS=mte_empregadores="+publisher.URL+"/")
	p.Must("migrate")
	out := p.Must("ingest", "mte_empregadores", "--force")
	if !strings.Contains(out, "mte_empregadores 2026-09-04 is being served") || !strings.Contains(out, "1 records of 1 CNPJs") {
		t.Errorf("ingest says %q", out)
	}
	gone.Store(true)
	refused(p, 1, "cadastro_de_empregadores.csv", "ingest", "mte_empregadores", "--force")
	refused(p, 1, "--from", "ingest", "habilitacao_aduaneira")
	refused(p, 2, "AAAA-MM", "ingest", "pncp", "--period", "2026")
}
