package registry

import (
	"encoding/binary"
	"slices"

	"razao/internal/cnpj"
)

// Head is what one row holds of a root: the company, Simples, and the first partners and establishments. The texts
// reached through it share memory with the row.
type Head struct {
	Root           cnpj.Root
	HasCompany     bool // false: establishments without a row in Empresas
	Company        Company
	HasSimples     bool // false: never opted
	Simples        Simples
	Establishments int // of the root, in all rows
	Partners       int // of the root, in all rows

	partners       []byte  // packed, the first chunkItems
	establishments []byte  // packed, the first chunkItems
	firstOrders    []byte  // packed first order of each further establishment chunk
	hidden         []int32 // orders whose contact is hidden; a plain type, which is read from the database without reflection
}

// DecodeHead reads the row of root with seq 0. The head keeps doc, which must not change.
func DecodeHead(root cnpj.Root, doc []byte) (Head, error) {
	h := Head{Root: root}
	r := reader{rest: doc}
	if r.byte() != codecVersion {
		return Head{}, ErrCorrupt
	}
	presence := r.byte()
	h.Establishments = int(r.uvarint())
	h.Partners = int(r.uvarint())
	if h.HasCompany = presence&hasCompany != 0; h.HasCompany {
		r.company(&h.Company)
	} else {
		h.Company.CapitalSocial = NoCents
	}
	if h.HasSimples = presence&hasSimples != 0; h.HasSimples {
		r.simples(&h.Simples)
	}
	h.partners = r.bytes(r.uvarint())
	directory := r.rest
	for range chunks(h.Establishments) - 1 {
		r.uvarint()
		if r.bad {
			break
		}
	}
	h.firstOrders = directory[:len(directory)-len(r.rest)]
	h.establishments = r.rest
	if r.bad || h.Establishments < 0 || h.Establishments > cnpj.Orders || h.Partners < 0 {
		return Head{}, ErrCorrupt
	}
	return h, nil
}

// chunks returns how many chunks n items fill; the first is part of the head.
func chunks(n int) int { return (n + chunkItems - 1) / chunkItems }

// chunkOf returns the chunk that holds the establishment with this order if any does.
func (h *Head) chunkOf(order cnpj.Order) int {
	r := reader{rest: h.firstOrders}
	chunk := 0
	for len(r.rest) > 0 && cnpj.Order(r.uvarint()) <= order {
		chunk++
	}
	return chunk
}

// PartnerCursor walks packed partners.
type PartnerCursor struct {
	Partner Partner // the current one, after Next returned true
	r       reader
}

// Next moves to the next partner. It returns false at the end and at a fault, which Err tells apart.
func (c *PartnerCursor) Next() bool {
	if len(c.r.rest) == 0 {
		return false
	}
	c.r.partner(&c.Partner)
	return !c.r.bad
}

// Err returns ErrCorrupt when Next stopped before the end.
func (c *PartnerCursor) Err() error {
	if c.r.bad {
		return ErrCorrupt
	}
	return nil
}

// EstablishmentCursor walks packed establishments of one root in CNPJ order.
type EstablishmentCursor struct {
	Establishment Establishment // the current one, after Next returned true
	root          cnpj.Root
	r             reader
	hidden        []int32 // see Head
}

// Next moves to the next establishment. It returns false at the end and at a fault, which Err tells apart.
func (c *EstablishmentCursor) Next() bool {
	if len(c.r.rest) == 0 {
		return false
	}
	c.r.establishment(c.root, &c.Establishment)
	if slices.Contains(c.hidden, int32(c.Establishment.CNPJ.Order())) {
		c.Establishment.hideContact()
	}
	return !c.r.bad
}

// Err returns ErrCorrupt when Next stopped before the end.
func (c *EstablishmentCursor) Err() error {
	if c.r.bad {
		return ErrCorrupt
	}
	return nil
}

