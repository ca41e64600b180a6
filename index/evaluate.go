package index

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/column"
	"razao/index/filter"
	"razao/index/flags"
	"razao/index/segment"
	"razao/internal/data/cnpj"
)

// evaluator evaluates Bleve queries in one shard for one search. The result is a set: the matching
// documents as a Roaring bitmap, which may be memoized or lie in the mapped file and must not be
// changed. It knows the queries that match.go and package filter write, and no others. Not safe for
// concurrent use.
//
// Bleve itself intersects and unites the bitmaps of postings only for conjunctions and disjunctions
// of terms that need no score (Optimizable in bleve_index_api); its other searchers hand out one
// document at a time. Here whole queries are evaluated so, because tiers subtract the set, columns
// order it and facets count it. Stock searchers are the oracle of TestStockBleveAgrees.
//
// Conjunctions decide the cost:
//
//   - Terms come first, the rarest first. Intermediate results are kept, because tiers and facets
//     ask for the same filters again and again.
//   - Prefixes, disjunctions and ranges are evaluated only within what the terms leave, the most
//     selective first by an estimate; exclusions are subtracted last. Ranges are columns; whether
//     to look documents up in one or to read it through is the ski-rental rule of column.Local.
//   - Each operation takes the size of its smaller operand from the budget. Once the budget is
//     spent, sets are incomplete.
type evaluator struct {
	*segment.View
	number int    // of the shard, from 0
	base   uint32 // number of the shard's first document in the whole index
	shared *evaluation
	read   []postings // memo of terms, flags and intersections; few enough for a linear scan
	ranges map[rangeKey]*column.Local
	all    *roaring.Bitmap // every document, nil until needed
}

// evaluation is what the evaluators of one search share. The scratch memory must not be used by
// another search meanwhile.
type evaluation struct {
	columns *column.Columns
	sources *flags.Sources
	hidden  *hiddenContacts // nil hides nothing
	scratch *column.Scratch
	budget  budget
	ranges  map[rangeKey]column.Range
}

// evaluator opens a view of shard s, which is the one of this number and begins at document base of
// the index. Release it when the search ends.
func (e *evaluation) evaluator(s *segment.Shard, number int, base uint32) *evaluator {
	return &evaluator{View: s.View(), number: number, base: base, shared: e}
}

// evaluate returns the documents of the shard that match q, or those of within that do unless
// within is nil. The result may be nil for the empty set. It is incomplete if the budget was spent
// meanwhile: see budget.spent.
//
// The errors are *flags.SourceError for a source that is not known, folder.ErrDamaged, and one for
// a query of a kind that it does not know.
func (s *evaluator) evaluate(q query.Query, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	switch q := q.(type) {
	case *query.TermQuery, *filter.RecordsIn, *filter.InForce, *filter.Hidden:
		list, _, err := s.listed(q)
		if err != nil || within == nil {
			return list.docs, err
		}
		return s.and(list.docs, within), nil
	case *query.PrefixQuery:
		return s.beginning(q, within)
	case *query.ConjunctionQuery:
		return s.conjunction(q.Conjuncts, within)
	case *query.DisjunctionQuery:
		return s.anyOf(q, within)
	case *filter.Range:
		return s.inRange(q, within)
	case *query.BooleanQuery: // of package filter, which writes exclusions this way: only MustNot is set
		if not, ok := q.MustNot.(*query.DisjunctionQuery); ok {
			return s.exclusion(not, within)
		}
	case *query.MatchAllQuery:
		return s.restrict(within), nil
	}
	return nil, fmt.Errorf("cannot evaluate a %T", q)
}

// restrict returns within, or every document of the shard if within is nil.
func (s *evaluator) restrict(within *roaring.Bitmap) *roaring.Bitmap {
	if within == nil && s.all == nil {
		s.all = roaring.New()
		s.all.AddRange(0, uint64(s.Docs()))
	}
	return cmp.Or(within, s.all)
}

