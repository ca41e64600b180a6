package reconcile

import (
	"math"
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
	asSwapped  = 0.85 // two neighbouring letters have changed places
	asPart     = 0.6  // one ends with the other: supermercado, mercado
	asInitial  = 0.6  // one is the first letter of the other
	leastAlike = 0.7  // of their letters are the same; less is another word
)

// otherWord is what is left of a likeness if each name has a word where the other has another, or the other name has a number that
// the wanted one lacks.
const otherWord = 0.75

// cutOff is what is left of a likeness if the wanted name was cut off and the other goes on.
const cutOff = 0.95

// otherOrder is how alike names are that have the same words in another order.
const otherOrder = 0.98

// Weights of words.
const (
	wholeWord  = 1.0
	commonWord = 0.5  // one that all names have; those between are lighter the more names have them
	stopWord   = 0.05 // legal forms, articles, prepositions: they decide between homonyms
	number     = 1.5  // km 47 is not km 74
)

// wantedShare is the part of a likeness that is how much of the wanted name the other has; the rest is
// how much the other has beside it. Lists leave words out more often than they add some.
const wantedShare = 0.65

// name is a name as words.
type name []word

type word struct {
	text   string
	spoken string   // with its cedillas, for its sounds
	sounds []string // see readings
	weight float64
	form   string // the legal form that it is, in its shortest writing
	number int    // what it is worth as a number
	counts bool   // it is a number
}

// nameOf returns the words of a name, each legal form and each number as one.
func nameOf(text string) name {
	text = strings.ReplaceAll(text, "&", " e ")
	var n name
	var t term.Tokenizer
	t.Scan(text)
	t.Elide()
	for i := range t.Len() {
		w := word{text: string(t.Word(i)), weight: wholeWord}
		w.number, w.counts = term.Number(w.text)
		switch {
		case conjunctions[w.text]:
			w.text, w.weight = "e", stopWord
		case foreignParticles[w.text], term.IsWeightless([]byte(w.text)):
			w.weight = stopWord
		case strings.ContainsAny(w.text, "0123456789"), w.counts && isRoman(w.text):
			w.weight = number
		default:
			w.spoken = t.Spoken(text, i)
		}
		n = n.with(w)
	}
	return n.withForms()
}

var (
	conjunctions     = map[string]bool{"and": true, "und": true, "et": true, "y": true}
	foreignParticles = map[string]bool{"the": true, "of": true, "for": true}
)

func isRoman(text string) bool { return strings.Trim(text, "ivx") == "" }

// with adds a word: four behind forty makes forty-four of it, though "e" may stand between them.
func (n name) with(w word) name {
	last := len(n) - 1
	if last > 0 && n[last].text == "e" && n[last-1].counts {
		last--
	}
	if last < 0 || !w.counts || w.number < 1 || w.number > 9 || !n[last].counts || n[last].number%10 != 0 || n[last].number < 20 || n[last].number > 90 || n[last].weight == number {
		return append(n, w)
	}
	n[last].number += w.number
	return n[:last+1]
}

// withForms makes one word of each legal form at the end, of which several may follow each other (LTDA ME), or one at
// the beginning.
func (n name) withForms() name {
	texts := make([]string, len(n))
	for i := range n {
		texts[i] = n[i].text
	}
	end := len(n)
	for end > 1 {
		form, words := term.LegalFormAtEnd(texts[:end])
		if words == 0 || words == end || !form.Certain && end < len(texts) {
			break
		}
		end -= words
		n = slices.Replace(n, end, end+words, formWord(form))
	}
	if form, words := term.LegalFormAtStart(texts[:end]); words > 0 && words < end {
		n = slices.Replace(n, 0, words, formWord(form))
	}
	return n
}

func formWord(form term.LegalForm) word {
	w := word{text: form.Text, form: form.Text, weight: stopWord}
	if !form.Certain {
		w.weight = wholeWord
	}
	return w
}

