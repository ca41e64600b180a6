package site

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// otherSpellings are correct variants, in lower case, that the site avoids: one spelling and one
// name per thing.
var otherSpellings = []string{
	"ca" + "torze", "estado das " + "fontes", "empresas " + "· ", "como " + "ligar<", "respostas de " + "verdade", "vir" + "ou filtro", ">leva ao " + "modo",
}

// TestSpelling searches everything that people may read: templates, Go files, documentation, golden
// files.
func TestSpelling(t *testing.T) {
	t.Parallel()
	read := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if path != ".." && strings.HasPrefix(entry.Name(), ".") || path == filepath.Join("..", "data") || path == filepath.Join("..", "bin") {
				return filepath.SkipDir
			}
			return nil
		}
		if !slices.Contains([]string{".go", ".templ", ".md", ".json", ".txt", ".outline", ".js"}, filepath.Ext(path)) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		read++
		lower := strings.ToLower(string(text))
		for _, other := range otherSpellings {
			if strings.Contains(lower, other) {
				t.Errorf("%s: %q", path, other)
			}
		}
		return nil
	})
	if err != nil || read < 100 {
		t.Fatalf("%d files read: %v", read, err)
	}
}
