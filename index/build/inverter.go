package build

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"hash/maphash"
	"io"
	"os"
	"slices"
	"sync/atomic"
	"unicode/utf8"

	"razao/index/column"
	"razao/index/extsort"
	"razao/index/term"
)

// inverter turns a sorted bucket of encoded documents into a run: an inverted index of the bucket,
// sorted by term. It interns terms as numbers in a hash table of its own, collects (document, term)
// pairs in flat, and distributes them to the terms by counting sort. Its buffers are reused for the
// next bucket, except extra, which it hands over. Not safe for concurrent use.
type inverter struct {
	ids    []uint64 // CNPJs of the documents, in rank order
	terms  []invertedTerm
	keys   []byte   // keys of all terms, concatenated
	slots  []uint64 // open addressing, at most half full: 32 bits of the hash, then the term number + 1
	seed   maphash.Seed
	flat   []uint32 // term numbers, document by document
	ends   []uint32 // where each document's terms end in flat
	also   []uint32 // lists of implied terms: numbers + 1, each list ends with 0
	docs   []uint32 // documents, term by term
	key    []byte
	extra  []byte // encoded attributes of all documents
	order  []sortKey
	spare  []sortKey                    // second buffer of the radix sort
	hashed [term.HashKinds << 16]uint32 // like slots, by value: term number + 1 of 16-bit hash terms
}

// invertedTerm is a term of the bucket.
type invertedTerm struct {
	at       uint32                      // where its key begins in keys
	length   uint32                      // of the key
	count    uint32                      // documents that have it
	next     uint32                      // where its next document goes in docs
	lastDoc  uint32                      // last document that has it + 1: drops repeated terms
	prefixes [term.MaxPrefixRunes]uint32 // of a word in a name: term numbers + 1 of its prefixes
	also     uint32                      // 1 + where its list of implied terms begins, 0 unknown yet
}

// newInverter returns an empty inverter. Its hash seed does not influence the output: terms are
// sorted.
func newInverter() *inverter {
	return &inverter{slots: make([]uint64, 1<<12), seed: maphash.MakeSeed()}
}

// run inverts b and writes the run to path. The result has the encoded attributes of the documents.
func (v *inverter) run(b *extsort.Bucket, path string) (r run, err error) {
	v.ids, v.terms, v.keys, v.flat, v.ends, v.also = v.ids[:0], v.terms[:0], v.keys[:0], v.flat[:0], v.ends[:0], v.also[:0]
	v.extra = make([]byte, 0, len(v.extra)+len(v.extra)/8)
	clear(v.slots)
	clear(v.hashed[:])
	for i := range b.Len() {
		_, id, payload := b.At(i)
		v.add(id, payload)
	}
	r = run{path: path, docs: int64(b.Len()), attributes: v.extra, users: new(atomic.Int32)}
	file, err := os.Create(path)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	w := bufio.NewWriterSize(file, 256<<10)
	v.write(w)
	for by := range column.Keys {
		if err := w.Flush(); err != nil {
			return r, err
		}
		if r.orders[by], err = file.Seek(0, io.SeekCurrent); err != nil {
			return r, err
		}
		v.writeOrder(w, by)
	}
	return r, w.Flush()
}

// add takes the next document in rank order; encoder.encode describes the payload.
func (v *inverter) add(id uint64, payload []byte) {
	doc := uint32(len(v.ids))
	v.ids = append(v.ids, id)
	fixed := column.EncodedLen(payload)
	v.extra = append(v.extra, payload[:fixed]...)
	a := column.Decode(payload)
	active := a.Facets.Active()
	for rest := payload[fixed:]; len(rest) > 0; {
		n := int(rest[0])
		number := v.number(rest[1 : 1+n])
		rest = rest[1+n:]
		v.post(number, doc, active)
		for _, also := range v.also[v.implied(number):] {
			if also == 0 {
				break
			}
			v.post(also-1, doc, active)
		}
	}
	v.ends = append(v.ends, uint32(len(v.flat)))
}

