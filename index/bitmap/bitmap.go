// Package bitmap has the operations on sets of documents that queries need beside those of Roaring
// bitmaps.
//
// Three rules hold for every function. nil is the empty set. No argument is changed, because most
// sets are postings lists that lie in a memory-mapped, read-only file. A result may be one of the
// arguments, so callers do not change results either.
//
// Roaring cuts the numbers into containers of 65,536. [Scratch.Containers] hands a set out
// container by container as 16-bit offsets, which is how the columns (facets, orders) read it: one
// bounds computation for each container instead of one for each document.
package bitmap

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// Size returns the number of documents in a set. Roaring adds up the cardinalities of the
// containers; no document is visited.
func Size(docs *roaring.Bitmap) int {
	if docs == nil {
		return 0
	}
	return int(docs.GetCardinality())
}

// IsEmpty reports whether a set has no document; nil has none.
func IsEmpty(docs *roaring.Bitmap) bool { return docs == nil || docs.IsEmpty() }

// Without returns the difference x \ y. It returns x itself when there is nothing to take away.
func Without(x, y *roaring.Bitmap) *roaring.Bitmap {
	if IsEmpty(x) || IsEmpty(y) {
		return x
	}
	return roaring.AndNot(x, y)
}

// Union returns the union of all sets, nil if they are all empty. It overwrites the slice. A single
// non-empty set is returned as it is, without a copy.
func Union(sets []*roaring.Bitmap) *roaring.Bitmap {
	sets = slices.DeleteFunc(sets, IsEmpty)
	switch len(sets) {
	case 0:
		return nil
	case 1:
		return sets[0]
	}
	return roaring.HeapOr(sets...)
}

// VisitPart calls visit for the documents of rank from (included) to to (excluded), in ascending
// order. It stops at the first error of visit and returns it. There must be at least to documents.
func VisitPart(docs *roaring.Bitmap, from, to int, visit func(doc uint32) error) error {
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

// containerDocs is how many numbers one Roaring container covers: those with the same upper 16
// bits.
const containerDocs = 1 << 16

// Scratch is working memory that one query after the other uses, some hundred kilobytes and a bit
// for each document of the index. A query returns it to the pool of the index when it ends. The
// zero value is ready. Not safe for concurrent use.
type Scratch struct {
	many   [4096]uint32
	lows   [containerDocs]uint16
	marks  []uint64
	counts []uint32
	used   int // how many counts Zeros has handed out
}

// Containers calls visit once for each container that has documents: first is the lowest number
// that the container covers, lows are the offsets of its documents from first, ascending. lows is
// valid until visit returns, so calls must not be nested.
func (w *Scratch) Containers(docs *roaring.Bitmap, visit func(first uint32, lows []uint16)) {
	if IsEmpty(docs) {
		return
	}
	it := docs.ManyIterator()
	first, n := uint32(0), 0
	for {
		many := w.many[:it.NextMany(w.many[:])]
		if len(many) == 0 {
			break
		}
		for _, doc := range many {
			if doc&^(containerDocs-1) != first {
				if n > 0 {
					visit(first, w.lows[:n])
				}
				first, n = doc&^(containerDocs-1), 0
			}
			w.lows[n] = uint16(doc)
			n++
		}
	}
	if n > 0 {
		visit(first, w.lows[:n])
	}
}

// Bits returns n cleared bits, 64 to a word, valid until the next call.
func (w *Scratch) Bits(n int) []uint64 {
	n = (n + 63) / 64
	if len(w.marks) < n {
		w.marks = make([]uint64, n)
	}
	clear(w.marks[:n])
	return w.marks[:n]
}

// Zeros returns n counters set to zero, valid until [Scratch.Reset]. It allocates from one slab, so
// several may be in use together.
func (w *Scratch) Zeros(n int) []uint32 {
	if w.used+n > len(w.counts) {
		w.counts, w.used = make([]uint32, max(n, 2*len(w.counts), 1<<16)), 0
	}
	w.used += n
	out := w.counts[w.used-n : w.used : w.used]
	clear(out)
	return out
}

// Mark sets the bits of docs, whose numbers are relative to base, in a dense bitmap of the whole
// index.
//
// Shards must be marked in ascending order of base: WriteDenseTo writes whole containers, so it
// clears the words behind the end of a shard, which the next call fills.
func Mark(marks []uint64, docs *roaring.Bitmap, base uint32) {
	if IsEmpty(docs) {
		return
	}
	if base%64 == 0 {
		docs.WriteDenseTo(marks[base/64:])
		return
	}
	for it := docs.Iterator(); it.HasNext(); {
		doc := base + it.Next()
		marks[doc/64] |= 1 << (doc % 64)
	}
}

// Reset makes the memory of all counters from [Scratch.Zeros] available again.
func (w *Scratch) Reset() { w.used = 0 }
