package eval

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/bitmap"
	"razao/index/column"
	"razao/index/filter"
)

// Evaluate returns the documents of the shard that match q, or those of within that do unless
// within is nil. The result may be nil for the empty set. It is incomplete if the budget was spent
// meanwhile: see gate.Budget.Spent.
//
// The errors are *flags.SourceError for a source that is not known, folder.ErrDamaged, and one for
// a query of a kind that this package does not know.
func (s *Shard) Evaluate(q query.Query, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	switch q := q.(type) {
	case *query.TermQuery, *filter.RecordsIn, *filter.InForce:
		list, _, err := s.listed(q)
		if err != nil || within == nil {
			return list.docs, err
		}
		return s.And(list.docs, within), nil
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
func (s *Shard) restrict(within *roaring.Bitmap) *roaring.Bitmap {
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
func (s *Shard) known(field, text string) (docs *roaring.Bitmap, ok bool) {
	for i := range s.read {
		if p := &s.read[i]; p.text == text && p.field == field {
			return p.docs, true
		}
	}
	return nil, false
}

// DocsWith returns the postings of a term, memoized; nil if no document has it. field is the name
// of the field in Bleve. Documents whose contact is hidden are missing from terms about contacts.
func (s *Shard) DocsWith(field, text string) (*roaring.Bitmap, error) {
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
func (s *Shard) visible(field byte, text string) (*roaring.Bitmap, error) {
	docs, err := s.Postings(field, []byte(text))
	return s.evaluator.Hidden.Leave(s.Number, field, text, docs), err
}

// listed returns the postings of a query whose answer is stored as one bitmap: a term, or the flags
// of a source. ok is false for any other query.
func (s *Shard) listed(q query.Query) (_ postings, ok bool, err error) {
	switch q := q.(type) {
	case *query.TermQuery:
		docs, err := s.DocsWith(q.FieldVal, q.Term)
		return postings{q.FieldVal, q.Term, docs}, true, err
	case *filter.RecordsIn:
		docs, err := s.evaluator.Sources.In(q.Source, s.Number)
		return postings{"source ", q.Source, docs}, true, err
	case *filter.InForce:
		docs, err := s.evaluator.Sources.InForce(q.Source, s.Number)
		return postings{"in force ", q.Source, docs}, true, err
	}
	return postings{}, false, nil
}

// conjunction intersects the stored bitmaps, then evaluates the other queries within what is left.
// It stops at the first empty set.
func (s *Shard) conjunction(queries []query.Query, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	var terms []postings
	var others []query.Query
	for _, q := range queries {
		list, ok, err := s.listed(q)
		if err != nil || ok && bitmap.IsEmpty(list.docs) {
			return nil, err
		}
		if ok {
			terms = append(terms, list)
		} else {
			others = append(others, q)
		}
	}
	left := s.intersection(terms, within)
	if len(terms) > 0 && bitmap.IsEmpty(left) {
		return nil, nil
	}
	if len(others) > 1 && (left == nil || bitmap.Size(left) > s.unsampled()) {
		if err := s.rarestFirst(others); err != nil {
			return nil, err
		}
	}
	for _, q := range others {
		var err error
		if left, err = s.Evaluate(q, left); err != nil || bitmap.IsEmpty(left) {
			return nil, err
		}
	}
	return s.restrict(left), nil
}

// rarestFirst sorts queries by estimated size, ascending.
func (s *Shard) rarestFirst(queries []query.Query) error {
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
func (s *Shard) estimate(q query.Query) (int, error) {
	switch q := q.(type) {
	case *query.DisjunctionQuery:
		n := 0
		for _, one := range q.Disjuncts {
			list, ok, err := s.listed(one)
			if err != nil || !ok {
				return s.unsampled(), err
			}
			n += bitmap.Size(list.docs)
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
// [Shard.estimate].
func (s *Shard) unsampled() int { return int(column.Unsampled * float64(s.Docs())) }

// intersection returns the documents that are in all terms, and in within unless that is nil. It
// takes the terms in ascending order of size.
//
// Facets evaluate many combinations of the same filters, so each prefix of the sorted terms is
// memoized, unless within restricts it.
func (s *Shard) intersection(terms []postings, within *roaring.Bitmap) *roaring.Bitmap {
	slices.SortFunc(terms, func(a, b postings) int { return cmp.Compare(bitmap.Size(a.docs), bitmap.Size(b.docs)) })
	left, key := within, ""
	for _, t := range terms {
		key += t.field + t.text + " "
		switch common, known := s.known("", key); {
		case left == nil:
			left = t.docs
		case within != nil:
			left = s.And(left, t.docs)
		case known:
			left = common
		default:
			left = s.And(left, t.docs)
			s.read = append(s.read, postings{"", key, left})
		}
		if bitmap.IsEmpty(left) {
			return left
		}
	}
	return left
}

// anyOf unites the answers of a disjunction, as many of them as the budget allows.
func (s *Shard) anyOf(q *query.DisjunctionQuery, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	lists := make([]*roaring.Bitmap, 0, len(q.Disjuncts))
	for _, one := range q.Disjuncts {
		docs, err := s.Evaluate(one, within)
		if err != nil {
			return nil, err
		}
		if !s.spend(docs) {
			break
		}
		lists = append(lists, docs)
	}
	return bitmap.Union(lists), nil
}

// exclusion returns the documents of within, or of the shard, that match none of the queries. If
// the budget runs out it returns nothing, because a partial exclusion would let through what the
// filter forbids.
func (s *Shard) exclusion(not *query.DisjunctionQuery, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	left := s.restrict(within).Clone()
	for _, q := range not.Disjuncts {
		docs, err := s.Evaluate(q, nil)
		if err != nil || s.evaluator.Budget.Spent {
			return nil, err
		}
		if !bitmap.IsEmpty(docs) {
			left.AndNot(docs)
		}
	}
	return left, nil
}

// beginning expands a prefix in the term dictionary and unites the postings, as many terms as the
// budget allows. Expanded terms are too many to memoize.
func (s *Shard) beginning(q *query.PrefixQuery, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	var lists []*roaring.Bitmap
	field := q.FieldVal[0]
	var bad error
	err := s.Terms(field, []byte(q.Prefix), nil, func(text string) bool {
		if !s.evaluator.Budget.Expand() {
			return false
		}
		var docs *roaring.Bitmap
		if docs, bad = s.visible(field, text); within != nil {
			docs = s.And(docs, within)
		}
		lists = append(lists, docs)
		return bad == nil && s.spend(docs)
	})
	return bitmap.Union(lists), cmp.Or(err, bad)
}

// And returns the intersection of two sets; nil is empty. It spends the size of the smaller one and
// returns nil if the budget does not cover it.
func (s *Shard) And(x, y *roaring.Bitmap) *roaring.Bitmap {
	if bitmap.IsEmpty(x) || bitmap.IsEmpty(y) {
		return nil
	}
	if bitmap.Size(y) < bitmap.Size(x) {
		x, y = y, x
	}
	if !s.spend(x) {
		return nil
	}
	return roaring.And(x, y)
}

// spend takes the bytes of a set that is about to be read from the budget and reports whether to go
// on.
func (s *Shard) spend(docs *roaring.Bitmap) bool {
	return bitmap.IsEmpty(docs) || s.evaluator.Budget.Visit(int(docs.GetSerializedSizeInBytes()))
}
