package index

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"razao/index/intent"
	"razao/index/term"
)

// Limits of relaxation, beside the words of budget.
const (
	minCorrectedRunes = 4 // shorter words are one edit away from too many others
	maxCandidates     = 6 // replacements tried for one word
	maxCorrected      = 5 // words tried as the misspelt one, when the index knows them all
	maxDrops          = 6 // words tried as the one to leave out
)

// knownWord is a word of a query without matches and its document frequency.
type knownWord struct {
	at   int   // position in the query
	docs int64 // documents that have it, in names or partners
}

// rescue relaxes a query without matches, step by step until there are some: rare prefixes, words
// that sound alike, one typing error, words as somebody may mean them who writes by ear, one word
// less. The words of a likely place are neither corrected nor dropped: another place would answer
// another query.
func (s *search) rescue(ctx context.Context, text []intent.Word, place *intent.Place) error {
	if s.unfinished(text, place) {
		if err := s.run(ctx, s.read(intent.NewWords(text)), rarePrefixTier); err != nil || s.page.total > 0 {
			return err
		}
	}
	if err := s.alike(ctx, text, place, soundTiers); err != nil || s.page.total > 0 {
		return err
	}
	known, err := s.rarestFirst(text)
	if place.Likely {
		known = slices.DeleteFunc(known, func(w knownWord) bool { return w.at >= place.From && w.at < place.To })
	}
	if err != nil || len(known) == 0 {
		return err
	}
	if err := s.correct(ctx, text, known); err != nil || s.page.total > 0 {
		return err
	}
	if err := s.alike(ctx, text, place, meantTiers); err != nil || s.page.total > 0 {
		return err
	}
	if s.query.AllWords {
		return nil
	}
	return s.drop(ctx, text, known)
}

// alike searches for words that sound like the typed ones, with the likely place as part of the
// name and then as a filter.
func (s *search) alike(ctx context.Context, text []intent.Word, place *intent.Place, tiers []tier) error {
	if err := s.run(ctx, s.read(intent.NewWords(text)), tiers...); err != nil || s.page.total > 0 || !place.Likely {
		return err
	}
	if err := s.run(ctx, s.read(intent.NewWords(place.Rest), matchPlace(place)), tiers...); err != nil || s.page.total == 0 {
		return err
	}
	s.understood.Places = []PlaceFilter{filterOf(place)}
	return nil
}

// rarestFirst returns the words that may be corrected or dropped, by ascending document frequency.
// Unknown words come first: they are most likely misspelt. Quoted words and those without weight
// are left out.
func (s *search) rarestFirst(typed []intent.Word) ([]knownWord, error) {
	var out []knownWord
	for i, q := range typed {
		if q.Phrase != 0 || term.IsWeightless([]byte(q.Text)) {
			continue
		}
		docs, err := s.frequency(q.Text)
		if err != nil {
			return nil, err
		}
		out = append(out, knownWord{i, docs})
	}
	slices.SortStableFunc(out, func(a, b knownWord) int { return cmp.Compare(a.docs, b.docs) })
	return out, nil
}

// frequency returns in how many documents a name or a partner has a word.
func (s *search) frequency(word string) (int64, error) {
	names, err := s.documents(term.FieldName, term.Canonical([]byte(word)))
	if err != nil {
		return 0, err
	}
	partners, err := s.documents(term.FieldPartner, word)
	return names + partners, err
}

// documents returns how many documents have a term in a field.
func (s *search) documents(field byte, text string) (n int64, err error) {
	for i := range s.index.shards {
		docs, err := s.shard(i).docsWith(term.NameOfField(field), text)
		if err != nil {
			return 0, err
		}
		n += int64(sizeOf(docs))
	}
	return n, nil
}

