package layers

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// root is the module's folder, seen from this package.
const root = "../.."

// TestImportsFollowTheTable reads the source files itself: a test that asked the go command would be answered from
// the test cache.
func TestImportsFollowTheTable(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "data" || name == "tmp" || name == "bin") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		seen[filepath.ToSlash(dir)] = true
		check(t, path, filepath.ToSlash(dir), strings.HasSuffix(name, "_test.go"))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range Allowed {
		if !seen[pkg] {
			t.Errorf("the table has %s, which does not exist", pkg)
		}
	}
}

func check(t *testing.T, path, pkg string, test bool) {
	t.Helper()
	allowed, ok := Allowed[pkg]
	if !ok {
		t.Errorf("%s: package %s is not in the table of layers", path, pkg)
		return
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		target, ours := strings.CutPrefix(imported, "razao/")
		if !ours || target == pkg || slices.Contains(allowed, target) || test && slices.Contains(TestOnly, target) {
			continue
		}
		t.Errorf("%s: %s may not import %s", path, pkg, target)
	}
}
