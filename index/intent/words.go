package intent

import (
	"slices"
	"strings"
	"unicode/utf8"

	"razao/index/term"
	"razao/index/text"
)

const (
	maxQueryBytes = 512 // no name is that long
	maxQueryWords = 32  // further different words are ignored
)

// Word is a word of a query text.
type Word struct {
	Text     string // folded
	Phrase   int    // which quoted phrase it belongs to, 0 none
	initials bool   // made of several initials
}

// HasLetter says whether a word is more than digits.
func (q Word) HasLetter() bool { return strings.Trim(q.Text, "0123456789") != "" }

// Parse finds the words of a query text.
func Parse(typed string) []Word {
	if len(typed) > maxQueryBytes {
		return nil
	}
	var t text.Tokenizer
	t.Scan(typed)
	quotes := quoteMarks(typed)
	out := make([]Word, t.Len())
	for i := range out {
		out[i] = Word{Text: string(t.Word(i)), initials: t.IsInitials(i)}
		before, _ := slices.BinarySearch(quotes, t.Start(i))
		if before%2 == 1 && before < len(quotes) {
			out[i].Phrase = before
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

// Words are what a reading of a query looks for.
type Words struct {
	All     []string // different words that have weight, in order, canonical; all of them when none has
	Typed   []string // the same as typed
	Last    string   // the last word as typed, weight or not; "" when there is none
	IsLast  bool     // whether last is also the last of all, and may be the beginning of a word
	NameKey string   // filter term of the whole name
	Pairs   []string // filter terms of the words that must follow each other in a name
}

// NewWords prepares the search for query words.
func NewWords(list []Word) Words {
	var w Words
	if len(list) == 0 {
		return w
	}
	significant := withWeight(list)
	if len(significant) == 0 {
		significant = list
	}
	key := term.NoWords
	for i, q := range significant {
		word := text.Canonical([]byte(q.Text))
		key = key.With(word)
		if i > 0 && q.Phrase != 0 && q.Phrase == significant[i-1].Phrase {
			w.Pairs = append(w.Pairs, term.PairInOrder(text.Canonical([]byte(significant[i-1].Text)), word).Term(term.NamePair))
		}
		if len(w.All) < maxQueryWords && !slices.Contains(w.All, word) {
			w.All, w.Typed = append(w.All, word), append(w.Typed, q.Text)
		}
	}
	w.NameKey = key.Term(term.WholeName)
	last := list[len(list)-1]
	w.Last = last.Text
	w.IsLast = w.Typed[len(w.Typed)-1] == last.Text && last.Phrase == 0
	return w
}

// withWeight returns the words that tell something: not those without weight, nor the "sociedade" of a legal form that
// is spelled out. In names that word keeps its weight: it begins too many of them.
func withWeight(list []Word) []Word {
	var out []Word
	for i, q := range list {
		form := q.Text == "sociedade" && i+1 < len(list) && slices.Contains([]string{"anonima", "limitada", "unipessoal"}, list[i+1].Text)
		if !form && !text.IsWeightless([]byte(q.Text)) {
			out = append(out, q)
		}
	}
	return out
}

// Phrases returns the quoted phrases.
func Phrases(list []Word) []string {
	var out []string
	last := 0
	for _, q := range list {
		switch {
		case q.Phrase == 0:
		case q.Phrase == last:
			out[len(out)-1] += " " + q.Text
		default:
			out = append(out, q.Text)
		}
		last = q.Phrase
	}
	return out
}

// Apart takes initials that are written together or apart as single words ("maria c s" may go on as "maria c souza"),
// and letters and digits that are written together as two (km47 is km 47). It returns false when there are none.
func Apart(list []Word) ([]Word, bool) {
	var out []Word
	for _, q := range list {
		split := strings.IndexAny(q.Text, "0123456789")
		switch {
		case q.initials && !text.IsWeightless([]byte(q.Text)):
			for _, r := range q.Text {
				out = append(out, Word{Text: string(r), Phrase: q.Phrase})
			}
		case split > 0 && strings.Trim(q.Text[split:], "0123456789") == "":
			out = append(out, Word{Text: q.Text[:split], Phrase: q.Phrase}, Word{Text: q.Text[split:], Phrase: q.Phrase})
		default:
			out = append(out, q)
		}
	}
	return out, len(out) > len(list)
}