// postings are the documents of a term and, in the memo, of other sets under a made-up field: those
// of a source, or the intersection of several terms.
type postings struct {
	field, text string
	docs        *roaring.Bitmap
}

// known returns a set from the memo.
func (s *evaluator) known(field, text string) (docs *roaring.Bitmap, ok bool) {
	for i := range s.read {
		if p := &s.read[i]; p.text == text && p.field == field {
			return p.docs, true
		}
	}
	return nil, false
}

// docsWith returns the postings of a term, memoized; nil if no document has it. field is the name
// of the field in Bleve. Documents whose contact is hidden are missing from terms about contacts.
func (s *evaluator) docsWith(field, text string) (*roaring.Bitmap, error) {
	if docs, ok := s.known(field, text); ok {
		return docs, nil
	}
	docs, err := s.visible(field[0], text)
	if err == nil {
		s.read = append(s.read, postings{field, text, docs})
	}
	return docs, err
}

// visible reads the postings of a term and leaves out hidden contacts.
func (s *evaluator) visible(field byte, text string) (*roaring.Bitmap, error) {
	docs, err := s.Postings(field, []byte(text))
	return s.shared.hidden.leave(s.number, field, text, docs), err
}

// listed returns the postings of a query whose answer is stored as one bitmap: a term, or the flags
// of a source. ok is false for any other query.
func (s *evaluator) listed(q query.Query) (_ postings, ok bool, err error) {
	switch q := q.(type) {
	case *query.TermQuery:
		docs, err := s.docsWith(q.FieldVal, q.Term)
		return postings{q.FieldVal, q.Term, docs}, true, err
	case *filter.RecordsIn:
		docs, err := s.shared.sources.In(q.Source, s.number)
		return postings{"source ", q.Source, docs}, true, err
	case *filter.InForce:
		docs, err := s.shared.sources.InForce(q.Source, s.number)
		return postings{"in force ", q.Source, docs}, true, err
	case *filter.Hidden:
		return postings{"hidden ", "", s.shared.hidden.in(s.number)}, true, nil
	}
	return postings{}, false, nil
}

// conjunction intersects the stored bitmaps, then evaluates the other queries within what is left.
// It stops at the first empty set.
func (s *evaluator) conjunction(queries []query.Query, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	var terms []postings
	var others []query.Query
	for _, q := range queries {
		list, ok, err := s.listed(q)
		if err != nil || ok && isEmpty(list.docs) {
			return nil, err
		}
		if ok {
			terms = append(terms, list)
		} else {
			others = append(others, q)
		}
	}
	left := s.intersection(terms, within)
	if len(terms) > 0 && isEmpty(left) {
		return nil, nil
	}
	if len(others) > 1 && (left == nil || sizeOf(left) > s.unsampled()) {
		if err := s.rarestFirst(others); err != nil {
			return nil, err
		}
	}
	for _, q := range others {
		var err error
		if left, err = s.evaluate(q, left); err != nil || isEmpty(left) {
			return nil, err
		}
	}
	return s.restrict(left), nil
}

// rarestFirst sorts queries by estimated size, ascending.
func (s *evaluator) rarestFirst(queries []query.Query) error {
	most := make(map[query.Query]int, len(queries))
	for _, q := range queries {
		var err error
		if most[q], err = s.estimate(q); err != nil {
			return err
		}
	}
	slices.SortStableFunc(queries, func(a, b query.Query) int { return cmp.Compare(most[a], most[b]) })
	return nil
}

// estimate returns an upper bound of the matches of a disjunction of terms, and a sampled size for
// a range. Prefixes and other disjunctions are taken to be as rare as a sample can tell; exclusions
// match nearly everything and come last.
func (s *evaluator) estimate(q query.Query) (int, error) {
	switch q := q.(type) {
	case *query.DisjunctionQuery:
		n := 0
		for _, one := range q.Disjuncts {
			list, ok, err := s.listed(one)
			if err != nil || !ok {
				return s.unsampled(), err
			}
			n += sizeOf(list.docs)
		}
		return n, nil
	case *filter.Range:
		r, err := s.local(q)
		if err != nil {
			return 0, err
		}
		return r.Estimate(), nil
	case *query.BooleanQuery:
		return math.MaxInt, nil
	}
	return s.unsampled(), nil
}

