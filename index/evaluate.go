package index

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

// evaluate returns the documents of a shard that a query matches, of those in within unless that is nil.
//
// It is Bleve's optimisation of unscored conjunctions and disjunctions of terms (bleveindex.Optimizable: intersect and
// unite the Roaring bitmaps of the postings) extended to whole queries and kept as sets, which tiers subtract, columns order
// and facets count. Bleve's searchers hand over one document at a time; docs/search.md has what that costs.
//
// When the budget is spent, what is returned is a part of what matches.
func (v *shardSearch) evaluate(q query.Query, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	switch q := q.(type) {
	case *query.TermQuery, *filter.RecordsIn, *filter.InForce:
		list, _, err := v.listed(q)
		if err != nil || within == nil {
			return list.docs, err
		}
		return v.and(list.docs, within), nil
	case *query.PrefixQuery:
		return v.beginning(q, within)
	case *query.ConjunctionQuery:
		return v.conjunction(q.Conjuncts, within)
	case *query.DisjunctionQuery:
		return v.anyOf(q, within)
	case *filter.Range:
		return v.inRange(q, within)
	case *query.BooleanQuery: // of filter.Set: only what must not match
		if not, ok := q.MustNot.(*query.DisjunctionQuery); ok {
			return v.exclusion(not, within)
		}
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

// postings are the documents of a term, or of several by a key: readings, tiers and facets ask for the same.
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
	docs, err := v.visible(field[0], text)
	if err == nil {
		v.read = append(v.read, postings{field, text, docs})
	}
	return docs, err
}

// visible reads the postings of a term, without documents whose contact is hidden when the term tells of that.
func (v *shardSearch) visible(field byte, text string) (*roaring.Bitmap, error) {
	docs, err := v.Postings(field, []byte(text))
	return v.search.index.hidden.Load().Leave(v.number, field, text, docs), err
}

// listed returns the postings of a query that is one term or about one source, false for others.
func (v *shardSearch) listed(q query.Query) (_ postings, ok bool, err error) {
	switch q := q.(type) {
	case *query.TermQuery:
		docs, err := v.having(q.FieldVal, q.Term)
		return postings{q.FieldVal, q.Term, docs}, true, err
	case *filter.RecordsIn:
		docs, err := v.search.index.sources.In(q.Source, v.number)
		return postings{"source ", q.Source, docs}, true, err
	case *filter.InForce:
		docs, err := v.search.index.sources.InForce(q.Source, v.number)
		return postings{"in force ", q.Source, docs}, true, err
	}
	return postings{}, false, nil
}

// conjunction intersects the terms, the rarest first; the other queries are only asked about what that leaves.
func (v *shardSearch) conjunction(queries []query.Query, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	var terms []postings
	var others []query.Query
	for _, q := range queries {
		list, ok, err := v.listed(q)
		if err != nil || ok && bitmap.IsEmpty(list.docs) {
			return nil, err
		}
		if ok {
			terms = append(terms, list)
		} else {
			others = append(others, q)
		}
	}
	left := v.intersection(terms, within)
	if len(terms) > 0 && bitmap.IsEmpty(left) {
		return nil, nil
	}
	if len(others) > 1 && (left == nil || bitmap.Size(left) > v.unsampled()) {
		if err := v.rarestFirst(others); err != nil {
			return nil, err
		}
	}
	for _, q := range others {
		var err error
		if left, err = v.evaluate(q, left); err != nil || bitmap.IsEmpty(left) {
			return nil, err
		}
	}
	return v.restrict(left), nil
}

// rarestFirst orders queries by how many documents they match, as far as terms and columns tell; the others come last.
func (v *shardSearch) rarestFirst(queries []query.Query) error {
	most := make(map[query.Query]int, len(queries))
	for _, q := range queries {
		var err error
		if most[q], err = v.estimate(q); err != nil {
			return err
		}
	}
	slices.SortStableFunc(queries, func(a, b query.Query) int { return cmp.Compare(most[a], most[b]) })
	return nil
}

// estimate returns how many documents match a query at the most, or about how many: words are rarer than most ranges, and what excludes
// comes last.
func (v *shardSearch) estimate(q query.Query) (int, error) {
	switch q := q.(type) {
	case *query.DisjunctionQuery:
		n := 0
		for _, one := range q.Disjuncts {
			list, ok, err := v.listed(one)
			if err != nil || !ok {
				return v.unsampled(), err
			}
			n += bitmap.Size(list.docs)
		}
		return n, nil
	case *filter.Range:
		r, err := v.local(q)
		if err != nil {
			return 0, err
		}
		return r.Estimate(), nil
	case *query.BooleanQuery:
		return math.MaxInt, nil
	}
	return v.unsampled(), nil
}

// unsampled is how many documents a range has at the most of which a sample shows none.
func (v *shardSearch) unsampled() int { return int(column.Unsampled * float64(v.Docs())) }

// intersection returns the documents of all terms and of within, unless that is nil. Facets ask for many combinations of
// the same filters: what the first terms have in common is kept for those that begin alike.
func (v *shardSearch) intersection(terms []postings, within *roaring.Bitmap) *roaring.Bitmap {
	slices.SortFunc(terms, func(a, b postings) int { return cmp.Compare(bitmap.Size(a.docs), bitmap.Size(b.docs)) })
	left, key := within, ""
	for _, t := range terms {
		key += t.field + t.text + " "
		switch common, known := v.known("", key); {
		case left == nil:
			left = t.docs
		case within != nil:
			left = v.and(left, t.docs)
		case known:
			left = common
		default:
			left = v.and(left, t.docs)
			v.read = append(v.read, postings{"", key, left})
		}
		if bitmap.IsEmpty(left) {
			return left
		}
	}
	return left
}

// anyOf returns the documents that match at least one of some queries.
func (v *shardSearch) anyOf(q *query.DisjunctionQuery, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	lists := make([]*roaring.Bitmap, 0, len(q.Disjuncts))
	for _, one := range q.Disjuncts {
		docs, err := v.evaluate(one, within)
		if err != nil {
			return nil, err
		}
		if !v.spend(docs) {
			break
		}
		lists = append(lists, docs)
	}
	return bitmap.Union(lists), nil
}

// exclusion returns the documents that match none of some queries, nothing when the budget does not reach for knowing them.
func (v *shardSearch) exclusion(not *query.DisjunctionQuery, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	left := v.restrict(within).Clone()
	for _, q := range not.Disjuncts {
		docs, err := v.evaluate(q, nil)
		if err != nil || v.search.budget.Spent {
			return nil, err
		}
		if !bitmap.IsEmpty(docs) {
			left.AndNot(docs)
		}
	}
	return left, nil
}

// beginning returns the documents of the terms that begin so, as many terms as the budget allows.
func (v *shardSearch) beginning(q *query.PrefixQuery, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	var lists []*roaring.Bitmap
	field := q.FieldVal[0]
	var bad error
	err := v.Terms(field, []byte(q.Prefix), nil, func(text string) bool {
		if !v.search.budget.Expand() {
			return false
		}
		var docs *roaring.Bitmap
		if docs, bad = v.visible(field, text); within != nil {
			docs = v.and(docs, within)
		}
		lists = append(lists, docs)
		return bad == nil && v.spend(docs)
	})
	return bitmap.Union(lists), cmp.Or(err, bad)
}

// and intersects two sets, unless the budget is spent.
func (v *shardSearch) and(x, y *roaring.Bitmap) *roaring.Bitmap {
	if bitmap.IsEmpty(x) || bitmap.IsEmpty(y) {
		return nil
	}
	if bitmap.Size(y) < bitmap.Size(x) {
		x, y = y, x
	}
	if !v.spend(x) {
		return nil
	}
	return roaring.And(x, y)
}

// spend takes the size of a set that is about to be visited from the budget.
func (v *shardSearch) spend(docs *roaring.Bitmap) bool {
	return bitmap.IsEmpty(docs) || v.search.budget.Visit(int(docs.GetSerializedSizeInBytes()))
}
