package main

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
)

// TestDataFolderIsForItsOwner runs what writes to the data folder under the widest umask: the folder,
// and each file and folder in it, are their owner's alone, and so is a backup.
func TestDataFolderIsForItsOwner(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	p.Binary = filepath.Join(t.TempDir(), "razao")
	if err := os.WriteFile(p.Binary, []byte("#!/bin/sh\numask 0\nexec '"+os.Args[0]+"' \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	p.Publishers()
	if err := os.RemoveAll(p.Data); err != nil { // a file of theirs lies there
		t.Fatal(err)
	}
	backup := filepath.Join(t.TempDir(), "backup")
	p.Must("migrate")
	p.Must("ingest", "receita", "--force")
	p.Run("update", "--only", "ceis") // is downloaded, and refused as too small
	p.Must("backup", backup)
	s := p.Start("serve")
	form, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+p.Addr+"/auth/magic-link",
		strings.NewReader(url.Values{"email": {"ana@exemplo.com.br"}}.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	form.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	form.Header.Set("Sec-Fetch-Site", "same-origin")
	if resp, body := p.Do(form); resp.StatusCode >= 400 {
		t.Fatalf("sign-in: %s\n%s", resp.Status, body)
	}
	fixture.Wait(t, "a mail", func() bool {
		mails, _ := filepath.Glob(filepath.Join(p.Data, "mail", "*.eml"))
		return len(mails) > 0
	})
	s.Stop()
	files := []string{p.Data, backup}
	for _, name := range []string{"postgres", "index", "work", "download", "mail", "secret"} {
		files = append(files, filepath.Join(p.Data, name))
	}
	entries, err := os.ReadDir(p.Data)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		files = append(files, filepath.Join(p.Data, e.Name()))
	}
	for _, path := range files {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	for mode, warns := range map[os.FileMode]bool{0o755: true, 0o750: false, 0o701: true} {
		if err := os.Chmod(p.Data, mode); err != nil {
			t.Fatal(err)
		}
		_, _, log := p.Run("keys", "list")
		if info, err := os.Stat(p.Data); err != nil || info.Mode().Perm() != mode || strings.Contains(log, "chmod 750") != warns {
			t.Errorf("a folder of mode %o became %v: %s", mode, info.Mode(), log)
		}
	}
}
