package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSecurityTable looks for every test that docs/security.md names.
func TestSecurityTable(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`(?m)^\| .* \| .* \| (.*) \|$`)
	named := regexp.MustCompile("`([a-z/]+)`: ([^;]+)")
	found := 0
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		for _, proof := range named.FindAllStringSubmatch(m[1], -1) {
			tests := testsOf(t, proof[1])
			for name := range strings.SplitSeq(proof[2], ", ") {
				found++
				if !strings.Contains(tests, "func "+name+"(") {
					t.Errorf("package %s has no %s", proof[1], name)
				}
			}
		}
	}
	if found == 0 {
		t.Error("docs/security.md names no tests")
	}
}

// testsOf returns the text of all tests of a package.
func testsOf(t *testing.T, pkg string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", pkg, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}
