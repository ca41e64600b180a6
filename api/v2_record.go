package api

import (
	"strconv"

	"razao/internal/store/render"
)

// basic appends the basic mode: the company, and its establishments or the queried one.
func (r *v2Renderer) basic(dst []byte) []byte {
	return append(r.company(dst), '}')
}

// full appends the full mode: basic and the first page of every source, grouped by theme.
func (r *v2Renderer) full(dst []byte) []byte {
	dst = append(r.company(dst), `,"registros_publicos":`...)
	ends := make([]string, len(r.records))
	for i := range r.records {
		ends[i] = r.endOfRecords(i)
	}
	return append(render.AppendSources(dst, r.records, r.text, r.now, ends), '}')
}

// source appends the page of the source that is walked.
func (r *v2Renderer) source(dst []byte) []byte {
	return append(render.AppendRecords(dst, &r.records[0], r.text, r.now), r.endOfRecords(0)...)
}

// company appends what basic and full share, without the last brace.
func (r *v2Renderer) company(dst []byte) []byte {
	dst = append(dst, `{"empresa":`...)
	dst = r.AppendCompany(dst, r.head.Root, &r.head.Company)
	dst = append(dst, `,"socios":`...)
	dst = r.partners(dst)
	dst = append(dst, `,"simples":`...)
	if r.head.HasSimples {
		dst = render.AppendSimples(dst, &r.head.Simples)
	} else {
		dst = append(dst, "null"...)
	}
	if r.document.Order != nil {
		dst = append(dst, `},"estabelecimento":`...)
		return r.AppendEstablishment(dst, &r.only)
	}
	dst = append(dst, `},"estabelecimentos":`...)
	return r.establishments(dst)
}

// partners appends a page of the company's partners, in stored order.
func (r *v2Renderer) partners(dst []byte) []byte {
	dst = r.AppendPartners(append(dst, `{"itens":`...), r.partnerPage)
	return r.closing(dst, collection{"socios", r.head.Partners, len(r.partnerPage)})
}

// establishments appends a page of the company's establishments, in CNPJ order.
func (r *v2Renderer) establishments(dst []byte) []byte {
	dst = r.AppendEstablishments(append(dst, `{"itens":`...), r.establishmentPage)
	return r.closing(dst, collection{"estabelecimentos", r.head.Establishments, len(r.establishmentPage)})
}

// collection is what the end of a page says about a collection of the company.
type collection struct {
	name  string // in paths
	total int
	shown int // on this page
}

// closing appends the end of a page of partners or establishments, with a cursor over the Receita
// load if more follow. An empty page ends the collection: a cursor that does not advance would be
// an endless loop.
func (r *v2Renderer) closing(dst []byte, c collection) []byte {
	dst = append(dst, `,"total":`...)
	dst = strconv.AppendInt(dst, int64(c.total), 10)
	if isLower(&r.snap.Load, c.name) {
		dst = append(dst, `,"total_minimo":true`...)
	}
	next := r.from + c.shown
	if c.shown == 0 || next >= c.total {
		return append(dst, lastPage...)
	}
	return r.next(dst, r.companyAddress(c.name), r.snap.LoadOf(""), next)
}

// endOfRecords returns the end of a page of records.
func (r *v2Renderer) endOfRecords(i int) string {
	p := &r.records[i]
	next, more := p.Next()
	if !more {
		return lastPage
	}
	return string(r.next(nil, r.address(sourcePath+p.Source.ID), p.Load.ID, next))
}

// next appends the cursor and link of the page from position from on, and closes the collection.
func (r *v2Renderer) next(dst []byte, path string, load int64, from int) []byte {
	return collectionAt{path: path, limit: r.limit}.next(dst, r.cursors, load, from)
}

// lastPage closes a collection without a next page.
const lastPage = `,"proximo_cursor":null,"proxima_url":null}`

// collectionAt is the address of a collection's pages.
type collectionAt struct {
	path  string
	query string // canonical query string of a search; "": none
	limit int
}

// signed is the address that cursors are bound to; the MAC covers the limit separately.
func (c collectionAt) signed() string {
	if c.query == "" {
		return c.path
	}
	return c.path + "?" + c.query
}

// next appends the cursor and link of the page that begins at position from of a load, and closes
// the collection.
func (c collectionAt) next(dst []byte, cursors cursorSigner, load int64, from int) []byte {
	var space [longestCursor]byte
	return append(c.link(dst, cursors.append(space[:0], c.signed(), c.limit, load, from)), '}')
}

// link appends a cursor and the link of the page that it leads to.
func (c collectionAt) link(dst, cursor []byte) []byte {
	dst = append(dst, `,"proximo_cursor":"`...)
	dst = append(dst, cursor...)
	dst = append(dst, `","proxima_url":"`...)
	dst = append(dst, c.path...)
	dst = append(dst, "?cursor="...)
	dst = append(dst, cursor...)
	dst = append(dst, "&limite="...)
	dst = strconv.AppendInt(dst, int64(c.limit), 10)
	if c.query != "" {
		dst = append(append(dst, '&'), c.query...)
	}
	return append(dst, '"')
}
