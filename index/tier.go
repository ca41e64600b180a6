package index

import (
	"cmp"
	"context"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/bitmap"
	"razao/index/intent"
	"razao/index/segment"
)

// search is one query on its way through the tiers and, within a tier, through the shards in rank order. It is the collector:
// it ends as soon as the page is full and its total known.
type search struct {
	index      *Index
	work       *bitmap.Scratch
	page       *page
	query      *Query
	filters    []query.Query // that all must match
	number     intent.Number
	shards     []*shardSearch // opened when the search reaches the shard
	budget     budget
	reason     Why // of all hits, when it is not 0
	understood Understood
	rescued    bool // nothing matched as typed
}

// shardSearch is what a search knows of one shard.
type shardSearch struct {
	*segment.View
	search *search
	number int             // of the shard
	base   uint32          // number of the shard's first document in the whole index
	seen   *roaring.Bitmap // found by earlier tiers
	parts  []part          // the same by reason, kept only for other orders than ByRank
	read   []postings      // so far
	all    *roaring.Bitmap // documents, nil until asked for
}

// part is what was found for one reason.
type part struct {
	docs *roaring.Bitmap
	why  Why
}

// reading is one way to take the text: as words, and filters that other words became.
type reading struct {
	words   intent.Words
	filters []query.Query
}

func (ix *Index) begin(q *Query, p *page) *search {
	return &search{
		index: ix, work: ix.scratch(), page: p, query: q,
		filters: q.Filters.Queries(), number: intent.ParseNumber(q.Text),
		shards: make([]*shardSearch, len(ix.shards)),
	}
}

// end releases views and scratch memory. Hits and sets stay valid.
func (s *search) end() {
	for _, v := range s.shards {
		if v != nil {
			v.Release()
		}
	}
	s.index.scratches.Put(s.work)
}

// read makes a reading of the search.
func (s *search) read(w intent.Words, more ...query.Query) *reading {
	return &reading{words: w, filters: append(more, s.filters...)}
}

// shard returns the search in shard i.
func (s *search) shard(i int) *shardSearch {
	if s.shards[i] == nil {
		s.shards[i] = &shardSearch{View: s.index.shards[i].View(), search: s, number: i, base: s.index.bases[i]}
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
	if err := s.byNumber(ctx); err != nil || len(text) == 0 || s.isNumber() {
		return err
	}
	if err := s.attempt(ctx, text, 0); err != nil || s.page.total > 0 {
		return err
	}
	s.rescued = true
	return s.rescue(ctx, text)
}

// isNumber says that the text is the digits of a number that was found: they are not words beside that.
func (s *search) isNumber() bool { return s.number.Digits && s.page.total > 0 }

// attempt goes through the tiers with the words of a text. A reason that is not 0 is given to all hits.
func (s *search) attempt(ctx context.Context, text []intent.Word, reason Why) error {
	if !s.budget.try(len(text)) {
		return nil
	}
	s.reason = reason
	literal := s.read(intent.NewWords(text))
	if err := s.run(ctx, literal, exactTier, nameTier); err != nil {
		return err
	}
	place, named := intent.Place{}, false
	if !s.query.LiteralPlaces {
		place, named = s.index.gazetteer.Find(text)
	}
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
	if named && !place.Likely && s.page.total == 0 {
		return s.inPlace(ctx, &place)
	}
	return nil
}

// inPlace searches the rest of the words with the place as a filter.
func (s *search) inPlace(ctx context.Context, p *intent.Place) error {
	before := s.page.total
	rest := s.read(intent.NewWords(p.Rest), inPlace(p))
	if err := s.run(ctx, rest, exactTier, nameTier, prefixTier, partnerTier); err != nil {
		return err
	}
	if s.page.total > before {
		s.understood.Places = append(s.understood.Places, PlaceFilter{Words: p.Words, UF: p.UF, Municipio: p.Municipio})
	}
	return nil
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
	if s.page.total > 0 || len(text) == 0 {
		return nil
	}
	if last := len(text) - 1; last > 0 && len(text[last].Text) < minRarePrefix { // "bistro d" waits for "bistro da"
		return s.run(ctx, s.read(intent.NewWords(text[:last])), nameTier)
	}
	return s.run(ctx, literal, rarePrefixTier)
}

// list fills the page of a query without text.
func (s *search) list(ctx context.Context) error {
	return s.runTier(ctx, s.read(intent.Words{}), listedTier)
}

// run goes through tiers with one reading.
func (s *search) run(ctx context.Context, r *reading, tiers ...tier) error {
	if len(r.words.All) == 0 {
		return nil
	}
	for _, t := range tiers {
		if err := s.runTier(ctx, r, t); err != nil {
			return err
		}
	}
	return nil
}

// done says that the search may end early: the page is complete, or the budget spent. Another order than rank has to see
// every match.
func (s *search) done() bool { return s.budget.spent || s.query.Order == ByRank && s.page.done() }

// runTier adds to the page what a tier finds and no earlier tier has found.
func (s *search) runTier(ctx context.Context, r *reading, t tier) error {
	q := t.query(&r.words)
	if q == nil {
		return nil
	}
	q = all(append([]query.Query{q}, r.filters...)...)
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
		if found = bitmap.Without(found, v.seen); bitmap.IsEmpty(found) {
			continue
		}
		v.seen = bitmap.Union([]*roaring.Bitmap{v.seen, found})
		if err := s.add(i, found, cmp.Or(s.reason, t.why)); err != nil {
			return err
		}
	}
	return nil
}

// add adds documents of a shard to the page or, in another order than rank, keeps them until all matches are known.
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
		s.page.hits = append(s.page.hits, Hit{number, why})
		return err
	})
}
