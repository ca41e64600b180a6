package index

import (
	"container/heap"
	"math/bits"
	"slices"

	"razao/index/bitmap"
	"razao/index/column"
)

const (
	triedCost = 8    // documents that are picked in the time in which one position of an order is tried
	mapGain   = 2    // positions that are tried with a bitmap in the time in which one document is picked
	mapLimit  = 2048 // positions beyond which the bitmap is worth making
)

// positions returns the positions, rising, of the kept documents that are on the page; it may begin with those of pages
// before. want is how many the page and those before it have.
func (s *search) positions(sequence *column.Sequence, want int) []uint32 {
	if s.page.total == int(sequence.Docs) {
		return span(s.page.skip, want)
	}
	if positions, complete := s.walk(sequence, want); complete {
		return positions
	}
	page := (want - s.page.skip) * int(sequence.Docs) / s.page.total
	if page+2<<column.StageShift(sequence.Docs) < s.page.total {
		if positions, complete := s.pickStage(sequence, want); complete {
			return positions
		}
	}
	return s.pick(sequence, want)
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
func (s *search) walk(sequence *column.Sequence, want int) (positions []uint32, complete bool) {
	expected := want * int(sequence.Docs) / s.page.total
	if expected > mapLimit {
		return s.walkMap(sequence, want, expected)
	}
	if expected*triedCost > s.page.total {
		return nil, false
	}
	budget := min(sequence.Docs, uint32(s.page.total/triedCost))
	for position := uint32(0); position < budget && len(positions) < want; position++ {
		if s.isKept(sequence.Doc(position)) {
			positions = append(positions, position)
		}
	}
	return positions, len(positions) == want
}

// walkMap is walk with a bitmap of the kept documents. An order may have them half as often in front as on average.
func (s *search) walkMap(sequence *column.Sequence, want, expected int) (_ []uint32, complete bool) {
	budget := min(s.page.total*mapGain, int(sequence.Docs))
	if 2*expected > budget {
		return nil, false
	}
	positions := s.walkFrom(sequence, s.keptMarks(), 0, uint32(budget), want)
	return positions, len(positions) == want
}

// walkFrom returns the positions from a first to before a last at which documents are kept, as many as are wanted.
func (s *search) walkFrom(sequence *column.Sequence, kept []uint64, first, last uint32, want int) []uint32 {
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
func (s *search) pickStage(sequence *column.Sequence, want int) (_ []uint32, complete bool) {
	var counts [column.Stages]int
	s.eachKept(func(base uint32, lows []uint16) {
		stageOf := sequence.Stages(base)
		for _, low := range lows {
			counts[stageOf[low]]++
		}
	})
	kept, skip, n := s.keptMarks(), s.page.skip, want-s.page.skip
	forward := *sequence
	forward.Backward = false
	if sequence.Backward {
		if skip = s.keptBefore(&forward, kept, counts[:], sequence.Known) - want; skip < 0 {
			return nil, false
		}
	}
	stage, before := 0, 0
	for ; stage < len(counts)-1 && before+counts[stage] <= skip; stage++ {
		before += counts[stage]
	}
	first := uint32(stage) << column.StageShift(sequence.Docs)
	positions := s.walkFrom(&forward, kept, first, sequence.Docs, skip-before+n)
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
func (s *search) keptBefore(sequence *column.Sequence, kept []uint64, counts []int, position uint32) int {
	shift := column.StageShift(sequence.Docs)
	first := position >> shift << shift
	n := len(s.walkFrom(sequence, kept, first, position, int(position-first)))
	for _, count := range counts[:position>>shift] {
		n += count
	}
	return n
}

func (s *search) isKept(doc uint32) bool {
	i, local, ok := s.index.locate(doc)
	return ok && s.shards[i] != nil && !bitmap.IsEmpty(s.shards[i].kept) && s.shards[i].kept.Contains(local)
}

// keptMarks returns a bit for every document of the index, set for the kept ones.
func (s *search) keptMarks() []uint64 {
	marks := s.work.Bits(int(s.index.columns.Docs) + 1) // and one that is never set
	for _, v := range s.shards {
		if v != nil {
			bitmap.Mark(marks, v.kept, v.base)
		}
	}
	return marks
}

// heapLimit is up to how many positions a bounded heap collects; more are marked in a bitmap of all positions.
const heapLimit = 128

// pick returns the first want positions of the kept documents, rising.
func (s *search) pick(sequence *column.Sequence, want int) []uint32 {
	if want > heapLimit {
		return s.pickMarked(sequence, want)
	}
	var first positionHeap
	s.eachKept(func(base uint32, lows []uint16) {
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

func (s *search) pickMarked(sequence *column.Sequence, want int) []uint32 {
	marks := s.work.Bits(int(sequence.Docs))
	s.eachKept(func(base uint32, lows []uint16) {
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
func (s *search) eachKept(visit func(base uint32, lows []uint16)) {
	for _, v := range s.shards {
		if v != nil {
			s.work.Containers(v.kept, func(first uint32, lows []uint16) { visit(v.base+first, lows) })
		}
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
