package index

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/bitmap"
	"razao/index/eval"
	"razao/index/filter"
	"razao/index/gate"
	"razao/index/intent"
	"razao/index/match"
	"razao/internal/cnpj"
)

// search is one query on its way through the tiers and, within a tier, through the shards in rank order. It is the collector:
// it ends as soon as the page is full and its total known.
type search struct {
	index      *Index
	eval       *eval.Evaluator
	page       *page
	query      *Query
	filters    []query.Query // that all must match
	number     intent.Number
	shards     []*shardSearch // opened when the search reaches the shard
	reason     Why            // of all hits, when it is not 0
	understood Understood
	byCompany  bool
	rescued    bool       // nothing matched as typed
	readings   []*reading // with words that were looked for
	scan       orderedScan
}

// shardSearch is what a search knows of one shard.
type shardSearch struct {
	*eval.Shard
	search   *search
	seen     *roaring.Bitmap // found by earlier tiers
	outside  *roaring.Bitmap // what these have found outside of the ranges that filters want
	claimed  *roaring.Bitmap // principal documents of the companies for which another one stands
	parts    []part          // seen by reason, only for other orders than ByRank
	found    *roaring.Bitmap // for these, all that the query matches, once the shard was searched
	kept     *roaring.Bitmap // of found, all results
	searched bool
}

// part is what was found for one reason.
type part struct {
	docs *roaring.Bitmap
	why  Why
}

// reading is one way to take the text: as words, and filters that other words became. Ranges, whose columns are slow to read, are asked
// only about what is left, and once about a document.
type reading struct {
	words           intent.Words
	filters, ranges []query.Query
}

