// Package presence answers, from memory, which public-record sources have records of an
// establishment.
//
// An owner of records, an establishment or a company as a whole, is a 64-bit key; all keys of a
// root are adjacent, and keys sort by CNPJ. While a load is written, a [Builder] packs the sorted
// keys of its owners into blobs, delta encoded as varints; they are stored beside its records. A
// server merges the keys of all sources in service into one [Map], a sorted array with a bit mask
// of sources, and looks owners up by binary search.
package presence

import (
	"encoding/binary"
	"slices"

	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/store/registry/pack"
)

// keyOf returns the key of an establishment, given its order plus one, or of the company as a
// whole, given 0. The keys of a root are adjacent and ascend with the orders.
func keyOf(root cnpj.Root, order uint64) uint64 {
	return uint64(root)*(cnpj.Orders+1) + order
}

// Split returns the owner of a key: the root, and the order of the establishment plus one, or 0 for
// the company as a whole.
func Split(key uint64) (root cnpj.Root, order uint64) {
	return cnpj.Root(key / (cnpj.Orders + 1)), key % (cnpj.Orders + 1)
}

// AppendKeys appends the keys of the owners of a root's packed items (pack.AppendItem) to keys,
// sorted and without duplicates.
func AppendKeys(keys []uint64, root cnpj.Root, items [][]byte) []uint64 {
	from := len(keys)
	for _, item := range items {
		keys = append(keys, keyOf(root, pack.ItemOrder(item)))
	}
	slices.Sort(keys[from:])
	return keys[:from+len(slices.Compact(keys[from:]))]
}

// Builder packs the keys of a load's owners into blobs. The zero value is ready. It is not safe for
// concurrent use.
type Builder struct {
	full [][]byte // complete blobs
	last []byte   // the blob being filled
	n    int      // its keys
	prev uint64   // its last key, from which the next is delta encoded
}

// entries is the number of keys in a full blob. Each blob begins anew and decodes on its own.
const entries = 1 << 16

// Add adds keys made by AppendKeys. They must ascend over all calls.
func (b *Builder) Add(keys []uint64) {
	for _, key := range keys {
		if b.n == entries {
			b.full, b.last, b.n, b.prev = append(b.full, b.last), nil, 0, 0
		}
		b.last = binary.AppendUvarint(b.last, key-b.prev)
		b.prev = key
		b.n++
	}
}

// Blobs returns the packed keys, blob by blob, for pack.Varints; nil if there are none.
func (b *Builder) Blobs() [][]byte {
	if b.n == 0 {
		return b.full
	}
	return append(b.full, b.last)
}

// Map tells which owners have records in which sources. It takes ten bytes for each owner. The zero
// value is empty. It is safe for concurrent use after the last Add.
type Map struct {
	keys []uint64 // ascending
	mask []uint16 // mask[j] bit i: source i of source.All has records of keys[j]

	companyOnly uint16 // bit i: source i names companies as a whole only
}

// Add merges the keys of a source into the map, in time linear in both. keys must ascend without
// duplicates; place is the position of src in source.All, at most 15.
func (m *Map) Add(place int, src *source.Source, keys []uint64) {
	bit := uint16(1) << place
	if src.CompanyOnly {
		m.companyOnly |= bit
	}
	if len(keys) == 0 {
		return
	}
	merged := Map{
		keys:        make([]uint64, 0, len(m.keys)+len(keys)),
		mask:        make([]uint16, 0, len(m.keys)+len(keys)),
		companyOnly: m.companyOnly,
	}
	i := 0
	for _, key := range keys {
		for ; i < len(m.keys) && m.keys[i] < key; i++ {
			merged.keys, merged.mask = append(merged.keys, m.keys[i]), append(merged.mask, m.mask[i])
		}
		mask := bit
		if i < len(m.keys) && m.keys[i] == key {
			mask |= m.mask[i]
			i++
		}
		merged.keys, merged.mask = append(merged.keys, key), append(merged.mask, mask)
	}
	merged.keys, merged.mask = append(merged.keys, m.keys[i:]...), append(merged.mask, m.mask[i:]...)
	*m = merged
}

// Sources returns the sources with records of an establishment: bit i stands for source i of
// source.All. A source that names companies as a whole only counts for each of their
// establishments, as it does in a query for one. It costs two binary searches, or one for a company
// without records.
func (m *Map) Sources(establishment cnpj.Full) uint16 {
	root := establishment.Root()
	company := keyOf(root, 0)
	i, _ := slices.BinarySearch(m.keys, company)
	if i == len(m.keys) || m.keys[i] >= keyOf(root+1, 0) {
		return 0 // nothing about any owner of this root, as for most companies
	}
	var mask uint16
	if m.keys[i] == company {
		mask = m.mask[i] & m.companyOnly
	}
	own := keyOf(root, uint64(establishment.Order())+1)
	if j, found := slices.BinarySearch(m.keys[i:], own); found {
		mask |= m.mask[i+j]
	}
	return mask
}
