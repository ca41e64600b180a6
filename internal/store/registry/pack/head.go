package pack

import (
	"encoding/binary"
	"slices"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
)

// Head is the decoded head row (seq 0) of a root: the company, Simples, and the first partners and
// establishments, which stay packed until a cursor reads them. All texts share memory with the row.
// A Head is safe for concurrent reading; Hide must come before.
type Head struct {
	Root           cnpj.Root
	HasCompany     bool // false: the release has establishments but no row in Empresas
	Company        record.Company
	HasSimples     bool // false: no row in Simples, the company never opted
	Simples        record.Simples
	Establishments int // of the root, in all its rows
	Partners       int // of the root, in all its rows

	partners       []byte       // packed, the first ChunkItems
	establishments []byte       // packed, the first ChunkItems
	firstOrders    []byte       // packed first order of each further establishment chunk
	hidden         []cnpj.Order // orders whose contact is hidden
}

// Hide makes all cursors of the head leave out the contact of the establishments with these orders.
// The head keeps the slice.
func (h *Head) Hide(orders []cnpj.Order) { h.hidden = orders }

// ContactHidden reports whether the contact of an establishment is hidden on request. Cursors then
// return it without street, telephones and e-mail, as if these had not been published.
func (h *Head) ContactHidden(order cnpj.Order) bool { return slices.Contains(h.hidden, order) }

// AnyContactHidden reports whether the contact of any establishment of the root is hidden.
func (h *Head) AnyContactHidden() bool { return len(h.hidden) > 0 }

// Exists reports whether the root is a company: it has a row in Empresas or an establishment.
// Releases have roots with nothing but partners or Simples.
func (h *Head) Exists() bool { return h.HasCompany || h.Establishments > 0 }

// NameOf returns a name for an establishment of the company, never "": the company's name or,
// without one, the trade name or else the masked CNPJ.
func (h *Head) NameOf(e *record.Establishment) string {
	switch {
	case h.Company.RazaoSocial != "":
		return h.Company.RazaoSocial
	case e.NomeFantasia != "":
		return e.NomeFantasia
	}
	return "CNPJ " + e.CNPJ.Masked()
}

// Individual reports whether the company is a natural person in business: see
// [record.IsIndividual].
func (h *Head) Individual() bool { return record.IsIndividual(&h.Company, &h.Simples) }

// DecodeHead decodes the head row (seq 0) of root. It does not decode partners and establishments,
// so damage among them shows only in the Err of a cursor. The head keeps doc, which must not
// change. The error is ErrCorrupt.
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

// Decode decodes another head row of the same root, such as that of the load before, and hides the
// same contacts in it.
func (h *Head) Decode(doc []byte) (Head, error) {
	other, err := DecodeHead(h.Root, doc)
	other.hidden = h.hidden
	return other, err
}

// chunks returns the number of chunks that n items fill; the first is part of the head row.
func chunks(n int) int { return (n + ChunkItems - 1) / ChunkItems }

// ChunkOf returns the seq of the row that holds the establishment with this order, if it exists; 0
// is the head row.
func (h *Head) ChunkOf(order cnpj.Order) int {
	r := reader{rest: h.firstOrders}
	chunk := 0
	for len(r.rest) > 0 && cnpj.Order(r.uvarint()) <= order {
		chunk++
	}
	return chunk
}

// PartnerCursor walks packed partners in stored order:
//
//	for c.Next() { use(&c.Partner) }
//	err := c.Err()
type PartnerCursor struct {
	Partner record.Partner // current partner; valid after Next returned true, overwritten by the next call
	r       reader
}

// Next moves to the next partner. It returns false at the end and at damage; Err tells which.
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

// EstablishmentCursor walks packed establishments of one root in CNPJ order, like PartnerCursor.
// Hidden contacts are left out.
type EstablishmentCursor struct {
	Establishment record.Establishment // current one; valid after Next returned true, overwritten by the next call
	root          cnpj.Root
	r             reader
	hidden        []cnpj.Order // see Head.Hide
}