// sought returns the text to search for: the name as written, or its words without legal forms that the index takes for words.
func (n name) sought(written string) string {
	foreign := func(w word) bool { return w.form != "" && w.weight == stopWord && !term.IsWeightless([]byte(w.form)) }
	if !slices.ContainsFunc(n, foreign) {
		return written
	}
	var words []string
	for _, w := range n {
		if !foreign(w) {
			words = append(words, w.text)
		}
	}
	return strings.Join(words, " ")
}

// says reports whether a name has a word that says something, so that it can be looked for: neither a stop word
// nor digits alone.
func (n name) says() bool {
	return slices.ContainsFunc(n, func(w word) bool { return w.weight > stopWord && strings.Trim(w.text, "0123456789") != "" })
}

// Likeness returns how alike a name of a list and that of a company are, 0 to 1, as far as the names alone say: neither the place nor
// how common their words are counts.
func Likeness(listed, company string) float64 { return likeness(nameOf(listed), nameOf(company), nil) }

// likeness returns how alike a wanted name and another are, 0 to 1. Words of the place do not count, since lists
// add it.
func likeness(wanted, other name, place map[string]bool) float64 {
	if len(wanted) == 0 || len(other) == 0 {
		return 0
	}
	wanted, other = wanted.joinedAs(other), other.joinedAs(wanted)
	p := pair(wanted, other)
	var shared, all, has float64
	lost, beside := false, false // words that only one of them has
	for i := range wanted {
		w := &wanted[i]
		switch {
		case p.of[i] >= 0:
			shared += p.alike[i] * w.weight
			has += w.weight
		case place[w.text]:
			continue
		default:
			lost = lost || w.distinguishes()
		}
		all += w.weight
	}
	conflict, goesOn := false, false
	for k := range other {
		switch w := &other[k]; {
		case p.taken[k] || place[w.text]:
		case k >= p.end:
			goesOn = goesOn || w.distinguishes()
		default:
			has += w.weight
			beside = beside || w.distinguishes()
			conflict = conflict || w.weight == number
		}
	}
	if all == 0 || has == 0 {
		return 0
	}
	like := wantedShare*shared/all + (1-wantedShare)*shared/has
	if !p.ordered(wanted) {
		like *= otherOrder
	}
	if conflict || lost && beside {
		like *= otherWord
	}
	if goesOn {
		like *= cutOff
	}
	return like
}

// pairing has for each word of a name the most alike of another.
type pairing struct {
	of    []int     // its number, -1 for none
	alike []float64 // how much
	taken []bool    // of the other
	end   int       // of the other; what follows had no room in the first
}

// pair gives each wanted word its partner: first the same word, so that the others are compared with what is left.
func pair(wanted, other name) pairing {
	p := pairing{of: make([]int, len(wanted)), alike: make([]float64, len(wanted)), taken: make([]bool, len(other)), end: len(other)}
	for i := range wanted {
		p.of[i] = -1
		for k := range other {
			if !p.taken[k] && wanted[i].same(&other[k]) {
				p.of[i], p.alike[i], p.taken[k] = k, 1, true
				break
			}
		}
	}
	for i := range wanted {
		if p.of[i] >= 0 {
			continue
		}
		for k := range other {
			if p.taken[k] {
				continue
			}
			if alike := wanted[i].alike(&other[k], i == len(wanted)-1 && wanted.mayBeCut()); alike > p.alike[i] {
				p.of[i], p.alike[i] = k, alike
			}
		}
		if k := p.of[i]; k >= 0 {
			p.taken[k] = true
		}
	}
	p.cut(wanted, other)
	return p
}

// shortestCut is the shortest name, in characters, that may have been cut off: no column of a list is narrower. Padaria Sol is
// no beginning of Padaria Solevonorte.
const shortestCut = 18

func (n name) mayBeCut() bool {
	length := len(n) - 1
	for i := range n {
		length += len(n[i].text)
	}
	return length >= shortestCut
}

