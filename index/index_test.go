package index

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"testing"
)

// build makes an index of docs in a temporary folder.
func build(t testing.TB, docs []Doc, o BuildOptions) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "index")
	b, err := NewBuilder(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	w := b.Writer()
	for i := range docs {
		if err := w.Add(&docs[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Finish(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir + ".tmp"); err == nil {
		t.Errorf("%s.tmp is left", dir)
	}
	return dir
}

// open opens an index for the duration of the test.
func open(t testing.TB, dir string) *Index {
	t.Helper()
	ix, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	})
	return ix
}

// synthetic returns n documents that always are the same.
func synthetic(n int) []Doc {
	g := newGenerator(1)
	docs := make([]Doc, n)
	for i := range docs {
		g.next(&docs[i])
		docs[i].Partners = append([]Partner(nil), docs[i].Partners...)
	}
	return docs
}

// compareRank orders documents as the index must.
func compareRank(a, b *Doc) int {
	aHi, aLo := a.rank()
	bHi, bLo := b.rank()
	return cmp.Or(cmp.Compare(aHi, bHi), cmp.Compare(aLo, bLo))
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func writeFile(t *testing.T, path string, body []byte) {
	t.Helper()
	if err := os.WriteFile(path, body, 0o600); err != nil {
		t.Fatal(err)
	}
}

// entries returns the names in a folder.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, entry := range list {
		names = append(names, entry.Name())
	}
	return names
}
