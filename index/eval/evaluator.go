// Package eval answers Bleve queries with sets of documents, shard by shard: what package filter and package match write, over
// postings, flags of sources and columns. It is Bleve's own optimisation of unscored conjunctions and disjunctions of terms
// (intersect and unite the Roaring bitmaps of the postings), extended to whole queries.
package eval

import (
	"github.com/RoaringBitmap/roaring/v2"

	"razao/index/bitmap"
	"razao/index/column"
	"razao/index/flags"
	"razao/index/gate"
	"razao/index/hidden"
	"razao/index/segment"
)

// Evaluator is what one search shares between its shards: the index's columns and flags, and what it may cost. Not safe for
// concurrent use.
type Evaluator struct {
	Columns *column.Columns
	Sources *flags.Sources
	Hidden  *hidden.Contacts
	Scratch *bitmap.Scratch
	Budget  gate.Budget
	ranges  map[rangeKey]column.Range
}

// Shard evaluates the queries of one search in one shard. It remembers what was read, because readings, tiers and facets ask for the
// same.
type Shard struct {
	*segment.View
	Number    int    // of the shard
	Base      uint32 // number of the shard's first document in the whole index
	evaluator *Evaluator
	read      []postings // so far
	ranges    map[rangeKey]*column.Local
	all       *roaring.Bitmap // documents, nil until asked for
}

// Shard opens a shard, which is to be released.
func (e *Evaluator) Shard(s *segment.Shard, number int, base uint32) *Shard {
	return &Shard{View: s.View(), Number: number, Base: base, evaluator: e}
}
