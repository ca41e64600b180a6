package assistant

import (
	"context"
	"fmt"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/render"
	"razao/internal/store/snapshot"
)

// Page is a page of a collection.
type Page[T any] struct {
	Itens         []T     `json:"itens"`
	Total         int     `json:"total" jsonschema:"itens da coleção inteira"`
	ProximoCursor *string `json:"proximo_cursor" jsonschema:"da próxima página; null no fim"`
}

// closing sets Total and the next cursor of a page whose first item has the position from.
func (p *Page[T]) closing(total, from int, w walk) {
	p.Total = total
	if next := from + len(p.Itens); len(p.Itens) > 0 && next < total {
		p.ProximoCursor = w.cursor(next)
	}
}

// appendPage appends a page as JSON, in the same form as encoding/json.
func appendPage[T appender](dst []byte, p *Page[T]) []byte {
	dst = append(dst, `{"itens":[`...)
	for i := range p.Itens {
		dst = p.Itens[i].appendTo(render.AppendComma(dst, i))
	}
	dst = render.AppendInt(dst, `],"total":`, int64(p.Total))
	return append(render.AppendTextOrNull(dst, `,"proximo_cursor":`, orEmpty(p.ProximoCursor)), '}')
}

// pageOf returns the page in of the complete list all, with each item converted by show.
func pageOf[T, U any](all []T, in registry.Range, w walk, show func(T) U) Page[U] {
	page := Page[U]{Itens: []U{}}
	first := min(in.From, len(all))
	for _, item := range all[first:min(first+in.Limit, len(all))] {
		page.Itens = append(page.Itens, show(item))
	}
	page.closing(len(all), first, w)
	return page
}

// Default and maximum numbers of items on a page.
const (
	usualEstablishments = 10
	usualPartners       = 20
	mostListed          = 50 // maximum of both, and of partnerships
)

// EstablishmentsQuery asks for a page of a company's establishments.
type EstablishmentsQuery struct {
	CNPJ   string `json:"cnpj" jsonschema:"CNPJ da empresa, 8 posições, ou de qualquer estabelecimento dela, 14"`
	Limite int    `json:"limite,omitempty" jsonschema:"itens por página; 10 se ausente" minimum:"1" maximum:"50"`
	Cursor string `json:"cursor,omitempty" jsonschema:"o da página anterior"`
}

// PartnersQuery asks for a page of a company's partners.
type PartnersQuery struct {
	CNPJ   string `json:"cnpj" jsonschema:"CNPJ da empresa, 8 posições, ou de qualquer estabelecimento dela, 14"`
	Limite int    `json:"limite,omitempty" jsonschema:"itens por página; 20 se ausente" minimum:"1" maximum:"50"`
	Cursor string `json:"cursor,omitempty" jsonschema:"o da página anterior"`
}

// EstablishmentsAnswer is a page of a company's establishments, in the order of the CNPJ.
type EstablishmentsAnswer struct {
	Origin
	Documento string `json:"documento" jsonschema:"as 8 posições da empresa"`
	Page[Establishment]

	name string
}

// PartnersAnswer is a page of a company's partners, ordered by name, document, qualification and
// entry.
type PartnersAnswer struct {
	Origin
	Documento string `json:"documento" jsonschema:"as 8 posições da empresa"`
	Page[Partner]

	name string
}

// stateOf identifies the load of a source to which the positions of a walk refer.
func stateOf(snap *snapshot.Snapshot, fonte string) string {
	return fmt.Sprint("load ", snap.LoadOf(fonte))
}

// establishmentsWalk and partnersWalk are shared with Record, so that its cursors continue in the
// lists.
func establishmentsWalk(snap *snapshot.Snapshot, d document) walk {
	return walk{"estabelecimentos " + d.Root.String(), stateOf(snap, registry.Receita)}
}

func partnersWalk(snap *snapshot.Snapshot, d document) walk {
	return walk{"socios " + d.Root.String(), stateOf(snap, registry.Receita)}
}

// companyList is a list of a company, opened at the requested page.
type companyList struct {
	*reader
	document
	head   *pack.Head
	in     registry.Range
	walk   walk
	origin Origin
}

