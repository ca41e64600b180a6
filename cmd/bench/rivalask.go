package main

import (
	"math/rand/v2"
	"strings"
	"unicode"

	"razao/index"
)

// rivalQuery is one question in the forms in which the engines understand it. The others are told what a text means:
// that a word is a city, that a name is a partner's.
type rivalQuery struct {
	own     index.Query
	suggest bool // our index is asked to complete

	words    []string // all of them
	prefix   string   // the beginning of one more word, "" for none
	partner  bool     // words are of a partner's name
	filters  index.Filters
	start    string // beginning of a whole name, instead of words
	similar  string // a whole name with a typing error, instead of words
	counting counting
}

// counting is what a query counts instead of listing.
type counting int

const (
	countNothing counting = iota
	countTotal            // up to index.MaxTotal
	countByUF
)

// rivalKind is one kind of question of the comparison.
type rivalKind struct {
	name string
	next func(r *rand.Rand) rivalQuery
}

// rivalText is a kind in which all engines are given a text.
func rivalText(name string, next func(r *rand.Rand) string) rivalKind {
	return rivalKind{name, func(r *rand.Rand) rivalQuery {
		text := next(r)
		return rivalQuery{own: index.Query{Text: text, Limit: searchLimit}, words: plainWords(text)}
	}}
}

func (l *queryLog) rivalKinds() []rivalKind {
	kinds := []rivalKind{
		rivalText("two words of a name", l.twoWords),
		rivalText("whole name", from(l.names)),
		rivalText("one common word", from(l.common)),
		rivalText("two common words", l.twoCommon),
		{"word and city", l.rivalCity},
		{"partner's name", l.rivalPartner},
		{"word and beginning", l.rivalBeginning},
		{"completion, 1 letter", l.rivalTyped(1, 1)},
		{"completion, 2 or 3 letters", l.rivalTyped(2, 3)},
		{"completion, 4 to 8 letters", l.rivalTyped(4, 8)},
		{"completion, beginning of a whole name", l.rivalStart},
		{"typing error", l.rivalTypo},
		rivalCount("exact total, two common words", countTotal, l.twoCommon),
		rivalCount("counts by UF, two common words", countByUF, l.twoCommon),
		{"common word, last page", func(r *rand.Rand) rivalQuery {
			word := pick(r, l.common)
			return rivalQuery{own: index.Query{Text: word, Offset: lastOffset, Limit: searchLimit}, words: plainWords(word)}
		}},
	}
	return append(kinds, l.rivalListings()...)
}

func (l *queryLog) rivalListings() []rivalKind {
	list := func(name string, order index.Order, offset int, narrow func(s *sketch) index.Filters) rivalKind {
		return rivalKind{name, func(r *rand.Rand) rivalQuery {
			s := pick(r, l.sketches)
			f := narrow(&s)
			return rivalQuery{own: index.Query{Filters: f, Order: order, Offset: offset, Limit: searchLimit}, filters: f}
		}}
	}
	return []rivalKind{
		list("listing, five filters", index.ByRank, 0, (*sketch).five),
		list("listing, UF and situation", index.ByRank, 0, (*sketch).two),
		list("listing, UF and situation, last page", index.ByRank, lastOffset, (*sketch).two),
		list("listing, UF and situation, by capital", index.ByCapital, 0, (*sketch).two),
		list("listing, UF and situation, by name", index.ByName, 0, (*sketch).two),
		list("listing, UF and situation, newest", index.ByNewest, 0, (*sketch).two),
	}
}

func (l *queryLog) twoCommon(r *rand.Rand) string { return pick(r, l.common) + " " + pick(r, l.common) }

func (l *queryLog) rivalCity(r *rand.Rand) rivalQuery {
	for {
		s := pick(r, l.sketches)
		m, ok := l.atlas.ByRFB(s.municipio)
		if !ok {
			continue
		}
		word := pick(r, wordsOf(s.name))
		return rivalQuery{
			own:   index.Query{Text: word + " " + m.Name + " " + m.UF, Limit: searchLimit},
			words: plainWords(word), filters: index.Filters{Municipio: s.municipio},
		}
	}
}

func (l *queryLog) rivalPartner(r *rand.Rand) rivalQuery {
	name := pick(r, l.partners)
	return rivalQuery{own: index.Query{Text: name, Limit: searchLimit}, words: plainWords(name), partner: true}
}

func (l *queryLog) rivalBeginning(r *rand.Rand) rivalQuery {
	words := wordsOf(pick(r, l.names))
	word, start := pick(r, words), beginning(pick(r, words), 2+r.IntN(3))
	return rivalQuery{
		own:   index.Query{Text: word + " " + start, Limit: searchLimit},
		words: plainWords(word), prefix: lettersOf(start),
	}
}

// rivalTyped completes the first word of a name.
func (l *queryLog) rivalTyped(low, high int) func(r *rand.Rand) rivalQuery {
	return func(r *rand.Rand) rivalQuery {
		start := beginning(wordsOf(pick(r, l.names))[0], low+r.IntN(high-low+1))
		return rivalQuery{own: index.Query{Text: start, Limit: suggestLimit}, suggest: true, prefix: lettersOf(start)}
	}
}

func (l *queryLog) rivalStart(r *rand.Rand) rivalQuery {
	start := beginning(pick(r, l.names), 3+r.IntN(8))
	return rivalQuery{own: index.Query{Text: start, Limit: suggestLimit}, suggest: true, start: index.Fold(start)}
}

func (l *queryLog) rivalTypo(r *rand.Rand) rivalQuery {
	text := misspelt(r, pick(r, l.names))
	return rivalQuery{own: index.Query{Text: text, Limit: searchLimit}, similar: index.Fold(text)}
}

func rivalCount(name string, what counting, next func(r *rand.Rand) string) rivalKind {
	return rivalKind{name, func(r *rand.Rand) rivalQuery {
		text := next(r)
		return rivalQuery{own: index.Query{Text: text}, words: plainWords(text), counting: what}
	}}
}

// lettersOf folds the beginning of a word and leaves out what is neither letter nor digit.
func lettersOf(start string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, index.Fold(start))
}
