package share

import (
	"os"
	"path/filepath"
	"testing"

	"razao/internal/data/record"
)

// TestListedFilesAreThoseLoaded downloads a month, deletes the zips and decides from the listing
// alone whether it changed.
func TestListedFilesAreThoseLoaded(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c, _ := s.client(t, Options{})
	dir := filepath.Join(t.TempDir(), month)
	if err := c.Fetch(t.Context(), month, dir); err != nil {
		t.Fatal(err)
	}
	var loaded []record.SourceFile
	for _, name := range releaseNames() {
		r := readManifest(t, dir).Files[name]
		loaded = append(loaded, record.SourceFile{Nome: name, Bytes: r.Bytes, SHA256: r.SHA256})
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(what, dir string, want bool) {
		t.Helper()
		listed, err := c.List(t.Context(), month)
		if err != nil {
			t.Fatal(err)
		}
		if same, err := Are(listed, loaded, dir, month); err != nil || same != want {
			t.Errorf("%s: %v, %v", what, same, err)
		}
	}
	ask("nothing is new", dir, true)
	ask("without a manifest, by names and sizes", t.TempDir(), true)
	other := zipOf(t, "Socios3.zip", "other content of Socios3.zip")
	if len(other) != len(s.file("Socios3.zip")) {
		t.Fatal("this test is about another file of the same size")
	}
	s.put("Socios3.zip", other)
	ask("another ETag", dir, false)
	s.put("Socios3.zip", append(other, 0))
	ask("another size", t.TempDir(), false)
	loaded = loaded[1:]
	ask("fewer were loaded", dir, false)
}
