package index

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/intent"
	"razao/index/term"
)

// tier is one way of matching the words of a reading: the reason of its hits and the query.
type tier struct {
	why   Why
	query func(*intent.Words) query.Query // nil when the words have nothing to ask in this way
}

// Tiers of searches and suggestions. They differ in what the last word may be, since a suggestion
// is asked for in the middle of a word.
var (
	exactTier = tier{WhyExactName, matchExact}
	nameTier  = tier{WhyName, matchNames}
	// prefixTier takes the last word as a prefix, unless it has no weight.
	prefixTier = tier{WhyPrefix, func(w *intent.Words) query.Query {
		if !w.IsLast {
			return nil
		}
		return matchTyping(w)
	}}
	partnerTier = tier{WhyPartner, func(w *intent.Words) query.Query {
		return matchPartner(asWritten(w))
	}}
	// typingTier also takes a last word without weight as a prefix: "do" may become "dois".
	typingTier = tier{WhyPrefix, matchTyping}
	// typedTier ignores a last word without weight: "padaria do" waits for the next word.
	typedTier = tier{WhyName, func(w *intent.Words) query.Query {
		if w.IsLast {
			return nil
		}
		return matchNames(w)
	}}
	rarePrefixTier = tier{WhyPrefix, matchRarePrefix}
	listedTier     = tier{WhyListed, func(*intent.Words) query.Query { return query.NewMatchAllQuery() }}
	soundTiers     = tiersOfSound(term.Sounds) // words that sound alike
	meantTiers     = tiersOfSound(term.ByEar)  // words that somebody may mean who writes by ear
)

// tiersOfSound returns the tiers of companies and of partners whose names share a reading with the words.
func tiersOfSound(readings func(string) []string) []tier {
	return []tier{
		{WhySound, func(w *intent.Words) query.Query { return matchSound(w, readings) }},
		{WhyPartner, func(w *intent.Words) query.Query { return matchPartner(spellings(w, readings)) }},
	}
}

// The functions below translate the words of a reading into Bleve queries over the fields of package
// term, one function for each way of matching. A query holds for every shard and does not depend on
// how it is evaluated: an evaluator does so with bitmaps, and a test compares that with stock Bleve.
// The index stores no positions, so adjacent words are terms of their own (hashes of word pairs), and
// a phrase is a conjunction like everything else.

// hasTerm matches the documents that have a term in a field; see the constants of package term for
// both.
func hasTerm(field byte, text string) query.Query {
	q := query.NewTermQuery(text)
	q.SetField(term.NameOfField(field))
	return q
}

// beginsWith matches the documents that have a term with this prefix in a field.
func beginsWith(field byte, text string) query.Query {
	q := query.NewPrefixQuery(text)
	q.SetField(term.NameOfField(field))
	return q
}

// allOf matches what every query matches. allOf nothing is everything.
func allOf(queries ...query.Query) query.Query { return query.NewConjunctionQuery(queries) }

// matchNames matches documents whose legal and trade name together have all words, and have quoted words
// next to each other.
func matchNames(w *intent.Words) query.Query { return allWords(w, len(w.All)) }

// matchExact matches documents one of whose names consists of these words in this order, particles and
// legal suffixes aside. Whole names are indexed as 16-bit hashes, which collide, so the words are
// asked for as well.
func matchExact(w *intent.Words) query.Query {
	return allWords(w, len(w.All), hasTerm(term.FieldFilter, w.NameKey))
}

// allWords matches the first n words and all quoted pairs in the names, and the queries of more.
func allWords(w *intent.Words, n int, more ...query.Query) query.Query {
	for _, pair := range w.Pairs {
		more = append(more, hasTerm(term.FieldFilter, pair))
	}
	for _, word := range w.All[:n] {
		more = append(more, hasTerm(term.FieldName, word))
	}
	return allOf(more...)
}

// matchActivity matches documents whose main activity is one of codes, which may be sections, divisions,
// groups, classes or subclasses. There must be at least one.
func matchActivity(codes []string) query.Query {
	return oneOf(codes, func(code string) query.Query { return hasTerm(term.FieldFilter, term.MainCNAE+code) })
}

// matchPlace matches documents in a municipality or, if there is none, in a UF.
func matchPlace(p *intent.Place) query.Query {
	if p.Municipio != "" {
		return hasTerm(term.FieldFilter, term.Municipio+p.Municipio)
	}
	return hasTerm(term.FieldFilter, term.UF+p.UF)
}

