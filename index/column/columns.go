package column

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"razao/index/folder"
)

// The parts of an order file: see the package comment.
const (
	orderHeader = 8
	orderCell   = 4
)

// Key is what an order sorts by.
type Key int

// The keys; the order by each has a file.
const (
	ByCapital Key = iota // largest first; those that no company has come behind all others
	ByName               // folded words of the legal name
	ByOpening            // newest first
)

// orderFiles are the files of the orders by their keys.
var orderFiles = [...]string{ByCapital: "order-capital", ByName: "order-name", ByOpening: "order-opening"}

// keyFiles are the files of the keys of the orders that have numbers for keys.
var keyFiles = [...]string{ByCapital: "keys-capital", ByName: "", ByOpening: "keys-opening"}

// facetsFile holds the facets of every document, facetsCell bytes each, little endian.
const (
	facetsFile = "facets"
	facetsCell = 8
)

// Columns are the open columns of an index. Safe for concurrent use.
type Columns struct {
	Docs   uint32
	facets folder.Mapped
	orders [len(orderFiles)]folder.Mapped
	known  [len(orderFiles)]uint32 // see Sequence
	keys   [len(orderFiles)]keyTable

	numbers [CountOfNumbers]*numbers
	mapped  []folder.Mapped // of keys
}

// Open maps the columns of an index folder of so many documents. The error of a file that is missing or of another size is
// folder.ErrDamaged.
func Open(dir string, docs int64) (*Columns, error) {
	c := &Columns{Docs: uint32(docs)}
	if err := c.open(dir, docs); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

func (c *Columns) open(dir string, docs int64) (err error) {
	if c.facets, err = folder.Map(dir, facetsFile, facetsCell*docs); err != nil {
		return err
	}
	for by := range Keys {
		if err := c.openOrder(dir, by, docs); err != nil {
			return err
		}
	}
	for n := range CountOfNumbers {
		if c.numbers[n], err = openNumbers(dir, n, docs); err != nil {
			return err
		}
	}
	return nil
}

func (c *Columns) openOrder(dir string, by Key, docs int64) (err error) {
	if c.orders[by], err = folder.Map(dir, orderFiles[by], orderHeader+(2*orderCell+1)*docs); err != nil {
		return err
	}
	known := binary.LittleEndian.Uint64(c.orders[by].Bytes())
	if known > uint64(docs) {
		return fmt.Errorf("%w (%s has %d of %d documents)", folder.ErrDamaged, orderFiles[by], known, docs)
	}
	c.known[by] = uint32(known)
	if keyFiles[by] == "" {
		return nil
	}
	keys, err := folder.Map(dir, keyFiles[by], folder.AnySize)
	if err != nil {
		return err
	}
	c.mapped = append(c.mapped, keys)
	c.keys[by] = keys.Bytes()
	if len(c.keys[by])%keySize > 0 {
		return fmt.Errorf("%w (%s is cut in the middle of a key)", folder.ErrDamaged, keyFiles[by])
	}
	return nil
}

// Close unmaps the files: nothing that was read from them may be used afterwards.
func (c *Columns) Close() error {
	err := c.facets.Close()
	for i := range c.orders {
		err = errors.Join(err, c.orders[i].Close())
	}
	for i := range c.mapped {
		err = errors.Join(err, c.mapped[i].Close())
	}
	for _, n := range c.numbers {
		if n != nil {
			err = errors.Join(err, n.file.Close())
		}
	}
	return err
}

// Cells are the facets of documents that follow each other.
type Cells []byte

// FacetsFrom returns the facets of all documents from one on. Loops take it once for a block, not for each document.
func (c *Columns) FacetsFrom(doc uint32) Cells { return c.facets.Bytes()[facetsCell*int(doc):] }

// At returns the facets of a document by its distance from the first.
func (c Cells) At(low uint16) Facets {
	return Facets(binary.LittleEndian.Uint64(c[facetsCell*int(low):]))
}

// Sequence is one order over all documents.
type Sequence struct {
	data     []byte
	Docs     uint32
	Known    uint32 // how many have a key; the others come behind them
	Backward bool   // those that have a key are read backwards
}

// Sequence returns the order by a key. Backward turns those round that have one: the others come last either way.
func (c *Columns) Sequence(by Key, backward bool) Sequence {
	return Sequence{data: c.orders[by].Bytes(), Docs: c.Docs, Known: c.known[by], Backward: backward}
}

// Turn maps a position to the one from which it is read.
func (s *Sequence) Turn(position uint32) uint32 {
	if s.Backward && position < s.Known {
		return s.Known - 1 - position
	}
	return position
}

// Doc returns the document at a position.
func (s *Sequence) Doc(position uint32) uint32 {
	return binary.LittleEndian.Uint32(s.data[orderHeader+orderCell*int(s.Turn(position)):])
}

// Positions returns the cells with the positions of the documents from one on.
func (s *Sequence) Positions(doc uint32) []byte {
	return s.data[orderHeader+orderCell*(int(s.Docs)+int(doc)):]
}

// Position returns where a document stands, by its distance from the first of positions; in a damaged file that is
// somewhere.
func (s *Sequence) Position(positions []byte, low uint16) uint32 {
	return s.Turn(min(binary.LittleEndian.Uint32(positions[orderCell*int(low):]), s.Docs-1))
}

// Stages returns, for the documents from one on, in which stage of the order each stands, read forwards.
func (s *Sequence) Stages(doc uint32) []byte {
	return s.data[orderHeader+2*orderCell*int(s.Docs)+int(doc):]
}

// Stages is how many stages an order has at most; a stage is a stretch of 1 << StageShift positions.
const Stages = 1 << 8

// StageShift returns how many bits of a position do not count for the stage in which it is.
func StageShift(docs uint32) int { return max(bits.Len32(docs-1)-8, 0) }
