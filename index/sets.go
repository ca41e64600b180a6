package index

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// Sets of documents are Roaring bitmaps; nil is the empty one. Most are postings that lie in a mapped file, so that none is
// ever changed.

func size(docs *roaring.Bitmap) int {
	if docs == nil {
		return 0
	}
	return int(docs.GetCardinality())
}

func isEmpty(docs *roaring.Bitmap) bool { return docs == nil || docs.IsEmpty() }

func without(x, y *roaring.Bitmap) *roaring.Bitmap {
	if isEmpty(x) || isEmpty(y) {
		return x
	}
	return roaring.AndNot(x, y)
}

// union uses up its list.
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

// visitPart visits the documents from one place of a set to before another, in order.
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

// containerDocs is how many numbers a container of a Roaring bitmap covers: those with the same upper 16 bits.
const containerDocs = 1 << 16

// scratch is memory that queries use one after the other.
type scratch struct {
	many   [4096]uint32
	lows   [containerDocs]uint16
	kept   [containerDocs]uint32
	marks  []uint64
	counts []uint32
	used   int // of counts
}

// containers visits a set container by container: the container's first number, and how far its documents are from it,
// valid until visit returns.
func (w *scratch) containers(docs *roaring.Bitmap, visit func(first uint32, lows []uint16)) {
	if isEmpty(docs) {
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

// bits returns n bits that are 0, valid until the next call.
func (w *scratch) bits(n int) []uint64 {
	n = (n + 63) / 64
	if len(w.marks) < n {
		w.marks = make([]uint64, n)
	}
	clear(w.marks[:n])
	return w.marks[:n]
}

// zeros returns n counts that are 0.
func (w *scratch) zeros(n int) []uint32 {
	if w.used+n > len(w.counts) {
		w.counts, w.used = make([]uint32, max(n, 2*len(w.counts), 1<<16)), 0
	}
	w.used += n
	out := w.counts[w.used-n : w.used : w.used]
	clear(out)
	return out
}

// mark sets the bits of documents whose numbers begin at base. Shards are marked in their order: what WriteDenseTo copies
// beyond the end of one is cleared, and marked after it.
func mark(marks []uint64, docs *roaring.Bitmap, base uint32) {
	if isEmpty(docs) {
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
