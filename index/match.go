package index

import (
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/intent"
	"razao/index/term"
	"razao/index/text"
)

// The tiers below are Bleve queries over the fields of package term, the same for every shard. evaluate answers them from
// the postings; stock Bleve answers them too, which a test holds them to.

// has matches the documents with a term.
func has(field byte, text string) query.Query {
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

// all matches what all of them match.
func all(queries ...query.Query) query.Query { return query.NewConjunctionQuery(queries) }

// names matches the first n words and all phrases in the names, and all of more.
func names(w *intent.Words, n int, more ...query.Query) query.Query {
	for _, pair := range w.Pairs {
		more = append(more, has(term.FieldFilter, pair))
	}
	for _, word := range w.All[:n] {
		more = append(more, has(term.FieldName, word))
	}
	return all(more...)
}

// activity matches the documents with one of some main activities.
func activity(codes []string) query.Query {
	var terms []query.Query
	for _, code := range codes {
		terms = append(terms, has(term.FieldFilter, term.MainCNAE+code))
	}
	if len(terms) == 1 {
		return terms[0]
	}
	return query.NewDisjunctionQuery(terms)
}

// tier is one way of matching the words of a reading.
type tier struct {
	why   Why
	query func(*intent.Words) query.Query // nil when the words have nothing to ask in this way
}

// The tiers of searches and of suggestions.
var (
	exactTier = tier{WhyExactName, func(w *intent.Words) query.Query {
		return names(w, len(w.All), has(term.FieldFilter, w.NameKey))
	}}
	nameTier = tier{WhyName, func(w *intent.Words) query.Query { return names(w, len(w.All)) }}
	// prefixTier takes the last word as a prefix, unless it has no weight.
	prefixTier = tier{WhyPrefix, func(w *intent.Words) query.Query {
		if !w.IsLast {
			return nil
		}
		return typing(w)
	}}
	partnerTier = tier{WhyPartner, partner}
	// typingTier takes the last word as a prefix even when it has no weight: "do" may become "dois".
	typingTier = tier{WhyPrefix, typing}
	// typedTier ignores a last word without weight: "padaria do" waits for the next word.
	typedTier = tier{WhyName, func(w *intent.Words) query.Query {
		if w.IsLast {
			return nil
		}
		return names(w, len(w.All))
	}}
	// rarePrefixTier takes a short last word as a prefix of words that only inactive establishments have.
	rarePrefixTier = tier{WhyPrefix, func(w *intent.Words) query.Query {
		if runes := utf8.RuneCountInString(w.Last); !w.IsLast || runes < minRarePrefix || runes > term.MaxPrefixRunes {
			return nil
		}
		return names(w, len(w.All)-1, begins(term.FieldName, w.Last))
	}}
	// soundTier takes words for others that sound like them. How a word sounds is indexed where it is not how it is written.
	soundTier = tier{WhySound, func(w *intent.Words) query.Query {
		var words []query.Query
		for _, word := range w.Typed {
			alike := []query.Query{has(term.FieldName, text.Canonical([]byte(word)))}
			if sound := text.Sound(word); sound != word {
				alike = append(alike, has(term.FieldName, strings.ToLower(sound)), has(term.FieldSound, sound))
			}
			words = append(words, query.NewDisjunctionQuery(alike))
		}
		return all(words...)
	}}
	listedTier = tier{WhyListed, func(*intent.Words) query.Query { return query.NewMatchAllQuery() }}
)

// minRarePrefix is how long a prefix must be to be looked for among all words: shorter ones begin too many.
const minRarePrefix = 3

// typing takes the last word as a prefix: of up to five letters in active establishments only, which have a field for it.
func typing(w *intent.Words) query.Query {
	n := len(w.All)
	if w.IsLast {
		n--
	}
	if utf8.RuneCountInString(w.Last) <= term.MaxPrefixRunes {
		return names(w, n, has(term.FieldPrefix, w.Last))
	}
	return names(w, n, begins(term.FieldName, w.Last))
}

// partner matches documents one of whose partners has all the words.
func partner(w *intent.Words) query.Query {
	var words []query.Query
	for _, word := range w.Typed {
		words = append(words, has(term.FieldPartner, word))
	}
	if len(words) < 2 {
		return all(words...)
	}
	var persons []query.Query
	for i := range term.PartnerSlots {
		var person []query.Query
		for _, word := range w.Typed {
			person = append(person, has(term.FieldFilter, term.PartnerHash(i, word).Term(term.PartnerWord)))
		}
		persons = append(persons, all(person...))
	}
	return all(append(words, query.NewDisjunctionQuery(persons))...)
}
