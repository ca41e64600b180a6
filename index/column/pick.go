package column

import (
	"container/heap"
	"math/bits"
	"slices"
	"sort"

	"github.com/RoaringBitmap/roaring/v2"
)

// Relative costs, measured, that decide how a page is found.
const (
	triedCost = 8    // documents that pick visits in the time in which walk tries one position
	mapGain   = 2    // positions that walkMap tries in the time in which pick visits one document
	walkShare = 512  // pickStage takes as long as walk takes for this part of the order,
	mapShare  = 8    // and as walkMap takes for this part
	mapLimit  = 2048 // positions from which on a dense bitmap of the kept documents is worth making
)

// Part is the kept documents of the shard that begins at document Base of the index.
type Part struct {
	Base uint32
	Docs *roaring.Bitmap // numbered within the shard; nil for none
}

// Selection is the set of documents that a query keeps, of which a page in some order is wanted: top-k
// selection. Three ways find it, and their costs depend on how many documents are kept and where
// they stand:
//
//   - walk: read the order until enough of its documents are kept. Cheap when many are.
//   - pickStage: count the kept documents by stage, 64 at a time, and walk from the stage in which
//     the page begins. Cheap for deep pages.
//   - pick: look up the position of every kept document and select the lowest, with a heap or a
//     bitmap. Cheap when few are.
//
// They are tried in this order if their expected costs are the lowest, and walk has a budget after
// which it gives up. Not safe for concurrent use.
type Selection struct {
	Parts []Part // by shard, in ascending order of Base
	Total int    // documents in all parts
	First uint32 // no kept document stands before this position of the order
	Work  *Scratch

	skip int // documents before the page
}

// Page returns the positions, ascending, of the kept documents of rank from (included) to to
// (excluded) in an order. There must be at least to kept documents. The slice is the caller's. If
// the order's file is damaged, positions may not be those of kept documents: check them with Has.
func (k *Selection) Page(sequence *Sequence, from, to int) []uint32 {
	k.skip = from
	positions := k.positions(sequence, to)
	return positions[max(len(positions)-to+from, 0):]
}

// positions chooses the way. The result ends with the page and may have documents of pages before
// it. want is the end of the page.
func (k *Selection) positions(sequence *Sequence, want int) []uint32 {
	if k.Total == int(sequence.Docs) {
		return span(k.skip, want)
	}
	if positions, complete := k.walk(sequence, want); complete {
		return positions
	}
	page := (want - k.skip) * int(sequence.Docs) / k.Total
	if page+2<<stageShift(sequence.Docs) < k.Total {
		if positions, complete := k.pickStage(sequence, want); complete {
			return positions
		}
	}
	return k.pick(sequence, want)
}

// span returns the numbers from (included) to to (excluded).
func span(from, to int) []uint32 {
	out := make([]uint32, 0, to-from)
	for i := from; i < to; i++ {
		out = append(out, uint32(i))
	}
	return out
}

// walk reads an order until it has met want kept documents (early termination). complete is false
// when picking is cheaper: from the start if they are rare, or after its budget if they stand far
// behind.
func (k *Selection) walk(sequence *Sequence, want int) (positions []uint32, complete bool) {
	expected := want * int(sequence.Docs) / k.Total
	if expected > mapLimit {
		return k.walkMap(sequence, want, expected)
	}
	if expected*triedCost > k.Total {
		return nil, false
	}
	budget := min(sequence.Docs, max(sequence.Docs/walkShare, mapLimit), uint32(k.Total/triedCost))
	for position := k.First; position < min(k.First+budget, sequence.Docs) && len(positions) < want; position++ {
		if k.Has(sequence.Doc(position)) {
			positions = append(positions, position)
		}
	}
	return positions, len(positions) == want
}

// walkMap is walk with a dense bitmap of the kept documents. Twice the expected positions must fit
// the budget: an order may have kept documents half as often in front as on average.
func (k *Selection) walkMap(sequence *Sequence, want, expected int) (_ []uint32, complete bool) {
	budget := min(k.Total*mapGain, int(sequence.Docs)/mapShare)
	if 2*expected > budget {
		return nil, false
	}
	positions := k.walkFrom(sequence, k.marks(sequence.Docs), k.First, min(k.First+uint32(budget), sequence.Docs), want)
	return positions, len(positions) == want
}

// walkFrom returns the positions from first (included) to last (excluded) whose documents are
// marked in kept, at most want of them.
func (k *Selection) walkFrom(sequence *Sequence, kept []uint64, first, last uint32, want int) []uint32 {
	positions, n := make([]uint32, want+1), 0
	for position := first; position < last && n < want; position++ {
		// Branch-free, because whether a document is kept is unpredictable: each position is
		// written, and overwritten by the next one unless its document is kept.
		doc := min(sequence.Doc(position), sequence.Docs)
		positions[n] = position
		n += int(kept[doc/64] >> (doc % 64) & 1)
	}
	return positions[:n]
}

