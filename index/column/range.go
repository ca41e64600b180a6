package column

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sort"

	"razao/internal/record"
)

// Range is the set of documents whose value lies in an interval, evaluated lazily. Documents are
// numbered in the whole index. Not safe for concurrent use.
type Range interface {
	// Has reports whether a document is in the range. One random access.
	Has(doc uint32) bool
	// Mark sets the bits of the documents in the range, of docs documents from first on, whose
	// bit is the lowest of marks. marks must be zero.
	Mark(first, docs uint32, marks []uint64)
}

// Numbers is an interval of a number column, both ends included; it is empty if From > To.
type Numbers struct{ From, To uint16 }

func (r Numbers) includes(n uint16) bool { return n >= r.From && n <= r.To }

// numbered returns the documents whose number is in an interval. Documents without the number count
// as 0.
func (c *Columns) numbered(n Number, of Numbers) Range { return &numberRange{c.numbers[n], of} }

// numberRange is a range of a number column.
type numberRange struct {
	*numbers
	Numbers
}

func (r *numberRange) Has(doc uint32) bool {
	return r.includes(r.blocks[doc/blockDocs].at(int(doc % blockDocs)))
}

func (r *numberRange) Mark(first, docs uint32, marks []uint64) {
	// Documents without the number are in: start from all and clear those that are not.
	if r.includes(0) {
		setAll(marks, docs)
	}
	for at := first; at < first+docs; {
		base := at / blockDocs * blockDocs
		end := min(first+docs, base+blockDocs)
		if b := r.blocks[base/blockDocs]; b.dense {
			r.markDense(b.data[2*(at-base):2*(end-base)], at-first, marks)
		} else {
			b.each(int(at-base), int(end-base), func(low int, n uint16) {
				if doc := base + uint32(low) - first; r.includes(n) {
					marks[doc/64] |= 1 << (doc % 64)
				} else {
					marks[doc/64] &^= 1 << (doc % 64)
				}
			})
		}
		at = end
	}
}

// markDense marks consecutive documents from doc on, a bit position in marks, by their numbers, two
// bytes each: whole words of marks at once where they are aligned.
func (r *numberRange) markDense(data []byte, doc uint32, marks []uint64) {
	if r.From > r.To {
		return
	}
	for len(data) > 0 {
		if doc%64 == 0 && len(data) >= wordBytes {
			marks[doc/64] = r.word(data[:wordBytes])
			data, doc = data[wordBytes:], doc+64
			continue
		}
		if marks[doc/64] &^= 1 << (doc % 64); r.includes(binary.LittleEndian.Uint16(data)) {
			marks[doc/64] |= 1 << (doc % 64)
		}
		data, doc = data[2:], doc+1
	}
}

const (
	wordBytes = 2 * 64                       // the numbers of the 64 documents of one word
	eachLane  = 0x0001_0001_0001_0001        // times n: n in each 16-bit lane
	topBits   = 0x8000_8000_8000_8000        // the highest bit of each lane
	gather    = 1<<48 | 1<<33 | 1<<18 | 1<<3 // times the lowest bit of each lane: these in bits 48 to 51
)

// word compares 64 numbers with the interval and returns a bit for each.
//
// It works on four numbers at a time (SWAR). In each 16-bit lane, notBelow and notAbove have the
// top bit set when x >= from and to >= x: the comparison of top bits decides, or else the
// subtraction of the other 15 bits, which cannot borrow from the next lane because the minuend's
// top bit is set. This is 4.7 times as fast as a loop over the numbers.
func (r *numberRange) word(data []byte) (in uint64) {
	from, to := eachLane*uint64(r.From), eachLane*uint64(r.To)
	for i := range wordBytes / 8 {
		x := binary.LittleEndian.Uint64(data[8*i:])
		notBelow := x&^from | ^(x^from)&((x|topBits)-from&^topBits)
		notAbove := to&^x | ^(x^to)&((to|topBits)-x&^topBits)
		in |= notBelow & notAbove & topBits >> 15 * gather >> 48 & 15 << (4 * i)
	}
	return in
}

// setAll sets the bits of docs documents.
func setAll(marks []uint64, docs uint32) {
	for i := range marks {
		marks[i] = 1<<64 - 1
	}
	if docs%64 > 0 {
		marks[len(marks)-1] = 1<<(docs%64) - 1
	}
}

// keyed returns the documents whose key, capital in cents or opening AAAAMMDD, is between from and
// to, both included. Binary search in the distinct keys finds their positions, one stretch of the
// order. Implausible capital is sorted apart, so a range of capital may be two stretches.
func (c *Columns) keyed(by Key, from, to int64) Range {
	r := &keyRange{sequence: c.Sequence(by, false)}
	keys := c.keys[by]
	apart := sort.Search(keys.len(), func(i int) bool { return by == ByCapital && record.ImplausibleCapital(record.Cents(keys.value(i))) })
	for _, part := range [...][2]int{{0, apart}, {apart, keys.len()}} {
		n := part[1] - part[0] // keys, falling
		first := part[0] + sort.Search(n, func(i int) bool { return keys.value(part[0]+i) <= to })
		last := part[0] + sort.Search(n, func(i int) bool { return keys.value(part[0]+i) < from })
		if s := (Stretch{keys.position(first, r.sequence.Known), keys.position(last, r.sequence.Known)}); s.From < s.To {
			r.spans = append(r.spans, s)
		}
	}
	return r
}

// keyTable is a mapped keys file: the distinct keys of an order, descending, each with the first
// position that has it. Implausible capital follows as a second descending run.
type keyTable []byte

const keySize = 8 + 4

func (t keyTable) len() int { return len(t) / keySize }

