package column

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"razao/index/folder"
)

// Layout of an order file: a header of 8 bytes with the number of known keys, then cells of 4
// bytes. See the package comment.
const (
	orderHeader = 8
	orderCell   = 4
)

// Key is what an order sorts by.
type Key int

// The keys. Each has an order file.
const (
	ByCapital Key = iota // descending; implausible amounts behind all others
	ByName               // folded words of the legal name, ascending
	ByOpening            // day of opening, newest first
)

// orderFiles are the names of the order files.
var orderFiles = [...]string{ByCapital: "order-capital", ByName: "order-name", ByOpening: "order-opening"}

// keyFiles are the names of the files with the distinct keys, for orders with numeric keys.
var keyFiles = [...]string{ByCapital: "keys-capital", ByName: "", ByOpening: "keys-opening"}

// facetsFile has a cell of facetsCell bytes for each document.
const (
	facetsFile = "facets"
	facetsCell = 8
)

// Columns are the open columns of an index. Safe for concurrent use.
type Columns struct {
	Docs   uint32 // number of documents in the index
	facets folder.Mapped
	orders [len(orderFiles)]folder.Mapped
	known  [len(orderFiles)]uint32 // documents that have the key: see Sequence.Known
	keys   [len(orderFiles)]keyTable

	numbers [CountOfNumbers]*numbers
	mapped  []folder.Mapped // of keys
}

// Open maps the columns of an index folder with docs documents. The error is folder.ErrDamaged when
// a file is missing, has the wrong size or an impossible structure.
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
	if c.orders[by], err = folder.Map(dir, orderFiles[by], orderHeader+2*orderCell*docs+sliced(docs, stageBits)); err != nil {
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

// Close unmaps the files. Nothing that was read from the columns may be used afterwards.
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

// Cells are the facets of consecutive documents, as mapped.
type Cells []byte

// FacetsFrom returns the facets of doc and all documents after it. Loops call it once per container
// and then [Cells.At].
func (c *Columns) FacetsFrom(doc uint32) Cells { return c.facets.Bytes()[facetsCell*int(doc):] }

// At returns the facets of the document at an offset from the first.
func (c Cells) At(low uint16) Facets {
	return Facets(binary.LittleEndian.Uint64(c[facetsCell*int(low):]))
}

// Sequence is an order over all documents: a permutation and its inverse. Copies share the mapped
// file.
type Sequence struct {
	data     []byte
	Docs     uint32
	Known    uint32 // documents that have the key: positions from 0 to before Known
	Backward bool   // the positions before Known count from the end; the others stay
}

// Sequence returns the order by a key. If backward is set, the documents that have the key come in
// reverse; those without it come last either way.
func (c *Columns) Sequence(by Key, backward bool) Sequence {
	return Sequence{data: c.orders[by].Bytes(), Docs: c.Docs, Known: c.known[by], Backward: backward}
}

// turn converts between a position of the sequence and one of the file. It is its own inverse.
func (s *Sequence) turn(position uint32) uint32 {
	if s.Backward && position < s.Known {
		return s.Known - 1 - position
	}
	return position
}

// Doc returns the document at a position. In a damaged file it may not exist: callers check it.
func (s *Sequence) Doc(position uint32) uint32 {
	return binary.LittleEndian.Uint32(s.data[orderHeader+orderCell*int(s.turn(position)):])
}

// Positions returns the file's position cells of doc and all documents after it, for
// [Sequence.Position].
func (s *Sequence) Positions(doc uint32) []byte {
	return s.data[orderHeader+orderCell*(int(s.Docs)+int(doc)):]
}

// Position returns the position of the document at an offset from the first of positions. In a
// damaged file the result is wrong but below Docs.
func (s *Sequence) Position(positions []byte, low uint16) uint32 {
	return s.turn(min(binary.LittleEndian.Uint32(positions[orderCell*int(low):]), s.Docs-1))
}

// stages returns a group of stages, see sliced.go. Stages are in file order: Backward is ignored.
func (s *Sequence) stages(group uint32) []byte {
	return s.data[orderHeader+2*orderCell*int(s.Docs)+stageGroup*int(group):][:stageGroup]
}

// stageShift returns by how many bits to shift a position of an order of docs documents to get its
// stage.
func stageShift(docs uint32) int { return max(bits.Len32(docs-1)-stageBits, 0) }