// post records that doc has a term and, if doc is active, the prefixes of a word.
func (v *inverter) post(number, doc uint32, active bool) {
	t := &v.terms[number]
	if t.lastDoc == doc+1 {
		return
	}
	t.lastDoc = doc + 1
	t.count++
	v.flat = append(v.flat, number)
	if !active {
		return
	}
	for _, prefix := range t.prefixes {
		if prefix == 0 {
			break
		}
		v.post(prefix-1, doc, false)
	}
}

// number interns a key and returns the number of its term.
func (v *inverter) number(key []byte) uint32 {
	if slot, ok := term.HashSlot(key); ok {
		if v.hashed[slot] == 0 {
			v.hashed[slot] = v.newTerm(key) + 1
		}
		return v.hashed[slot] - 1
	}
	hash := maphash.Bytes(v.seed, key) &^ (1<<32 - 1)
	i := v.slotOf(hash, key)
	if v.slots[i] != 0 {
		return uint32(v.slots[i]) - 1
	}
	n := v.newTerm(key)
	v.slots[i] = hash | uint64(n+1)
	if 2*len(v.terms) > len(v.slots) {
		v.growSlots()
	}
	if key[0] == term.FieldName && !term.IsWeightless(key[1:]) {
		v.numberPrefixes(n, v.keyOf(n)[1:])
	}
	return n
}

// slotOf returns the slot of a key: where it is, or the free one where it belongs (linear probing).
func (v *inverter) slotOf(hash uint64, key []byte) uint64 {
	last := uint64(len(v.slots) - 1)
	for i := hash >> 32 & last; ; i = (i + 1) & last {
		if s := v.slots[i]; s == 0 || s&^(1<<32-1) == hash && bytes.Equal(v.keyOf(uint32(s)-1), key) {
			return i
		}
	}
}

// growSlots doubles the hash table.
func (v *inverter) growSlots() {
	old := v.slots
	v.slots = make([]uint64, 2*len(old))
	for _, s := range old {
		if s != 0 {
			v.slots[v.slotOf(s&^(1<<32-1), nil)] = s // finds a free slot: no key is empty
		}
	}
}

// keyOf returns the key of a term. It is valid until the next term is added.
func (v *inverter) keyOf(n uint32) []byte {
	t := &v.terms[n]
	return v.keys[t.at : t.at+t.length]
}

func (v *inverter) newTerm(key []byte) uint32 {
	v.terms = append(v.terms, invertedTerm{at: uint32(len(v.keys)), length: uint32(len(key))})
	v.keys = append(v.keys, key...)
	return uint32(len(v.terms) - 1)
}

// numberPrefixes interns the prefixes of one to five letters of a word (edge n-grams) and remembers
// their numbers with term n.
func (v *inverter) numberPrefixes(n uint32, word []byte) {
	end := 0
	for i := range term.MaxPrefixRunes {
		if end == len(word) {
			return
		}
		_, size := utf8.DecodeRune(word[end:])
		end += size
		v.key = append(append(v.key[:0], term.FieldPrefix), word[:end]...)
		prefix := v.number(v.key)
		v.terms[n].prefixes[i] = prefix + 1
	}
}

// write writes the run: the keys of the documents in rank order, then the terms in ascending order,
// those of term.FieldID first. A key of length 0 ends them. Errors are sticky in w.
func (v *inverter) write(w *bufio.Writer) {
	var buf []byte
	for _, id := range v.ids {
		w.Write(binary.BigEndian.AppendUint64(buf[:0], id))
	}
	v.writeIDs(w)

	end := uint32(0)
	for i := range v.terms {
		v.terms[i].next = end
		end += v.terms[i].count
	}
	v.docs = slices.Grow(v.docs[:0], len(v.flat))[:len(v.flat)]
	from := uint32(0)
	// Counting sort by term; documents of a term stay ascending.
	for doc, end := range v.ends {
		for _, number := range v.flat[from:end] {
			t := &v.terms[number]
			v.docs[t.next] = uint32(doc)
			t.next++
		}
		from = end
	}
	for _, e := range v.sorted(len(v.terms), v.keyOf) {
		t := &v.terms[e.number]
		if t.count == 0 {
			continue // a prefix of words that only inactive establishments have
		}
		buf = appendPostings(buf[:0], v.keyOf(e.number), v.docs[t.next-t.count:t.next])
		w.Write(buf)
	}
	w.WriteByte(0) // a key of no length ends the terms
}