// correct replaces a misspelt word by similar ones until there are matches. The misspelt word is
// the one that no document has. If the index knows all words, each is tried, unless filters may be
// why there are no matches. Of two unknown words the first is replaced by its best candidate and
// the second tried; three are no typing error. The name of a municipality is none either, though no
// document may have it.
func (s *search) correct(ctx context.Context, text []intent.Word, known []knownWord) error {
	town := s.index.gazetteer.InTowns(text)
	left := slices.DeleteFunc(slices.Clone(known), func(w knownWord) bool { return town[w.at] })
	if len(left) == 0 || left[0].docs > 0 && known[0].docs == 0 {
		return nil
	}
	known = left
	unknown := 0
	for unknown < len(known) && known[unknown].docs == 0 {
		unknown++
	}
	if unknown > 2 || unknown == 0 && len(s.filters) > 0 {
		return nil
	}
	var before []Correction
	text = slices.Clone(text)
	if unknown == 2 {
		similar, err := s.similar(text[known[0].at].Text)
		if err != nil || len(similar) == 0 {
			return err
		}
		before = append(before, Correction{text[known[0].at].Text, similar[0]})
		text[known[0].at].Text = similar[0]
		known = known[1:]
	}
	known = known[:min(len(known), maxCorrected)]
	if unknown > 0 {
		known = known[:1]
	}
	for _, word := range known {
		typed := text[word.at].Text
		similar, err := s.similar(typed)
		if err != nil {
			return err
		}
		for _, instead := range similar {
			text[word.at].Text = instead
			if err := s.attempt(ctx, text, WhyCorrected); err != nil {
				return err
			}
			if s.page.total > 0 {
				s.understood.Corrections = append(before, Correction{typed, instead})
				return nil
			}
			if s.eval.budget.spent {
				return nil
			}
		}
		text[word.at].Text = typed
	}
	return nil
}

// similar returns the words of names and partners within Damerau-Levenshtein distance 1 that begin
// with the same letter, by descending document frequency, at most maxCandidates. A Levenshtein
// automaton is intersected with the term dictionaries. The result is cached, because a name is searched for in several
// places and without one word after the other; the caller must not change it.
func (s *search) similar(word string) ([]string, error) {
	if utf8.RuneCountInString(word) < minCorrectedRunes || strings.ContainsAny(word, "0123456789") {
		return nil, nil
	}
	s.eval.budget.work += similarSteps
	if known, ok := s.index.misspelt.Get(word); ok {
		return known, nil
	}
	dfa, err := s.index.typos.BuildDfa(word, 1)
	if err != nil {
		return nil, err
	}
	_, first := utf8.DecodeRuneInString(word)
	counts := make(map[string]int64)
	for i := range s.index.shards {
		for _, field := range []byte{term.FieldName, term.FieldPartner} {
			if err := s.shard(i).Similar(field, word, word[:first], dfa, counts); err != nil {
				return nil, err
			}
		}
	}
	out := make([]string, 0, len(counts))
	for candidate := range counts {
		out = append(out, candidate)
	}
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	out = slices.Clip(out[:min(len(out), maxCandidates)])
	s.index.misspelt.Add(word, out)
	return out, nil
}

// drop searches without one word: first without those that no document has, which may be misspelt, then without
// the commonest, which says least. So AGROPECUARIA LAPATIFE finds PADARIA LAPATIFE and not every AGROPECUARIA.
func (s *search) drop(ctx context.Context, text []intent.Word, known []knownWord) error {
	if len(known) < 2 || s.eval.budget.spent {
		return nil
	}
	unknown := slices.IndexFunc(known, func(w knownWord) bool { return w.docs > 0 })
	if unknown >= 0 {
		slices.Reverse(known[unknown:])
	}
	for _, word := range known[:min(len(known), maxDrops)] {
		rest := slices.Delete(slices.Clone(text), word.at, word.at+1)
		if !slices.ContainsFunc(rest, intent.Word.HasLetter) {
			continue
		}
		if err := s.attempt(ctx, rest, WhyPartial); err != nil {
			return err
		}
		if s.page.total > 0 {
			s.understood.Dropped = []string{text[word.at].Text}
			return nil
		}
		if s.eval.budget.spent {
			return nil
		}
	}
	return nil
}
