package reconcile

import (
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/search"

	"razao/index/term"
)

// How alike two words are that are not the same.
const (
	asShort    = 0.95 // one abbreviates the other (com, comercio), as package term knows
	asSound    = 0.9  // they sound alike (souza, sousa)
	asCut      = 0.9  // the last word of the list is the beginning of the other: there was no more room
	asJoined   = 0.97 // whole names that differ in blanks and legal forms: pet shop, petshop
	asInitial  = 0.6  // one is the first letter of the other
	leastAlike = 0.7  // of their letters are the same; less is another word
)

// otherOrder is how alike names are that have the same words in another order.
const otherOrder = 0.98

// Weights of words.
const (
	wholeWord = 1.0
	stopWord  = 0.05 // legal forms, articles, prepositions: they decide between homonyms
	number    = 1.5  // km 47 is not km 74
)

// wantedShare is the part of a likeness that is how much of the wanted name the other has; the rest is
// how much the other has beside it. Lists leave words out more often than they add some.
const wantedShare = 0.65

// name is a name as words.
type name []word

type word struct {
	text   string
	sounds []string
	weight float64
}

// nameOf returns the words of a name.
func nameOf(text string) name {
	var words name
	var t term.Tokenizer
	t.Scan(text)
	t.Elide()
	for i := range t.Len() {
		w := word{text: string(t.Word(i)), weight: wholeWord}
		switch {
		case term.IsWeightless([]byte(w.text)):
			w.weight = stopWord
		case strings.ContainsAny(w.text, "0123456789"):
			w.weight = number
		default:
			w.sounds = term.Sounds(t.Spoken(text, i))
		}
		words = append(words, w)
	}
	return words
}

// says reports whether a name has a word that says something, so that it can be looked for: neither a stop word
// nor digits alone.
func (n name) says() bool {
	return slices.ContainsFunc(n, func(w word) bool { return w.weight > stopWord && strings.Trim(w.text, "0123456789") != "" })
}

// likeness returns how alike a wanted name and another are, 0 to 1. Words of the place do not count, since lists
// add it.
func likeness(wanted, other name, place map[string]bool) float64 {
	if len(wanted) == 0 || len(other) == 0 {
		return 0
	}
	least := 0.0
	if wanted.joined() == other.joined() {
		least = asJoined
	}
	taken := make([]bool, len(other))
	ordered, before := 1.0, -1
	var shared, all, rest float64
	for i := range wanted {
		w := &wanted[i]
		best, at := 0.0, -1
		for k := range other {
			if taken[k] {
				continue
			}
			if alike := w.alike(&other[k], i == len(wanted)-1); alike > best {
				best, at = alike, k
			}
		}
		switch {
		case at >= 0:
			taken[at] = true
			if at < before {
				ordered = otherOrder
			}
			before = at
			shared += best * w.weight
			rest += best * other[at].weight
		case place[w.text]:
			continue
		}
		all += w.weight
	}
	var has float64
	for k := range other {
		if taken[k] || !place[other[k].text] {
			has += other[k].weight
		}
	}
	if all == 0 || has == 0 {
		return least
	}
	return max(least, ordered*(wantedShare*shared/all+(1-wantedShare)*rest/has))
}

// joined returns the words that say something as one: auto pecas is autopecas.
func (n name) joined() string {
	var b strings.Builder
	for i := range n {
		if n[i].weight > stopWord {
			b.WriteString(n[i].text)
		}
	}
	return b.String()
}

// alike returns how alike two words are, 0 for two that have nothing to do with each other. last says that
// the first is the last of its name, which may be cut off.
func (w *word) alike(other *word, last bool) float64 {
	switch {
	case w.text == other.text:
		return 1
	case w.weight == stopWord || other.weight == stopWord || w.weight == number || other.weight == number:
		return 0
	case abbreviates(w.text, other.text) || abbreviates(other.text, w.text):
		return asShort
	case slices.ContainsFunc(w.sounds, func(sound string) bool { return slices.Contains(other.sounds, sound) }):
		return asSound
	case last && len(w.text) >= 3 && strings.HasPrefix(other.text, w.text):
		return asCut
	case len(w.text) == 1 && w.text[0] == other.text[0] || len(other.text) == 1 && w.text[0] == other.text[0]:
		return asInitial
	}
	longest := max(len(w.text), len(other.text))
	alike := 1 - float64(search.LevenshteinDistance(w.text, other.text))/float64(longest)
	if alike < leastAlike {
		return 0
	}
	return alike * alike
}

// abbreviates reports whether a word is a short form of another.
func abbreviates(short, long string) bool {
	form, full := term.AlsoIndexed([]byte(short))
	if slices.Contains(full, long) {
		return true
	}
	other, _ := term.AlsoIndexed([]byte(long))
	return form != "" && form == other && (len(full) > 0 || short == other)
}
