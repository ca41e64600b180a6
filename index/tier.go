package index

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/filter"
	"razao/index/intent"
	"razao/internal/data/cnpj"
)

// search is one query on its way through tiers and shards. It is the collector: it ends as soon as
// the page is full and the total known, or the budget is spent.
//
// A search belongs to one goroutine and ends with end. Its shards are opened when it reaches them,
// so a query that the first shards answer never touches the others.
type search struct {
	index      *Index
	eval       *evaluation
	page       *page
	query      *Query
	filters    []query.Query // of the query, all of which must match
	number     intent.Number
	shards     []*shardSearch // opened when the search reaches the shard
	reason     Why            // overrides the reason of the tiers, unless 0
	understood Understood
	byCompany  bool        // collapse by company
	rescued    bool        // nothing matched as typed
	readings   []*reading  // whose words were looked for: see showHeadOffices
	scan       orderedScan // in other orders than ByRank
}

// shardSearch is the state of a search in one shard. All sets are numbered within the shard; nil is
// empty.
type shardSearch struct {
	*evaluator
	search  *search
	seen    *roaring.Bitmap // found by earlier tiers
	outside *roaring.Bitmap // found by earlier tiers, but rejected by range filters
	claimed *roaring.Bitmap // principal documents whose company is represented by another one
	// In other orders than ByRank:
	parts    []part          // seen by reason
	found    *roaring.Bitmap // every match
	kept     *roaring.Bitmap // found after collapsing
	searched bool            // found is complete
}

// part is the documents that were found for one reason.
type part struct {
	docs *roaring.Bitmap
	why  Why
}

// reading is one interpretation of the text: words, and the filters that other words became. Range
// filters are kept apart because columns are slow to read: tiers ask them only about what is left.
type reading struct {
	words           intent.Words
	filters, ranges []query.Query
}

// begin starts a search. The caller must call end.
func (ix *Index) begin(q *Query, p *page, b budget) *search {
	sources := &ix.sources
	if q.asksOfCompanies() {
		sources = sources.OfCompanies()
	}
	return &search{
		index: ix, page: p, query: q,
		eval:    &evaluation{columns: ix.columns, sources: sources, hidden: ix.hidden.Load(), scratch: ix.scratch(), budget: b},
		filters: q.Filters.Queries(), number: intent.ParseNumber(q.Text), byCompany: q.ByCompany,
		shards: make([]*shardSearch, len(ix.shards)), scan: orderedScan{representatives: map[cnpj.Root]uint32{}},
	}
}

// end releases views and scratch memory. Hits and sets stay valid.
func (s *search) end() {
	for _, v := range s.shards {
		if v != nil {
			v.Release()
		}
	}
	s.index.scratches.Put(s.eval.scratch)
}

// read returns a reading of words, with the filters of the query and more.
func (s *search) read(w intent.Words, more ...query.Query) *reading {
	r := &reading{words: w, filters: more}
	for _, q := range s.filters {
		if _, ok := q.(*filter.Range); ok {
			r.ranges = append(r.ranges, q)
		} else {
			r.filters = append(r.filters, q)
		}
	}
	return r
}

// shard returns the state of shard i, opened when it is first asked for.
func (s *search) shard(i int) *shardSearch {
	if s.shards[i] == nil {
		s.shards[i] = &shardSearch{evaluator: s.eval.evaluator(s.index.shards[i], i, s.index.bases[i]), search: s}
	}
	return s.shards[i]
}

// gather collects matches until the page is full: of the text, or of the filters alone.
func (s *search) gather(ctx context.Context) error {
	if s.query.Text == "" {
		return s.list(ctx)
	}
	return s.find(ctx)
}

