package column

import "github.com/RoaringBitmap/roaring/v2"

// containerDocs is how many numbers one Roaring container covers: those with the same upper 16
// bits.
const containerDocs = 1 << 16

// Scratch is working memory that one query after the other uses, a bit for each document of the
// index and more. A query returns it to the pool of the index when it ends. The
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
	if docs == nil || docs.IsEmpty() {
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

// mark sets the bits of docs, whose numbers are relative to base, in a dense bitmap of the whole
// index.
//
// Shards must be marked in ascending order of base: WriteDenseTo writes whole containers, so it
// clears the words behind the end of a shard, which the next call fills.
func mark(marks []uint64, docs *roaring.Bitmap, base uint32) {
	if docs == nil || docs.IsEmpty() {
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
