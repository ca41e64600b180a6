package layers

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// root is the module's folder relative to this package.
const root = "../../.."

// notCode are folders that hold no code of this module.
var notCode = []string{root + "/bin", root + "/data", root + "/lab", root + "/site/data", root + "/tmp"}

// imports are the packages of this module that the code of a package imports, tests aside, each with one file that does.
type imports map[string]string

func TestImportsFollowTheTable(t *testing.T) {
	used := map[string]bool{}
	for pkg, found := range readTree(t) {
		from := layerOf(pkg)
		if from == "" {
			t.Errorf("package %s lies in no layer of the table", pkg)
			continue
		}
		for imported, file := range found {
			to := layerOf(imported)
			used[from+" "+to] = true
			switch {
			case forTests(imported) && !forTests(pkg):
				t.Errorf("%s: %s is for tests", file, imported)
			case to != from && !forTests(pkg) && !slices.Contains(Arrows[from], to):
				t.Errorf("%s: %s may not import %s: there is no arrow from %s to %s", file, pkg, imported, from, to)
			}
		}
	}
	// An arrow that nothing uses would let a later import pass unnoticed.
	for from, arrows := range Arrows {
		for _, to := range arrows {
			if !used[from+" "+to] {
				t.Errorf("the table lets %s import %s, which it does not", from, to)
			}
		}
	}
}

// layerOf returns the layer of the table that holds the package, the deepest if one lies in another, or "".
func layerOf(pkg string) string {
	for folder := pkg; folder != "."; folder = path.Dir(folder) {
		if _, ok := Arrows[folder]; ok {
			return folder
		}
	}
	return ""
}

// forTests reports whether only tests, and packages for tests, may import the package.
func forTests(pkg string) bool {
	return strings.HasSuffix(pkg, "test") || strings.HasPrefix(pkg, "internal/testing/")
}

// TestOnlyTheStoreReadsInternals of a snapshot, where nothing is left out for visitors: handlers ask a snapshot and the packages beside it.
func TestOnlyTheStoreReadsInternals(t *testing.T) {
	within := 0
	for pkg := range readTree(t) {
		files, err := filepath.Glob(filepath.Join(root, pkg, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			switch {
			case err != nil:
				t.Fatal(err)
			case strings.HasSuffix(file, "_test.go") || !strings.Contains(string(text), ".Internals()"):
			case strings.HasPrefix(pkg, "internal/store/"):
				within++
			case !forTests(pkg):
				t.Errorf("%s reads the internals of a snapshot", file)
			}
		}
	}
	if within == 0 {
		t.Error("nobody reads them: this test shows nothing")
	}
}

// TestDesignNamesEveryPackage looks for each package in the map of docs/design.md.
func TestDesignNamesEveryPackage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "design.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, design, _ := strings.Cut(string(text), "\n## Packages\n")
	design, _, _ = strings.Cut(design, "\n## ")
	tree := readTree(t)
	folders := map[string]bool{}
	for pkg := range tree {
		for folder := pkg; folder != "."; folder = path.Dir(folder) {
			folders[folder] = true
		}
	}
	named := map[string]bool{}
	var before []string
	for _, line := range regexp.MustCompile(`(?m)^    .*$`).FindAllString(design, -1) {
		if !strings.HasPrefix(line, strings.Repeat(" ", 20)) { // not the rest of the line before
			before = nil
		}
		var words [][]string
		words, before = namesOn(line, before)
		for _, word := range words {
			if strings.Contains(word[0], "/") && !slices.ContainsFunc(word, func(name string) bool { return folders[name] }) {
				t.Errorf("docs/design.md names %s, where there is no package", word[0])
			}
			for _, name := range word {
				named[name] = true
			}
		}
	}
	for pkg := range tree {
		if !named[pkg] {
			t.Errorf("the map of docs/design.md does not name %s", pkg)
		}
	}
}

// TestDocumentsNameWhatExists looks for the Go files that the documents name by their path, which may
// leave out folders at its beginning, and for names of packages, `registry.RowCache`.
func TestDocumentsNameWhatExists(t *testing.T) {
	var files []string
	code := map[string]string{} // by the name of its package's folder
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && entry.Name() != filepath.Base(root) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") {
			return err
		}
		files = append(files, filepath.ToSlash(name))
		text, err := os.ReadFile(name)
		code[filepath.Base(filepath.Dir(name))] += string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	documents, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(documents) == 0 {
		t.Fatalf("documents: %d, %v", len(documents), err)
	}
	for _, document := range append(documents, filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md")) {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile("`([a-z0-9_]+(?:/[a-z0-9_]+)+\\.go)`").FindAllStringSubmatch(string(text), -1) {
			if !slices.ContainsFunc(files, func(name string) bool { return strings.HasSuffix(name, "/"+m[1]) }) {
				t.Errorf("%s names %s, which is not there", filepath.Base(document), m[1])
			}
		}
		for _, m := range regexp.MustCompile("`([a-z]+)\\.([A-Z][A-Za-z]+)`").FindAllStringSubmatch(string(text), -1) {
			if of, ours := code[m[1]]; ours && !regexp.MustCompile(`\b`+m[2]+`\b`).MatchString(of) {
				t.Errorf("%s names %s.%s, which is not there", filepath.Base(document), m[1], m[2])
			}
		}
	}
}

// namesOn returns, for each word on a line of the map, the packages it may name: in "ingest/pgfn cgu" the second word may be
// ingest/cgu, in "internal/people account" it may be internal/people/account. before are the names in full that precede the line,
// returned with those on it.
func namesOn(line string, before []string) (words [][]string, after []string) {
	for _, word := range regexp.MustCompile(`[a-z][a-z0-9/]*`).FindAllString(line, -1) {
		names := []string{word}
		for _, name := range before {
			names = append(names, path.Dir(name)+"/"+word, name+"/"+word)
		}
		if strings.Contains(word, "/") || len(before) == 0 {
			before = append(before, word)
		}
		words = append(words, names)
	}
	return words, before
}

// readTree parses the source files itself. A test that asked the go command would be cached by go
// test whatever changes.
func readTree(t *testing.T) map[string]imports {
	t.Helper()
	tree := map[string]imports{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || name == "testdata" || slices.Contains(notCode, path)) {
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
		if tree[pkg] == nil {
			tree[pkg] = imports{}
		}
		if strings.HasSuffix(name, "_test.go") {
			return nil
		}
		return tree[pkg].read(path, pkg)
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// read adds what a file imports of this module, except its own package.
func (i imports) read(path, pkg string) error {
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
			i[imported] = path
		}
	}
	return nil
}
