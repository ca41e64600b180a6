package docset

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// Set is a set of documents of one shard: blocks by rising key, of length 0 when it is empty. It lives in the workspace of
// a query or in the file, and is never changed.
type Set []block

// Count returns how many documents there are.
func (s Set) Count() int {
	n := 0
	for i := range s {
		n += s[i].n
	}
	return n
}

// Contains says whether a document is in the set.
func (s Set) Contains(doc uint32) bool {
	i, ok := slices.BinarySearchFunc(s, uint16(doc>>16), func(b block, key uint16) int { return cmp.Compare(b.key, key) })
	return ok && s[i].contains(uint16(doc))
}

// Each visits the documents at the positions from a first to before a last of the set, in order, up to the first error, which
// it returns.
func (w *Workspace) Each(s Set, from, to int, visit func(doc uint32) error) error {
	for i := range s {
		b := &s[i]
		if from < b.n && to > 0 {
			for _, low := range w.lows(b, max(from, 0), min(to, b.n)) {
				if err := visit(uint32(b.key)<<16 | uint32(low)); err != nil {
					return err
				}
			}
		}
		from, to = from-b.n, to-b.n
	}
	return nil
}

// Single returns the set of one document.
func (w *Workspace) Single(doc uint32) Set {
	list := w.bytes.take(2)
	binary.LittleEndian.PutUint16(list, uint16(doc))
	return append(w.blocks.take(1)[:0], block{uint16(doc >> 16), sparse, 1, list})
}

// FirstN returns the set of the first n documents.
func (w *Workspace) FirstN(n int) Set {
	out := w.blocks.take((n + blockDocs - 1) / blockDocs)
	for key := range out {
		in := min(n-key*blockDocs, blockDocs)
		run := w.bytes.take(4)
		binary.LittleEndian.PutUint16(run, 0)
		binary.LittleEndian.PutUint16(run[2:], uint16(in-1))
		out[key] = block{uint16(key), runs, in, run}
	}
	return out
}

// And returns the intersection.
func (w *Workspace) And(x, y Set) Set {
	out := w.blocks.take(min(len(x), len(y)))[:0]
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0].key < y[0].key:
			x = x[1:]
		case x[0].key > y[0].key:
			y = y[1:]
		default:
			if b := w.andBlock(x[0], y[0]); b.n > 0 {
				out = append(out, b)
			}
			x, y = x[1:], y[1:]
		}
	}
	return out
}

// Without returns the documents of x that are not in y, the difference.
func (w *Workspace) Without(x, y Set) Set {
	out := w.blocks.take(len(x))[:0]
	for _, b := range x {
		for len(y) > 0 && y[0].key < b.key {
			y = y[1:]
		}
		if len(y) > 0 && y[0].key == b.key {
			b = w.withoutBlock(b, y[0])
		}
		if b.n > 0 {
			out = append(out, b)
		}
	}
	return out
}

// Or returns the union.
func (w *Workspace) Or(x, y Set) Set {
	if len(x) == 0 {
		return y
	}
	out := w.blocks.take(len(x) + len(y))[:0]
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0].key < y[0].key:
			out, x = append(out, x[0]), x[1:]
		case x[0].key > y[0].key:
			out, y = append(out, y[0]), y[1:]
		default:
			out = append(out, w.orBlock(x[0], y[0]))
			x, y = x[1:], y[1:]
		}
	}
	return append(append(out, x...), y...)
}

// Union returns the union of many sets, pair by pair as in a tournament. The slice is overwritten.
func (w *Workspace) Union(sets []Set) Set {
	for len(sets) > 1 {
		pairs := len(sets) / 2
		for i := range pairs {
			sets[i] = w.Or(sets[i], sets[len(sets)-1-i])
		}
		sets = sets[:len(sets)-pairs]
	}
	if len(sets) == 0 {
		return nil
	}
	return sets[0]
}

// All returns the intersection of at least one set, rarest first. The slice is reordered.
func (w *Workspace) All(lists []Set) Set {
	slices.SortFunc(lists, func(a, b Set) int { return cmp.Compare(a.Count(), b.Count()) })
	result := lists[0]
	for _, list := range lists[1:] {
		if len(result) == 0 {
			return nil
		}
		result = w.And(result, list)
	}
	return result
}

