package registry

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"

	"razao/internal/data/cnpj"
)

// CopiedRows reads rows in the binary COPY format, as package pack makes them: all rows of a root
// together, and roots in order. The zero value is ready; it is a buffer, and not safe for concurrent use.
type CopiedRows struct{ ofRoot []copiedRow }

// Each calls visit for every row by root and seq, the order in which View.EachRow has them. doc is valid
// as long as rows are. It stops at the first error of visit and returns it.
func (c *CopiedRows) Each(rows []byte, visit func(root cnpj.Root, seq int32, doc []byte) error) error {
	for len(rows) > 0 {
		first, rest, err := cutRow(rows)
		if err != nil {
			return err
		}
		of := append(c.ofRoot[:0], first)
		for len(rest) > 0 {
			next, behind, err := cutRow(rest)
			if err != nil {
				return err
			}
			if next.root != first.root {
				break
			}
			of, rest = append(of, next), behind
		}
		slices.SortFunc(of, func(a, b copiedRow) int { return cmp.Compare(a.seq, b.seq) })
		for _, r := range of {
			if err := visit(r.root, r.seq, r.doc); err != nil {
				return err
			}
		}
		c.ofRoot, rows = of, rest
	}
	return nil
}

// copiedRow is a row in COPY format, decoded.
type copiedRow struct {
	root cnpj.Root
	seq  int32
	doc  []byte
}

// copyHead is the size of a row in COPY format before the bytes of doc: the number of columns, and
// the length and value of root, seq and doc.
const copyHead = 2 + 4 + 8 + 4 + 4 + 4

// cutRow cuts a row in COPY format off the front of rows.
func cutRow(rows []byte) (r copiedRow, rest []byte, err error) {
	if len(rows) < copyHead || binary.BigEndian.Uint16(rows) != 3 {
		return r, nil, errors.New("rows to copy: no row of three columns")
	}
	r.root, r.seq = cnpj.Root(binary.BigEndian.Uint64(rows[6:])), int32(binary.BigEndian.Uint32(rows[18:]))
	size, rest := binary.BigEndian.Uint32(rows[22:]), rows[copyHead:]
	if uint64(size) > uint64(len(rest)) {
		return r, nil, errors.New("rows to copy: a row is cut")
	}
	r.doc = rest[:size]
	return r, rest[size:], nil
}
