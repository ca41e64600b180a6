package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBackupAndRestore moves a service to another database and another data folder: keys work, and what was hidden stays hidden.
func TestBackupAndRestore(t *testing.T) {
	t.Parallel()
	p, _ := newProgram(t)
	files := writeSample(t, t.TempDir(), "2026-09", 2000)
	p.must("ingest", "receita", "--from", files)
	key := strings.TrimSpace(p.must("keys", "create", "--account", "ana@exemplo.com.br", "--name", "teste"))
	server := p.start("serve")
	number := firstSuggestion(t, p)
	server.stop()
	p.must("contacts", "hide", number)

	folder := t.TempDir()
	file, passphrase := filepath.Join(folder, "razao.age"), filepath.Join(folder, "frase")
	if err := os.WriteFile(passphrase, []byte("uma frase longa\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.must("backup", file, "--passphrase-file", passphrase)
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}

	other, _ := newProgram(t)
	if code, _, stderr := other.run("restore", file); code != 1 || !strings.Contains(stderr, "--passphrase-file") {
		t.Errorf("without the passphrase: %d %s", code, stderr)
	}
	other.must("restore", file, "--passphrase-file", passphrase)
	if code, _, stderr := other.run("restore", file, "--passphrase-file", passphrase); code != 1 || !strings.Contains(stderr, "--replace") {
		t.Errorf("a second time: %d %s", code, stderr)
	}
	other.must("restore", file, "--passphrase-file", passphrase, "--replace")
	if secretIn(t, p) != secretIn(t, other) {
		t.Error("the secret is another one")
	}
	other.must("ingest", "receita", "--from", files)
	other.start("serve")
	if status, body := other.get("/v1/cnpj/"+number, key); status != 200 || strings.Contains(body, `"logradouro":"R`) {
		t.Errorf("after the restore: %d %s", status, body)
	}
	if list := other.must("contacts", "list"); !strings.Contains(list, number[:8]) && !strings.Contains(list, number[:2]+".") {
		t.Errorf("hidden: %s", list)
	}
}

func secretIn(t *testing.T, p *place) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(p.data, "secret"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
