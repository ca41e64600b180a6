// Package match writes Bleve queries over the fields of package term: what it means that words are in a name, or that a partner has them.
// They are the same for every shard. Package index answers them from the postings; stock Bleve answers them too.
package match

import (
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/intent"
	"razao/index/term"
	"razao/index/text"
)

// Has matches the documents with a term.
func Has(field byte, text string) query.Query {
	q := query.NewTermQuery(text)
	q.SetField(term.NameOfField(field))
	return q
}

// begins matches the documents with a term that begins so.
func begins(field byte, text string) query.Query {
	q := query.NewPrefixQuery(text)
	q.SetField(term.NameOfField(field))
	return q
}

// All matches what all of them match.
func All(queries ...query.Query) query.Query { return query.NewConjunctionQuery(queries) }

// Names matches all words and phrases in the names.
func Names(w *intent.Words) query.Query { return names(w, len(w.All)) }

// Exact matches a name that is the words, and nothing more with weight.
func Exact(w *intent.Words) query.Query {
	return names(w, len(w.All), Has(term.FieldFilter, w.NameKey))
}

// names matches the first n words and all phrases in the names, and all of more.
func names(w *intent.Words, n int, more ...query.Query) query.Query {
	for _, pair := range w.Pairs {
		more = append(more, Has(term.FieldFilter, pair))
	}
	for _, word := range w.All[:n] {
		more = append(more, Has(term.FieldName, word))
	}
	return All(more...)
}

// Activity matches the documents with one of some main activities.
func Activity(codes []string) query.Query {
	var terms []query.Query
	for _, code := range codes {
		terms = append(terms, Has(term.FieldFilter, term.MainCNAE+code))
	}
	if len(terms) == 1 {
		return terms[0]
	}
	return query.NewDisjunctionQuery(terms)
}

// Place matches the documents of a place.
func Place(p *intent.Place) query.Query {
	if p.Municipio != "" {
		return Has(term.FieldFilter, term.Municipio+p.Municipio)
	}
	return Has(term.FieldFilter, term.UF+p.UF)
}

// Sound takes words for others that sound like them. How a word sounds is indexed where it is not how it is written.
func Sound(w *intent.Words) query.Query {
	var words []query.Query
	for _, word := range w.Typed {
		alike := []query.Query{Has(term.FieldName, text.Canonical([]byte(word)))}
		if sound := text.Sound(word); sound != word {
			alike = append(alike, Has(term.FieldName, strings.ToLower(sound)), Has(term.FieldSound, sound))
		}
		words = append(words, query.NewDisjunctionQuery(alike))
	}
	return All(words...)
}

// Typing takes the last word as a prefix: of up to five letters in active establishments only, which have a field for it.
func Typing(w *intent.Words) query.Query {
	n := len(w.All)
	if w.IsLast {
		n--
	}
	if utf8.RuneCountInString(w.Last) <= term.MaxPrefixRunes {
		return names(w, n, Has(term.FieldPrefix, w.Last))
	}
	return names(w, n, begins(term.FieldName, w.Last))
}

// MinRarePrefix is how long a prefix must be to be looked for among all words: shorter ones begin too many.
const MinRarePrefix = 3

// RarePrefix takes a short last word as a prefix of words that only inactive establishments have; nil when there is no such word.
func RarePrefix(w *intent.Words) query.Query {
	if runes := utf8.RuneCountInString(w.Last); !w.IsLast || runes < MinRarePrefix || runes > term.MaxPrefixRunes {
		return nil
	}
	return names(w, len(w.All)-1, begins(term.FieldName, w.Last))
}

// Partner matches documents one of whose partners has all the words.
func Partner(w *intent.Words) query.Query {
	var words []query.Query
	for _, word := range w.Typed {
		words = append(words, Has(term.FieldPartner, word))
	}
	if len(words) < 2 {
		return All(words...)
	}
	var persons []query.Query
	for i := range term.PartnerSlots {
		var person []query.Query
		for _, word := range w.Typed {
			person = append(person, Has(term.FieldFilter, term.PartnerHash(i, word).Term(term.PartnerWord)))
		}
		persons = append(persons, All(person...))
	}
	return All(append(words, query.NewDisjunctionQuery(persons))...)
}
