// Package eval evaluates Bleve queries over the shards of an index. The result is a set: the
// matching documents of one shard as a Roaring bitmap.
//
// Bleve itself intersects and unites the bitmaps of postings only for conjunctions and disjunctions
// of terms that need no score (Optimizable in bleve_index_api); its other searchers hand out one
// document at a time. This package does the same for whole queries, so that tiers can subtract the
// set, columns order it and facets count it. It knows the queries that packages match and filter
// write, and no others.
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
//
// An [Evaluator] belongs to one search, and so do its [Shard]s, which memoize postings,
// intersections and ranges. Neither is safe for concurrent use.
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

// Evaluator holds what one search shares between its shards. The caller fills in the exported
// fields; Scratch must not be used by another search meanwhile.
type Evaluator struct {
	Columns *column.Columns
	Sources *flags.Sources
	Hidden  *hidden.Contacts // nil hides nothing
	Scratch *bitmap.Scratch
	Budget  gate.Budget
	ranges  map[rangeKey]column.Range
}

// Shard evaluates queries in one shard for one search. Sets that it returns may be memoized or lie
// in the mapped file: they must not be changed.
type Shard struct {
	*segment.View
	Number    int    // of the shard, from 0
	Base      uint32 // number of the shard's first document in the whole index
	evaluator *Evaluator
	read      []postings // memo of terms, flags and intersections; few enough for a linear scan
	ranges    map[rangeKey]*column.Local
	all       *roaring.Bitmap // every document, nil until needed
}

// Shard opens a view of shard s, which is the one of this number and begins at document base of the
// index. Release it when the search ends.
func (e *Evaluator) Shard(s *segment.Shard, number int, base uint32) *Shard {
	return &Shard{View: s.View(), Number: number, Base: base, evaluator: e}
}
