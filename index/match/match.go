// Package match translates the words of a query into Bleve queries over the fields of package term.
// There is one function for each way of matching: whole name, all words, prefix, sound, partner,
// activity, place.
//
// A query holds for every shard and does not depend on how it is evaluated: package eval evaluates
// it with bitmaps, and a test compares that with stock Bleve. The index stores no positions, so
// adjacent words are terms of their own (hashes of word pairs), and a phrase is a conjunction like
// everything else.
package match

import (
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/intent"
	"razao/index/term"
	"razao/index/text"
)

// Has matches the documents that have a term in a field; see the constants of package term for
// both.
func Has(field byte, text string) query.Query {
	q := query.NewTermQuery(text)
	q.SetField(term.NameOfField(field))
	return q
}

// begins matches the documents that have a term with this prefix in a field.
func begins(field byte, text string) query.Query {
	q := query.NewPrefixQuery(text)
	q.SetField(term.NameOfField(field))
	return q
}

// All matches what every query matches. Package eval takes All of nothing as everything.
func All(queries ...query.Query) query.Query { return query.NewConjunctionQuery(queries) }

// Names matches documents whose legal and trade name together have all words, and have quoted words
// next to each other.
func Names(w *intent.Words) query.Query { return names(w, len(w.All)) }

// Exact matches documents one of whose names consists of these words in this order, particles and
// legal suffixes aside. Whole names are indexed as 16-bit hashes, which collide, so the words are
// asked for as well.
func Exact(w *intent.Words) query.Query {
	return names(w, len(w.All), Has(term.FieldFilter, w.NameKey))
}

// names matches the first n words and all quoted pairs in the names, and the queries of more.
func names(w *intent.Words, n int, more ...query.Query) query.Query {
	for _, pair := range w.Pairs {
		more = append(more, Has(term.FieldFilter, pair))
	}
	for _, word := range w.All[:n] {
		more = append(more, Has(term.FieldName, word))
	}
	return All(more...)
}

// Activity matches documents whose main activity is one of codes, which may be sections, divisions,
// groups, classes or subclasses. There must be at least one.
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

// Place matches documents in a municipality or, if there is none, in a UF.
func Place(p *intent.Place) query.Query {
	if p.Municipio != "" {
		return Has(term.FieldFilter, term.Municipio+p.Municipio)
	}
	return Has(term.FieldFilter, term.UF+p.UF)
}

// Sound matches documents whose names have, for each word, the word itself or one that sounds like
// it. The index has the sound of a word only where it differs from the spelling, so both the words
// and the sounds are asked for it.
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

// Typing is Names with the last word as a prefix: search as you type.
//
// Prefixes of up to term.MaxPrefixRunes letters have postings of their own (edge n-grams), which
// cover active establishments only. Longer ones are expanded in the term dictionary. If w.IsLast is
// false, the last word is a particle or ends a quotation: then all words are required, and the
// prefix besides.
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

// MinRarePrefix is the fewest letters of a prefix that is expanded in the term dictionary by
// [RarePrefix]: shorter ones have too many terms.
const MinRarePrefix = 3

// RarePrefix is Typing for a short last word by expansion of the dictionary, which also finds words
// that only inactive establishments have. It returns nil when the prefix is too short, too long or
// the text does not end in a word that may go on.
func RarePrefix(w *intent.Words) query.Query {
	if runes := utf8.RuneCountInString(w.Last); !w.IsLast || runes < MinRarePrefix || runes > term.MaxPrefixRunes {
		return nil
	}
	return names(w, len(w.All)-1, begins(term.FieldName, w.Last))
}

// Partner matches documents that have all words in the name of one partner. Every word is a term;
// words of different partners are told apart by hashes of word and partner slot, so that "maria
// silva" does not match a company of Maria Souza and João Silva. Slots are reused from the ninth
// partner on (term.PartnerSlots).
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
