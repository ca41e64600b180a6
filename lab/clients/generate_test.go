package clients

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"razao/lab/internal/documents"
)

var update = flag.Bool("update", false, "write the generated files")

// TestGenerated: the clients are what the document says.
func TestGenerated(t *testing.T) {
	t.Parallel()
	m, err := read(documents.All(t)[documents.V2])
	if err != nil {
		t.Fatal(err)
	}
	for path, write := range map[string]func(*model) ([]byte, error){
		"go/api.go": golang, "python/razao/api.py": python, "typescript/src/api.ts": typescript,
	} {
		want, err := write(m)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		path = filepath.Join("..", "..", "clients", filepath.FromSlash(path))
		if *update {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the document says, run this test with -update: %v", path, err)
		}
	}
}
