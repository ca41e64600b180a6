package questions

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// number draws a CNPJ in one of the forms in which people type it: whole, masked, only the root, or
// the first five characters.
func (l *Log) number(r *rand.Rand) string {
	n := Pick(r, l.Numbers)
	switch r.IntN(4) {
	case 0:
		return n.String()
	case 1:
		return n.Root().String()
	case 2:
		return n.String()[:5]
	}
	return n.Masked()
}

// noise draws a text that matches little or nothing: random words, a name with a wrong letter, or
// punctuation.
func (l *Log) noise(r *rand.Rand) string {
	switch r.IntN(3) {
	case 0:
		return randomWord(r) + " " + randomWord(r)
	case 1:
		letters := []rune(Pick(r, l.names))
		i := r.IntN(len(letters))
		letters[i] = rune('A' + r.IntN(26))
		return string(letters)
	}
	return strings.Repeat(string(rune("%&?!'*-/"[r.IntN(8)])), 1+r.IntN(10)) + randomWord(r)[:2]
}

func randomWord(r *rand.Rand) string {
	word := make([]byte, 3+r.IntN(8))
	for i := range word {
		word[i] = byte('a' + r.IntN(26))
	}
	return string(word)
}

// from returns a generator that draws one of texts.
func from(texts []string) func(r *rand.Rand) string {
	return func(r *rand.Rand) string { return Pick(r, texts) }
}

// Pick returns a uniformly drawn element. It panics if there is none.
func Pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// wordsOf returns the distinctive words of a name, or the whole name if it has none. Numbers, legal
// forms and short words are left out.
func wordsOf(name string) []string {
	words := slices.DeleteFunc(strings.Fields(name), func(w string) bool {
		return len(w) < 3 || w == "LTDA" || strings.ContainsAny(w, "0123456789*")
	})
	if len(words) == 0 {
		return []string{name}
	}
	return words
}

// commonWords returns the n most frequent words of names, the most frequent first.
func commonWords(names []string, n int) []string {
	count := map[string]int{}
	for _, name := range names {
		for _, word := range wordsOf(name) {
			count[word]++
		}
	}
	words := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), strings.Compare(a, b))
	})
	return words[:min(n, len(words))]
}

// beginning returns the first n letters of a text, or all of it if it is shorter.
func beginning(text string, n int) string {
	letters := []rune(text)
	return string(letters[:min(n, len(letters))])
}