// unsampled is the size below which a sample of a range may be empty: the resolution of
// [evaluator.estimate].
func (s *evaluator) unsampled() int { return int(column.Unsampled * float64(s.Docs())) }

// intersection returns the documents that are in all terms, and in within unless that is nil. It
// takes the terms in ascending order of size.
//
// Facets evaluate many combinations of the same filters, so each prefix of the sorted terms is
// memoized, unless within restricts it.
func (s *evaluator) intersection(terms []postings, within *roaring.Bitmap) *roaring.Bitmap {
	slices.SortFunc(terms, func(a, b postings) int { return cmp.Compare(sizeOf(a.docs), sizeOf(b.docs)) })
	left, key := within, ""
	for _, t := range terms {
		key += t.field + t.text + " "
		switch common, known := s.known("", key); {
		case left == nil:
			left = t.docs
		case within != nil:
			left = s.and(left, t.docs)
		case known:
			left = common
		default:
			left = s.and(left, t.docs)
			s.read = append(s.read, postings{"", key, left})
		}
		if isEmpty(left) {
			return left
		}
	}
	return left
}

// anyOf unites the answers of a disjunction, as many of them as the budget allows.
func (s *evaluator) anyOf(q *query.DisjunctionQuery, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	lists := make([]*roaring.Bitmap, 0, len(q.Disjuncts))
	for _, one := range q.Disjuncts {
		docs, err := s.evaluate(one, within)
		if err != nil {
			return nil, err
		}
		if !s.spend(docs) {
			break
		}
		lists = append(lists, docs)
	}
	return union(lists), nil
}

// exclusion returns the documents of within, or of the shard, that match none of the queries. If
// the budget runs out it returns nothing, because a partial exclusion would let through what the
// filter forbids.
func (s *evaluator) exclusion(not *query.DisjunctionQuery, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	left := s.restrict(within).Clone()
	for _, q := range not.Disjuncts {
		docs, err := s.evaluate(q, nil)
		if err != nil || s.shared.budget.spent {
			return nil, err
		}
		if !isEmpty(docs) {
			left.AndNot(docs)
		}
	}
	return left, nil
}

// beginning expands a prefix in the term dictionary and unites the postings, as many terms as the
// budget allows. Expanded terms are too many to memoize.
func (s *evaluator) beginning(q *query.PrefixQuery, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	var lists []*roaring.Bitmap
	field := q.FieldVal[0]
	var bad error
	err := s.Terms(field, []byte(q.Prefix), nil, func(text string) bool {
		if !s.shared.budget.expand() {
			return false
		}
		var docs *roaring.Bitmap
		if docs, bad = s.visible(field, text); within != nil {
			docs = s.and(docs, within)
		}
		lists = append(lists, docs)
		return bad == nil && s.spend(docs)
	})
	return union(lists), cmp.Or(err, bad)
}

// and returns the intersection of two sets; nil is empty. It spends the size of the smaller one and
// returns nil if the budget does not cover it.
func (s *evaluator) and(x, y *roaring.Bitmap) *roaring.Bitmap {
	if isEmpty(x) || isEmpty(y) {
		return nil
	}
	if sizeOf(y) < sizeOf(x) {
		x, y = y, x
	}
	if !s.spend(x) {
		return nil
	}
	return roaring.And(x, y)
}

// spend takes the bytes of a set that is about to be read from the budget and reports whether to go
// on.
func (s *evaluator) spend(docs *roaring.Bitmap) bool {
	return isEmpty(docs) || s.shared.budget.visit(int(docs.GetSerializedSizeInBytes()))
}

