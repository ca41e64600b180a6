package segment

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/blevesearch/vellum"
	zap "github.com/blevesearch/zapx/v17"

	"razao/index/folder"
	"razao/internal/data/cnpj"
)

// Cursor walks the keys of a shard in ascending order of CNPJs. It is valid while it stands at a
// key, that is until Next or Seek returns false, and while its shard is open.
type Cursor struct {
	it    *vellum.FSTIterator
	docs  uint32
	Shard int       // as given to Merge.Add
	Key   cnpj.Full // current key
	Doc   uint32    // its document
}

// Keys returns a cursor at the first key in [first, last]; ok is false when the shard has none.
func (v *View) Keys(first, last cnpj.Full) (c Cursor, ok bool, err error) {
	from, to := binary.BigEndian.AppendUint64(nil, uint64(first)), binary.BigEndian.AppendUint64(nil, uint64(last)+1)
	it, err := v.shard.keys.Iterator(from, to)
	c = Cursor{it: it, docs: v.shard.docs}
	ok, err = c.read(err)
	return c, ok, err
}

// Next moves to the next key and reports whether there is one. After false the cursor must not be
// used.
func (c *Cursor) Next() (bool, error) { return c.read(c.it.Next()) }

// stepsBeforeSeek is the number of single steps that Seek tries before it descends the FST from the
// root, which costs about as much.
const stepsBeforeSeek = 8

// Seek moves to the first key >= key and reports whether there is one. The cursor only moves
// forward: a key behind it leaves it in place.
func (c *Cursor) Seek(key cnpj.Full) (ok bool, err error) {
	for range stepsBeforeSeek {
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
		return false, folder.ErrDamaged // otherwise a join over a corrupt FST would loop forever
	}
	return ok, err
}

// read decodes the key and document at which the FST iterator stands after a step that returned
// err.
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

// Merge is a k-way merge of the keys of several shards in ascending order. The zero value is empty.
// The least cursor is found by linear search: an index has few shards.
type Merge struct {
	cursors []Cursor
	least   int // index of the cursor that Least has returned
}

// Add adds the keys of a shard in [first, last]; shard is handed back in Cursor.Shard. All calls
// must come before the first Next.
func (m *Merge) Add(v *View, shard int, first, last cnpj.Full) error {
	c, ok, err := v.Keys(first, last)
	if err != nil || !ok {
		return err
	}
	c.Shard = shard
	m.cursors = append(m.cursors, c)
	return nil
}

// Least returns the cursor at the lowest key, nil at the end. The cursor is owned by m and valid
// until Next.
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

// Next moves past the key that Least has returned; Least must have been called since the last Next.
func (m *Merge) Next() error {
	more, err := m.cursors[m.least].Next()
	if err == nil && !more {
		m.cursors = slices.Delete(m.cursors, m.least, m.least+1)
	}
	return err
}
