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

// imports are the packages of this module that a package imports, each with one of the files that do.
type imports struct{ code, tests map[string]string }

func TestImportsFollowTheTables(t *testing.T) {
	tree := readTree(t)
	for pkg, found := range tree {
		allowed, ok := Code[pkg]
		if !ok {
			t.Errorf("package %s is not in the table Code: add it with what it imports", pkg)
			continue
		}
		for imported, file := range found.code {
			if !slices.Contains(allowed, imported) {
				t.Errorf("%s: the code of %s may not import %s", file, pkg, imported)
			}
		}
		for imported, file := range found.tests {
			if !slices.Contains(allowed, imported) && !slices.Contains(Tests[pkg], imported) && !slices.Contains(TestOnly, imported) {
				t.Errorf("%s: the tests of %s may not import %s", file, pkg, imported)
			}
		}
	}
}

// A permission that nothing uses is a door left open.
func TestTablesHoldNothingElse(t *testing.T) {
	tree := readTree(t)
	for pkg, allowed := range Code {
		found, ok := tree[pkg]
		if !ok {
			t.Errorf("the table Code has %s, which does not exist", pkg)
			continue
		}
		for _, imported := range allowed {
			if found.code[imported] == "" {
				t.Errorf("the table Code lets %s import %s, which it does not", pkg, imported)
			}
			if slices.Contains(TestOnly, imported) && !slices.Contains(TestOnly, pkg) {
				t.Errorf("the table Code lets %s import %s, which is for tests", pkg, imported)
			}
		}
	}
	for pkg, allowed := range Tests {
		for _, imported := range allowed {
			if slices.Contains(Code[pkg], imported) || slices.Contains(TestOnly, imported) {
				t.Errorf("the table Tests lets %s import %s, which it may anyway", pkg, imported)
			} else if tree[pkg].tests[imported] == "" {
				t.Errorf("the table Tests lets %s import %s, which it does not", pkg, imported)
			}
		}
	}
}

// readTree reads the source files itself: a test that asked the go command would be answered from the test cache.
func readTree(t *testing.T) map[string]imports {
	t.Helper()
	tree := map[string]imports{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || slices.Contains([]string{"testdata", "data", "tmp", "bin"}, name)) {
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
		pkg := filepath.ToSlash(dir)
		found, ok := tree[pkg]
		if !ok {
			found = imports{code: map[string]string{}, tests: map[string]string{}}
			tree[pkg] = found
		}
		into := found.code
		if strings.HasSuffix(name, "_test.go") {
			into = found.tests
		}
		return readImports(into, path, pkg)
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// readImports notes in into what the file imports of this module, beside its own package.
func readImports(into map[string]string, path, pkg string) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		return err
	}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		if imported, ours := strings.CutPrefix(imported, "razao/"); ours && imported != pkg {
			into[imported] = path
		}
	}
	return nil
}
