package column

import (
	"container/heap"
	"math/bits"
	"slices"
	"sort"

	"github.com/RoaringBitmap/roaring/v2"

	"razao/index/bitmap"
)

const (
	triedCost = 8    // documents that are picked in the time in which one position of an order is tried
	mapGain   = 2    // positions that are tried with a bitmap in the time in which one document is picked
	mapLimit  = 2048 // positions beyond which the bitmap is worth making
)

// Part is the kept documents of one shard, whose first document has the number Base in the whole index.
type Part struct {
	Base uint32
	Kept *roaring.Bitmap // by their numbers in the shard; nil for none
}

// Kept is the documents that a query keeps, whose page in an order is picked. Not safe for concurrent use.
type Kept struct {
	Parts []Part // by shard
	Total int    // documents in all
	Work  *bitmap.Scratch

	skip int // of the page
}

// Page returns the positions in an order, rising, of the kept documents from one to before another, of which there must be as many.
func (k *Kept) Page(sequence *Sequence, from, to int) []uint32 {
	k.skip = from
	positions := k.positions(sequence, to)
	return positions[max(len(positions)-to+from, 0):]
}

// positions returns the positions, rising, of the kept documents that are on the page; it may begin with those of pages
// before. want is how many the page and those before it have.
func (k *Kept) positions(sequence *Sequence, want int) []uint32 {
	if k.Total == int(sequence.Docs) {
		return span(k.skip, want)
	}
	if positions, complete := k.walk(sequence, want); complete {
		return positions
	}
	page := (want - k.skip) * int(sequence.Docs) / k.Total
	if page+2<<StageShift(sequence.Docs) < k.Total {
		if positions, complete := k.pickStage(sequence, want); complete {
			return positions
		}
	}
	return k.pick(sequence, want)
}

// span returns the numbers from one to before another.
func span(from, to int) []uint32 {
	out := make([]uint32, 0, to-from)
	for i := from; i < to; i++ {
		out = append(out, uint32(i))
	}
	return out
}

// walk scans an order until it has met want of the kept documents: early termination. It gives up, returning false, when
// picking them out is cheaper: at once when they are rare, later when they turn out to stand far behind.
func (k *Kept) walk(sequence *Sequence, want int) (positions []uint32, complete bool) {
	expected := want * int(sequence.Docs) / k.Total
	if expected > mapLimit {
		return k.walkMap(sequence, want, expected)
	}
	if expected*triedCost > k.Total {
		return nil, false
	}
	budget := min(sequence.Docs, uint32(k.Total/triedCost))
	for position := uint32(0); position < budget && len(positions) < want; position++ {
		if k.Has(sequence.Doc(position)) {
			positions = append(positions, position)
		}
	}
	return positions, len(positions) == want
}

// walkMap is walk with a bitmap of the kept documents. An order may have them half as often in front as on average.
func (k *Kept) walkMap(sequence *Sequence, want, expected int) (_ []uint32, complete bool) {
	budget := min(k.Total*mapGain, int(sequence.Docs))
	if 2*expected > budget {
		return nil, false
	}
	positions := k.walkFrom(sequence, k.marks(sequence.Docs), 0, uint32(budget), want)
	return positions, len(positions) == want
}

// walkFrom returns the positions from a first to before a last at which documents are kept, as many as are wanted.
func (k *Kept) walkFrom(sequence *Sequence, kept []uint64, first, last uint32, want int) []uint32 {
	positions, n := make([]uint32, want+1), 0
	for position := first; position < last && n < want; position++ {
		// Branch-free, since whether a document is kept is unpredictable: each position is written, and the next one over
		// it unless its document is kept.
		doc := min(sequence.Doc(position), sequence.Docs)
		positions[n] = position
		n += int(kept[doc/64] >> (doc % 64) & 1)
	}
	return positions[:n]
}

// pickStage counts the kept documents by the stage of the order in which they stand, and walks from the stage in which
// the page begins. It returns false when the page has documents without a key in an order that is read backwards.
func (k *Kept) pickStage(sequence *Sequence, want int) (_ []uint32, complete bool) {
	var counts [Stages]int
	k.eachKept(func(base uint32, lows []uint16) {
		stageOf := sequence.Stages(base)
		for _, low := range lows {
			counts[stageOf[low]]++
		}
	})
	kept, skip, n := k.marks(sequence.Docs), k.skip, want-k.skip
	forward := *sequence
	forward.Backward = false
	if sequence.Backward {
		if skip = k.keptBefore(&forward, kept, counts[:], sequence.Known) - want; skip < 0 {
			return nil, false
		}
	}
	stage, before := 0, 0
	for ; stage < len(counts)-1 && before+counts[stage] <= skip; stage++ {
		before += counts[stage]
	}
	first := uint32(stage) << StageShift(sequence.Docs)
	positions := k.walkFrom(&forward, kept, first, sequence.Docs, skip-before+n)
	if len(positions) < n {
		return nil, false
	}
	positions = positions[len(positions)-n:]
	if sequence.Backward {
		slices.Reverse(positions)
		for i, position := range positions {
			positions[i] = sequence.Turn(position)
		}
	}
	return positions, true
}

// keptBefore returns how many documents are kept before a position.
func (k *Kept) keptBefore(sequence *Sequence, kept []uint64, counts []int, position uint32) int {
	shift := StageShift(sequence.Docs)
	first := position >> shift << shift
	n := len(k.walkFrom(sequence, kept, first, position, int(position-first)))
	for _, count := range counts[:position>>shift] {
		n += count
	}
	return n
}

// Has says whether a document, by its number in the whole index, is kept.
func (k *Kept) Has(doc uint32) bool {
	i := sort.Search(len(k.Parts), func(i int) bool { return k.Parts[i].Base > doc }) - 1
	return i >= 0 && !bitmap.IsEmpty(k.Parts[i].Kept) && k.Parts[i].Kept.Contains(doc-k.Parts[i].Base)
}

// marks returns a bit for every document of the index, set for the kept ones.
func (k *Kept) marks(docs uint32) []uint64 {
	marks := k.Work.Bits(int(docs) + 1) // and one that is never set
	for _, p := range k.Parts {
		bitmap.Mark(marks, p.Kept, p.Base)
	}
	return marks
}

// heapLimit is up to how many positions a bounded heap collects; more are marked in a bitmap of all positions.
const heapLimit = 128

// pick returns the first want positions of the kept documents, rising.
func (k *Kept) pick(sequence *Sequence, want int) []uint32 {
	if want > heapLimit {
		return k.pickMarked(sequence, want)
	}
	var first positionHeap
	k.eachKept(func(base uint32, lows []uint16) {
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

func (k *Kept) pickMarked(sequence *Sequence, want int) []uint32 {
	marks := k.Work.Bits(int(sequence.Docs))
	k.eachKept(func(base uint32, lows []uint16) {
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

// eachKept visits the kept documents block by block: the first that the block could have, by its number in the whole
// index, and how far they are from it.
func (k *Kept) eachKept(visit func(base uint32, lows []uint16)) {
	for _, p := range k.Parts {
		k.Work.Containers(p.Kept, func(first uint32, lows []uint16) { visit(p.Base+first, lows) })
	}
}

// positionHeap has the largest position on top.
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
