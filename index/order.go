package index

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"slices"

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
	if c.facets, err = openMapped(dir, facetsFile, facetsCell*docs); err != nil {
		return nil, errors.Join(err, c.close())
	}
	for i, o := range orderFiles {
		if c.orders[i], err = openMapped(dir, o.name, orderHeader+(2*orderCell+1)*docs); err != nil {
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

// column returns the facets of the documents of a block and of those behind it.
func (v *shardSearch) column(b *block) []byte {
	return v.columns.facets.data[facetsCell*(int(v.base)+int(b.key)<<16):]
}

// facetsAt returns the facets of a document by the lower bits of its number.
func facetsAt(column []byte, low uint16) facets {
	return facets(binary.LittleEndian.Uint64(column[facetsCell*int(low):]))
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

// positions returns the cells with the positions of the documents from one on.
func (s *sequence) positions(doc uint32) []byte {
	return s.data[orderHeader+orderCell*(int(s.docs)+int(doc)):]
}

// position returns where a document stands, by its distance from the first of positions; in a damaged file that is
// somewhere.
func (s *sequence) position(positions []byte, low uint16) uint32 {
	return s.turn(min(binary.LittleEndian.Uint32(positions[orderCell*int(low):]), s.docs-1))
}

// stages returns, for the documents from one on, in which stage of the order each stands, read forwards.
func (s *sequence) stages(doc uint32) []byte {
	return s.data[orderHeader+2*orderCell*int(s.docs)+int(doc):]
}

// stages is how many stages an order has at most.
const stages = 1 << 8

// stageShift returns how many bits of a position do not count for the stage in which it is.
func stageShift(docs uint32) int { return max(bits.Len32(docs-1)-8, 0) }

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
	positions := s.positions(&sequence, want)
	for _, position := range positions[max(len(positions)-want+s.page.skip, 0):] {
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
		if p.docs.contains(doc) {
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