// Next moves to the next establishment. It returns false at the end and at damage; Err tells which.
func (c *EstablishmentCursor) Next() bool {
	if len(c.r.rest) == 0 {
		return false
	}
	c.r.establishment(c.root, &c.Establishment)
	if slices.Contains(c.hidden, c.Establishment.CNPJ.Order()) {
		c.Establishment.ClearContact()
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

// Facets are the values by which establishments are counted.
type Facets struct{ UF, Municipio, SituacaoCadastral string }

// NextFacets moves to the next establishment like Next, but decodes only its facets, in less than half
// the time. It does not set c.Establishment.
func (c *EstablishmentCursor) NextFacets(f *Facets) bool {
	if len(c.r.rest) == 0 {
		return false
	}
	c.r.facets(f)
	return !c.r.bad
}

// Find moves forward to the establishment with this order and reports whether it is there. It
// decodes only the orders on the way, and stops at the first greater one.
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

// FirstPartners returns a cursor over the partners in the head row, the first ChunkItems.
func (h *Head) FirstPartners() PartnerCursor {
	return PartnerCursor{r: reader{rest: h.partners}}
}

// FirstEstablishments returns a cursor over the establishments in the head row, the first
// ChunkItems.
func (h *Head) FirstEstablishments() EstablishmentCursor {
	return EstablishmentCursor{root: h.Root, r: reader{rest: h.establishments}, hidden: h.hidden}
}

// FurtherPartners returns a cursor over the partners of a further chunk. The error is ErrCorrupt.
func FurtherPartners(doc []byte) (PartnerCursor, error) {
	r, err := chunkReader(doc)
	return PartnerCursor{r: r}, err
}

// FurtherEstablishments returns a cursor over the establishments of a further chunk of h. The error
// is ErrCorrupt.
func (h *Head) FurtherEstablishments(doc []byte) (EstablishmentCursor, error) {
	r, err := chunkReader(doc)
	return EstablishmentCursor{root: h.Root, r: r, hidden: h.hidden}, err
}

// AllEstablishments returns a cursor over the establishments of h and of its further chunks, given
// in order of seq. It copies them to buf[:0], which the cursor's texts then share, and returns buf,
// which may have grown, for reuse after the cursor. The error is ErrCorrupt.
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

// chunkReader returns a reader of the items of a further chunk, which has at least one.
func chunkReader(doc []byte) (reader, error) {
	r := reader{rest: doc}
	if r.byte() != Version || len(r.rest) == 0 {
		return reader{}, ErrCorrupt
	}
	return r, nil
}

// Parts are the packed records of one root, as the Append functions made them, in the order in
// which they are stored. Establishments must be in ascending order.
type Parts struct {
	Company        []byte // nil: none
	Simples        []byte // nil: none
	Partners       [][]byte
	Establishments [][]byte
	Orders         []cnpj.Order // of the establishments, position by position
}

// AppendRows appends all rows of root in binary COPY format to dst: the head, then establishment
// chunks, then partner chunks.
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

// appendHead appends the doc of a head row.
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

// appendChunk appends the row of a further chunk.
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

// nth returns the items of the chunk with this number; none if there is no such chunk.
func nth(items [][]byte, chunk int) [][]byte {
	from := min(chunk*ChunkItems, len(items))
	return items[from:min(from+ChunkItems, len(items))]
}

// openRow appends the start of a binary COPY row (root, seq, doc): the number of columns, and each
// column as its length in bytes and its bytes, big endian. It returns the position where doc
// begins.
func openRow(dst []byte, root cnpj.Root, seq int32) (_ []byte, start int) {
	dst = binary.BigEndian.AppendUint16(dst, 3)
	dst = binary.BigEndian.AppendUint32(dst, 8)
	dst = binary.BigEndian.AppendUint64(dst, uint64(root))
	dst = binary.BigEndian.AppendUint32(dst, 4)
	dst = binary.BigEndian.AppendUint32(dst, uint32(seq))
	dst = append(dst, 0, 0, 0, 0) // the length of doc, filled in by closeRow
	return dst, len(dst)
}

// closeRow writes the length of doc, which ends at the end of dst.
func closeRow(dst []byte, start int) {
	binary.BigEndian.PutUint32(dst[start-4:], uint32(len(dst)-start))
}
