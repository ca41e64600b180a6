package main

import (
	"os"
	"path/filepath"
	"slices"
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
		name, _, _ := strings.Cut(p.test.name, "/")
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
	for cell, want := range map[string][]test{
		"`internal/people/account`: TestOne, FuzzTwo; `api`: TestThree": {{"internal/people/account", "TestOne"}, {"internal/people/account", "FuzzTwo"}, {"api", "TestThree"}},
		"package internal/people/account":                               nil,
		"Testing":                                                       nil,
	} {
		if diff := cmp.Diff(want, readProofs(cell), cmp.AllowUnexported(test{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", cell, diff)
		}
	}
}

// events are those of runs in which tests end in every way.
const events = `{"Action":"start","Package":"razao/a"}
{"Action":"output","Package":"razao/a","Test":"TestGood","Output":"=== RUN   TestGood\n"}
{"Action":"pass","Package":"razao/a","Test":"TestGood"}
{"Action":"skip","Package":"razao/a","Test":"TestGood"}
{"Action":"fail","Package":"razao/a","Test":"TestBad"}
{"Action":"pass","Package":"razao/a","Test":"TestBad"}
{"Action":"skip","Package":"razao/a","Test":"TestSkipped"}
{"Action":"output","Package":"razao/a","Test":"TestDies","Output":"panic: oh\n"}
{"Action":"fail","Package":"razao/a"}
{"Action":"pass","Package":"razao/lab/b","Test":"TestContract/x.txt"}
{"Action":"pass","Package":"razao/lab/b"}
{"Action":"skip","Package":"razao/lab/c","Test":"TestSkippedThere"}
{"Action":"skip","Package":"razao/lab/internal/built"}`

func TestUnproved(t *testing.T) {
	t.Parallel()
	r := results{}
	if err := r.read(strings.NewReader(events)); err != nil {
		t.Fatal(err)
	}
	var named []proof
	for _, at := range []test{
		{"a", "TestGood"}, {"a", "TestBad"}, {"a", "TestSkipped"}, {"a", "TestDies"}, {"lab/b", "TestContract/x.txt"}, {"lab/nightly", "TestAtNight"}, {"d", "TestElsewhere"},
	} {
		named = append(named, proof{at, "doc.md", "a sentence"})
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
	if diff := cmp.Diff([]string{"TestSkippedThere of lab/c was skipped"}, r.skipped()); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
	if err := r.read(strings.NewReader(`{"Action":"fail","Package":"razao/lab/nightly"}`)); err != nil {
		t.Fatal(err)
	}
	want = slices.Insert(want, 3, `doc.md: TestAtNight of lab/nightly did not run: nothing proves "a sentence"`)
	if diff := cmp.Diff(want[:4], r.unproved(named, false)); diff != "" {
		t.Errorf("after a night (-want +got):\n%s", diff)
	}
	if err := r.read(strings.NewReader("panic: no event")); err == nil {
		t.Error("what is no event is read over")
	}
}
