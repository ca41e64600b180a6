package main

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// queryKind is one way to ask; next returns a text.
type queryKind struct {
	name string
	next func(r *rand.Rand) string
}

// searches are the ways in which people look for a company of the load.
func (d *drawn) searches() []queryKind {
	common := commonWords(d.names, 30)
	return []queryKind{
		{"two words of a name", func(r *rand.Rand) string {
			words := wordsOf(pick(r, d.names))
			return pick(r, words) + " " + pick(r, words)
		}},
		{"whole name", from(d.names)},
		{"one common word", from(common)},
		{"two common words", func(r *rand.Rand) string { return pick(r, common) + " " + pick(r, common) }},
		{"trade name", from(d.trades)},
		{"partner's name", from(d.partners)},
		{"word and beginning", func(r *rand.Rand) string {
			words := wordsOf(pick(r, d.names))
			return pick(r, words) + " " + beginning(pick(r, words), 2+r.IntN(3))
		}},
		{"CNPJ", d.number},
		{"noise", d.noise},
	}
}

// suggestions are texts that are still being typed.
func (d *drawn) suggestions() []queryKind {
	typed := func(low, high int) func(r *rand.Rand) string {
		return func(r *rand.Rand) string {
			texts := d.names
			if r.IntN(4) == 0 {
				texts = d.trades
			}
			return beginning(strings.Join(wordsOf(pick(r, texts)), " "), low+r.IntN(high-low+1))
		}
	}
	return []queryKind{
		{"1 letter", typed(1, 1)},
		{"2 letters", typed(2, 2)},
		{"3 letters", typed(3, 3)},
		{"4 or 5 letters", typed(4, 5)},
		{"6 to 8 letters", typed(6, 8)},
		{"word and 1 to 3 letters", func(r *rand.Rand) string {
			words := wordsOf(pick(r, d.names))
			return words[0] + " " + beginning(words[len(words)-1], 1+r.IntN(3))
		}},
		{"3 to 11 digits", func(r *rand.Rand) string { return pick(r, d.numbers).String()[:3+r.IntN(9)] }},
	}
}

// number is a CNPJ in one of the forms in which it is typed.
func (d *drawn) number(r *rand.Rand) string {
	n := pick(r, d.numbers)
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

// noise is what finds little: words that nobody has, typing errors, and no words at all.
func (d *drawn) noise(r *rand.Rand) string {
	switch r.IntN(3) {
	case 0:
		return randomWord(r) + " " + randomWord(r)
	case 1:
		letters := []rune(pick(r, d.names))
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

// mixed takes all kinds in equal parts.
func mixed(kinds []queryKind) queryKind {
	kinds = slices.Clone(kinds)
	return queryKind{"all mixed", func(r *rand.Rand) string { return pick(r, kinds).next(r) }}
}

func from(texts []string) func(r *rand.Rand) string {
	return func(r *rand.Rand) string { return pick(r, texts) }
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// wordsOf returns the words of a name that tell something, or the whole name when none does.
func wordsOf(name string) []string {
	words := slices.DeleteFunc(strings.Fields(name), func(w string) bool {
		return len(w) < 3 || w == "LTDA" || strings.ContainsAny(w, "0123456789*")
	})
	if len(words) == 0 {
		return []string{name}
	}
	return words
}

// commonWords returns the n words that most names have.
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

// beginning returns the first n letters of a text.
func beginning(text string, n int) string {
	letters := []rune(text)
	return string(letters[:min(n, len(letters))])
}
