package api

import (
	"context"
	"strconv"

	"razao/internal/record"
	"razao/internal/registry"
	"razao/internal/render"
)

// basic appends dados of the basic mode: the cadastre of the company and of the establishment, or establishments.
func (r *v2Renderer) basic(ctx context.Context, dst []byte) ([]byte, error) {
	dst, err := r.cadastre(ctx, dst)
	return append(dst, '}'), err
}

// full appends dados of the full mode: basic and the first page of every source.
func (r *v2Renderer) full(ctx context.Context, dst []byte) ([]byte, error) {
	dst, err := r.cadastre(ctx, dst)
	if err != nil {
		return dst, err
	}
	dst = append(dst, `,"registros_publicos":`...)
	dst = r.sources(ctx, dst)
	return append(dst, '}'), nil
}

// cadastre appends dados without its last brace.
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

// partners appends a page of the company's partners.
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

// establishments appends a page of the company's establishments.
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

// page is the part of a collection that is asked for: its beginning unless a cursor came.
func (q *question) page() registry.Range { return registry.Range{From: q.from, Limit: q.limit} }

// collection is what the end of a page says of a collection of the company.
type collection struct {
	name  string // in paths
	total int
	shown int // on this page
}

// closing appends a page of the cadastre from after its last item.
func (r *v2Renderer) closing(dst []byte, c collection) []byte {
	dst = append(dst, `],"total":`...)
	dst = strconv.AppendInt(dst, int64(c.total), 10)
	next := r.from + c.shown
	if c.shown == 0 || next >= c.total {
		return appendEnd(dst)
	}
	return r.next(dst, r.companyAddress(c.name), r.snap.LoadOf(""), next)
}

// next appends the cursor and the link of the page that begins at a position, and closes the collection.
func (r *v2Renderer) next(dst []byte, path string, load int64, from int) []byte {
	return collectionAt{path: path, limit: r.limit}.next(dst, r.cursors, load, from)
}

// collectionAt is where the pages of a collection are.
type collectionAt struct {
	path     string
	question string // further parameters, as they stand in links; "" for none
	limit    int
}

// signed is the address that cursors are bound to, apart from the limit.
func (c collectionAt) signed() string {
	if c.question == "" {
		return c.path
	}
	return c.path + "?" + c.question
}

// next appends the cursor and the link of the page that begins at a position of a load, and closes the collection.
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

// appendEnd closes a collection that has no further page.
func appendEnd(dst []byte) []byte {
	return append(dst, `,"proximo_cursor":null,"proxima_url":null}`...)
}
