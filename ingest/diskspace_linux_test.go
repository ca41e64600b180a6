package ingest_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"razao/ingest"
	"razao/ingest/receita"
	"razao/internal/sample"
	"razao/internal/testing/fixture"
)

// smallDisk returns a folder on a file system of its own with 64 kB.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k,mode=700")
	if errors.Is(err, syscall.EPERM) && os.Getenv("REQUIRE_POSTGRES") != "1" {
		t.Skip("mounting a small file system is not permitted here")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

func TestTooLittleDisk(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	files := t.TempDir()
	if _, err := sample.Write(t.Context(), files, sample.Options{Roots: 2000, Seed: 7, Month: "2026-10", OnlyReceita: true}); err != nil {
		t.Fatal(err)
	}
	rel, err := receita.Find(filepath.Join(files, "receita"), "", receita.Accept{})
	if err != nil {
		t.Fatal(err)
	}
	disk := smallDisk(t)
	in := *l.Ingester
	in.WorkDir, in.StoreDir = filepath.Join(disk, "work"), filepath.Join(disk, "postgres")
	before := served(t, l.Live).ID

	_, err = in.Receita(t.Context(), &rel, ingest.Options{})
	if err == nil {
		t.Fatal("the load was not refused")
	}
	for _, want := range []string{"65.5 kB are free", "for temporary files in " + in.WorkDir, "for private PostgreSQL in " + in.StoreDir, "--force"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q lacks %q", err, want)
		}
	}
	if strings.Contains(err.Error(), l.Ingester.IndexDir) {
		t.Errorf("a folder on another file system is named: %v", err)
	}
	if left, _ := os.ReadDir(disk); len(left) > 0 {
		t.Errorf("something was written: %v", left)
	}
	if got := served(t, l.Live).ID; got != before {
		t.Errorf("load %d is served, want %d", got, before)
	}
	_, err = in.Receita(t.Context(), &rel, ingest.Options{Force: true})
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "the disk is full: make room") || strings.Contains(err.Error(), "--force") {
		t.Errorf("a forced load: got %v, want the disk's own error and what to do", err)
	}
}