func (t keyTable) value(i int) int64 { return int64(binary.LittleEndian.Uint64(t[keySize*i:])) }

// position returns the first position of key i, or end for the key behind the last. In a damaged
// file the result is wrong but not above end.
func (t keyTable) position(i int, end uint32) uint32 {
	if i >= t.len() {
		return end
	}
	return min(binary.LittleEndian.Uint32(t[keySize*i+8:]), end)
}

// keyRange is a range of an order's key: one or two stretches of the order.
type keyRange struct {
	sequence Sequence
	spans    []Stretch // ascending
	scanned  uint32    // documents that Mark has decided by their stages so far
	marks    []uint64  // by document of the index, once scanning has cost as much as scatter
}

// Stretch is an interval of positions, From included, To excluded.
type Stretch struct{ From, To uint32 }

// Stretches returns the stretches of s that hold exactly the documents of r, ascending; ok is false
// if r is not a range of the key that s sorts by.
func (s *Sequence) Stretches(r Range) ([]Stretch, bool) {
	keyed, ok := r.(*keyRange)
	if !ok || &keyed.sequence.data[0] != &s.data[0] {
		return nil, false
	}
	stretches := slices.Clone(keyed.spans)
	if s.Backward {
		slices.Reverse(stretches)
		for i, f := range stretches {
			stretches[i] = Stretch{s.Known - f.To, s.Known - f.From}
		}
	}
	return stretches, true
}

func (r *keyRange) includes(position uint32) bool {
	for _, s := range r.spans {
		if position >= s.From && position < s.To {
			return true
		}
	}
	return false
}

func (r *keyRange) Has(doc uint32) bool {
	return r.includes(r.sequence.Position(r.sequence.Positions(doc), 0))
}

// Mark decides documents by their stages, one byte each, and looks at the position only in stages
// that the range cuts. Reading stages costs the same however narrow the range is; scattering the
// positions of the range costs more per document but nothing for the others. The ski-rental rule
// chooses: scan until that has cost as much as scattering, then scatter once for all shards.
func (r *keyRange) Mark(first, docs uint32, marks []uint64) {
	if r.marks == nil && r.scatterCost() <= uint64(r.scanned+docs) {
		r.scatter()
	}
	if r.marks != nil {
		copyBits(marks, r.marks, first, docs)
		return
	}
	r.scanned += docs
	stages, positions := r.sequence.Stages(first)[:docs], r.sequence.Positions(first)
	states := r.states()
	for base := 0; base < len(stages); base += 32 {
		var known uint64 // bit i: document i is in; bit 32+i: its stage is cut, look at the position
		for i, stage := range stages[base:min(base+32, len(stages))] {
			known |= states[stage] << i
		}
		in := known & (1<<32 - 1)
		for unsure := known >> 32; unsure != 0; unsure &= unsure - 1 {
			i := bits.TrailingZeros64(unsure)
			if r.includes(binary.LittleEndian.Uint32(positions[orderCell*(base+i):])) {
				in |= 1 << i
			}
		}
		marks[base/64] |= in << (base % 64)
	}
}

// States of a stage, as bits that can be shifted into place: all its documents are in the range, or
// some may be; 0 for none.
const (
	all  = 1
	some = 1 << 32
)

// states returns the state of every stage.
func (r *keyRange) states() *[Stages]uint64 {
	shift := StageShift(r.sequence.Docs)
	var states [Stages]uint64
	for _, s := range r.spans {
		for stage := s.From >> shift; stage <= (s.To-1)>>shift; stage++ {
			if s.From <= stage<<shift && s.To >= (stage+1)<<shift {
				states[stage] = all
			} else {
				states[stage] = some
			}
		}
	}
	return &states
}

// scatter marks the documents of the range by following the order, or starts from all and unmarks
// those outside when they are fewer. Writes go to random places.
func (r *keyRange) scatter() {
	docs := r.sequence.Docs
	r.marks = make([]uint64, (docs+63)/64+1)
	few := r.spans
	if r.total() > docs/2 {
		setAll(r.marks[:len(r.marks)-1], docs)
		few = r.gaps()
	}
	for _, s := range few {
		for position := s.From; position < s.To; position++ {
			doc := min(r.sequence.Doc(position), docs-1)
			r.marks[doc/64] ^= 1 << (doc % 64)
		}
	}
}

// cachedDocs is for how many documents the marks (640 KB) fit a core's cache; beyond it scattered
// writes miss.
const cachedDocs = 5 << 20

// scatterCost returns the cost of scatter in documents scanned by stage. It grows with the size of
// the marks, because writes miss the cache more often.
func (r *keyRange) scatterCost() uint64 {
	few := min(r.total(), r.sequence.Docs-r.total())
	return uint64(few) * uint64(1+r.sequence.Docs/cachedDocs)
}

// total returns how many documents are in the range.
func (r *keyRange) total() (n uint32) {
	for _, s := range r.spans {
		n += s.To - s.From
	}
	return n
}

// gaps returns the complement of the spans.
func (r *keyRange) gaps() (gaps []Stretch) {
	from := uint32(0)
	for _, s := range append(slices.Clone(r.spans), Stretch{From: r.sequence.Docs}) {
		gaps = append(gaps, Stretch{from, s.From})
		from = s.To
	}
	return gaps
}

// copyBits copies n bits, from bit first on, into to, which must be zero. bits must have one word
// more than they need.
func copyBits(to, bits []uint64, first, n uint32) {
	shift := first % 64
	for i := range to {
		at := int(first/64) + i
		to[i] |= bits[at] >> shift
		if shift > 0 {
			to[i] |= bits[at+1] << (64 - shift)
		}
	}
	if n%64 > 0 {
		to[len(to)-1] &= 1<<(n%64) - 1
	}
}
