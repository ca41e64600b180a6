package index

import (
	"os"
	"testing"

	"razao/index/build"
	"razao/index/indextest"
)

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

// openFlagged builds and opens an index of docs that knows what indextest.SourcesOf says of them.
func openFlagged(t testing.TB, docs []build.Doc, o build.Options) *Index {
	t.Helper()
	dir := indextest.Build(t, docs, o)
	loads := indextest.Flag(t, dir, docs)
	ix, err := open(t, dir).ForLoads(loads)
	if err != nil {
		t.Fatal(err)
	}
	return ix
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