// spellings returns, for each word as typed, the forms under which the index has it and the words that
// sound alike: folded words, and sounds in capitals. The index has the sound of a word only where it
// differs from the spelling, so a word that is written as it sounds is asked for, too.
func spellings(w *intent.Words, readings func(string) []string) [][]string {
	all := make([][]string, len(w.Typed))
	for i, word := range w.Typed {
		all[i] = []string{word}
		for _, sound := range readings(w.Spoken[i]) {
			written := term.Written(sound)
			if written == sound { // not pronounced
				continue
			}
			all[i] = append(all[i], sound)
			if written != word && slices.Contains(term.Sounds(written), sound) {
				all[i] = append(all[i], written)
			}
		}
	}
	return all
}

// asWritten is spellings with each word as its only form.
func asWritten(w *intent.Words) [][]string {
	return spellings(w, func(string) []string { return nil })
}

// matchSound matches documents whose names have, for each word, the word itself or one that sounds like
// it.
func matchSound(w *intent.Words, readings func(string) []string) query.Query {
	var words []query.Query
	for i, forms := range spellings(w, readings) {
		alike := []query.Query{hasTerm(term.FieldName, w.All[i])}
		for _, form := range forms {
			field := byte(term.FieldName)
			if form != strings.ToLower(form) {
				field = term.FieldSound
			}
			alike = append(alike, hasTerm(field, form))
		}
		words = append(words, query.NewDisjunctionQuery(alike))
	}
	return allOf(words...)
}

// matchTyping is matchNames with the last word as a prefix: search as you type.
//
// Prefixes of up to term.MaxPrefixRunes letters have postings of their own (edge n-grams), which
// cover active establishments only. Longer ones are expanded in the term dictionary. If w.IsLast is
// false, the last word is a particle or ends a quotation: then all words are required, and the
// prefix besides.
func matchTyping(w *intent.Words) query.Query {
	n := len(w.All)
	if w.IsLast {
		n--
	}
	if utf8.RuneCountInString(w.Last) <= term.MaxPrefixRunes {
		return allWords(w, n, hasTerm(term.FieldPrefix, w.Last))
	}
	return allWords(w, n, beginsWith(term.FieldName, w.Last))
}

// minRarePrefix is the fewest letters of a prefix that is expanded in the term dictionary by
// [matchRarePrefix]: shorter ones have too many terms.
const minRarePrefix = 3

// matchRarePrefix is matchTyping for a short last word by expansion of the dictionary, which also finds words
// that only inactive establishments have. It returns nil when the prefix is too short, too long or
// the text does not end in a word that may go on.
func matchRarePrefix(w *intent.Words) query.Query {
	if runes := utf8.RuneCountInString(w.Last); !w.IsLast || runes < minRarePrefix || runes > term.MaxPrefixRunes {
		return nil
	}
	return allWords(w, len(w.All)-1, beginsWith(term.FieldName, w.Last))
}

// matchPartner matches documents that have all words in the name of one partner, each in one of its
// forms. Every word is a term; words of different partners are told apart by hashes of word and partner
// slot, so that "maria silva" does not match a company of Maria Souza and João Silva. Slots are reused
// from the ninth partner on (term.PartnerSlots).
func matchPartner(words [][]string) query.Query {
	ofAnyone := eachOf(words, func(form string) query.Query { return hasTerm(term.FieldPartner, form) })
	if len(words) < 2 {
		return allOf(ofAnyone...)
	}
	var persons []query.Query
	for i := range term.PartnerSlots {
		persons = append(persons, allOf(eachOf(words, func(form string) query.Query {
			return hasTerm(term.FieldFilter, term.PartnerHash(i, form).Term(term.PartnerWord))
		})...))
	}
	return allOf(append(ofAnyone, query.NewDisjunctionQuery(persons))...)
}

// eachOf returns a query for each word, which matches any of its forms.
func eachOf(words [][]string, has func(form string) query.Query) []query.Query {
	all := make([]query.Query, len(words))
	for i, forms := range words {
		all[i] = oneOf(forms, has)
	}
	return all
}

// oneOf matches what the query of one of several values matches. There must be at least one.
func oneOf(values []string, match func(value string) query.Query) query.Query {
	var queries []query.Query
	for _, value := range values {
		queries = append(queries, match(value))
	}
	if len(queries) == 1 {
		return queries[0]
	}
	return query.NewDisjunctionQuery(queries)
}