// Blocks visits a set block by block: the lowest number that the block could have, and how far its documents are from
// there, rising. These are valid until visit returns. One call stands for up to 65,536 documents.
func (w *Workspace) Blocks(s Set, visit func(first uint32, lows []uint16)) {
	for i := range s {
		visit(s[i].first(), w.lows(&s[i], 0, s[i].n))
	}
}

// Sift returns what a predicate leaves of a set. It is asked once for each block, as Blocks visits them; it moves what stays
// to the front of lows and returns how many they are.
func (w *Workspace) Sift(s Set, keep func(first uint32, lows []uint16) int) Set {
	out := w.blocks.take(len(s))[:0]
	for i := range s {
		b := &s[i]
		lows := w.lows(b, 0, b.n)
		if n := keep(b.first(), lows); n > 0 {
			out = append(out, w.list(b.key, lows[:n]))
		}
	}
	return out
}

// MarkIn sets the bits of a set in a bitmap over all shards, in which the documents of its own shard begin at base and are
// so many. Shards are marked in their order.
func (w *Workspace) MarkIn(marks []byte, s Set, base, docs uint32) {
	for i := range s {
		b := &s[i]
		first := base + b.first()
		if b.form == dense && first%8 == 0 {
			left := (docs - b.first() + 7) / 8 // the next shard begins there
			copy(marks[first/8:], b.data[:min(left, denseBytes)])
			continue
		}
		for _, low := range w.lows(b, 0, b.n) {
			doc := first + uint32(low)
			marks[doc/8] |= 1 << (doc % 8)
		}
	}
}

// searchCost is how many documents of a list are marked or sifted in the time of one galloping search.
const searchCost = 24

func (w *Workspace) andBlock(x, y block) block {
	if x.n > y.n {
		x, y = y, x
	}
	if y.n == blockDocs {
		return x
	}
	x, y = w.plain(x), w.plain(y)
	switch {
	case x.form == dense && y.form == dense:
		return w.andDense(x, y)
	case x.form == dense:
		return w.siftDense(y, (*bitset)(x.data), 1)
	case y.form == dense:
		return w.siftDense(x, (*bitset)(y.data), 1)
	case y.n > searchCost*x.n:
		return w.siftByList(x, y.data, true)
	}
	w.mark(x.data, 1)
	out := w.siftMarked(y, 1)
	w.mark(x.data, 0)
	return out
}

func (w *Workspace) andDense(x, y block) block {
	out := (*bitset)(w.bytes.take(denseBytes))
	a, b := (*bitset)(x.data), (*bitset)(y.data)
	for i := 0; i < denseBytes; i += 8 {
		binary.LittleEndian.PutUint64(out[i:], binary.LittleEndian.Uint64(a[i:])&binary.LittleEndian.Uint64(b[i:]))
	}
	return w.marked(x.key, out)
}

func (w *Workspace) withoutBlock(x, y block) block {
	x, y = w.plain(x), w.plain(y)
	switch {
	case x.form == dense:
		out := w.bitset(&x)
		if y.form == sparse {
			out.unsetAll(y.data)
			return w.marked(x.key, out)
		}
		b := (*bitset)(y.data)
		for i := 0; i < denseBytes; i += 8 {
			binary.LittleEndian.PutUint64(out[i:], binary.LittleEndian.Uint64(out[i:])&^binary.LittleEndian.Uint64(b[i:]))
		}
		return w.marked(x.key, out)
	case y.form == dense:
		return w.siftDense(x, (*bitset)(y.data), 0)
	case y.n > searchCost*x.n:
		return w.siftByList(x, y.data, false)
	}
	w.mark(y.data, 1)
	out := w.siftMarked(x, 0)
	w.mark(y.data, 0)
	return out
}

func (w *Workspace) orBlock(x, y block) block {
	if x.n == blockDocs {
		return x
	}
	if y.n == blockDocs {
		return y
	}
	x, y = w.plain(x), w.plain(y)
	if x.form == sparse && y.form == sparse && x.n+y.n <= maxSparse {
		return w.merge(x, y)
	}
	if x.form == sparse {
		x, y = y, x
	}
	out := w.bitset(&x)
	if y.form == sparse {
		out.setAll(y.data)
		return w.marked(x.key, out)
	}
	b := (*bitset)(y.data)
	for i := 0; i < denseBytes; i += 8 {
		binary.LittleEndian.PutUint64(out[i:], binary.LittleEndian.Uint64(out[i:])|binary.LittleEndian.Uint64(b[i:]))
	}
	return w.marked(x.key, out)
}

