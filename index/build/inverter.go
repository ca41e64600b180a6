package build

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"razao/index/column"
	"razao/index/term"
	"razao/index/text"
	"razao/internal/extsort"
)

// attributesSuffix is added to the path of a run for the file of its documents' attributes, in the order of the run.
const attributesSuffix = ".attributes"

// inverter turns a sorted bucket of encoded documents into a run: an inverted index of the bucket, terms in order.
// Its buffers are reused from bucket to bucket. Not safe for concurrent use.
type inverter struct {
	ids     []uint64          // of the documents, in rank order
	numbers map[string]uint32 // of the terms
	terms   []invertedTerm
	flat    []uint32 // terms of all documents
	ends    []uint32 // where each document's terms end in flat
	key     []byte
	extra   []byte                       // encoded attributes of all documents
	hashed  [term.HashKinds << 16]uint32 // numbers of the terms that are hashes plus one, in place of numbers
}

// invertedTerm is one term of the bucket.
type invertedTerm struct {
	key      string
	count    uint32
	lastDoc  uint32                      // number of the last document that has it, plus one
	prefixes [term.MaxPrefixRunes]uint32 // of a word of a name: numbers of its prefixes' terms plus one
}

func newInverter() *inverter { return &inverter{numbers: make(map[string]uint32)} }

// run inverts b and writes the result to path and the attributes of the documents beside it.
func (v *inverter) run(b *extsort.Bucket, path string) (err error) {
	v.ids, v.terms, v.flat, v.ends, v.extra = v.ids[:0], v.terms[:0], v.flat[:0], v.ends[:0], v.extra[:0]
	clear(v.numbers)
	clear(v.hashed[:])
	for i := range b.Len() {
		_, id, payload := b.At(i)
		v.add(id, payload)
	}
	if err := os.WriteFile(path+attributesSuffix, v.extra, 0o600); err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(file, 256<<10)
	v.write(w)
	if err := w.Flush(); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// add takes one document: see encoder.encode for the payload.
func (v *inverter) add(id uint64, payload []byte) {
	doc := uint32(len(v.ids))
	v.ids = append(v.ids, id)
	fixed := column.EncodedLen(payload)
	v.extra = append(v.extra, payload[:fixed]...)
	a := column.Decode(payload)
	active := a.Facets.Active()
	for rest := payload[fixed:]; len(rest) > 0; {
		n := int(rest[0])
		key := rest[1 : 1+n]
		rest = rest[1+n:]
		number := v.number(key)
		if !v.post(number, doc) || !active || key[0] != term.FieldName {
			continue
		}
		for _, prefix := range v.terms[number].prefixes {
			if prefix == 0 {
				break
			}
			v.post(prefix-1, doc)
		}
	}
	v.ends = append(v.ends, uint32(len(v.flat)))
}

// post notes that doc has a term and says whether that is new.
func (v *inverter) post(number, doc uint32) bool {
	t := &v.terms[number]
	if t.lastDoc == doc+1 {
		return false
	}
	t.lastDoc = doc + 1
	t.count++
	v.flat = append(v.flat, number)
	return true
}

// number returns the number of a term, a new one the first time.
func (v *inverter) number(key []byte) uint32 {
	if slot, ok := term.HashSlot(key); ok {
		if v.hashed[slot] == 0 {
			v.hashed[slot] = v.newTerm(key) + 1
		}
		return v.hashed[slot] - 1
	}
	if n, ok := v.numbers[string(key)]; ok {
		return n
	}
	n := v.newTerm(key)
	v.numbers[v.terms[n].key] = n
	if key[0] == term.FieldName && !text.IsWeightless(key[1:]) {
		v.numberPrefixes(n, v.terms[n].key[1:])
	}
	return n
}

func (v *inverter) newTerm(key []byte) uint32 {
	v.terms = append(v.terms, invertedTerm{key: string(key)})
	return uint32(len(v.terms) - 1)
}

// numberPrefixes gives a word of a name the terms of its first one to five letters.
func (v *inverter) numberPrefixes(n uint32, word string) {
	end := 0
	for i := range term.MaxPrefixRunes {
		if end == len(word) {
			return
		}
		_, size := utf8.DecodeRuneInString(word[end:])
		end += size
		v.key = append(append(v.key[:0], term.FieldPrefix), word[:end]...)
		prefix := v.number(v.key)
		v.terms[n].prefixes[i] = prefix + 1
	}
}

// write writes the run: number of documents, their keys in rank order, then the terms in order, first of all the keys
// again as terms. Errors stay in w.
func (v *inverter) write(w *bufio.Writer) {
	buf := binary.AppendUvarint(nil, uint64(len(v.ids)))
	for _, id := range v.ids {
		buf = binary.BigEndian.AppendUint64(buf, id)
	}
	w.Write(buf)
	v.writeIDs(w)

	starts := make([]uint32, len(v.terms)+1)
	for i := range v.terms {
		starts[i+1] = starts[i] + v.terms[i].count
	}
	docs := make([]uint32, len(v.flat))
	next := slices.Clone(starts)
	from := uint32(0)
	for doc, end := range v.ends {
		for _, number := range v.flat[from:end] {
			docs[next[number]] = uint32(doc)
			next[number]++
		}
		from = end
	}
	order := make([]uint32, len(v.terms))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(v.terms[a].key, v.terms[b].key) })
	for _, number := range order {
		if v.terms[number].count == 0 {
			continue // a prefix of words that only inactive establishments have
		}
		buf = appendPostings(buf[:0], v.terms[number].key, docs[starts[number]:starts[number+1]])
		w.Write(buf)
	}
	w.WriteByte(0) // a key of no length ends the run
}

// writeIDs writes the keys of the documents as terms.
func (v *inverter) writeIDs(w *bufio.Writer) {
	order := make([]uint32, len(v.ids))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return cmp.Compare(v.ids[a], v.ids[b]) })
	var buf, key []byte
	for i := range order {
		key = binary.BigEndian.AppendUint64(append(key[:0], term.FieldID), v.ids[order[i]])
		buf = appendPostings(buf[:0], string(key), order[i:i+1])
		w.Write(buf)
	}
}

// appendPostings appends one term of a run: length and key, number of documents, differences between the documents.
func appendPostings(dst []byte, key string, docs []uint32) []byte {
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
