package intent

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"razao/index/term"
)

const (
	maxQueryBytes = 512 // longer texts have no words: no name is that long
	maxQueryWords = 32  // further distinct words are ignored
)

// Word is a word of a query text.
type Word struct {
	Text     string // folded
	Phrase   int    // identifies the quoted phrase it belongs to, 0 for none
	spoken   string // the same with its cedillas
	cut      int    // bytes before an apostrophe inside, 0 for none
	particle string // word before that lacks its vowel and belongs to this one: d agua is d'agua
	initials bool   // joined from several initials
}

// HasLetter reports whether the word has anything but digits.
func (q Word) HasLetter() bool { return strings.Trim(q.Text, "0123456789") != "" }

// Parse returns the words of a query text in order; nil for texts of more than 512 bytes. An
// unclosed quotation mark quotes nothing.
func Parse(typed string) []Word {
	if len(typed) > maxQueryBytes {
		return nil
	}
	var t term.Tokenizer
	t.Scan(typed)
	quotes := quoteMarks(typed)
	out := make([]Word, t.Len())
	for i := range out {
		out[i] = Word{Text: string(t.Word(i)), spoken: t.Spoken(typed, i), cut: t.Cut(i), initials: t.IsInitials(i)}
		if i > 0 && t.Elides(i-1) {
			out[i].particle = out[i-1].Text
		}
		before, _ := slices.BinarySearch(quotes, t.Start(i))
		if before%2 == 1 && before < len(quotes) {
			out[i].Phrase = before
		}
	}
	return out
}

// quoteMarks returns the byte offsets of the quotation marks in a text, in order. An odd number of
// marks before a word means that it is quoted.
func quoteMarks(text string) []int {
	var out []int
	for i, r := range text {
		if strings.ContainsRune("\"“”„«»", r) && r != utf8.RuneError {
			out = append(out, i)
		}
	}
	return out
}

// Words is one reading of a query as the tiers search it.
type Words struct {
	All     []string // distinct significant words in canonical form, in order; if there are none, the stop words
	Typed   []string // All as typed, index by index
	Spoken  []string // All as typed with cedillas, for term.Sounds
	Last    string   // last word as typed, significant or not; "" when there is none
	IsLast  bool     // Last is also the last of All and unquoted, so it may be an unfinished word
	NameKey string   // filter term of the whole name: term.WholeName
	Pairs   []string // filter terms of adjacent words in quoted phrases: term.NamePair
}

// NewWords prepares the search for query words. Without any word it returns the zero Words.
func NewWords(list []Word) Words {
	var w Words
	if len(list) == 0 {
		return w
	}
	list = elide(list)
	significant := withWeight(list)
	if len(significant) == 0 {
		significant = list
	}
	key := term.NoWords
	for i, q := range significant {
		word := term.Canonical([]byte(q.Text))
		key = key.With(word)
		if i > 0 && q.Phrase != 0 && q.Phrase == significant[i-1].Phrase {
			w.Pairs = append(w.Pairs, term.PairInOrder(term.Canonical([]byte(significant[i-1].Text)), word).Term(term.NamePair))
		}
		if len(w.All) < maxQueryWords && !slices.Contains(w.All, word) {
			w.All, w.Typed, w.Spoken = append(w.All, word), append(w.Typed, q.Text), append(w.Spoken, cmp.Or(q.spoken, q.Text))
		}
	}
	w.NameKey = key.Term(term.WholeName)
	last := list[len(list)-1]
	w.Last = last.Text
	w.IsLast = w.Typed[len(w.Typed)-1] == last.Text && last.Phrase == 0
	return w
}

// elide returns the words with particles that lack their vowel joined to the next word.
func elide(list []Word) []Word {
	var out []Word
	for i, q := range list {
		// The words may be what is left of others.
		if q.particle == "" || i == 0 || list[i-1].Text != q.particle || list[i-1].Phrase != q.Phrase {
			out = append(out, q)
			continue
		}
		out[len(out)-1] = Word{Text: q.particle + q.Text, Phrase: q.Phrase, spoken: q.particle + q.spoken}
	}
	return out
}

// withWeight returns the significant words: no stop words, nor the "sociedade" of a legal form that
// is spelled out (sociedade anônima). In names that word stays significant, because too many begin
// with it.
func withWeight(list []Word) []Word {
	var out []Word
	for i, q := range list {
		form := q.Text == "sociedade" && i+1 < len(list) && slices.Contains([]string{"anonima", "limitada", "unipessoal"}, list[i+1].Text)
		if !form && !term.IsWeightless([]byte(q.Text)) {
			out = append(out, q)
		}
	}
	return out
}

// Phrases returns the quoted phrases in order, folded, their words separated by blanks; nil when
// there are none.
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

// Apart returns another reading of the words: initials as single words, which may abbreviate names
// ("maria c s" is maria c souza), the parts around an apostrophe, and letters followed by digits as two
// words (km47 is km 47). It returns false when that changes nothing.
func Apart(list []Word) ([]Word, bool) {
	var out []Word
	elided := false
	for _, q := range list {
		split := strings.IndexAny(q.Text, "0123456789")
		elided = elided || q.particle != ""
		q.particle = ""
		switch {
		case q.cut > 0:
			out = append(out, Word{Text: q.Text[:q.cut], Phrase: q.Phrase}, Word{Text: q.Text[q.cut:], Phrase: q.Phrase})
		case q.initials && !term.IsWeightless([]byte(q.Text)):
			for _, r := range q.Text {
				out = append(out, Word{Text: string(r), Phrase: q.Phrase})
			}
		case split > 0 && strings.Trim(q.Text[split:], "0123456789") == "":
			out = append(out, Word{Text: q.Text[:split], Phrase: q.Phrase}, Word{Text: q.Text[split:], Phrase: q.Phrase})
		default:
			out = append(out, q)
		}
	}
	return out, elided || len(out) > len(list)
}