// keyCost is the budget that walking one key of the dictionary takes: the bytes of postings that
// could be intersected in the same time.
const keyCost = 384

// between returns the documents whose CNPJ is from first to last, both included, by a range scan of
// the key dictionary. If the budget runs out, the highest numbers are missing. The result is the
// caller's.
func (s *evaluator) between(first, last cnpj.Full) (*roaring.Bitmap, error) {
	c, more, err := s.Keys(first, last)
	if err != nil || !more {
		return nil, err
	}
	marks := s.shared.scratch.Bits(int(s.Docs()))
	for ; more && s.shared.budget.visit(keyCost); more, err = c.Next() {
		marks[c.Doc/64] |= 1 << (c.Doc % 64)
	}
	return roaring.FromDense(marks, true), err
}

// local returns the part of a range in this shard, memoized. What the public records of a source
// say is stored with its flags, everything else in columns.
func (s *evaluator) local(q *filter.Range) (*column.Local, error) {
	key := rangeKey{q.Measure, q.From, q.To}
	if r := s.ranges[key]; r != nil {
		return r, nil
	}
	if s.ranges == nil {
		s.ranges = map[rangeKey]*column.Local{}
	}
	docs, ofSource, err := s.shared.sources.Range(s.number, q)
	if err != nil {
		return nil, err
	}
	if s.ranges[key] = column.Known(docs); !ofSource {
		s.ranges[key] = column.NewLocal(s.shared.rangeOf(q), s.base, s.Docs())
	}
	return s.ranges[key], nil
}

// inRange evaluates a range within a set, or in the whole shard if within is nil.
func (s *evaluator) inRange(q *filter.Range, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	r, err := s.local(q)
	if err != nil {
		return nil, err
	}
	if within == nil {
		s.spend(r.All())
		return r.All(), nil
	}
	if r.LooksUp(sizeOf(within)) {
		return r.LookUp(within, s.shared.scratch), nil
	}
	return s.and(r.All(), within), nil
}

// rangeOf returns a range of the columns, for the whole index. It is memoized, because finding its
// ends and, for wide ones, marking its documents is done once for all shards.
func (e *evaluation) rangeOf(q *filter.Range) column.Range {
	key := rangeKey{q.Measure, q.From, q.To}
	if r := e.ranges[key]; r != nil {
		return r
	}
	if e.ranges == nil {
		e.ranges = map[rangeKey]column.Range{}
	}
	e.ranges[key] = e.columns.Range(q)
	return e.ranges[key]
}

// rangeKey identifies a filter.Range by value; its queries are pointers.
type rangeKey struct {
	measure  filter.Measure
	from, to int64
}

// docFilter answers whether single documents of a shard match a conjunction. The first maxSingle are
// evaluated one by one, each within a set of one document. Only when more are asked for is the
// conjunction evaluated for the whole shard.
type docFilter struct {
	shard *evaluator
	all   *query.ConjunctionQuery
	asked int             // calls of has
	docs  *roaring.Bitmap // the answer for the shard, after maxSingle calls
}

// maxSingle is how many documents are evaluated one by one. A text that may be a number rarely
// begins many CNPJs, so most searches stay below it.
const maxSingle = 64

// filter returns a filter for documents that match all queries; without queries every document
// passes.
func (s *evaluator) filter(queries []query.Query) *docFilter {
	return &docFilter{shard: s, all: query.NewConjunctionQuery(queries)}
}

// has reports whether a document, numbered within the shard, matches.
func (f *docFilter) has(doc uint32) (_ bool, err error) {
	if len(f.all.Conjuncts) == 0 {
		return true, nil
	}
	f.asked++
	if f.asked <= maxSingle {
		docs, err := f.shard.evaluate(f.all, roaring.BitmapOf(doc))
		return !isEmpty(docs), err
	}
	if f.asked == maxSingle+1 {
		f.docs, err = f.shard.evaluate(f.all, nil)
	}
	return !isEmpty(f.docs) && f.docs.Contains(doc), err
}
