package index

import (
	"container/heap"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	mmap "github.com/blevesearch/mmap-go"
)

// mapped is a file of numbers, mapped into memory.
type mapped struct {
	data mmap.MMap
}

// openMapped maps a file that must have a certain size.
func openMapped(dir, name string, size int64) (mapped, error) {
	file, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return mapped{}, fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return mapped{}, err
	}
	if info.Size() != size {
		return mapped{}, fmt.Errorf("%w (%s has %d bytes instead of %d)", ErrDamaged, name, info.Size(), size)
	}
	if size == 0 {
		return mapped{}, nil
	}
	data, err := mmap.Map(file, mmap.RDONLY, 0)
	return mapped{data}, err
}

func (m *mapped) close() error {
	if m.data == nil {
		return nil
	}
	return m.data.Unmap()
}

// columns are the files that hold something for every document.
type columns struct {
	docs   uint32
	facets mapped
	orders [len(orderFiles)]mapped
}

func openColumns(dir string, docs int64) (*columns, error) {
	c := &columns{docs: uint32(docs)}
	var err error
	if c.facets, err = openMapped(dir, facetsFile, 8*docs); err != nil {
		return nil, errors.Join(err, c.close())
	}
	for i, o := range orderFiles {
		if c.orders[i], err = openMapped(dir, o.name, orderHeader+2*orderCell*docs); err != nil {
			return nil, errors.Join(err, c.close())
		}
	}
	return c, nil
}

func (c *columns) close() error {
	err := c.facets.close()
	for i := range c.orders {
		err = errors.Join(err, c.orders[i].close())
	}
	return err
}

// facetsOf returns the facets of a document.
func (c *columns) facetsOf(doc uint32) facets {
	return facets(binary.LittleEndian.Uint64(c.facets.data[8*int(doc):]))
}

// sequence is one order over all documents.
type sequence struct {
	data     []byte
	docs     uint32
	known    uint32 // how many have a key; the others come behind them
	backward bool   // those that have a key are read backwards
}

func (c *columns) sequence(o Order) sequence {
	s := sequence{docs: c.docs, backward: o == ByOldest}
	if s.backward {
		o = ByNewest
	}
	for i := range orderFiles {
		if orderFiles[i].order == o {
			s.data = c.orders[i].data
			s.known = uint32(min(binary.LittleEndian.Uint64(s.data), uint64(s.docs)))
		}
	}
	return s
}

// turn maps a position to the one from which it is read.
func (s *sequence) turn(position uint32) uint32 {
	if s.backward && position < s.known {
		return s.known - 1 - position
	}
	return position
}

// doc returns the document at a position.
func (s *sequence) doc(position uint32) uint32 {
	return binary.LittleEndian.Uint32(s.data[orderHeader+orderCell*int(s.turn(position)):])
}

// position returns where a document stands; in a damaged file that is somewhere.
func (s *sequence) position(doc uint32) uint32 {
	position := binary.LittleEndian.Uint32(s.data[orderHeader+orderCell*(int(s.docs)+int(doc)):])
	return s.turn(min(position, s.docs-1))
}

// order fills the page from what was kept, in the order of the query.
func (s *search) order(ctx context.Context) error {
	if s.query.Order == ByRank || s.page.limit == 0 || s.page.skip >= s.page.total {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	sequence := s.index.columns.sequence(s.query.Order)
	want := s.page.skip + min(s.page.limit, s.page.total-s.page.skip)
	positions, complete := s.walk(&sequence, want)
	if !complete {
		positions = s.pick(&sequence, want)
	}
	for _, position := range positions[s.page.skip:] {
		i, doc, ok := s.index.locate(sequence.doc(position))
		if !ok {
			return fmt.Errorf("%w (an order names a document that does not exist)", ErrDamaged)
		}
		number, err := s.index.shards[i].cnpj(doc)
		if err != nil {
			return err
		}
		s.page.hits = append(s.page.hits, Hit{number, s.shards[i].why(doc)})
	}
	return nil
}

// why returns the reason for which a document was kept.
func (v *shardSearch) why(doc uint32) Why {
	for _, p := range v.parts {
		if p.docs.Contains(doc) {
			return p.why
		}
	}
	return WhyListed
}

// locate returns the shard of a document and its number there, false when there is no such document.
func (ix *Index) locate(doc uint32) (shard int, local uint32, ok bool) {
	i, exact := slices.BinarySearch(ix.bases, doc)
	if !exact {
		i--
	}
	if doc >= ix.columns.docs {
		return 0, 0, false
	}
	return i, doc - ix.bases[i], true
}

// walkCost is how many documents can be picked in the time in which one position of an order is tried.
const walkCost = 6

// walk goes along an order until it has met want of the kept documents. It gives up, returning false, when picking
// them out is cheaper: at once when they are rare, later when they turn out to stand far behind.
func (s *search) walk(sequence *sequence, want int) (positions []uint32, complete bool) {
	expected := want * int(sequence.docs) / s.page.total
	if expected*walkCost > s.page.total {
		return nil, false
	}
	budget := min(sequence.docs, uint32(s.page.total/walkCost))
	for position := uint32(0); position < budget && len(positions) < want; position++ {
		i, doc, ok := s.index.locate(sequence.doc(position))
		if ok && s.shards[i] != nil && s.shards[i].seen != nil && s.shards[i].seen.Contains(doc) {
			positions = append(positions, position)
		}
	}
	return positions, len(positions) == want
}

// heapLimit is up to how many positions are kept in a heap; more are marked in a set of all positions.
const heapLimit = 128

// pick returns the first want positions of the kept documents, rising.
func (s *search) pick(sequence *sequence, want int) []uint32 {
	if want > heapLimit {
		return s.pickMarked(sequence, want)
	}
	var first positionHeap
	s.eachKept(func(doc uint32) {
		switch position := sequence.position(doc); {
		case len(first) < want:
			heap.Push(&first, position)
		case position < first[0]:
			first[0] = position
			heap.Fix(&first, 0)
		}
	})
	slices.Sort(first)
	return first
}

func (s *search) pickMarked(sequence *sequence, want int) []uint32 {
	marks := make([]uint64, sequence.docs/64+1)
	s.eachKept(func(doc uint32) {
		position := sequence.position(doc)
		marks[position/64] |= 1 << (position % 64)
	})
	positions := make([]uint32, 0, want)
	for i, word := range marks {
		for ; word != 0 && len(positions) < want; word &= word - 1 {
			positions = append(positions, uint32(64*i+bits.TrailingZeros64(word)))
		}
	}
	return positions
}

// eachKept visits the kept documents by their numbers in the whole index.
func (s *search) eachKept(visit func(doc uint32)) {
	var buf [1024]uint32
	for i, v := range s.shards {
		if v == nil || v.seen == nil {
			continue
		}
		eachDoc(v.seen, buf[:], func(doc uint32) { visit(s.index.bases[i] + doc) })
	}
}

// eachDoc visits the documents of a bitmap in order, through a buffer.
func eachDoc(docs *roaring.Bitmap, buf []uint32, visit func(doc uint32)) {
	it := docs.ManyIterator()
	for n := it.NextMany(buf); n > 0; n = it.NextMany(buf) {
		for _, doc := range buf[:n] {
			visit(doc)
		}
	}
}

// positionHeap has the largest position on top.
type positionHeap []uint32

func (h positionHeap) Len() int           { return len(h) }
func (h positionHeap) Less(i, j int) bool { return h[i] > h[j] }
func (h positionHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *positionHeap) Push(x any)        { *h = append(*h, x.(uint32)) }
func (h *positionHeap) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}
