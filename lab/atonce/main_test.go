package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestFind finds a statement, a WaitGroup, a helper of a helper and a method, whatever the tests are called; and in both
// packages the test whose name they share.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example\n\ngo 1.26\n",
		"a/a.go": "package a\n\nfunc Start(f func()) { go f() }\n",
		"a/a_test.go": `package a

import ("sync"; "testing")

type client struct{}

func (client) both(f func()) { go f(); f() }

func helper(t *testing.T) { inner() }
func inner() { var all sync.WaitGroup; all.Go(func() {}); all.Wait() }

func TestStatement(t *testing.T) { go func() {}() }
func TestHelper(t *testing.T) { helper(t) }
func TestMethod(t *testing.T) { client{}.both(func() {}) }
func TestShared(t *testing.T) { inner() }
func TestProduct(t *testing.T) { Start(func() {}) }
func TestQuiet(t *testing.T) {}
func TestMain(m *testing.M) { inner(); m.Run() }
`,
		"b/b_test.go": "package b_test\n\nimport \"testing\"\n\nfunc TestShared(t *testing.T) {}\nfunc TestOther(t *testing.T) {}\n",
		"c/c_test.go": "package c\n\nimport \"testing\"\n\nfunc TestQuiet(t *testing.T) {}\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	tests, in, err := find(dir, []string{"TestOther"}, []string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"TestHelper", "TestMethod", "TestOther", "TestShared", "TestStatement"}; !slices.Equal(tests, want) {
		t.Errorf("tests %q, want %q", tests, want)
	}
	if want := []string{"example/a", "example/b"}; !slices.Equal(in, want) {
		t.Errorf("packages %q, want %q", in, want)
	}
	if _, _, err := find(dir, []string{"TestGone"}, []string{"./..."}); err == nil {
		t.Error("the name of a test that does not exist is accepted")
	}
}
