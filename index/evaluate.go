package index

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/search/query"
)

// evaluate returns the documents of a shard that a query matches, of those in within unless that is nil.
//
// It is Bleve's optimisation of unscored conjunctions and disjunctions of terms (bleveindex.Optimizable: intersect and
// unite the Roaring bitmaps of the postings) extended to whole queries and kept as sets, which tiers subtract, columns order
// and facets count. Bleve's searchers hand over one document at a time; docs/search.md has what that costs.
//
// When the budget is spent, what is returned is a part of what matches.
func (v *shardSearch) evaluate(q query.Query, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	switch q := q.(type) {
	case *query.TermQuery:
		docs, err := v.having(q.FieldVal, q.Term)
		if err != nil || within == nil {
			return docs, err
		}
		return v.and(docs, within), nil
	case *query.PrefixQuery:
		return v.beginning(q, within)
	case *query.ConjunctionQuery:
		return v.conjunction(q.Conjuncts, within)
	case *query.DisjunctionQuery:
		return v.disjunction(q.Disjuncts, within)
	case *query.BooleanQuery: // of Filters.queries: only what must not match
		return v.exclusion(q.MustNot, within)
	case *query.MatchAllQuery:
		return v.restrict(within), nil
	}
	return nil, fmt.Errorf("cannot evaluate a %T", q)
}

// restrict returns within, or all documents when that is nil.
func (v *shardSearch) restrict(within *roaring.Bitmap) *roaring.Bitmap {
	if within == nil && v.all == nil {
		v.all = roaring.New()
		v.all.AddRange(0, uint64(v.Docs()))
	}
	return cmp.Or(within, v.all)
}

// postings are the documents of a term, or of a disjunction by its terms: readings, tiers and facets ask for the same.
type postings struct {
	field, text string
	docs        *roaring.Bitmap
}

func (v *shardSearch) known(field, text string) (docs *roaring.Bitmap, ok bool) {
	for i := range v.read {
		if p := &v.read[i]; p.text == text && p.field == field {
			return p.docs, true
		}
	}
	return nil, false
}

// having returns the postings of a term.
func (v *shardSearch) having(field, text string) (*roaring.Bitmap, error) {
	if docs, ok := v.known(field, text); ok {
		return docs, nil
	}
	docs, err := v.Postings(field[0], []byte(text))
	if err == nil {
		v.read = append(v.read, postings{field, text, docs})
	}
	return docs, err
}

// conjunction intersects the terms, the rarest first; the other queries are only asked about what that leaves.
func (v *shardSearch) conjunction(queries []query.Query, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	var lists []*roaring.Bitmap
	if within != nil {
		lists = append(lists, within)
	}
	for _, q := range queries {
		if t, ok := q.(*query.TermQuery); ok {
			docs, err := v.having(t.FieldVal, t.Term)
			if err != nil || isEmpty(docs) {
				return nil, err
			}
			lists = append(lists, docs)
		}
	}
	slices.SortFunc(lists, func(a, b *roaring.Bitmap) int { return cmp.Compare(size(a), size(b)) })
	var left *roaring.Bitmap
	for i, list := range lists {
		if i == 0 {
			left = list
		} else if left = v.and(left, list); isEmpty(left) {
			return nil, nil
		}
	}
	for _, q := range queries {
		if _, ok := q.(*query.TermQuery); ok {
			continue
		}
		var err error
		if left, err = v.evaluate(q, left); err != nil || isEmpty(left) {
			return nil, err
		}
	}
	return v.restrict(left), nil
}

// fewerThan is how many times less than the terms of a disjunction a set must have for each term to be intersected with
// it, rather than the set with the union of all, which is kept.
const fewerThan = 16

func (v *shardSearch) disjunction(queries []query.Query, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	key, docs, lists := "", 0, make([]*roaring.Bitmap, len(queries))
	for i, q := range queries {
		t, ok := q.(*query.TermQuery)
		if !ok {
			return nil, fmt.Errorf("cannot evaluate a disjunction of a %T", q)
		}
		var err error
		if lists[i], err = v.having(t.FieldVal, t.Term); err != nil {
			return nil, err
		}
		key += t.Term + " "
		docs += size(lists[i])
	}
	either, ok := v.known("", key)
	if !ok && within != nil && size(within) < docs/fewerThan {
		for i := range lists {
			lists[i] = v.and(lists[i], within)
		}
		return union(lists), nil
	}
	if !ok {
		either = union(lists)
		v.spend(either)
		v.read = append(v.read, postings{"", key, either})
	}
	if within == nil {
		return either, nil
	}
	return v.and(either, within), nil
}

func (v *shardSearch) exclusion(not query.Query, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	within = v.restrict(within)
	docs, err := v.evaluate(not, nil)
	if err != nil {
		return nil, err
	}
	return without(within, docs), nil
}

// beginning returns the documents of the terms that begin so, as many terms as the budget allows.
func (v *shardSearch) beginning(q *query.PrefixQuery, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	var lists []*roaring.Bitmap
	field := q.FieldVal[0]
	var bad error
	err := v.Terms(field, []byte(q.Prefix), nil, func(text string) bool {
		if !v.search.budget.expand() {
			return false
		}
		var docs *roaring.Bitmap
		if docs, bad = v.Postings(field, []byte(text)); bad == nil && within != nil {
			docs = v.and(docs, within)
		}
		lists = append(lists, docs)
		return bad == nil
	})
	return union(lists), cmp.Or(err, bad)
}

// and intersects two sets, unless the budget is spent.
func (v *shardSearch) and(x, y *roaring.Bitmap) *roaring.Bitmap {
	if isEmpty(x) || isEmpty(y) {
		return nil
	}
	if size(y) < size(x) {
		x, y = y, x
	}
	if !v.spend(x) {
		return nil
	}
	return roaring.And(x, y)
}

// spend takes the size of a set that is about to be visited from the budget.
func (v *shardSearch) spend(docs *roaring.Bitmap) bool {
	return isEmpty(docs) || v.search.budget.visit(int(docs.GetSerializedSizeInBytes()))
}
