package pack

import (
	"errors"
	"fmt"
	"slices"

	"razao/internal/data/cnpj"
	"razao/internal/data/source"
)

// Items reads the packed records that a load of a source has of one root. The caller fetches the
// rows; Items says which. There are two ways:
//
//   - some records, for a page: Positions for those of one establishment, Want, First, then Further
//     with each row of Chunks, and Done;
//   - all records, for totals: Each with every chunk in order, and EachDone.
//
// An Items is used by one goroutine and for one of the two.
type Items struct {
	Total int // number of items of the root

	root  cnpj.Root
	per   int    // items in a chunk
	first reader // of the first chunk
	want  []int  // positions still to be read, ascending
	keep  []bool // keep[i]: read field i; nil: all
	kept  []source.Field

	values []string // buffer for the item that Each passes; nil: every item has its own
	passed int      // items that Each has passed
}

// OpenItems returns the Items of a root, given its head row (seq 0), which it keeps. The error is
// ErrCorrupt.
func OpenItems(root cnpj.Root, head []byte) (*Items, error) {
	r := reader{rest: head}
	if r.byte() != itemVersion {
		return nil, ErrCorrupt
	}
	c := &Items{root: root, Total: int(r.uvarint()), per: int(r.uvarint())}
	c.first = r
	if r.bad || c.Total < 1 || c.per < 1 {
		return nil, ErrCorrupt
	}
	return c, nil
}

// Positions returns the positions of an establishment's items among those of the root, ascending.
// directory is its directory row (DirectorySeq), nil if there is none; roots with one chunk have
// none and need none. The error is ErrCorrupt.
func (c *Items) Positions(order cnpj.Order, directory []byte) ([]int, error) {
	var positions []int
	if c.Total <= c.per {
		for i, r := 0, c.first; len(r.rest) > 0; i++ {
			if r.skip() == uint64(order)+1 {
				positions = append(positions, i)
			}
			if r.bad {
				return nil, ErrCorrupt
			}
		}
		return positions, nil
	}
	if directory == nil {
		return nil, nil
	}
	r := reader{rest: directory}
	if r.byte() != itemVersion {
		return nil, ErrCorrupt
	}
	for position := 0; len(r.rest) > 0; {
		position += int(r.uvarint())
		if r.bad || position < 0 || position >= c.Total {
			return nil, ErrCorrupt
		}
		positions = append(positions, position)
	}
	return positions, nil
}

// Want sets the positions to read, ascending. Items keeps the slice.
func (c *Items) Want(positions []int) { c.want = positions }

// Only selects the fields to read by their names, among the fields of the load; nil selects all.
// The values of others are skipped and not decoded.
func (c *Items) Only(fields []source.Field, names []string) {
	c.keep, c.kept = nil, nil
	if names == nil {
		return
	}
	c.keep = make([]bool, len(fields))
	for i := range fields {
		if c.keep[i] = slices.Contains(names, fields[i].Name); c.keep[i] {
			c.kept = append(c.kept, fields[i])
		}
	}
}

// Chunks returns the seq of the rows that hold wanted items, ascending. After First it is those
// that Further needs.
func (c *Items) Chunks() []int32 {
	var chunks []int32
	for _, position := range c.want {
		chunks = append(chunks, int32(position/c.per))
	}
	return slices.Compact(chunks)
}

// First returns the wanted items of the first chunk, which the head row holds. fields and
// dictionary are those of the load. The error is ErrCorrupt.
func (c *Items) First(fields []source.Field, dictionary []string) ([]Item, error) {
	return c.take(make([]Item, 0, len(c.want)), 0, c.first, fields, dictionary)
}

// Further appends the wanted items of a further chunk, whose row is doc, to items. Chunks must come
// in ascending order. The error is ErrCorrupt.
func (c *Items) Further(items []Item, chunk int, doc []byte, fields []source.Field, dictionary []string) ([]Item, error) {
	r := reader{rest: doc}
	if r.byte() != itemVersion {
		return items, ErrCorrupt
	}
	return c.take(items, chunk, r, fields, dictionary)
}

// take appends the wanted items of a chunk and removes them from want. It skips the others.
func (c *Items) take(items []Item, chunk int, r reader, fields []source.Field, dictionary []string) ([]Item, error) {
	for i := chunk * c.per; len(c.want) > 0 && c.want[0]/c.per == chunk; i++ {
		if i < c.want[0] {
			r.skip()
		} else {
			items = append(items, r.item(c, fields, dictionary))
			c.want = c.want[1:]
		}
		if r.bad {
			return items, ErrCorrupt
		}
	}
	return items, nil
}

// Done returns an ErrCorrupt if a chunk with wanted items was not passed to Further: its row is
// missing.
func (c *Items) Done() error {
	if len(c.want) > 0 {
		return errors.Join(ErrCorrupt, fmt.Errorf("chunk %d is missing", c.want[0]/c.per))
	}
	return nil
}

// Each calls visit with every item of a chunk. The item and its Values are valid only during the
// call. All chunks must come, in order; doc is nil for the first (number 0), which the head row
// holds. The error is ErrCorrupt.
func (c *Items) Each(chunk int, doc []byte, fields []source.Field, dictionary []string, visit func(*Item)) error {
	r := c.first
	if doc != nil {
		if r = (reader{rest: doc}); r.byte() != itemVersion {
			return ErrCorrupt
		}
	}
	if chunk < 0 || c.passed != chunk*c.per {
		return errors.Join(ErrCorrupt, fmt.Errorf("chunk %d follows %d records", chunk, c.passed))
	}
	if c.values == nil {
		c.values = make([]string, 0, len(fields))
	}
	for end := min(c.passed+c.per, c.Total); c.passed < end; c.passed++ {
		it := r.item(c, fields, dictionary)
		if r.bad {
			return ErrCorrupt
		}
		visit(&it)
	}
	if len(r.rest) > 0 {
		return ErrCorrupt
	}
	return nil
}

// EachDone returns an ErrCorrupt if Each has not passed all items: rows are missing.
func (c *Items) EachDone() error {
	if c.passed < c.Total {
		return errors.Join(ErrCorrupt, fmt.Errorf("%d of %d records are missing", c.Total-c.passed, c.Total))
	}
	return nil
}

// Varints decodes a blob of delta-encoded varints: it calls visit with each running sum, in order.
// The error is ErrCorrupt.
func Varints(blob []byte, visit func(uint64)) error {
	r := reader{rest: blob}
	for key := uint64(0); len(r.rest) > 0; {
		if key += r.uvarint(); r.bad {
			return ErrCorrupt
		}
		visit(key)
	}
	return nil
}
