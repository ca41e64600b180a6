package index

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// Three rules hold for the functions on sets of documents below. nil is the empty set. No argument is
// changed, because most sets are postings that lie in a memory-mapped, read-only file. A result may
// be one of the arguments, so callers do not change results either.

// sizeOf returns the number of documents in a set. Roaring adds up the cardinalities of the
// containers; no document is visited.
func sizeOf(docs *roaring.Bitmap) int {
	if docs == nil {
		return 0
	}
	return int(docs.GetCardinality())
}

// isEmpty reports whether a set has no document; nil has none.
func isEmpty(docs *roaring.Bitmap) bool { return docs == nil || docs.IsEmpty() }

// without returns the difference x \ y. It returns x itself when there is nothing to take away.
func without(x, y *roaring.Bitmap) *roaring.Bitmap {
	if isEmpty(x) || isEmpty(y) {
		return x
	}
	return roaring.AndNot(x, y)
}

// union returns the union of all sets, nil if they are all empty. It overwrites the slice. A single
// non-empty set is returned as it is, without a copy.
func union(sets []*roaring.Bitmap) *roaring.Bitmap {
	sets = slices.DeleteFunc(sets, isEmpty)
	switch len(sets) {
	case 0:
		return nil
	case 1:
		return sets[0]
	}
	return roaring.HeapOr(sets...)
}

// visitPart calls visit for the documents of rank from (included) to to (excluded), in ascending
// order. It stops at the first error of visit and returns it. There must be at least to documents.
func visitPart(docs *roaring.Bitmap, from, to int, visit func(doc uint32) error) error {
	if from >= to {
		return nil
	}
	first, err := docs.Select(uint32(from))
	if err != nil {
		return err
	}
	it := docs.Iterator()
	it.AdvanceIfNeeded(first)
	for ; from < to && it.HasNext(); from++ {
		if err := visit(it.Next()); err != nil {
			return err
		}
	}
	return nil
}
