package index

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/intent"
	"razao/index/term"
)

// suggest collects completions: whole names and names with the last word as a prefix, then those in the
// place that is named, then companies of partners, for whom a third of the page is kept.
func (s *search) suggest(ctx context.Context) error {
	text := intent.Parse(s.query.Text)
	if err := s.byNumber(ctx); err != nil || s.isNumber() {
		return err
	}
	literal := s.read(intent.NewWords(text))
	if err := s.run(ctx, literal, exactTier, typingTier, typedTier); err != nil {
		return err
	}
	if letters, ok := intent.Apart(text); ok {
		if err := s.run(ctx, s.read(intent.NewWords(letters)), typingTier, typedTier); err != nil {
			return err
		}
	}
	if len(text) == 0 {
		return nil
	}
	readings := []*reading{literal}
	if place, ok := s.place(text); ok && place.Likely {
		rest := place.Rest
		for last := len(rest) - 1; last > 0 && term.IsWeightless([]byte(rest[last].Text)); last-- {
			rest = rest[:last] // "em" campinas
		}
		there := s.read(intent.NewWords(rest), matchPlace(&place))
		if readings = append(readings, there); !s.page.done() {
			if err := s.run(ctx, there, exactTier, nameTier, typingTier); err != nil {
				return err
			}
		}
	}
	if err := s.people(ctx, readings); err != nil || s.page.total > 0 {
		return err
	}
	return s.guess(ctx, text, literal)
}

// people adds companies whose partners have the words of a reading, the last one whole or begun. They
// fill the page, or take the last third of a full one.
func (s *search) people(ctx context.Context, readings []*reading) error {
	most, names := s.page.limit, len(s.page.hits)
	s.page.limit = max(most, names+most/3)
	for _, r := range readings {
		if len(r.words.All) < 2 || s.page.done() { // one word is the name of too many people
			continue
		}
		tier, err := s.begunTier(ctx, r)
		if err != nil {
			return err
		}
		if err := s.runTier(ctx, r, tier); err != nil {
			return err
		}
	}
	kept := min(names, most-(len(s.page.hits)-names))
	s.page.limit, s.page.hits, s.page.docs = most, slices.Delete(s.page.hits, kept, names), slices.Delete(s.page.docs, kept, names)
	return nil
}

// begunTier is partnerTier with the last word as the beginning of one, if it has letters enough. Partners
// have no postings of prefixes, so it is completed first.
func (s *search) begunTier(ctx context.Context, r *reading) (tier, error) {
	last := len(r.words.Typed) - 1
	if !r.words.IsLast || utf8.RuneCountInString(r.words.Last) < minRarePrefix {
		return partnerTier, nil
	}
	words, err := s.completions(ctx, r, last)
	return tier{WhyPartner, func(w *intent.Words) query.Query { return matchPartner(append(asWritten(w)[:last], words)) }}, err
}

// enoughCompleted is in how many documents completions are looked for: what is rarer in the first
// shards is rare.
const enoughCompleted = 30

// completions returns the last word and those that it begins, of partners in documents that have the
// other words, too: the maxCandidates most frequent.
func (s *search) completions(ctx context.Context, r *reading, last int) ([]string, error) {
	others := slices.Clone(r.filters)
	for _, word := range r.words.Typed[:last] {
		others = append(others, hasTerm(term.FieldPartner, word))
	}
	counts, found := map[string]int{}, 0
	for i := 0; i < len(s.index.shards) && found < enoughCompleted && !s.eval.budget.spent; i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v := s.shard(i)
		docs, err := v.evaluate(allOf(others...), nil)
		if err != nil {
			return nil, err
		}
		if isEmpty(docs) {
			continue
		}
		var bad error
		err = v.Terms(term.FieldPartner, []byte(r.words.Last), nil, func(word string) bool {
			var having *roaring.Bitmap
			if having, bad = v.visible(term.FieldPartner, word); bad != nil || !s.eval.budget.expand() {
				return false
			}
			if n := sizeOf(v.and(having, docs)); n > 0 {
				counts[word], found = counts[word]+n, found+n
			}
			return !s.eval.budget.spent
		})
		if err := cmp.Or(err, bad); err != nil {
			return nil, err
		}
	}
	delete(counts, r.words.Last)
	words := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	return append(words[:min(len(words), maxCandidates)], r.words.Last), nil
}

// guess completes a text that no name begins with: without its last word if that is still too
// short, by prefixes that only inactive establishments have, and at last by correcting a word that
// no document has.
func (s *search) guess(ctx context.Context, text []intent.Word, literal *reading) error {
	if last := len(text) - 1; last > 0 && len(text[last].Text) < minRarePrefix { // "bistro d" waits for "bistro da"
		waiting := s.read(intent.NewWords(text[:last]))
		if err := s.run(ctx, waiting, nameTier); err != nil {
			return err
		}
		return s.people(ctx, []*reading{waiting})
	}
	if err := s.run(ctx, literal, rarePrefixTier); err != nil || s.page.total > 0 {
		return err
	}
	known, err := s.rarestFirst(text)
	if err != nil || len(known) == 0 || known[0].docs > 0 {
		return err
	}
	return s.correct(ctx, text, known)
}
