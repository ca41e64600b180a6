package segment

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/blevesearch/vellum"
	zap "github.com/blevesearch/zapx/v17"

	"razao/index/folder"
	"razao/internal/cnpj"
)

// Cursor walks the numbers of a shard's documents in rising order.
type Cursor struct {
	it    *vellum.FSTIterator
	docs  uint32
	Shard int       // what Merge.Add was told
	Key   cnpj.Full // at which it stands
	Doc   uint32    // whose number that is
}

// Keys returns a cursor at the first key from first to last, both included, false when the shard has none.
func (v *View) Keys(first, last cnpj.Full) (c Cursor, ok bool, err error) {
	from, to := binary.BigEndian.AppendUint64(nil, uint64(first)), binary.BigEndian.AppendUint64(nil, uint64(last)+1)
	it, err := v.shard.keys.Iterator(from, to)
	c = Cursor{it: it, docs: v.shard.docs}
	ok, err = c.read(err)
	return c, ok, err
}

// Next moves to the next key and says whether there is one.
func (c *Cursor) Next() (bool, error) { return c.read(c.it.Next()) }

// nearby is how many steps are tried before a jump, which costs about as much.
const nearby = 8

// Seek moves to the first key from one on, which must not be before where it stands, and says whether there is one.
func (c *Cursor) Seek(key cnpj.Full) (ok bool, err error) {
	for range nearby {
		if c.Key >= key {
			return true, nil
		}
		if ok, err = c.Next(); !ok {
			return false, err
		}
	}
	if c.Key >= key {
		return true, nil
	}
	ok, err = c.read(c.it.Seek(binary.BigEndian.AppendUint64(nil, uint64(key))))
	if ok && c.Key < key {
		return false, folder.ErrDamaged // who walks on would never end
	}
	return ok, err
}

// read takes the key at which the iterator stands after a step that returned err, and says whether there is one.
func (c *Cursor) read(err error) (bool, error) {
	if errors.Is(err, vellum.ErrIteratorDone) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%w (keys: %w)", folder.ErrDamaged, err)
	}
	key, value := c.it.Current()
	doc, _ := zap.FSTValDecode1Hit(value)
	if value&zap.FSTValEncodingMask != zap.FSTValEncoding1Hit || doc >= uint64(c.docs) {
		return false, fmt.Errorf("%w (a key of no document)", folder.ErrDamaged)
	}
	c.Doc = uint32(doc)
	c.Key, err = keyOf(key)
	return err == nil, err
}

// Merge walks the numbers of several shards together, in rising order. The zero value has none.
type Merge struct {
	cursors []Cursor
	least   int // which cursor Least has returned
}

// Add takes the keys of a shard from first to last, both included. It must not follow Next.
func (m *Merge) Add(v *View, shard int, first, last cnpj.Full) error {
	c, ok, err := v.Keys(first, last)
	if err != nil || !ok {
		return err
	}
	c.Shard = shard
	m.cursors = append(m.cursors, c)
	return nil
}

// Least returns the cursor at the lowest number that is left, nil at the end. It is valid until Next.
func (m *Merge) Least() *Cursor {
	if len(m.cursors) == 0 {
		return nil
	}
	m.least = 0
	for i := range m.cursors {
		if m.cursors[i].Key < m.cursors[m.least].Key {
			m.least = i
		}
	}
	return &m.cursors[m.least]
}

// Next leaves what Least has returned.
func (m *Merge) Next() error {
	more, err := m.cursors[m.least].Next()
	if err == nil && !more {
		m.cursors = slices.Delete(m.cursors, m.least, m.least+1)
	}
	return err
}