// find moves to the establishment with this order, reading only the orders on the way.
func (c *EstablishmentCursor) find(order cnpj.Order) bool {
	for len(c.r.rest) > 0 {
		item := c.r
		inside := reader{rest: item.bytes(item.uvarint())}
		if got := cnpj.Order(inside.uvarint()); got == order {
			return c.Next()
		} else if got > order {
			return false
		}
		c.r = item
	}
	return false
}

// FirstPartners walks the partners that the head holds itself: the first 50.
func (h *Head) FirstPartners() PartnerCursor {
	return PartnerCursor{r: reader{rest: h.partners}}
}

// FirstEstablishments walks the establishments that the head holds itself: the first 50.
func (h *Head) FirstEstablishments() EstablishmentCursor {
	return EstablishmentCursor{root: h.Root, r: reader{rest: h.establishments}, hidden: h.hidden}
}

// Parts are the packed records of one root, as the Append functions made them, in the order in which they are kept:
// partners in stored order, establishments by order.
type Parts struct {
	Company        []byte // nil: none
	Simples        []byte // nil: none
	Partners       [][]byte
	Establishments [][]byte
	Orders         []cnpj.Order // of the establishments
}

// AppendRows appends the rows of root in the binary COPY format to dst.
func AppendRows(dst []byte, root cnpj.Root, p *Parts) []byte {
	dst, start := openRow(dst, root, 0)
	dst = appendHead(dst, p)
	closeRow(dst, start)
	for chunk := 1; chunk < chunks(len(p.Establishments)); chunk++ {
		dst = appendChunk(dst, root, int32(chunk), nth(p.Establishments, chunk))
	}
	for chunk := 1; chunk < chunks(len(p.Partners)); chunk++ {
		dst = appendChunk(dst, root, int32(-chunk), nth(p.Partners, chunk))
	}
	return dst
}

func appendHead(dst []byte, p *Parts) []byte {
	var presence byte
	if p.Company != nil {
		presence |= hasCompany
	}
	if p.Simples != nil {
		presence |= hasSimples
	}
	dst = append(dst, codecVersion, presence)
	dst = binary.AppendUvarint(dst, uint64(len(p.Establishments)))
	dst = binary.AppendUvarint(dst, uint64(len(p.Partners)))
	dst = append(dst, p.Company...)
	dst = append(dst, p.Simples...)
	partners, size := nth(p.Partners, 0), 0
	for _, item := range partners {
		size += len(item)
	}
	dst = binary.AppendUvarint(dst, uint64(size))
	dst = appendAll(dst, partners)
	for i := chunkItems; i < len(p.Orders); i += chunkItems {
		dst = binary.AppendUvarint(dst, uint64(p.Orders[i]))
	}
	return appendAll(dst, nth(p.Establishments, 0))
}

func appendChunk(dst []byte, root cnpj.Root, seq int32, items [][]byte) []byte {
	dst, start := openRow(dst, root, seq)
	dst = append(dst, codecVersion)
	dst = appendAll(dst, items)
	closeRow(dst, start)
	return dst
}

func appendAll(dst []byte, items [][]byte) []byte {
	for _, item := range items {
		dst = append(dst, item...)
	}
	return dst
}

// nth returns the items of a chunk.
func nth(items [][]byte, chunk int) [][]byte {
	from := min(chunk*chunkItems, len(items))
	return items[from:min(from+chunkItems, len(items))]
}

// openRow appends the start of a COPY row (root, seq, doc) and returns where doc begins.
func openRow(dst []byte, root cnpj.Root, seq int32) (_ []byte, start int) {
	dst = binary.BigEndian.AppendUint16(dst, 3)
	dst = binary.BigEndian.AppendUint32(dst, 8)
	dst = binary.BigEndian.AppendUint64(dst, uint64(root))
	dst = binary.BigEndian.AppendUint32(dst, 4)
	dst = binary.BigEndian.AppendUint32(dst, uint32(seq))
	dst = append(dst, 0, 0, 0, 0) // the length of doc, filled in by closeRow
	return dst, len(dst)
}

func closeRow(dst []byte, start int) {
	binary.BigEndian.PutUint32(dst[start-4:], uint32(len(dst)-start))
}
