package eval

import (
	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/bitmap"
)

// Filter answers whether single documents of a shard match a conjunction. The first maxSingle are
// evaluated one by one, each within a set of one document. Only when more are asked for is the
// conjunction evaluated for the whole shard.
type Filter struct {
	shard *Shard
	all   *query.ConjunctionQuery
	asked int             // calls of Has
	docs  *roaring.Bitmap // the answer for the shard, after maxSingle calls
}

// maxSingle is how many documents are evaluated one by one. A text that may be a number rarely
// begins many CNPJs, so most searches stay below it.
const maxSingle = 64

// Filter returns a filter for documents that match all queries; without queries every document
// passes.
func (s *Shard) Filter(queries []query.Query) *Filter {
	return &Filter{shard: s, all: query.NewConjunctionQuery(queries)}
}

// Has reports whether a document, numbered within the shard, matches.
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
