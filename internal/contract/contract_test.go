package contract

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// sentence is a row of docs/contract.md.
type sentence struct{ words, proof string }

// table reads docs/contract.md.
func table(t *testing.T) map[string]sentence {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "contract.md"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]sentence{}
	for _, m := range regexp.MustCompile(`(?m)^\| ([a-z0-9]+-\d+) \| (.*) \| (.*) \|$`).FindAllStringSubmatch(string(text), -1) {
		all[m[1]] = sentence{m[2], m[3]}
	}
	if len(all) == 0 {
		t.Fatal("docs/contract.md has no table")
	}
	return all
}

// TestTable holds docs/contract.md to the scripts and tests that it names, and the scripts to it.
func TestTable(t *testing.T) {
	t.Parallel()
	sentences := table(t)
	proved := map[string]bool{}
	for _, s := range scripts(t) {
		if len(s.blocks) == 0 {
			t.Errorf("%s proves nothing", s.Name)
		}
		for _, b := range s.blocks {
			if got := sentences[b.number].words; got != b.sentence {
				t.Errorf("%s: [%s] %s: docs/contract.md says %q", s.Name, b.number, b.sentence, got)
			}
			if !strings.Contains(sentences[b.number].proof, s.Name) {
				t.Errorf("%s proves %s, which docs/contract.md does not say", s.Name, b.number)
			}
			proved[b.number+" "+s.Name] = true
		}
	}
	tests := testsOfAPI(t)
	for number, s := range sentences {
		if strings.TrimSpace(s.proof) == "" {
			t.Errorf("docs/contract.md does not say what proves %s", number)
		}
		for file := range strings.FieldsSeq(strings.ReplaceAll(s.proof, ",", " ")) {
			if strings.HasSuffix(file, ".txt") && !proved[number+" "+file] {
				t.Errorf("docs/contract.md says that %s proves %s, and it does not", file, number)
			}
		}
		for _, name := range regexp.MustCompile(`\bTest\w+`).FindAllString(s.proof, -1) {
			if !strings.Contains(tests, "func "+name+"(") {
				t.Errorf("docs/contract.md says that %s proves %s, and there is no such test", name, number)
			}
		}
	}
}

// testsOfAPI returns the text of all tests of package api.
func testsOfAPI(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "api", "*_test.go"))
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

// TestScriptsCall looks at what Target promises: that a script stays below the limit of its account.
func TestScriptsCall(t *testing.T) {
	t.Parallel()
	request := regexp.MustCompile(`^[A-Z]+ /`)
	for _, s := range scripts(t) {
		calls := 0
		for _, b := range s.blocks {
			for _, line := range b.lines {
				if request.MatchString(line) || strings.HasPrefix(line, "GET ${") {
					calls++
				}
			}
		}
		if calls == 0 || calls >= 60 {
			t.Errorf("%s makes %d calls", s.Name, calls)
		}
	}
}
