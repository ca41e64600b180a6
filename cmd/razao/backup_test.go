package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"

	"razao/internal/testing/program"
)

// TestBackupAndRestore moves a service to another database and another data folder: keys work, and what was hidden stays hidden.
func TestBackupAndRestore(t *testing.T) {
	t.Parallel()
	p, _ := onDatabase(t)
	files := program.Sample(t, t.TempDir(), "2026-09", 2000)
	p.Must("ingest", "receita", "--from", files)
	key := strings.TrimSpace(p.Must("keys", "create", "--account", "ana@exemplo.com.br", "--name", "teste"))
	server := p.Start("serve")
	number := p.Suggestions()[0]
	server.Stop()
	p.Must("contacts", "hide", number)

	folder := t.TempDir()
	file, passphrase := filepath.Join(folder, "razao.age"), filepath.Join(folder, "frase")
	if err := os.WriteFile(passphrase, []byte("uma frase longa\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.Must("backup", file, "--passphrase-file", passphrase)
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}

	other, _ := onDatabase(t)
	plain := filepath.Join(folder, "plain")
	p.Must("backup", plain)
	checkRefusedBackups(t, other, file, plain, passphrase)
	refused(other, 1, "--passphrase-file", "restore", file)
	other.Must("restore", file, "--passphrase-file", passphrase)
	refused(other, 1, "--replace", "restore", file, "--passphrase-file", passphrase)
	other.Must("restore", file, "--passphrase-file", passphrase, "--replace")
	if p.Secret() != other.Secret() {
		t.Error("the secret is another one")
	}
	other.Must("ingest", "receita", "--from", files)
	other.Start("serve")
	if status, body := other.Get("/v1/cnpj/"+number, key); status != 200 || strings.Contains(body, `"logradouro":"R`) {
		t.Errorf("after the restore: %d %s", status, body)
	}
	if list := other.Must("contacts", "list"); !strings.Contains(list, number[:8]) && !strings.Contains(list, number[:2]+".") {
		t.Errorf("hidden: %s", list)
	}
}

// checkRefusedBackups restores what cannot be, from a backup with a passphrase and one without: each
// mistake is told from the others.
func checkRefusedBackups(t *testing.T, p *program.Program, file, plain, passphrase string) {
	t.Helper()
	folder, whole := t.TempDir(), readFile(t, file)
	in := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(folder, name)
		if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	key, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	wrong, empty, keys := in("wrong", "outra frase\n", 0o600), in("empty", "\numa frase longa\n", 0o600), in("keys", key.String()+"\n", 0o600)
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{file}, "the backup is encrypted: --identity or --passphrase-file"},
		{[]string{file, "--passphrase-file", wrong}, "encrypted with another passphrase or key than that in " + wrong},
		{[]string{file, "--passphrase-file", empty}, empty + " has no passphrase in its first line"},
		{[]string{file, "--passphrase-file", wrong + "s"}, wrong + "s: no such file"},
		{[]string{file, "--identity", keys}, "so with --passphrase-file, not --identity"},
		{[]string{in("short.age", whole[:len(whole)-9], 0o600), "--passphrase-file", passphrase}, "the backup is damaged, or cut short"},
		{[]string{in("other", "outro arquivo", 0o600), "--passphrase-file", passphrase}, "the file is no backup of Razão"},
		{[]string{plain, "--passphrase-file", passphrase}, "the backup is not encrypted"},
		{[]string{in("short", readFile(t, plain)[:300], 0o600)}, "the backup is cut short"},
	} {
		code, _, stderr := p.Run(append([]string{"restore"}, c.args...)...)
		if code != 1 || !strings.Contains(stderr, c.says) || strings.Contains(stderr, "others may read") {
			t.Errorf("restore %v: exit code %d, not %q: %s", c.args, code, c.says, stderr)
		}
	}
	open := in("open", "outra frase\n", 0o644)
	for _, args := range [][]string{{"restore", file, "--passphrase-file", open}, {"restore", file, "--identity", open}} {
		if _, _, stderr := p.Run(args...); !strings.Contains(stderr, "others may read the passphrase") || !strings.Contains(stderr, open) {
			t.Errorf("%v says nothing of the file's mode: %s", args, stderr)
		}
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
