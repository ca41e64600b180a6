package docset

import (
	"encoding/binary"
	"math/bits"
)

const (
	blockDocs  = 1 << 16
	denseBytes = blockDocs / 8
	// maxSparse is how many documents are listed rather than marked when a block is made. Those in files are lists of up
	// to four times as many, which is smaller and slower.
	maxSparse = 1024
)

// block is a Roaring container: the documents of a set whose numbers have the same upper 16 bits. Its numbers are little
// endian, as in the files, whose containers are used where they lie. A block is never changed once it is made.
type block struct {
	key  uint16 // the upper 16 bits
	form form
	n    int // documents, at least one
	data []byte
}

// first returns the lowest number that the block could have.
func (b *block) first() uint32 { return uint32(b.key) << 16 }

// form is the layout of a block.
type form uint8

const (
	sparse form = iota // 16 bits for each, rising
	dense              // a bitset
	runs               // the first of consecutive ones and how many follow it, 16 bits each, rising
)

// bitset marks documents of a block.
type bitset [denseBytes]byte

func number16(data []byte, i int) uint16 { return binary.LittleEndian.Uint16(data[2*i:]) }

func (b *bitset) set(doc uint16) { b[doc>>3] |= 1 << (doc & 7) }

func (b *bitset) unset(doc uint16) { b[doc>>3] &^= 1 << (doc & 7) }

// get returns 1 for a document that is marked, 0 for another.
func (b *bitset) get(doc uint16) byte { return b[doc>>3] >> (doc & 7) & 1 }

// setAll marks the documents of a list.
func (b *bitset) setAll(list []byte) {
	for ; len(list) >= 2; list = list[2:] {
		b.set(binary.LittleEndian.Uint16(list))
	}
}

func (b *bitset) unsetAll(list []byte) {
	for ; len(list) >= 2; list = list[2:] {
		b.unset(binary.LittleEndian.Uint16(list))
	}
}

// setRun marks the documents from first to last.
func (b *bitset) setRun(first, last int) {
	for ; first <= last && first%64 != 0; first++ {
		b.set(uint16(first))
	}
	for ; first+63 <= last; first += 64 {
		binary.LittleEndian.PutUint64(b[first/8:], 1<<64-1)
	}
	for ; first <= last; first++ {
		b.set(uint16(first))
	}
}

// eachRun visits the first and the last document of each run of a block of that form.
func (b *block) eachRun(visit func(first, last int)) {
	for i := 0; i < len(b.data)/2; i += 2 {
		first := int(number16(b.data, i))
		visit(first, first+int(number16(b.data, i+1)))
	}
}

// contains says whether the document with these lower 16 bits is in the block.
func (b *block) contains(doc uint16) bool {
	switch b.form {
	case dense:
		return (*bitset)(b.data).get(doc) == 1
	case sparse:
		at := searchList(b.data, 0, doc)
		return at < b.n && number16(b.data, at) == doc
	}
	found := false
	b.eachRun(func(first, last int) { found = found || int(doc) >= first && int(doc) <= last })
	return found
}

// searchList returns the position of the first document of a list, from a position on, that is not below doc: galloping, then
// binary search.
func searchList(list []byte, from int, doc uint16) int {
	n := len(list) / 2
	step := 1
	for from+step < n && number16(list, from+step) < doc {
		from += step
		step *= 2
	}
	to := min(from+step, n)
	for from < to {
		if middle := int(uint(from+to) / 2); number16(list, middle) < doc {
			from = middle + 1
		} else {
			to = middle
		}
	}
	return from
}

// plain returns the block in another form than runs.
func (w *Workspace) plain(b block) block {
	if b.form != runs {
		return b
	}
	if b.n > maxSparse {
		return block{b.key, dense, b.n, w.bitset(&b)[:]}
	}
	return w.list(b.key, w.lows(&b, 0, b.n))
}

// bitset returns the documents of a block as a bitset that may be changed.
func (w *Workspace) bitset(b *block) *bitset {
	out := (*bitset)(w.bytes.take(denseBytes))
	if b.form == dense {
		copy(out[:], b.data)
		return out
	}
	clear(out[:])
	if b.form == sparse {
		out.setAll(b.data)
	} else {
		b.eachRun(out.setRun)
	}
	return out
}

// marked makes a block of a bitset, which must be what was taken last and is given back when there are few documents.
func (w *Workspace) marked(key uint16, set *bitset) block {
	n := 0
	for i := 0; i < denseBytes; i += 8 {
		n += bits.OnesCount64(binary.LittleEndian.Uint64(set[i:]))
	}
	b := block{key, dense, n, set[:]}
	if n > maxSparse {
		return b
	}
	w.bytes.giveBack(denseBytes)
	return w.list(key, w.lows(&b, 0, n))
}

// lows returns the lower 16 bits of the documents of a block from a position to before another. They are valid until
// another block is read or made.
func (w *Workspace) lows(b *block, from, to int) []uint16 {
	out := w.low[:0]
	switch b.form {
	case sparse:
		i, list := 0, b.data[2*from:2*to]
		for ; len(list) >= 8; list = list[8:] {
			four := binary.LittleEndian.Uint64(list)
			w.low[i], w.low[i+1], w.low[i+2], w.low[i+3] = uint16(four), uint16(four>>16), uint16(four>>32), uint16(four>>48)
			i += 4
		}
		for ; len(list) >= 2; list = list[2:] {
			w.low[i] = binary.LittleEndian.Uint16(list)
			i++
		}
		return w.low[:i]
	case dense:
		position := 0
		for i := 0; position < to && i < denseBytes; i += 8 {
			word := binary.LittleEndian.Uint64(b.data[i:])
			if n := bits.OnesCount64(word); position+n <= from {
				position += n
				continue
			}
			for ; word != 0 && position < to; word &= word - 1 {
				if position >= from {
					out = append(out, uint16(8*i+bits.TrailingZeros64(word)))
				}
				position++
			}
		}
	case runs:
		position := 0
		b.eachRun(func(first, last int) {
			for i := first + max(from-position, 0); i <= min(last, first+to-position-1); i++ {
				out = append(out, uint16(i))
			}
			position += last - first + 1
		})
	}
	return out
}
