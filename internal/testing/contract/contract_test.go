package contract

import (
	"regexp"
	"strings"
	"testing"
)

// TestSentences checks that every script proves something, and that a number stands for one sentence in all of them.
func TestSentences(t *testing.T) {
	t.Parallel()
	sentences := map[string]string{}
	for _, s := range scripts(t) {
		if len(s.blocks) == 0 {
			t.Errorf("%s proves nothing", s.Name)
		}
		for _, b := range s.blocks {
			if known, ok := sentences[b.number]; ok && known != b.sentence {
				t.Errorf("%s: [%s] %s: elsewhere it is %q", s.Name, b.number, b.sentence, known)
			}
			sentences[b.number] = b.sentence
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
