package pack

import (
	"encoding/binary"
	"slices"

	"razao/internal/cnpj"
	"razao/internal/record"
)

// Head is what one row holds of a root: the company, Simples, and the first partners and establishments. The texts
// reached through it share memory with the row.
type Head struct {
	Root           cnpj.Root
	HasCompany     bool // false: establishments without a row in Empresas
	Company        record.Company
	HasSimples     bool // false: never opted
	Simples        record.Simples
	Establishments int // of the root, in all rows
	Partners       int // of the root, in all rows

	partners       []byte  // packed, the first ChunkItems
	establishments []byte  // packed, the first ChunkItems
	firstOrders    []byte  // packed first order of each further establishment chunk
	hidden         []int32 // orders whose contact is hidden
}

// Hide empties the contact of the establishments with these orders wherever they are read through the head. A plain type,
// which pgx scans without reflection.
func (h *Head) Hide(orders []int32) { h.hidden = orders }

// ContactHidden reports whether the contact of an establishment is hidden on request: street, telephones and e-mail are
// then empty, as if they had not been published.
func (h *Head) ContactHidden(order cnpj.Order) bool { return slices.Contains(h.hidden, int32(order)) }

// AnyContactHidden reports whether that of any establishment is.
func (h *Head) AnyContactHidden() bool { return len(h.hidden) > 0 }

// Exists reports whether there is a company at all: partners or Simples alone, which the release has of some roots, are none.
func (h *Head) Exists() bool { return h.HasCompany || h.Establishments > 0 }

// NameOf is what people call an establishment of the company: the company's name or, without one, the trade name or the number.
func (h *Head) NameOf(e *record.Establishment) string {
	switch {
	case h.Company.RazaoSocial != "":
		return h.Company.RazaoSocial
	case e.NomeFantasia != "":
		return e.NomeFantasia
	}
	return "CNPJ " + e.CNPJ.Masked()
}

// Individual reports whether the company is a natural person in business: an individual entrepreneur or a MEI.
func (h *Head) Individual() bool { return record.IsIndividual(&h.Company, &h.Simples) }

// DecodeHead reads the row of root with seq 0. The head keeps doc, which must not change.
func DecodeHead(root cnpj.Root, doc []byte) (Head, error) {
	h := Head{Root: root}
	r := reader{rest: doc}
	if r.byte() != Version {
		return Head{}, ErrCorrupt
	}
	presence := r.byte()
	h.Establishments = int(r.uvarint())
	h.Partners = int(r.uvarint())
	if h.HasCompany = presence&hasCompany != 0; h.HasCompany {
		r.company(&h.Company)
	} else {
		h.Company.CapitalSocial = record.NoCents
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

// Decode reads another row with seq 0 of the same root, such as that of the load before; the same contacts are hidden in it.
func (h *Head) Decode(doc []byte) (Head, error) {
	other, err := DecodeHead(h.Root, doc)
	other.hidden = h.hidden
	return other, err
}

// chunks returns how many chunks n items fill; the first is part of the head.
func chunks(n int) int { return (n + ChunkItems - 1) / ChunkItems }

// ChunkOf returns the chunk (seq) that holds the establishment with this order if any does; 0 is the head itself.
func (h *Head) ChunkOf(order cnpj.Order) int {
	r := reader{rest: h.firstOrders}
	chunk := 0
	for len(r.rest) > 0 && cnpj.Order(r.uvarint()) <= order {
		chunk++
	}
	return chunk
}

// PartnerCursor walks packed partners.
type PartnerCursor struct {
	Partner record.Partner // the current one, after Next returned true
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
	Establishment record.Establishment // the current one, after Next returned true
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
		c.Establishment.HideContact()
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

// Find moves to the establishment with this order, reading only the orders on the way.
func (c *EstablishmentCursor) Find(order cnpj.Order) bool {
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

// FurtherPartners walks the partners of a further chunk.
func FurtherPartners(doc []byte) (PartnerCursor, error) {
	r, err := chunkReader(doc)
	return PartnerCursor{r: r}, err
}

// FurtherEstablishments walks the establishments of a further chunk of h.
func (h *Head) FurtherEstablishments(doc []byte) (EstablishmentCursor, error) {
	r, err := chunkReader(doc)
	return EstablishmentCursor{root: h.Root, r: r, hidden: h.hidden}, err
}

// AllEstablishments walks the establishments of h and of its further chunks, which are gathered in buf[:0]. It returns buf,
// which may have grown.
func (h *Head) AllEstablishments(buf []byte, further ...[]byte) (EstablishmentCursor, []byte, error) {
	all := h.FirstEstablishments()
	if len(further) == 0 {
		return all, buf, nil
	}
	buf = append(buf[:0], h.establishments...)
	for _, doc := range further {
		r, err := chunkReader(doc)
		if err != nil {
			return all, buf, err
		}
		buf = append(buf, r.rest...)
	}
	all.r.rest = buf
	return all, buf, nil
}

func chunkReader(doc []byte) (reader, error) {
	r := reader{rest: doc}
	if r.byte() != Version || len(r.rest) == 0 {
		return reader{}, ErrCorrupt
	}
	return r, nil
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
	dst = append(dst, Version, presence)
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
	for i := ChunkItems; i < len(p.Orders); i += ChunkItems {
		dst = binary.AppendUvarint(dst, uint64(p.Orders[i]))
	}
	return appendAll(dst, nth(p.Establishments, 0))
}

func appendChunk(dst []byte, root cnpj.Root, seq int32, items [][]byte) []byte {
	dst, start := openRow(dst, root, seq)
	dst = append(dst, Version)
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
	from := min(chunk*ChunkItems, len(items))
	return items[from:min(from+ChunkItems, len(items))]
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
