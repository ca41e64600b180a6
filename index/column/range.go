package column

import (
	"encoding/binary"
	"slices"
	"sort"

	"razao/internal/record"
)

// Range is the documents that have something from one number to another. Not safe for concurrent use.
type Range interface {
	// Has says whether a document, by its number in the whole index, is one of them.
	Has(doc uint32) bool
	// Mark sets the bits of those among so many documents from one on; bits counts from that one.
	Mark(first, docs uint32, bits []uint64)
}

// Numbers are all from one to another, both included.
type Numbers struct{ From, To uint16 }

func (r Numbers) includes(n uint16) bool { return n >= r.From && n <= r.To }

// Numbered returns the documents with one of some numbers. Those without it have 0.
func (c *Columns) Numbered(n Number, of Numbers) Range { return &numberRange{c.numbers[n], of} }

type numberRange struct {
	*numbers
	Numbers
}

func (r *numberRange) Has(doc uint32) bool {
	return r.includes(r.blocks[doc/blockDocs].at(int(doc % blockDocs)))
}

func (r *numberRange) Mark(first, docs uint32, bits []uint64) {
	if r.includes(0) {
		setAll(bits, docs)
	}
	for at := first; at < first+docs; {
		base := at / blockDocs * blockDocs
		end := min(first+docs, base+blockDocs)
		r.blocks[base/blockDocs].each(int(at-base), int(end-base), func(low int, n uint16) {
			if doc := base + uint32(low) - first; r.includes(n) {
				bits[doc/64] |= 1 << (doc % 64)
			} else {
				bits[doc/64] &^= 1 << (doc % 64)
			}
		})
		at = end
	}
}

func setAll(bits []uint64, docs uint32) {
	for i := range bits {
		bits[i] = 1<<64 - 1
	}
	if docs%64 > 0 {
		bits[len(bits)-1] = 1<<(docs%64) - 1
	}
}

// Keyed returns the documents whose key in an order by ByCapital (cents) or ByOpening (AAAAMMDD) is from one to another, both included.
// They follow each other in the order, but for capital that no company has, which stands apart.
func (c *Columns) Keyed(by Key, from, to int64) Range {
	r := &keyRange{sequence: c.Sequence(by, false)}
	keys := c.keys[by]
	apart := sort.Search(keys.len(), func(i int) bool { return by == ByCapital && record.ImplausibleCapital(record.Cents(keys.value(i))) })
	for _, part := range [...][2]int{{0, apart}, {apart, keys.len()}} {
		n := part[1] - part[0] // keys, falling
		first := part[0] + sort.Search(n, func(i int) bool { return keys.value(part[0]+i) <= to })
		last := part[0] + sort.Search(n, func(i int) bool { return keys.value(part[0]+i) < from })
		if s := (stretch{keys.position(first, r.sequence.Known), keys.position(last, r.sequence.Known)}); s.from < s.to {
			r.spans = append(r.spans, s)
		}
	}
	return r
}

// keyTable is the keys of an order, falling, each with the first position that has it.
type keyTable []byte

const keySize = 8 + 4

func (t keyTable) len() int { return len(t) / keySize }

func (t keyTable) value(i int) int64 { return int64(binary.LittleEndian.Uint64(t[keySize*i:])) }

// position returns where a key begins, end for the one behind the last. In a damaged file that is somewhere before end.
func (t keyTable) position(i int, end uint32) uint32 {
	if i >= t.len() {
		return end
	}
	return min(binary.LittleEndian.Uint32(t[keySize*i+8:]), end)
}

// keyRange is one or two stretches of an order.
type keyRange struct {
	sequence Sequence
	spans    []stretch
	docs     []uint32 // of the spans when they are few, in order, once somebody has asked for documents one after the other
}

type stretch struct{ from, to uint32 } // positions

// fewShare is the share of all documents up to which those of a range are listed; of more, each document is looked at.
const fewShare = 64

func (r *keyRange) includes(position uint32) bool {
	for _, s := range r.spans {
		if position >= s.from && position < s.to {
			return true
		}
	}
	return false
}

func (r *keyRange) Has(doc uint32) bool {
	return r.includes(r.sequence.Position(r.sequence.Positions(doc), 0))
}

func (r *keyRange) Mark(first, docs uint32, bits []uint64) {
	if r.list() {
		at, _ := slices.BinarySearch(r.docs, first)
		for ; at < len(r.docs) && r.docs[at]-first < docs; at++ {
			doc := r.docs[at] - first
			bits[doc/64] |= 1 << (doc % 64)
		}
		return
	}
	shift := StageShift(r.sequence.Docs)
	// What a stage says of all its positions: all in, none in, or some.
	var whole, part [Stages]bool
	for _, s := range r.spans {
		for stage := s.from >> shift; stage <= (s.to-1)>>shift; stage++ {
			begin, end := stage<<shift, (stage+1)<<shift
			whole[stage] = whole[stage] || s.from <= begin && s.to >= end
			part[stage] = part[stage] || s.from > begin || s.to < end
		}
	}
	stages, positions := r.sequence.Stages(first)[:docs], r.sequence.Positions(first)
	for doc, stage := range stages {
		in := whole[stage]
		if part[stage] {
			in = r.includes(binary.LittleEndian.Uint32(positions[orderCell*doc:]))
		}
		if in {
			bits[doc/64] |= 1 << (doc % 64)
		}
	}
}

// list makes the list of the documents and says whether they are few enough.
func (r *keyRange) list() bool {
	total := uint32(0)
	for _, s := range r.spans {
		total += s.to - s.from
	}
	if total > r.sequence.Docs/fewShare {
		return false
	}
	if r.docs == nil && total > 0 {
		for _, s := range r.spans {
			for position := s.from; position < s.to; position++ {
				r.docs = append(r.docs, min(r.sequence.Doc(position), r.sequence.Docs-1))
			}
		}
		slices.Sort(r.docs)
	}
	return true
}
