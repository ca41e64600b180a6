package intent

import (
	"slices"
	"strings"
	"testing"
)

// IsLess is isLess, for the tests of conditions, which check values with package filter.
var IsLess = isLess

// Quoted returns the quoted parts of a text that have a letter or a digit.
func Quoted(typed string) []string {
	var out []string
	marks := quoteMarks(typed)
	for i := 0; i+1 < len(marks); i += 2 {
		if part := typed[marks[i]:marks[i+1]]; strings.ContainsFunc(part, isWordRune) {
			out = append(out, part)
		}
	}
	return out
}

// CheckWords checks that the words of a text are those of conditions and rest, in order, apart from
// connecting words.
func CheckWords(t *testing.T, typed string, found []Condition, rest string) {
	t.Helper()
	all, left := read(typed), read(rest)
	count := map[string]int{}
	next := 0
	for _, token := range all.tokens {
		count[token.word]++
		if token.word == left.word(next) {
			next++
		}
	}
	if next < len(left.tokens) {
		t.Errorf("%q: %q is not in its order", typed, rest)
	}
	said := left.folded
	var before []string // of the same words
	for i, c := range found {
		if i == 0 || c.Words != found[i-1].Words || slices.Contains(before, c.Name) {
			said += read(c.Words).folded
			before = nil
		}
		before = append(before, c.Name)
	}
	for word := range strings.FieldsSeq(said) {
		count[word]--
	}
	for word, n := range count {
		little := connecting.MatchString(word) || parting.MatchString(word) || anything.MatchString(word) || word == "nem"
		if n < 0 || n > 0 && !little {
			t.Errorf("%q: %q and %v have %q %d times too few", typed, rest, found, word, n)
		}
	}
}