// pickStage finds the stage in which the page begins and walks from there. A backward order is read
// forwards, and the result is reversed. complete is false if a page of a backward order reaches the
// documents without a key, or the file is damaged.
func (k *Selection) pickStage(sequence *Sequence, want int) (_ []uint32, complete bool) {
	kept, skip, n := k.marks(sequence.Docs), k.skip, want-k.skip
	forward := *sequence
	forward.Backward = false
	if sequence.Backward {
		if skip = k.selectedBefore(&forward, kept, sequence.Known) - want; skip < 0 {
			return nil, false
		}
	}
	stage, before := forward.stageOf(kept, skip)
	first := stage << stageShift(sequence.Docs)
	positions := k.walkFrom(&forward, kept, first, sequence.Docs, skip-before+n)
	if len(positions) < n {
		return nil, false
	}
	positions = positions[len(positions)-n:]
	if sequence.Backward {
		slices.Reverse(positions)
		for i, position := range positions {
			positions[i] = sequence.turn(position)
		}
	}
	return positions, true
}

// selectedBefore returns how many kept documents stand before a position: whole stages by counting, the
// rest by walking.
func (k *Selection) selectedBefore(sequence *Sequence, kept []uint64, position uint32) int {
	shift := stageShift(sequence.Docs)
	first := position >> shift << shift
	return sequence.keptBelow(kept, position>>shift) + len(k.walkFrom(sequence, kept, first, position, int(position-first)))
}

// Has reports whether a document, numbered in the whole index, is kept. It is a binary search by
// shard and one in the bitmap.
func (k *Selection) Has(doc uint32) bool {
	i := sort.Search(len(k.Parts), func(i int) bool { return k.Parts[i].Base > doc }) - 1
	return i >= 0 && k.Parts[i].Docs != nil && k.Parts[i].Docs.Contains(doc-k.Parts[i].Base)
}

// marks returns the kept documents as a dense bitmap of docs bits.
func (k *Selection) marks(docs uint32) []uint64 {
	marks := k.Work.Bits(int(docs) + 1) // one more, never set: damaged files name documents beyond the last
	for _, p := range k.Parts {
		mark(marks, p.Docs, p.Base)
	}
	return marks
}

// heapLimit is up to how many positions a bounded heap selects; for more, a bitmap of all positions
// is faster.
const heapLimit = 128

// pick returns the first want positions of the kept documents, ascending, by looking up all of
// them.
func (k *Selection) pick(sequence *Sequence, want int) []uint32 {
	if want > heapLimit {
		return k.pickMarked(sequence, want)
	}
	var first positionHeap
	k.eachContainer(func(base uint32, lows []uint16) {
		positions := sequence.Positions(base)
		for _, low := range lows {
			switch position := sequence.Position(positions, low); {
			case len(first) < want:
				heap.Push(&first, position)
			case position < first[0]:
				first[0] = position
				heap.Fix(&first, 0)
			}
		}
	})
	slices.Sort(first)
	return first
}

// pickMarked is pick by bitmap: mark all positions and read the first.
func (k *Selection) pickMarked(sequence *Sequence, want int) []uint32 {
	marks := k.Work.Bits(int(sequence.Docs))
	k.eachContainer(func(base uint32, lows []uint16) {
		positions := sequence.Positions(base)
		for _, low := range lows {
			position := sequence.Position(positions, low)
			marks[position/64] |= 1 << (position % 64)
		}
	})
	positions := make([]uint32, 0, want)
	for i := 0; i < len(marks) && len(positions) < want; i++ {
		for word := marks[i]; word != 0 && len(positions) < want; word &= word - 1 {
			positions = append(positions, uint32(64*i+bits.TrailingZeros64(word)))
		}
	}
	return positions
}

// eachContainer calls visit for each container of kept documents with the number, in the whole index, of
// its first possible document and the offsets from it.
func (k *Selection) eachContainer(visit func(base uint32, lows []uint16)) {
	for _, p := range k.Parts {
		k.Work.Containers(p.Docs, func(first uint32, lows []uint16) { visit(p.Base+first, lows) })
	}
}

// positionHeap is a max-heap: the largest of the lowest positions so far is on top, to be replaced.
type positionHeap []uint32

func (h positionHeap) Len() int           { return len(h) }
func (h positionHeap) Less(i, j int) bool { return h[i] > h[j] }
func (h positionHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *positionHeap) Push(x any)        { *h = append(*h, x.(uint32)) }
func (h *positionHeap) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}