// merge returns the union of two lists.
func (w *Workspace) merge(x, y block) block {
	n, i, j := 0, 0, 0
	for ; i < x.n && j < y.n; n++ {
		a, b := number16(x.data, i), number16(y.data, j)
		w.low[n] = min(a, b)
		if a <= b {
			i++
		}
		if b <= a {
			j++
		}
	}
	for ; i < x.n; i++ {
		w.low[n] = number16(x.data, i)
		n++
	}
	for ; j < y.n; j++ {
		w.low[n] = number16(y.data, j)
		n++
	}
	return w.list(x.key, w.low[:n])
}

// siftMarked returns the documents of a list whose mark is want. It is branch-free, since whether a document stays is
// unpredictable: each is written, and the next one over it unless it stays.
func (w *Workspace) siftMarked(list block, want byte) block {
	n, in := uint16(0), list.data
	for ; len(in) >= 8; in = in[8:] {
		four := binary.LittleEndian.Uint64(in)
		a, b, c, d := uint16(four), uint16(four>>16), uint16(four>>32), uint16(four>>48)
		w.low[n] = a
		n += uint16(w.marks[a] ^ want ^ 1)
		w.low[n] = b
		n += uint16(w.marks[b] ^ want ^ 1)
		w.low[n] = c
		n += uint16(w.marks[c] ^ want ^ 1)
		w.low[n] = d
		n += uint16(w.marks[d] ^ want ^ 1)
	}
	for ; len(in) >= 2; in = in[2:] {
		doc := binary.LittleEndian.Uint16(in)
		w.low[n] = doc
		n += uint16(w.marks[doc] ^ want ^ 1)
	}
	return w.list(list.key, w.low[:n])
}

// siftDense does the same with a bitset for the marks.
func (w *Workspace) siftDense(list block, marks *bitset, want byte) block {
	n, in := uint16(0), list.data
	for ; len(in) >= 8; in = in[8:] {
		four := binary.LittleEndian.Uint64(in)
		a, b, c, d := uint16(four), uint16(four>>16), uint16(four>>32), uint16(four>>48)
		w.low[n] = a
		n += uint16(marks.get(a) ^ want ^ 1)
		w.low[n] = b
		n += uint16(marks.get(b) ^ want ^ 1)
		w.low[n] = c
		n += uint16(marks.get(c) ^ want ^ 1)
		w.low[n] = d
		n += uint16(marks.get(d) ^ want ^ 1)
	}
	for ; len(in) >= 2; in = in[2:] {
		doc := binary.LittleEndian.Uint16(in)
		w.low[n] = doc
		n += uint16(marks.get(doc) ^ want ^ 1)
	}
	return w.list(list.key, w.low[:n])
}

// mark sets or clears the marks of the documents of a list.
func (w *Workspace) mark(list []byte, value byte) {
	for ; len(list) >= 8; list = list[8:] {
		four := binary.LittleEndian.Uint64(list)
		w.marks[uint16(four)] = value
		w.marks[uint16(four>>16)] = value
		w.marks[uint16(four>>32)] = value
		w.marks[uint16(four>>48)] = value
	}
	for ; len(list) >= 2; list = list[2:] {
		w.marks[binary.LittleEndian.Uint16(list)] = value
	}
}

// siftByList returns the documents of a list that are in another, much longer one, or those that are not.
func (w *Workspace) siftByList(list block, other []byte, want bool) block {
	n, at := 0, 0
	for i := range list.n {
		doc := number16(list.data, i)
		at = searchList(other, at, doc)
		if (2*at < len(other) && number16(other, at) == doc) == want {
			w.low[n] = doc
			n++
		}
	}
	return w.list(list.key, w.low[:n])
}

// list makes a block of the lower 16 bits of documents.
func (w *Workspace) list(key uint16, docs []uint16) block {
	data := w.bytes.take(2 * len(docs))
	for i, doc := range docs {
		binary.LittleEndian.PutUint16(data[2*i:], doc)
	}
	return block{key, sparse, len(docs), data}
}
