package pack

import (
	"encoding/binary"
	"slices"
	"sync"

	"razao/internal/data/cnpj"
	"razao/internal/data/source"
)

// The packed form of the records of public-record sources. Integers are unsigned varints, texts as
// in the company registry.
//
//	item       length of the rest; order of the establishment plus one, 0 if the record belongs to
//	           the company as a whole; the values of the fields
//	value      of a Code: 0 null, 1 a text follows, n+2 entry n of the load's dictionary;
//	           of a Document: 0 null, 1 the CNPJ of the record, 2 a text follows (the published
//	           one, with wrong check digits);
//	           of any other kind: a text, empty for null
//	head       (seq 0) version byte; number of items; items in a chunk; the first chunk
//	chunk      (seq 1, 2, …) version byte; items
//	directory  (seq -1-order, only for roots with more than one chunk) version byte; positions of
//	           the items of this establishment, delta encoded
//
// All chunks of a root have the same number of items, so a position tells its chunk.
const (
	itemVersion = 1
	minChunk    = 10       // items in a chunk
	maxChunk    = 100      // items in a chunk
	chunkBytes  = 16 << 10 // target size of a chunk: what a page reads and PostgreSQL decompresses
)

// Dictionary numbers the texts of Code fields that many records of a load share, so that each is
// stored once for the load. The zero value is empty and ready. It is safe for concurrent use while
// items are appended.
type Dictionary struct {
	mu    sync.RWMutex
	codes map[string]uint64 // position in texts
	texts []string
	bytes int // of all texts
}

// Bounds of a dictionary, which servers keep in memory. Texts beyond them are stored with their
// records.
const (
	maxDictionary      = 1 << 16 // entries
	maxDictionaryBytes = 32 << 20
)

// Texts returns the texts by their numbers, to be stored with the load. Call it after the last
// AppendItem; the slice is the dictionary's own.
func (d *Dictionary) Texts() []string { return d.texts }

