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
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "contract.md"))
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

// TestTable compares docs/contract.md with the scripts in both directions.
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
	for number, s := range sentences {
		for file := range strings.FieldsSeq(strings.ReplaceAll(s.proof, ",", " ")) {
			if strings.HasSuffix(file, ".txt") && !proved[number+" "+file] {
				t.Errorf("docs/contract.md says that %s proves %s, and it does not", file, number)
			}
		}
	}
}

// TestScriptsCall checks that no script makes more calls than an account may in a minute.
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
