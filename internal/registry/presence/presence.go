// Package presence has which establishments a source has records of: as keys that rise, packed in blobs beside the records of a load, and
// those of several sources in memory.
package presence

import (
	"encoding/binary"
	"slices"

	"razao/internal/cnpj"
	"razao/internal/registry/pack"
	"razao/internal/source"
)

// keyOf numbers an establishment, given its order plus one, or with 0 the company as a whole: the keys of a root
// are together and rise with the orders.
func keyOf(root cnpj.Root, order uint64) uint64 {
	return uint64(root)*(cnpj.Orders+1) + order
}

// Split returns whom a key stands for: the root, and the order of an establishment plus one, 0 for the company as a whole.
func Split(key uint64) (root cnpj.Root, order uint64) {
	return cnpj.Root(key / (cnpj.Orders + 1)), key % (cnpj.Orders + 1)
}

// AppendKeys appends the keys of the owners of a root's packed items to keys, each once and rising.
func AppendKeys(keys []uint64, root cnpj.Root, items [][]byte) []uint64 {
	from := len(keys)
	for _, item := range items {
		keys = append(keys, keyOf(root, pack.ItemOrder(item)))
	}
	slices.Sort(keys[from:])
	return keys[:from+len(slices.Compact(keys[from:]))]
}

// Builder gathers which establishments, or companies as a whole, a load has records of.
type Builder struct {
	full [][]byte // complete blobs
	last []byte   // the one being filled
	n    int
	prev uint64
}

const entries = 1 << 16 // of a blob

// Add adds keys made by AppendKeys, rising over all calls.
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

// Blobs returns the packed keys, which pack.Varints reads.
func (b *Builder) Blobs() [][]byte {
	if b.n == 0 {
		return b.full
	}
	return append(b.full, b.last)
}

// Map says which establishments have records in which sources: ten bytes in memory for each of them. The zero value knows of none.
type Map struct {
	keys []uint64
	mask []uint16 // bit i: source i of source.All

	companyOnly uint16 // the sources that name companies only
}

// Add adds the keys, which rise, of the source that source.All has at a place.
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

// Sources returns the sources with records of an establishment: bit i is source i of source.All. A source that names
// companies only counts for all establishments, as it does when one is queried.
func (m *Map) Sources(establishment cnpj.Full) uint16 {
	root := establishment.Root()
	company := keyOf(root, 0)
	i, _ := slices.BinarySearch(m.keys, company)
	if i == len(m.keys) || m.keys[i] >= keyOf(root+1, 0) {
		return 0 // nothing about this company, which is what most are asked in vain for
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
