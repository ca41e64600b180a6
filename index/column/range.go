package column

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sort"

	"razao/internal/data/record"
)

// Range is the set of documents whose value lies in an interval, evaluated lazily. Documents are
// numbered in the whole index. Not safe for concurrent use.
type Range interface {
	// Has reports whether a document is in the range. One random access.
	Has(doc uint32) bool
	// Mark sets the bits of the documents in the range, of docs documents from first on, whose
	// bit is the lowest of marks. marks must be zero and end with the word of the last document.
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
	const groups = blockDocs / groupDocs
	markGroups(marks, first, docs, func(group uint32) uint64 { return r.blocks[group/groups].group(int(group%groups), r.Numbers) })
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

// Mark decides documents by their stages, and looks at the position only in stages that the range
// cuts, at most two of 4,096 for each span.
func (r *keyRange) Mark(first, docs uint32, marks []uint64) {
	markGroups(marks, first, docs, func(group uint32) (in uint64) {
		for _, s := range r.spans {
			in |= r.within(s, group)
		}
		return in
	})
}

// within returns which documents of a group are in a span.
func (r *keyRange) within(s Stretch, group uint32) uint64 {
	stages, shift := r.sequence.stages(group), stageShift(r.sequence.Docs)
	in, cut := ^uint64(0), uint64(0)
	if s.From > 0 {
		less, equal := compare(stages, s.From>>shift)
		in, cut = in&^less, equal
	}
	if s.To < r.sequence.Docs {
		less, equal := compare(stages, s.To>>shift)
		in, cut = in&(less|equal), cut|equal
	}
	for cut &= in; cut != 0; cut &= cut - 1 {
		doc := group*groupDocs + uint32(bits.TrailingZeros64(cut))
		if doc < r.sequence.Docs { // zeros fill the last group
			if position := r.sequence.Position(r.sequence.Positions(doc), 0); position < s.From || position >= s.To {
				in &^= cut & -cut
			}
		}
	}
	return in
}