// find collects the matches of a text. It tries more and more liberal interpretations and stops
// after the first that has matches: number and activity code, the text as typed, conditions in
// words as filters, the companies of a town, and at last rescue.
func (s *search) find(ctx context.Context) error {
	text := intent.Parse(s.query.Text)
	s.understood.Phrases, s.understood.Towns = intent.Phrases(text), s.towns(text)
	if err := s.byNumber(ctx); err != nil {
		return err
	}
	if found, err := s.byContact(ctx, text); err != nil || found {
		return err
	}
	if coded, err := s.byCode(ctx); err != nil || coded || len(text) == 0 || s.isNumber() {
		return err
	}
	if err := s.attempt(ctx, text, 0); err != nil || s.page.total > 0 {
		return err
	}
	if said, rest := s.conditions(); said {
		if text = rest; len(text) == 0 {
			return s.list(ctx)
		}
		if err := s.attempt(ctx, text, 0); err != nil || s.page.total > 0 {
			return err
		}
	}
	if s.towns(text) != nil && s.query.Scope == InAll {
		if found, err := s.inTown(ctx, text); err != nil || found || s.query.Filters.Empty() {
			return err
		}
	}
	s.rescued = true
	place, _ := s.place(text)
	if err := s.rescue(ctx, text, &place); err != nil || s.page.total > 0 || !place.Likely {
		return err
	}
	s.understood.Places = []PlaceFilter{filterOf(&place)}
	return nil
}

// conditions turns what the text says about filters ("abertas depois de 2020") into filters of the
// search. It returns the other words, and false if there is no condition or the query wants words
// taken literally.
func (s *search) conditions() (said bool, rest []intent.Word) {
	if s.query.LiteralPlaces {
		return false, nil
	}
	found, left := intent.Conditions(s.query.Text)
	if len(found) == 0 {
		return false, nil
	}
	s.narrow(found)
	return true, intent.Parse(left)
}

// narrow makes conditions filters of the search.
func (s *search) narrow(conditions []intent.Condition) {
	s.understood.Conditions = conditions
	s.filters = append(slices.Clone(s.filters), s.understood.Filters().Queries()...)
}

// towns returns the codes of the municipalities that the whole text names, unless the query wants words
// taken literally. No name has a digit, but the numbers that words lack say something, too.
func (s *search) towns(text []intent.Word) (codes []string) {
	if s.query.LiteralPlaces || strings.ContainsAny(s.query.Text, "0123456789") {
		return nil
	}
	for _, m := range s.index.gazetteer.Towns(text) {
		codes = append(codes, m.RFB)
	}
	return codes
}

// inTown lists the companies of the town that a text names. Where none are loaded the answer is that:
// a similar name is another town. Only if there are filters, it may be these.
func (s *search) inTown(ctx context.Context, text []intent.Word) (found bool, err error) {
	town, _ := s.index.gazetteer.Whole(text)
	filters := s.filters
	s.filters = append(slices.Clone(filters), matchPlace(&town))
	err = s.list(ctx)
	found = s.page.total > 0
	s.filters, s.rescued = filters, !found
	if found || s.query.Filters.Empty() {
		s.understood.Places = []PlaceFilter{filterOf(&town)}
	}
	return found, err
}

// place returns the place that the text names, unless the query wants words taken literally.
func (s *search) place(text []intent.Word) (p intent.Place, ok bool) {
	if s.query.LiteralPlaces {
		return p, false
	}
	return s.index.gazetteer.Find(text)
}

// isNumber reports whether the text is the digits of a number that has matches, so that they are
// not looked for as words.
func (s *search) isNumber() bool { return s.number.Digits && s.page.total > 0 }

