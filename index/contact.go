package index

import (
	"context"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/filter"
	"razao/index/intent"
)

// byContact finds the establishments that have the telephone, the e-mail address or the street address
// that the text is, within what the words beside it say. It returns false if nothing has it in any
// reading and the text may be something else, and for a number that begins a CNPJ: it is that.
func (s *search) byContact(ctx context.Context, text []intent.Word) (bool, error) {
	if !s.query.takesContacts() || s.page.total > 0 {
		return false, nil
	}
	filters := s.filters
	for _, c := range intent.Contacts(s.query.Text) {
		if c.Doubtful { // rather the company that is called so than all in the street
			if err := s.run(ctx, s.read(intent.NewWords(text)), exactTier); err != nil || s.page.total > 0 {
				return false, err
			}
		}
		if found, err := s.grew(0, s.withContact(ctx, &c, text)); err != nil || found || c.Only {
			return true, err
		}
		s.filters, s.understood = filters, Understood{Phrases: s.understood.Phrases, Towns: s.understood.Towns}
	}
	return false, nil
}

// withContact tries one reading of the text as a contact. The words beside it are a place, a name, or
// a bairro, each of the latter with a place or without. A street without a number may go on as a place.
func (s *search) withContact(ctx context.Context, c *intent.Contact, text []intent.Word) error {
	filters, conditions, beside := s.filters, c.Conditions, intent.Parse(c.Rest)
	s.narrow(conditions)
	if len(beside) == 0 {
		if err := s.listIn(ctx, nil); err != nil || s.page.total > 0 || !c.Doubtful {
			return err
		}
		place, ok := s.index.gazetteer.Find(text)
		if !ok || place.To < len(text) || place.From == 0 {
			return nil
		}
		street := joined(text[:place.From])
		s.filters = filters
		s.narrow([]intent.Condition{{Words: street, Name: filter.Street, Value: street, Without: place.Words}})
		return s.listIn(ctx, &place)
	}
	if some, err := s.any(ctx); err != nil || !some {
		return err
	}
	if place, ok := s.index.gazetteer.Whole(beside); ok {
		if err := s.listIn(ctx, &place); err != nil || s.page.total > 0 {
			return err
		}
	}
	if err := s.attempt(ctx, beside, 0); err != nil || s.page.total > 0 || s.eval.budget.spent {
		return err
	}
	place, ok := s.index.gazetteer.Find(beside)
	if !ok {
		place = intent.Place{Rest: beside}
	}
	bairro := joined(place.Rest)
	without := strings.TrimSpace(conditions[0].Words + " " + place.Words)
	s.filters = filters
	s.narrow(append(slices.Clone(conditions), intent.Condition{Words: bairro, Name: filter.Bairro, Value: bairro, Without: without}))
	if !ok {
		return s.listIn(ctx, nil)
	}
	return s.listIn(ctx, &place)
}

// listIn lists what the filters leave, in a place unless it is nil, and notes the place if there is any.
// The matches are few: an ordered scan would not pay.
func (s *search) listIn(ctx context.Context, place *intent.Place) error {
	var filters []query.Query
	if place != nil {
		filters = append(filters, matchPlace(place))
	}
	err := s.runTier(ctx, s.read(intent.Words{}, filters...), listedTier)
	if err == nil && s.page.total > 0 && place != nil {
		s.understood.Places = []PlaceFilter{filterOf(place)}
	}
	return err
}

// any reports whether the filters leave anything.
func (s *search) any(ctx context.Context) (bool, error) {
	for i := range s.index.shards {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if docs, err := s.shard(i).evaluate(allOf(s.filters...), nil); err != nil || !isEmpty(docs) {
			return err == nil, err
		}
	}
	return false, nil
}

// joined returns the words separated by blanks.
func joined(words []intent.Word) string {
	texts := make([]string, len(words))
	for i, word := range words {
		texts[i] = word.Text
	}
	return strings.Join(texts, " ")
}