// cut ends the other name where the wanted one was cut off, in its last word or behind a particle, if it has all
// of the words before.
func (p *pairing) cut(wanted, other name) {
	last := len(wanted) - 1
	for i := range last {
		if p.of[i] < 0 && wanted[i].distinguishes() {
			return
		}
	}
	w, k := &wanted[last], p.of[last]
	if k >= 0 && p.alike[last] == asCut && strings.HasPrefix(other[k].text, w.text) || w.weight == stopWord && w.form == "" {
		p.end = 1 + slices.Max(p.of)
	}
}

// ordered reports whether the words stand in the same order. Where a legal form stands does not matter.
func (p *pairing) ordered(wanted name) bool {
	before := -1
	for i, k := range p.of {
		if wanted[i].form != "" {
			continue
		}
		if k >= 0 && k < before {
			return false
		}
		before = max(before, k)
	}
	return true
}

// joinedAs returns the words of a name with those as one that another name has as one: auto pecas as autopecas.
func (n name) joinedAs(other name) name {
	for k := range other {
		w := &other[k]
		if w.weight == stopWord || len(w.text) < 5 {
			continue
		}
		for i := 0; i+1 < len(n); i++ {
			rest, to := w.text, i
			for to < len(n) && rest != "" && strings.HasPrefix(rest, n[to].text) {
				rest = rest[len(n[to].text):]
				to++
			}
			if rest == "" && to > i+1 {
				n = slices.Concat(n[:i], name{*w}, n[to:])
			}
		}
	}
	return n
}

// same reports whether two words are the same, or the same legal form or number in two writings.
func (w *word) same(other *word) bool {
	return w.text == other.text || w.form != "" && w.form == other.form || w.counts && other.counts && w.number == other.number
}

// distinguishes reports whether a word tells names apart that do not both have it.
func (w *word) distinguishes() bool { return w.weight > stopWord && w.form == "" }

// alike returns how alike two words are that are not the same, 0 for two that have nothing to do with each other. last says that
// the first is the last of its name, which may be cut off.
func (w *word) alike(other *word, last bool) float64 {
	if w.weight == stopWord || other.weight == stopWord || w.weight == number || other.weight == number || w.counts && other.counts || w.form != "" || other.form != "" {
		return 0
	}
	switch {
	case abbreviates(w.text, other.text) || abbreviates(other.text, w.text):
		return asShort
	case w.soundsLike(other):
		return asSound
	case last && len(w.text) >= 3 && strings.HasPrefix(other.text, w.text):
		return asCut
	case len(w.text) == 1 && w.text[0] == other.text[0] || len(other.text) == 1 && w.text[0] == other.text[0]:
		return asInitial
	case swapped(w.text, other.text):
		return asSwapped
	}
	least := 0.0
	if endsWith(w.text, other.text) || endsWith(other.text, w.text) {
		least = asPart
	}
	longest := max(len(w.text), len(other.text))
	edits, tooMany := search.LevenshteinDistanceMax(w.text, other.text, int((1-leastAlike)*float64(longest)))
	if tooMany {
		return least
	}
	alike := 1 - float64(edits)/float64(longest)
	return max(least, alike*math.Sqrt(alike))
}

func (w *word) soundsLike(other *word) bool {
	for _, sound := range w.readings() {
		if slices.Contains(other.readings(), sound) {
			return true
		}
	}
	return false
}

// readings returns how a word may be read. They are looked up when a word is compared that has no same one.
func (w *word) readings() []string {
	if w.sounds == nil {
		w.sounds = term.Sounds(w.spoken)
	}
	return w.sounds
}

// endsWith reports whether a word ends with another that may stand alone, as supermercado does.
func endsWith(long, short string) bool { return len(short) >= 6 && strings.HasSuffix(long, short) }

// swapped reports whether two words differ by two neighbouring letters that changed places.
func swapped(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) - 1 {
		if a[i] != b[i] {
			return a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		}
	}
	return false
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