// attempt runs the tiers over a text. A likely place ("padaria campinas sp") is tried before
// prefixes and partners, any other place only if nothing else matched. reason, unless 0, is given
// to all hits.
func (s *search) attempt(ctx context.Context, text []intent.Word, reason Why) error {
	if !s.eval.budget.try(len(text)) {
		return nil
	}
	s.reason = reason
	literal := s.read(intent.NewWords(text))
	if err := s.run(ctx, literal, exactTier, nameTier); err != nil {
		return err
	}
	place, named := s.place(text)
	if named && place.Likely {
		if err := s.inPlace(ctx, &place); err != nil {
			return err
		}
	}
	if err := s.run(ctx, literal, s.liberal(text, &place)...); err != nil {
		return err
	}
	if letters, ok := intent.Apart(text); ok {
		if err := s.run(ctx, s.read(intent.NewWords(letters)), nameTier, prefixTier, partnerTier); err != nil {
			return err
		}
	}
	if named && !place.Likely {
		if named = s.page.total == 0; named {
			if err := s.inPlace(ctx, &place); err != nil {
				return err
			}
		}
	}
	if named {
		return s.active(ctx, place.Rest, &place)
	}
	return s.active(ctx, text, nil)
}

// liberal are the tiers that follow those of the name.
func (s *search) liberal(text []intent.Word, place *intent.Place) []tier {
	if s.unfinished(text, place) {
		return []tier{prefixTier, partnerTier}
	}
	return []tier{partnerTier}
}

// unfinished reports whether the last word may be the beginning of a longer one. Where no name has the
// words, a municipality at their end is not: Gravatá is not Gravataí.
func (s *search) unfinished(text []intent.Word, place *intent.Place) bool {
	town := place.Likely && place.Municipio != "" && place.To == len(text)
	return s.page.total > 0 || !town && s.towns(text) == nil
}

// inPlace searches the other words within a place and notes the place if there are hits.
func (s *search) inPlace(ctx context.Context, p *intent.Place) error {
	before := s.page.total
	rest := s.read(intent.NewWords(p.Rest), matchPlace(p))
	if err := s.run(ctx, rest, exactTier, nameTier); err != nil {
		return err
	}
	if err := s.run(ctx, rest, s.liberal(p.Rest, &intent.Place{})...); err != nil {
		return err
	}
	if s.page.total > before {
		s.understood.Places = append(s.understood.Places, filterOf(p))
	}
	return nil
}

// active adds companies whose main activity is what the words say, within place unless that is nil.
func (s *search) active(ctx context.Context, words []intent.Word, place *intent.Place) error {
	if !s.query.Scope.has(WhyActivity) {
		return nil
	}
	found, ok := s.index.activities.Find(words)
	if !ok {
		return nil
	}
	return s.inActivity(ctx, found, place)
}

// inActivity adds the companies of an activity, within place unless that is nil.
func (s *search) inActivity(ctx context.Context, found intent.Activity, place *intent.Place) error {
	var filters []query.Query
	if place != nil {
		filters = append(filters, matchPlace(place))
	}
	before := s.page.total
	byActivity := tier{WhyActivity, func(*intent.Words) query.Query { return matchActivity(found.Codes) }}
	if err := s.runTier(ctx, s.read(intent.Words{}, filters...), byActivity); err != nil {
		return err
	}
	if s.page.total == before {
		return nil
	}
	s.understood.Activity = found.Name
	if place != nil && len(s.understood.Places) == 0 {
		s.understood.Places = []PlaceFilter{filterOf(place)}
	}
	return nil
}

// byCode searches for an activity whose code is in the text ("4721-1/02 campinas"): alone, within
// the place that the other words name, or with these words as a filter on the activity. It returns
// false if there is no code or no match.
func (s *search) byCode(ctx context.Context) (bool, error) {
	found, beside, ok := s.index.activities.ParseCode(s.query.Text)
	if !ok || !s.query.Scope.has(WhyActivity) {
		return false, nil
	}
	before := s.page.total
	words := intent.Parse(beside)
	if len(words) == 0 {
		return s.grew(before, s.inActivity(ctx, found, nil))
	}
	if place, ok := s.index.gazetteer.Whole(words); ok && !s.query.LiteralPlaces {
		if there, err := s.grew(before, s.inActivity(ctx, found, &place)); err != nil || there {
			return there, err
		}
	}
	filters := s.filters
	defer func() { s.filters = filters }()
	s.filters = append(slices.Clone(filters), matchActivity(found.Codes))
	coded, err := s.grew(before, s.attempt(ctx, words, 0))
	if coded {
		s.understood.Activity = found.Name
	}
	return coded, err
}