// writeIDs writes the keys of the documents as terms.
func (v *inverter) writeIDs(w *bufio.Writer) {
	v.order = v.order[:0]
	for i, id := range v.ids {
		v.order = append(v.order, sortKey{id, uint32(i)})
	}
	v.order, v.spare = extsort.Radix(v.order, v.spare, func(k *sortKey) uint64 { return k.head })
	var buf, key []byte
	for _, e := range v.order {
		key = binary.BigEndian.AppendUint64(append(key[:0], term.FieldID), e.head)
		buf = appendPostings(buf[:0], key, []uint32{e.number})
		w.Write(buf)
	}
}

// writeOrder writes the documents sorted by an order key, in the format of terms, so that the same
// merge serves orders. It reuses the buffers of the terms, which are written by then.
func (v *inverter) writeOrder(w *bufio.Writer, by column.Key) {
	keys, ends := v.keys[:0], v.ends[:0] // the terms have been written
	for rest := v.extra; len(rest) > 0; rest = rest[column.EncodedLen(rest):] {
		a := column.Decode(rest)
		keys = a.AppendKey(keys, by)
		ends = append(ends, uint32(len(keys)))
	}
	keyOf := func(doc uint32) []byte {
		if doc == 0 {
			return keys[:ends[0]]
		}
		return keys[ends[doc-1]:ends[doc]]
	}
	var buf []byte
	var docs []uint32
	order := v.sorted(len(ends), keyOf)
	for i, e := range order {
		docs = append(docs, e.number)
		if i+1 < len(order) && bytes.Equal(keyOf(e.number), keyOf(order[i+1].number)) {
			continue
		}
		buf = appendPostings(buf[:0], keyOf(e.number), docs)
		w.Write(buf)
		docs = docs[:0]
	}
	w.WriteByte(0)
}

// sortKey is an element to sort: the first eight bytes of its key as a number, which tell most keys
// apart, and its index.
type sortKey struct {
	head   uint64
	number uint32
}

// headOf returns the first eight bytes of a key as a number, with zeros behind a shorter one.
func headOf(key []byte) uint64 {
	var head [8]byte
	copy(head[:], key)
	return binary.BigEndian.Uint64(head[:])
}

// sorted returns the indexes from 0 to n (excluded) ordered by their keys, equal ones by index.
// Valid until the next call.
func (v *inverter) sorted(n int, keyOf func(uint32) []byte) []sortKey {
	v.order = v.order[:0]
	for i := range uint32(n) {
		v.order = append(v.order, sortKey{headOf(keyOf(i)), i})
	}
	v.order, v.spare = extsort.Radix(v.order, v.spare, func(k *sortKey) uint64 { return k.head })
	extsort.SortTies(v.order, func(a, b *sortKey) bool { return a.head == b.head }, func(a, b sortKey) int {
		return cmp.Or(bytes.Compare(keyOf(a.number), keyOf(b.number)), cmp.Compare(a.number, b.number))
	})
	return v.order
}

// appendPostings appends a term of a run: length and key, number of documents, and the documents as
// deltas, all numbers as varints.
func appendPostings(dst, key []byte, docs []uint32) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(key)))
	dst = append(dst, key...)
	dst = binary.AppendUvarint(dst, uint64(len(docs)))
	last := uint32(0)
	for _, doc := range docs {
		dst = binary.AppendUvarint(dst, uint64(doc-last))
		last = doc
	}
	return dst
}
