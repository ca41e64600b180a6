package eval

import (
	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/bitmap"
)

// Filter tells of single documents of a shard whether they match some queries. Few are asked about one by one; for more the queries are
// evaluated in the whole shard.
type Filter struct {
	shard *Shard
	all   *query.ConjunctionQuery
	asked int
	docs  *roaring.Bitmap
}

// maxSingle is how many documents are asked about one by one: most texts that may be a number, like words of letters, are none.
const maxSingle = 64

// Filter returns the filter of queries that all must match; with none everything passes.
func (s *Shard) Filter(queries []query.Query) *Filter {
	return &Filter{shard: s, all: query.NewConjunctionQuery(queries)}
}

// Has reports whether a document matches.
func (f *Filter) Has(doc uint32) (_ bool, err error) {
	if len(f.all.Conjuncts) == 0 {
		return true, nil
	}
	f.asked++
	if f.asked <= maxSingle {
		docs, err := f.shard.Evaluate(f.all, roaring.BitmapOf(doc))
		return !bitmap.IsEmpty(docs), err
	}
	if f.asked == maxSingle+1 {
		f.docs, err = f.shard.Evaluate(f.all, nil)
	}
	return !bitmap.IsEmpty(f.docs) && f.docs.Contains(doc), err
}
