package press

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"razao/internal/sample/table"
)

// TestOnDisk compares what Write says of files with what lies on disk, with and without a time of
// modification.
func TestOnDisk(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)
	files := []table.File{
		{Folder: "a", Name: "plain.csv", Header: "first;second\n"},
		{Folder: "a", Name: "dated.csv", Header: "first;second\n", Modified: day},
		{Folder: "a", Name: "plain.zip", Member: "one.csv", Header: "first;second\n"},
		{Folder: "a", Name: "dated.zip", Member: "one.csv", Header: "first;second\n", Modified: day},
	}
	f := NewFolders(t.TempDir(), files)
	written, err := Write(t.Context(), f, files, 1, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Publish(); err != nil {
		t.Fatal(err)
	}
	for i, file := range files {
		info, err := os.Stat(filepath.Join(f.final("a"), file.Name))
		if err != nil {
			t.Fatal(err)
		}
		if written[i].OnDisk != info.Size() {
			t.Errorf("%s: %d bytes are told, %d are on disk", file.Name, written[i].OnDisk, info.Size())
		}
		if !file.Modified.IsZero() && !info.ModTime().Equal(file.Modified) {
			t.Errorf("%s: modified at %s, want %s", file.Name, info.ModTime(), file.Modified)
		}
	}
}
