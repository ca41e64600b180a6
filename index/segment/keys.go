package segment

import (
	"encoding/binary"
	"errors"

	"github.com/blevesearch/vellum"

	"razao/index/docset"
	"razao/index/folder"
	"razao/index/term"
	"razao/internal/cnpj"
)

// ByKey returns the document of a CNPJ, none when the shard has no such document.
func (v *View) ByKey(number cnpj.Full) (docset.Set, error) {
	return v.Postings(term.FieldID, binary.BigEndian.AppendUint64(nil, uint64(number)))
}

// Cursor walks the keys of a shard in rising order.
type Cursor struct {
	it  *vellum.FSTIterator
	Key cnpj.Full // at which it stands
}

// Keys returns a cursor at the first key from first to last, both included, false when the shard has none.
func (v *View) Keys(first, last cnpj.Full) (c Cursor, ok bool, err error) {
	d := v.dict(term.FieldID)
	if d == nil {
		return c, false, nil
	}
	from, to := binary.BigEndian.AppendUint64(nil, uint64(first)), binary.BigEndian.AppendUint64(nil, uint64(last)+1)
	it, err := d.Iterator(from, to)
	c.it = it
	ok, err = c.read(err)
	return c, ok, err
}

// Next moves to the next key and says whether there is one.
func (c *Cursor) Next() (bool, error) { return c.read(c.it.Next()) }

// read takes the key at which the iterator stands after a step that returned err, and says whether there is one.
func (c *Cursor) read(err error) (bool, error) {
	if errors.Is(err, vellum.ErrIteratorDone) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	key, _ := c.it.Current()
	if len(key) != 8 {
		return false, folder.ErrDamaged
	}
	c.Key = cnpj.Full(binary.BigEndian.Uint64(key))
	return true, nil
}