// code returns the number of a text, adding it if needed; ok is false if the dictionary is full and
// does not have it.
func (d *Dictionary) code(text string) (code uint64, ok bool) {
	d.mu.RLock()
	code, ok = d.codes[text]
	d.mu.RUnlock()
	if ok {
		return code, true
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if code, ok := d.codes[text]; ok {
		return code, true
	}
	if len(d.texts) == maxDictionary || d.bytes+len(text) > maxDictionaryBytes {
		return 0, false
	}
	if d.codes == nil {
		d.codes = map[string]uint64{}
	}
	text = string([]byte(text)) // a copy: the caller's may keep a whole file in memory
	code = uint64(len(d.texts))
	d.codes[text] = code
	d.texts = append(d.texts, text)
	d.bytes += len(text)
	return code, true
}

// ItemOwner is the subject of a record within its root: an establishment or the company as a whole.
type ItemOwner struct {
	// Order is the establishment; it counts only if HasOrder is true. Otherwise the record belongs
	// to the company as a whole.
	Order    cnpj.Order
	HasOrder bool
	// Published is the document as published if that is not the CNPJ of the establishment; ""
	// otherwise.
	Published string
}

// AppendItem appends the packed form of a record to dst. values[i] is the value of fields[i], ""
// for null; the value of the Document field is taken from owner instead. Texts of Code fields go
// into d.
func AppendItem(dst []byte, fields []source.Field, d *Dictionary, owner ItemOwner, values []string) []byte {
	dst, start := openItem(dst)
	order := uint64(0)
	if owner.HasOrder {
		order = uint64(owner.Order) + 1
	}
	dst = binary.AppendUvarint(dst, order)
	for i, field := range fields {
		switch field.Kind {
		case source.Code:
			dst = appendCode(dst, d, values[i])
		case source.Document:
			if owner.Published != "" {
				dst = appendText(append(dst, 2), owner.Published)
			} else {
				dst = append(dst, 1)
			}
		default:
			dst = appendText(dst, values[i])
		}
	}
	return closeItem(dst, start)
}

func appendCode(dst []byte, d *Dictionary, text string) []byte {
	if text == "" {
		return append(dst, 0)
	}
	if code, ok := d.code(text); ok {
		return binary.AppendUvarint(dst, code+2)
	}
	return appendText(append(dst, 1), text)
}

// Item is one record of a source. Its texts share memory with the stored row and the load's dictionary.
type Item struct {
	Fields []source.Field // the fields of the load, or those of them that Items.Only named; shared by all items
	Values []string       // Values[i] is the value of Fields[i]; "" is null

	order    uint64   // of the establishment plus one, 0 for the company as a whole
	withheld []string // names of fields that Withhold emptied
}

// Owner returns the establishment that the record is about; ok is false if it is about the company
// as a whole.
func (it *Item) Owner() (order cnpj.Order, ok bool) { return cnpj.Order(it.order) - 1, it.order > 0 }

// Withhold empties a field, to protect a natural person. If the field had a value, Withheld reports
// it from then on.
func (it *Item) Withhold(name string) {
	for i := range it.Fields {
		if it.Fields[i].Name == name && it.Values[i] != "" {
			it.Values[i] = ""
			it.withheld = append(it.withheld, name)
		}
	}
}

// Withheld reports whether Withhold took out the value of a field: it is empty now, but was not
// published as null.
func (it *Item) Withheld(name string) bool { return slices.Contains(it.withheld, name) }

// Value returns the value of a field by its name; "" if it is null, was not read, or the load has
// no such field.
func (it *Item) Value(name string) string {
	for i := range it.Fields {
		if it.Fields[i].Name == name {
			return it.Values[i]
		}
	}
	return ""
}

// Document returns the document that the record is published under; "" if it is null or was not
// read.
func (it *Item) Document() string {
	for i := range it.Fields {
		if it.Fields[i].Kind == source.Document {
			return it.Values[i]
		}
	}
	return ""
}

// item reads the next item, or the fields of it that c.keep selects. It reuses c.values if there is
// such a buffer.
func (r *reader) item(c *Items, fields []source.Field, dictionary []string) Item {
	in := reader{rest: r.bytes(r.uvarint())}
	it := Item{Fields: fields, order: in.uvarint()}
	if c.keep != nil {
		it.Fields = c.kept
	}
	if it.Values = c.values[:0]; c.values == nil {
		it.Values = make([]string, 0, len(it.Fields))
	}
	for i := range fields {
		if c.keep != nil && !c.keep[i] {
			in.skipValue(fields[i].Kind)
			continue
		}
		switch fields[i].Kind {
		case source.Code:
			it.Values = append(it.Values, in.codeText(dictionary))
		case source.Document:
			it.Values = append(it.Values, in.document(c.root, it.order))
		default:
			it.Values = append(it.Values, in.text())
		}
	}
	if in.bad || len(in.rest) > 0 || it.order > cnpj.Orders {
		r.fail()
	}
	return it
}

// skipValue skips the value of a field.
func (r *reader) skipValue(kind source.Kind) {
	switch kind {
	case source.Code:
		if r.uvarint() == 1 {
			r.text()
		}
	case source.Document:
		if r.byte() == 2 {
			r.text()
		}
	default:
		r.text()
	}
}

// codeText reads the value of a Code field.
func (r *reader) codeText(dictionary []string) string {
	switch code := r.uvarint(); {
	case code == 0:
		return ""
	case code == 1:
		return r.text()
	case code-2 < uint64(len(dictionary)):
		return dictionary[code-2]
	}
	r.fail()
	return ""
}

// document reads the value of a Document field of a record about order - 1.
func (r *reader) document(root cnpj.Root, order uint64) string {
	switch r.byte() {
	case 0:
		return ""
	case 1:
		if order == 0 || order > cnpj.Orders {
			break
		}
		return cnpj.Join(root, cnpj.Order(order-1)).String()
	case 2:
		return r.text()
	}
	r.fail()
	return ""
}

// skip skips an item and returns its order plus one, 0 for one of the company as a whole.
func (r *reader) skip() uint64 {
	in := reader{rest: r.bytes(r.uvarint())}
	order := in.uvarint()
	if in.bad {
		r.fail()
	}
	return order
}

// AppendItemRows appends all rows of a source's items of root in binary COPY format to dst: head,
// chunks and directories. items were packed by AppendItem and are in the order in which they are
// served; there is at least one. The number of items in a chunk depends on their average size,
// between minChunk and maxChunk.
func AppendItemRows(dst []byte, root cnpj.Root, items [][]byte) []byte {
	size := 0
	for _, item := range items {
		size += len(item)
	}
	per := max(minChunk, min(maxChunk, chunkBytes*len(items)/max(size, 1)))
	dst, start := openRow(dst, root, 0)
	dst = append(dst, itemVersion)
	dst = binary.AppendUvarint(dst, uint64(len(items)))
	dst = binary.AppendUvarint(dst, uint64(per))
	dst = appendAll(dst, items[:min(per, len(items))])
	closeRow(dst, start)
	if len(items) <= per {
		return dst
	}
	for chunk := 1; chunk*per < len(items); chunk++ {
		dst, start = openRow(dst, root, int32(chunk))
		dst = append(dst, itemVersion)
		dst = appendAll(dst, items[chunk*per:min((chunk+1)*per, len(items))])
		closeRow(dst, start)
	}
	return appendDirectory(dst, root, items)
}

// appendDirectory appends a directory row for each establishment that has items, so that its page
// reads only the chunks that hold them.
func appendDirectory(dst []byte, root cnpj.Root, items [][]byte) []byte {
	type list struct {
		packed []byte
		last   int
	}
	lists := map[uint64]*list{}
	var orders []uint64 // in order of first appearance: a map's order would differ from run to run
	for i, item := range items {
		order := ItemOrder(item)
		if order == 0 {
			continue
		}
		l := lists[order]
		if l == nil {
			l = &list{}
			lists[order] = l
			orders = append(orders, order)
		}
		l.packed = binary.AppendUvarint(l.packed, uint64(i-l.last))
		l.last = i
	}
	for _, order := range orders {
		var start int
		dst, start = openRow(dst, root, DirectorySeq(cnpj.Order(order-1)))
		dst = append(dst, itemVersion)
		dst = append(dst, lists[order].packed...)
		closeRow(dst, start)
	}
	return dst
}

// ItemOrder returns the order of a packed item plus one, 0 for one of the company as a whole.
func ItemOrder(item []byte) uint64 {
	r := reader{rest: item}
	return r.skip()
}

// DirectorySeq returns the seq of the directory row of an establishment. It is negative: chunks
// have the others.
func DirectorySeq(order cnpj.Order) int32 { return -1 - int32(order) }
