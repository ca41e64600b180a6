package index

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxQueryBytes = 512 // no name is that long
	maxQueryWords = 32  // further different words are ignored
)

// queryWord is a word of a query text.
type queryWord struct {
	text     string // folded
	phrase   int    // which quoted phrase it belongs to, 0 none
	initials bool   // made of several initials
}

func (q queryWord) hasLetter() bool { return strings.Trim(q.text, "0123456789") != "" }

// parseText finds the words of a query text.
func parseText(text string) []queryWord {
	if len(text) > maxQueryBytes {
		return nil
	}
	var t tokenizer
	t.scan(text)
	quotes := quoteMarks(text)
	out := make([]queryWord, len(t.spans))
	for i, s := range t.spans {
		out[i] = queryWord{text: string(t.word(i)), initials: s.initials}
		before, _ := slices.BinarySearch(quotes, s.start)
		if before%2 == 1 && before < len(quotes) {
			out[i].phrase = before
		}
	}
	return out
}

// quoteMarks returns where the quotation marks of a text stand.
func quoteMarks(text string) []int {
	var out []int
	for i, r := range text {
		if strings.ContainsRune("\"“”„«»", r) && r != utf8.RuneError {
			out = append(out, i)
		}
	}
	return out
}

// words are what a reading of a query looks for.
type words struct {
	all     []string // different words that have weight, in order, canonical; all of them when none has
	typed   []string // the same as typed
	last    string   // the last word as typed, weight or not; "" when there is none
	isLast  bool     // whether last is also the last of all, and may be the beginning of a word
	nameKey string   // filter term of the whole name
	pairs   []string // filter terms of the words that must follow each other in a name
	phrases []string
}

// makeWords prepares the search for query words.
func makeWords(list []queryWord) words {
	var w words
	if len(list) == 0 {
		return w
	}
	significant := withWeight(list)
	if len(significant) == 0 {
		significant = list
	}
	key := noWords
	for i, q := range significant {
		word := canonical([]byte(q.text))
		key = key.with(word)
		if i > 0 && q.phrase != 0 && q.phrase == significant[i-1].phrase {
			w.pairs = append(w.pairs, pairInOrder(canonical([]byte(significant[i-1].text)), word).term('w'))
		}
		if len(w.all) < maxQueryWords && !slices.Contains(w.all, word) {
			w.all, w.typed = append(w.all, word), append(w.typed, q.text)
		}
	}
	w.nameKey = key.term('x')
	last := list[len(list)-1]
	w.last = last.text
	w.isLast = w.typed[len(w.typed)-1] == last.text && last.phrase == 0
	w.phrases = phrases(list)
	return w
}

// withWeight returns the words that tell something: not those without weight, nor the "sociedade" of a legal form that
// is spelled out. In names that word keeps its weight: it begins too many of them.
func withWeight(list []queryWord) []queryWord {
	var out []queryWord
	for i, q := range list {
		form := q.text == "sociedade" && i+1 < len(list) && slices.Contains([]string{"anonima", "limitada", "unipessoal"}, list[i+1].text)
		if !form && !isWeightless([]byte(q.text)) {
			out = append(out, q)
		}
	}
	return out
}

// phrases returns the quoted phrases.
func phrases(list []queryWord) []string {
	var out []string
	last := 0
	for _, q := range list {
		switch {
		case q.phrase == 0:
		case q.phrase == last:
			out[len(out)-1] += " " + q.text
		default:
			out = append(out, q.text)
		}
		last = q.phrase
	}
	return out
}

// apart takes initials that are written together or apart as single words ("maria c s" may go on as "maria c souza"),
// and letters and digits that are written together as two (km47 is km 47). It returns false when there are none.
func apart(list []queryWord) ([]queryWord, bool) {
	var out []queryWord
	for _, q := range list {
		split := strings.IndexAny(q.text, "0123456789")
		switch {
		case q.initials && !isWeightless([]byte(q.text)):
			for _, r := range q.text {
				out = append(out, queryWord{text: string(r), phrase: q.phrase})
			}
		case split > 0 && strings.Trim(q.text[split:], "0123456789") == "":
			out = append(out, queryWord{text: q.text[:split], phrase: q.phrase}, queryWord{text: q.text[split:], phrase: q.phrase})
		default:
			out = append(out, q)
		}
	}
	return out, len(out) > len(list)
}