// openList opens a list of a company; of returns its walk. Unless openList fails, the caller must
// release the snapshot.
func (a *Assistant) openList(ctx context.Context, number string, limit int, cursor string, of func(*snapshot.Snapshot, document) walk) (_ *companyList, err error) {
	d, err := parseDocument(number)
	if err != nil {
		return nil, err
	}
	snap, err := a.acquire()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			snap.Release()
		}
	}()
	w := of(snap, d)
	from, err := w.from(cursor)
	if err != nil {
		return nil, err
	}
	h, err := company(ctx, snap, d)
	if err != nil {
		return nil, err
	}
	return &companyList{a.read(snap), d, h, registry.Range{From: from, Limit: limit}, w, a.origin(snap, "/"+d.text)}, nil
}

// Establishments returns a page of a company's establishments. The errors are those of [Refusal],
// or failures of ours.
func (a *Assistant) Establishments(ctx context.Context, q EstablishmentsQuery) (*EstablishmentsAnswer, error) {
	limit, err := limitOf(q.Limite, usualEstablishments, mostListed)
	if err != nil {
		return nil, err
	}
	l, err := a.openList(ctx, q.CNPJ, limit, q.Cursor, establishmentsWalk)
	if err != nil {
		return nil, err
	}
	defer l.snap.Release()
	answer := &EstablishmentsAnswer{Origin: l.origin, Documento: l.Root.String(), name: ptbr.Holder(l.Root, l.head.Company.RazaoSocial, l.head.Individual())}
	answer.Page, err = l.establishments(ctx, l.head, l.in, l.walk)
	return answer, err
}

// establishments returns a page of a company's establishments in CNPJ order, read in range in.
func (r *reader) establishments(ctx context.Context, h *pack.Head, in registry.Range, w walk) (Page[Establishment], error) {
	page := Page[Establishment]{Itens: []Establishment{}}
	err := r.snap.Establishments(ctx, h, in, func(e *record.Establishment) error {
		page.Itens = append(page.Itens, Establishment{*e, r.codes})
		return nil
	})
	page.closing(h.Establishments, in.From, w)
	return page, err
}

// Partners returns a page of a company's partners. The errors are those of [Refusal], or failures
// of ours.
func (a *Assistant) Partners(ctx context.Context, q PartnersQuery) (*PartnersAnswer, error) {
	limit, err := limitOf(q.Limite, usualPartners, mostListed)
	if err != nil {
		return nil, err
	}
	l, err := a.openList(ctx, q.CNPJ, limit, q.Cursor, partnersWalk)
	if err != nil {
		return nil, err
	}
	defer l.snap.Release()
	answer := &PartnersAnswer{Origin: l.origin, Documento: l.Root.String(), name: ptbr.Holder(l.Root, l.head.Company.RazaoSocial, l.head.Individual())}
	answer.Page, err = l.partners(ctx, l.head, l.in, l.walk)
	return answer, err
}

// partners returns a page of a company's partners in stored order, read in range in.
func (r *reader) partners(ctx context.Context, h *pack.Head, in registry.Range, w walk) (Page[Partner], error) {
	page := Page[Partner]{Itens: []Partner{}}
	err := r.snap.Partners(ctx, h, in, func(p *record.Partner) error {
		page.Itens = append(page.Itens, Partner{*p, r.codes})
		return nil
	})
	page.closing(h.Partners, in.From, w)
	return page, err
}

// Text lists the establishments.
func (r *EstablishmentsAnswer) Text() string {
	var t text
	t.line("Estabelecimentos de %s: %s; nesta página: %d.", ptbr.Join(" ", r.name, r.Documento), ptbr.Count(r.Total), len(r.Itens))
	for i := range r.Itens {
		t.listed(&r.Itens[i])
	}
	t.more("listar_estabelecimentos", r.ProximoCursor)
	t.origin(&r.Origin)
	return t.String()
}

// Text lists the partners.
func (r *PartnersAnswer) Text() string {
	var t text
	t.line("Sócios de %s: %s; nesta página: %d.", ptbr.Join(" ", r.name, r.Documento), ptbr.Count(r.Total), len(r.Itens))
	for i := range r.Itens {
		t.partner(&r.Itens[i])
	}
	t.more("listar_socios", r.ProximoCursor)
	t.origin(&r.Origin)
	return t.String()
}