func (ix *Index) begin(q *Query, p *page, b gate.Budget) *search {
	return &search{
		index: ix, page: p, query: q,
		eval:    &eval.Evaluator{Columns: ix.columns, Sources: &ix.sources, Hidden: ix.hidden.Load(), Scratch: ix.scratch(), Budget: b},
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
	s.index.scratches.Put(s.eval.Scratch)
}

// read makes a reading of the search.
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

// shard returns the search in shard i.
func (s *search) shard(i int) *shardSearch {
	if s.shards[i] == nil {
		s.shards[i] = &shardSearch{Shard: s.eval.Shard(s.index.shards[i], i, s.index.bases[i]), search: s}
	}
	return s.shards[i]
}

// gather collects what the query matches.
func (s *search) gather(ctx context.Context) error {
	if s.query.Text == "" {
		return s.list(ctx)
	}
	return s.find(ctx)
}

// find fills the page from a text: by number, then as typed, then corrected or relaxed.
func (s *search) find(ctx context.Context) error {
	text := intent.Parse(s.query.Text)
	s.understood.Phrases = intent.Phrases(text)
	if err := s.byNumber(ctx); err != nil {
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
	s.rescued = true
	place, _ := s.place(text)
	if err := s.rescue(ctx, text, &place); err != nil || s.page.total > 0 || !place.Likely {
		return err
	}
	s.understood.Places = []PlaceFilter{filterOf(&place)}
	return nil
}

// conditions takes the filters that a text says, which no name has, for filters: what matches the words that are left has to pass them.
func (s *search) conditions() (said bool, rest []intent.Word) {
	if s.query.LiteralPlaces {
		return false, nil
	}
	found, left := intent.Conditions(s.query.Text)
	if len(found) == 0 {
		return false, nil
	}
	s.understood.Conditions = found
	s.filters = append(slices.Clone(s.filters), s.understood.Filters().Queries()...)
	return true, intent.Parse(left)
}

// place returns the place that a text names, unless its words are to be taken literally.
func (s *search) place(text []intent.Word) (p intent.Place, ok bool) {
	if s.query.LiteralPlaces {
		return p, false
	}
	return s.index.gazetteer.Find(text)
}

// isNumber says that the text is the digits of a number that was found: they are not words beside that.
func (s *search) isNumber() bool { return s.number.Digits && s.page.total > 0 }

// attempt goes through the tiers with the words of a text. A reason that is not 0 is given to all hits.
func (s *search) attempt(ctx context.Context, text []intent.Word, reason Why) error {
	if !s.eval.Budget.Try(len(text)) {
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
	if err := s.run(ctx, literal, prefixTier, partnerTier); err != nil {
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

// inPlace searches the rest of the words with the place as a filter.
func (s *search) inPlace(ctx context.Context, p *intent.Place) error {
	before := s.page.total
	rest := s.read(intent.NewWords(p.Rest), match.Place(p))
	if err := s.run(ctx, rest, exactTier, nameTier, prefixTier, partnerTier); err != nil {
		return err
	}
	if s.page.total > before {
		s.understood.Places = append(s.understood.Places, filterOf(p))
	}
	return nil
}

// active adds the companies whose activity is what words say, in a place unless that is nil.
func (s *search) active(ctx context.Context, words []intent.Word, place *intent.Place) error {
	found, ok := s.index.activities.Find(words)
	if !ok {
		return nil
	}
	return s.inActivity(ctx, found, place)
}

func (s *search) inActivity(ctx context.Context, found intent.Activity, place *intent.Place) error {
	if !s.query.Scope.has(WhyActivity) {
		return nil
	}
	var filters []query.Query
	if place != nil {
		filters = append(filters, match.Place(place))
	}
	before := s.page.total
	byActivity := tier{WhyActivity, func(*intent.Words) query.Query { return match.Activity(found.Codes) }}
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

// byCode adds the companies of an activity whose code is in the text, in the place or with the words that stand beside it. false: there
// is no code, or nothing was found in this way.
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
	s.filters = append(slices.Clone(filters), match.Activity(found.Codes))
	coded, err := s.grew(before, s.attempt(ctx, words, 0))
	if coded {
		s.understood.Activity = found.Name
	}
	return coded, err
}

// grew says whether there is more than before.
func (s *search) grew(before int, err error) (bool, error) {
	return err == nil && s.page.total > before, err
}

func filterOf(p *intent.Place) PlaceFilter {
	return PlaceFilter{Words: p.Words, UF: p.UF, Municipio: p.Municipio}
}

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
	if place, ok := s.place(text); ok && place.Likely && !s.page.done() {
		if err := s.run(ctx, s.read(intent.NewWords(place.Rest), match.Place(&place)), exactTier, nameTier); err != nil {
			return err
		}
	}
	if len(literal.words.All) > 1 && !s.page.done() { // one word is the name of too many people
		if err := s.run(ctx, literal, partnerTier); err != nil {
			return err
		}
	}
	if s.page.total > 0 {
		return nil
	}
	return s.guess(ctx, text, literal)
}

// guess completes what nothing begins with: less of a text that goes on, beginnings that only inactive establishments have, and a typing
// error in a word that is complete.
func (s *search) guess(ctx context.Context, text []intent.Word, literal *reading) error {
	if last := len(text) - 1; last > 0 && len(text[last].Text) < match.MinRarePrefix { // "bistro d" waits for "bistro da"
		return s.run(ctx, s.read(intent.NewWords(text[:last])), nameTier)
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

// list fills the page of a query without text.
func (s *search) list(ctx context.Context) error {
	if s.query.Order != ByRank && s.page.count > 0 {
		return s.listOrdered(ctx)
	}
	return s.runTier(ctx, s.read(intent.Words{}), listedTier)
}

// run goes through tiers with one reading.
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

// done says that the search may end early: the page is complete, or the budget spent. Another order than rank has to see
// every match.
func (s *search) done() bool { return s.eval.Budget.Spent || s.query.Order == ByRank && s.page.done() }

// runTier adds to the page what a tier finds and no earlier tier has found.
func (s *search) runTier(ctx context.Context, r *reading, t tier) error {
	q := t.query(&r.words)
	if q == nil {
		return nil
	}
	q = match.All(append([]query.Query{q}, r.filters...)...)
	for i := range s.index.shards {
		if s.done() {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		v := s.shard(i)
		found, err := v.Evaluate(q, nil)
		if err != nil {
			return err
		}
		if found, err = v.within(r.ranges, bitmap.Without(found, v.seen)); err != nil {
			return err
		}
		if bitmap.IsEmpty(found) {
			continue
		}
		kept := found
		if s.query.Order == ByRank {
			kept = s.collapse(i, found, math.MaxInt)
		}
		if v.seen = bitmap.Union([]*roaring.Bitmap{v.seen, found}); bitmap.IsEmpty(kept) {
			continue
		}
		if err := s.add(i, kept, cmp.Or(s.reason, t.why)); err != nil {
			return err
		}
	}
	return nil
}

// within returns which documents are in all of some ranges. They are those of every tier before, and may be more.
func (v *shardSearch) within(ranges []query.Query, docs *roaring.Bitmap) (*roaring.Bitmap, error) {
	if docs = bitmap.Without(docs, v.outside); len(ranges) == 0 || bitmap.IsEmpty(docs) {
		return docs, nil
	}
	in, err := v.Evaluate(match.All(ranges...), docs)
	v.outside = bitmap.Union([]*roaring.Bitmap{v.outside, bitmap.Without(docs, in)})
	return in, err
}

// add adds documents of a shard to the page or, in another order than rank, counts them until all matches are known: see collapseFound.
func (s *search) add(i int, docs *roaring.Bitmap, why Why) error {
	n := bitmap.Size(docs)
	if s.query.Order != ByRank {
		s.page.total += n
		s.shard(i).parts = append(s.shard(i).parts, part{docs, why})
		return nil
	}
	first, last := s.page.take(n)
	return bitmap.VisitPart(docs, first, last, func(doc uint32) error {
		number, err := s.index.shards[i].CNPJ(doc)
		s.page.hit(Hit{number, why}, s.shard(i).Base+doc)
		return err
	})
}
