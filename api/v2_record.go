package api

import (
	"context"
	"strconv"

	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/render"
)

// basic appends the basic mode: the company, and its establishments or the queried one.
func (r *v2Renderer) basic(ctx context.Context, dst []byte) ([]byte, error) {
	dst, err := r.cadastre(ctx, dst)
	return append(dst, '}'), err
}

// full appends the full mode: basic and the first page of every source.
func (r *v2Renderer) full(ctx context.Context, dst []byte) ([]byte, error) {
	dst, err := r.cadastre(ctx, dst)
	if err != nil {
		return dst, err
	}
	dst = append(dst, `,"registros_publicos":`...)
	dst = r.sources(ctx, dst)
	return append(dst, '}'), nil
}

// cadastre appends what basic and full share, without the last brace.
func (r *v2Renderer) cadastre(ctx context.Context, dst []byte) ([]byte, error) {
	dst = append(dst, `{"empresa":`...)
	dst = r.AppendCompany(dst, r.head.Root, &r.head.Company)
	dst = append(dst, `,"socios":`...)
	dst, err := r.partners(ctx, dst)
	if err != nil {
		return dst, err
	}
	dst = append(dst, `,"simples":`...)
	if r.head.HasSimples {
		dst = render.AppendSimples(dst, &r.head.Simples)
	} else {
		dst = append(dst, "null"...)
	}
	if r.document.Order != nil {
		dst = append(dst, `},"estabelecimento":`...)
		return r.AppendEstablishment(dst, &r.only), nil
	}
	dst = append(dst, `},"estabelecimentos":`...)
	return r.establishments(ctx, dst)
}

// partners appends a page of the company's partners, in stored order.
func (r *v2Renderer) partners(ctx context.Context, dst []byte) ([]byte, error) {
	dst = append(dst, `{"itens":[`...)
	n := 0
	err := r.snap.Partners(ctx, &r.head, r.page(), func(p *record.Partner) error {
		dst = render.AppendComma(dst, n)
		dst = r.AppendPartner(dst, p)
		n++
		return nil
	})
	return r.closing(dst, collection{"socios", r.head.Partners, n}), err
}

// establishments appends a page of the company's establishments, in CNPJ order.
func (r *v2Renderer) establishments(ctx context.Context, dst []byte) ([]byte, error) {
	dst = append(dst, `{"itens":[`...)
	n := 0
	err := r.snap.Establishments(ctx, &r.head, r.page(), func(e *record.Establishment) error {
		dst = render.AppendComma(dst, n)
		dst = r.AppendEstablishment(dst, e)
		n++
		return nil
	})
	return r.closing(dst, collection{"estabelecimentos", r.head.Establishments, n}), err
}

// page is the requested range of a collection: from its beginning, or from the cursor on.
func (q *question) page() registry.Range { return registry.Range{From: q.from, Limit: q.limit} }

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
	dst = append(dst, `],"total":`...)
	dst = strconv.AppendInt(dst, int64(c.total), 10)
	next := r.from + c.shown
	if c.shown == 0 || next >= c.total {
		return appendEnd(dst)
	}
	return r.next(dst, r.companyAddress(c.name), r.snap.LoadOf(""), next)
}

// next appends the cursor and link of the page from position from on, and closes the collection.
func (r *v2Renderer) next(dst []byte, path string, load int64, from int) []byte {
	return collectionAt{path: path, limit: r.limit}.next(dst, r.cursors, load, from)
}

// collectionAt is the address of a collection's pages.
type collectionAt struct {
	path     string
	question string // canonical query string of a search; "": none
	limit    int
}

// signed is the address that cursors are bound to; the MAC covers the limit separately.
func (c collectionAt) signed() string {
	if c.question == "" {
		return c.path
	}
	return c.path + "?" + c.question
}

// next appends the cursor and link of the page that begins at position from of a load, and closes
// the collection.
func (c collectionAt) next(dst []byte, cursors cursorSigner, load int64, from int) []byte {
	dst = append(dst, `,"proximo_cursor":"`...)
	start := len(dst)
	dst = cursors.append(dst, c.signed(), c.limit, load, from)
	cursor := dst[start:]
	dst = append(dst, `","proxima_url":"`...)
	dst = append(dst, c.path...)
	dst = append(dst, "?cursor="...)
	dst = append(dst, cursor...)
	dst = append(dst, "&limite="...)
	dst = strconv.AppendInt(dst, int64(c.limit), 10)
	if c.question != "" {
		dst = append(append(dst, '&'), c.question...)
	}
	return append(dst, `"}`...)
}

// appendEnd closes a collection without a next page.
func appendEnd(dst []byte) []byte {
	return append(dst, `,"proximo_cursor":null,"proxima_url":null}`...)
}
