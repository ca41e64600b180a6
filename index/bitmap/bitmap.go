// Package bitmap is what queries do with sets of documents beside Roaring's own operations. nil is the empty set. Most sets are
// postings that lie in a mapped file, so that none is ever changed.
package bitmap

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// Size returns how many documents a set has.
func Size(docs *roaring.Bitmap) int {
	if docs == nil {
		return 0
	}
	return int(docs.GetCardinality())
}

// IsEmpty reports whether a set has no document.
func IsEmpty(docs *roaring.Bitmap) bool { return docs == nil || docs.IsEmpty() }

// Without returns the documents of x that are not in y.
func Without(x, y *roaring.Bitmap) *roaring.Bitmap {
	if IsEmpty(x) || IsEmpty(y) {
		return x
	}
	return roaring.AndNot(x, y)
}

// Union returns the documents of all sets, and uses up the list of them.
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

// VisitPart visits the documents from one place of a set to before another, in order. It returns the error of visit at once.
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

// containerDocs is how many numbers a container of a Roaring bitmap covers: those with the same upper 16 bits.
const containerDocs = 1 << 16

// Scratch is memory that queries use one after the other. Not safe for concurrent use; the zero value is ready.
type Scratch struct {
	many   [4096]uint32
	lows   [containerDocs]uint16
	marks  []uint64
	counts []uint32
	used   int // of counts
}

// Containers visits a set container by container: the container's first number, and how far its documents are from it,
// valid until visit returns.
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

// Bits returns n bits that are 0, valid until the next call.
func (w *Scratch) Bits(n int) []uint64 {
	n = (n + 63) / 64
	if len(w.marks) < n {
		w.marks = make([]uint64, n)
	}
	clear(w.marks[:n])
	return w.marks[:n]
}

// Zeros returns n counts that are 0.
func (w *Scratch) Zeros(n int) []uint32 {
	if w.used+n > len(w.counts) {
		w.counts, w.used = make([]uint32, max(n, 2*len(w.counts), 1<<16)), 0
	}
	w.used += n
	out := w.counts[w.used-n : w.used : w.used]
	clear(out)
	return out
}

// Mark sets the bits of documents whose numbers begin at base. Shards are marked in their order: what WriteDenseTo copies
// beyond the end of one is cleared, and marked after it.
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

// Reset ends the life of the counts that Zeros returned.
func (w *Scratch) Reset() { w.used = 0 }
