package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDocumentsNameTests finds a missing test without the run of all tests that would find it too.
func TestDocumentsNameTests(t *testing.T) {
	t.Parallel()
	named, err := readDocuments("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range named {
		files, err := filepath.Glob(filepath.Join("../..", p.pkg, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(p.test, "/")
		found := false
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found = found || strings.Contains(string(text), "\nfunc "+name+"(")
		}
		if !found {
			t.Errorf("%s: %q: package %s has no %s", p.document, p.sentence, p.pkg, name)
		}
	}
}

func TestReadProofs(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string][]place{
		"v1.txt, TestOne, and TestTwo":                           {{"api", "TestOne"}, {"api", "TestTwo"}, {"api", "TestContract/v1.txt"}, {"cmd/razao", "TestContract/v1.txt"}},
		"`internal/people/account`: TestOne, FuzzTwo; TestThree": {{"internal/people/account", "TestOne"}, {"internal/people/account", "FuzzTwo"}, {"api", "TestThree"}},
		"package internal/people/account":                        nil,
		"Testing":                                                nil,
	} {
		if diff := cmp.Diff(want, readProofs(cell, "api"), cmp.AllowUnexported(place{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", cell, diff)
		}
	}
}

// events are those of a run with two packages in which tests end in every way.
const events = `{"Action":"build-output","ImportPath":"razao/c","Output":"c.go:1: broken\n"}
{"Action":"output","Package":"razao/a","Test":"TestGood","Output":"=== RUN   TestGood\n"}
{"Action":"output","Package":"razao/a","Test":"TestGood","Output":"    a_test.go:1: not of interest\n"}
{"Action":"pass","Package":"razao/a","Test":"TestGood"}
{"Action":"output","Package":"razao/a","Test":"TestBad","Output":"    a_test.go:2: got 1, want 2\n"}
{"Action":"output","Package":"razao/a","Test":"TestBad/Sub","Output":"    a_test.go:4: got 3, want 4\n"}
{"Action":"fail","Package":"razao/a","Test":"TestBad/Sub"}
{"Action":"fail","Package":"razao/a","Test":"TestBad"}
{"Action":"output","Package":"razao/a","Test":"TestSkipped","Output":"    a_test.go:3: not today\n"}
{"Action":"skip","Package":"razao/a","Test":"TestSkipped"}
{"Action":"output","Package":"razao/a","Test":"TestDies","Output":"panic: oh\n"}
not an event
{"Action":"output","Package":"razao/a","Output":"FAIL\trazao/a\t0.1s\n"}
{"Action":"fail","Package":"razao/a"}
{"Action":"pass","Package":"razao/b","Test":"TestContract/x.txt"}
{"Action":"output","Package":"razao/b","Output":"PASS\n"}
{"Action":"output","Package":"razao/b","Output":"ok  \trazao/b\t(cached)\n"}
{"Action":"pass","Package":"razao/b"}`

func TestResults(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	r := newResults(&out)
	if err := r.read(strings.NewReader(events)); err != nil {
		t.Fatal(err)
	}
	const said = "c.go:1: broken\n    a_test.go:4: got 3, want 4\n    a_test.go:2: got 1, want 2\nnot an event\nFAIL\trazao/a\t0.1s\npanic: oh\nok  \trazao/b\t(cached)\n"
	if diff := cmp.Diff(said, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	out.Reset()
	r.recall()
	if diff := cmp.Diff("\nfailed: TestBad/Sub of a\n    a_test.go:4: got 3, want 4\n", out.String()); diff != "" {
		t.Errorf("at the end (-want +got):\n%s", diff)
	}
	var named []proof
	for _, p := range []place{
		{"a", "TestGood"}, {"a", "TestBad"}, {"a", "TestSkipped"}, {"a", "TestDies"}, {"b", "TestContract/x.txt"}, {"d", "TestElsewhere"},
	} {
		named = append(named, proof{p, "doc.md", "a sentence"})
	}
	want := []string{
		`doc.md: TestBad of a failed: nothing proves "a sentence"`,
		`doc.md: TestSkipped of a was skipped: nothing proves "a sentence"`,
		`doc.md: TestDies of a did not run: nothing proves "a sentence"`,
		`doc.md: TestElsewhere of d did not run: nothing proves "a sentence"`,
	}
	if diff := cmp.Diff(want, r.unproved(named, true)); diff != "" {
		t.Errorf("of everything (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want[:3], r.unproved(named, false)); diff != "" {
		t.Errorf("of the packages that were tested (-want +got):\n%s", diff)
	}
}