// grew reports whether there are more matches than before.
func (s *search) grew(before int, err error) (bool, error) {
	return err == nil && s.page.total > before, err
}

// filterOf converts a place to what results show.
func filterOf(p *intent.Place) PlaceFilter {
	return PlaceFilter{Words: p.Words, UF: p.UF, Municipio: p.Municipio}
}

// list collects the matches of filters alone.
func (s *search) list(ctx context.Context) error {
	if s.query.Order != ByRank && s.page.count > 0 {
		return s.listOrdered(ctx)
	}
	return s.runTier(ctx, s.read(intent.Words{}), listedTier)
}

// run goes through tiers with one reading, those of the scope.
func (s *search) run(ctx context.Context, r *reading, tiers ...tier) error {
	if len(r.words.All) == 0 {
		return nil
	}
	s.readings = append(s.readings, r)
	for _, t := range tiers {
		if !s.query.Scope.has(t.why) {
			continue
		}
		if err := s.runTier(ctx, r, t); err != nil {
			return err
		}
	}
	return nil
}

// done reports whether the search may end early. In another order than ByRank the first match may
// be the last one found, so only the budget ends it.
func (s *search) done() bool { return s.eval.budget.spent || s.query.Order == ByRank && s.page.done() }

// runTier collects what a tier matches and no earlier tier has found, shard by shard, until the
// page is full.
func (s *search) runTier(ctx context.Context, r *reading, t tier) error {
	q := t.query(&r.words)
	if q == nil {
		return nil
	}
	q = allOf(append([]query.Query{q}, r.filters...)...)
	for i := range s.index.shards {
		if s.done() {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		v := s.shard(i)
		found, err := v.evaluate(q, nil)
		if err != nil {
			return err
		}
		if found, err = v.within(r.ranges, without(found, v.seen)); err != nil {
			return err
		}
		if isEmpty(found) {
			continue
		}
		kept := found
		if s.query.Order == ByRank {
			kept = s.collapse(i, found, math.MaxInt)
		}
		if v.seen = union([]*roaring.Bitmap{v.seen, found}); isEmpty(kept) {
			continue
		}
		if err := s.add(i, kept, cmp.Or(s.reason, t.why)); err != nil {
			return err
		}
	}
	return nil
}

// within returns those of docs that pass the range filters of a reading. Documents that failed are
// remembered and not asked about again. That is sound because the ranges of a reading include those
// of all earlier ones.
func (v *shardSearch) within(ranges []query.Query, docs *roaring.Bitmap) (*roaring.Bitmap, error) {
	if docs = without(docs, v.outside); len(ranges) == 0 || isEmpty(docs) {
		return docs, nil
	}
	in, err := v.evaluate(allOf(ranges...), docs)
	v.outside = union([]*roaring.Bitmap{v.outside, without(docs, in)})
	return in, err
}

// add adds documents of shard i to the page. In other orders than ByRank it keeps them by reason
// until all matches are known: see collapseFound.
func (s *search) add(i int, docs *roaring.Bitmap, why Why) error {
	n := sizeOf(docs)
	if s.query.Order != ByRank {
		s.page.total += n
		s.shard(i).parts = append(s.shard(i).parts, part{docs, why})
		return nil
	}
	first, last := s.page.take(n)
	s.page.grow(last - first)
	return visitPart(docs, first, last, func(doc uint32) error {
		number, err := s.index.shards[i].CNPJ(doc)
		s.page.hit(Hit{number, why}, s.shard(i).base+doc)
		return err
	})
}
