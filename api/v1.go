package api

import (
	"context"
	"fmt"
	"slices"

	"github.com/gin-gonic/gin"

	"razao/internal/cnpj"
	"razao/internal/registry"
	"razao/internal/web"
)

// v1Record answers /v1/cnpj/{cnpj}: a company with all its establishments for 8 positions, with one for 14.
func (a *API) v1Record(c *gin.Context, b *body) error {
	ctx := c.Request.Context()
	if _, err := parameters(c.Request.URL); err != nil {
		return err
	}
	document, err := parseDocument(c.Param("cnpj"))
	if err != nil {
		return err
	}
	s, err := a.live.Acquire()
	if err != nil {
		return fmt.Errorf("current snapshot: %w", err)
	}
	defer s.Release()
	r := v1Renderer{renderer: renderer{domains: s.Domains, ibge: a.ibge}, view: s.View}
	b.bytes = append(b.bytes, `{"dados":`...)
	if b.bytes, err = r.document(ctx, b.bytes, document); err != nil {
		return err
	}
	b.etag = web.ETag(b.bytes)
	b.bytes = appendV1Meta(b.bytes, s.Load.Period, web.EventOf(ctx).RequestID)
	b.bytes = append(b.bytes, '}')
	return nil
}

// document is what v1 is asked about.
type document struct {
	root  cnpj.Root
	order cnpj.Order // of the one establishment; only when whole
	whole bool       // 14 positions, not 8
}

func parseDocument(s string) (document, error) {
	const rootLength = 8
	if len(s) == rootLength {
		root, err := cnpj.ParseRoot(s)
		return document{root: root}, err
	}
	full, err := cnpj.ParseFull(s)
	return document{root: full.Root(), order: full.Order(), whole: true}, err
}

func appendV1Meta(dst []byte, month, requestID string) []byte {
	dst = appendOptionalField(dst, `,"meta":{"versao":"v1","competencia":`, month)
	dst = appendTextField(dst, `,"requisicao_id":`, requestID)
	return append(dst, '}')
}

// v1Renderer appends the body of v1.
type v1Renderer struct {
	renderer
	view *registry.View
}

// document appends dados. The error is a *registry.AbsentError when the company, or that establishment, is not in the load.
func (r *v1Renderer) document(ctx context.Context, dst []byte, d document) ([]byte, error) {
	head, err := headOf(ctx, r.view, d.root)
	if err != nil {
		return dst, err
	}
	if !d.whole {
		return r.company(ctx, dst, &head)
	}
	only, err := r.view.Establishment(ctx, &head, d.order)
	if err != nil {
		return dst, err
	}
	dst = r.opening(dst, &head)
	dst = r.establishment(dst, &only)
	return r.closing(ctx, dst, &head)
}

// headOf returns the head of a company. The error is a *registry.AbsentError when neither the company nor an establishment of
// it is in the load: partners or Simples alone are no company.
func headOf(ctx context.Context, view *registry.View, root cnpj.Root) (registry.Head, error) {
	head, err := view.Head(ctx, root)
	if err != nil {
		return head, err
	}
	if !head.Exists() {
		return head, &registry.AbsentError{Document: registry.Document{Root: root}}
	}
	return head, nil
}

// company appends dados of a company with all its establishments.
func (r *v1Renderer) company(ctx context.Context, dst []byte, h *registry.Head) ([]byte, error) {
	dst = r.opening(dst, h)
	dst, err := r.establishments(ctx, dst, h)
	if err != nil {
		return dst, err
	}
	return r.closing(ctx, dst, h)
}

// opening appends dados up to the first establishment.
func (r *v1Renderer) opening(dst []byte, h *registry.Head) []byte {
	dst = append(dst, `{"cnpj_basico":"`...)
	dst = h.Root.Append(dst)
	dst = append(dst, `","empresa":`...)
	if h.HasCompany {
		dst = r.renderer.company(dst, h.Root, &h.Company)
		dst = append(dst, '}')
	} else {
		dst = append(dst, "null"...)
	}
	return append(dst, `,"estabelecimentos":[`...)
}

// closing appends dados from after the last establishment.
func (r *v1Renderer) closing(ctx context.Context, dst []byte, h *registry.Head) ([]byte, error) {
	dst = append(dst, `],"socios":[`...)
	dst, err := r.partners(ctx, dst, h)
	if err != nil {
		return dst, err
	}
	dst = append(dst, `],"simples":`...)
	if h.HasSimples {
		dst = appendSimples(dst, &h.Simples)
	} else {
		dst = append(dst, "null"...)
	}
	return append(dst, '}'), nil
}

// establishments appends those that came with the head and then, chunk by chunk, the others, separated by commas.
func (r *v1Renderer) establishments(ctx context.Context, dst []byte, h *registry.Head) ([]byte, error) {
	n := 0
	first := h.FirstEstablishments()
	for ; first.Next(); n++ {
		dst = appendComma(dst, n)
		dst = r.establishment(dst, &first.Establishment)
	}
	if err := first.Err(); err != nil || n >= h.Establishments {
		return dst, err
	}
	return r.moreEstablishments(ctx, dst, h, n)
}

// moreEstablishments is apart because what its function literal shares is allocated, and most companies need it not.
func (r *v1Renderer) moreEstablishments(ctx context.Context, dst []byte, h *registry.Head, from int) ([]byte, error) {
	const usualSize = 1 << 10 // bytes of an establishment, so that dst grows once
	rest := registry.Range{From: from, Limit: h.Establishments - from}
	dst = slices.Grow(dst, rest.Limit*usualSize)
	err := r.view.Establishments(ctx, h, rest, func(e *registry.Establishment) error {
		dst = append(dst, ',')
		dst = r.establishment(dst, e)
		return nil
	})
	return dst, err
}

// partners appends those that came with the head and then, chunk by chunk, the others, separated by commas.
func (r *v1Renderer) partners(ctx context.Context, dst []byte, h *registry.Head) ([]byte, error) {
	n := 0
	first := h.FirstPartners()
	for ; first.Next(); n++ {
		dst = appendComma(dst, n)
		dst = r.partner(dst, &first.Partner)
	}
	if err := first.Err(); err != nil || n >= h.Partners {
		return dst, err
	}
	return r.morePartners(ctx, dst, h, n)
}

func (r *v1Renderer) morePartners(ctx context.Context, dst []byte, h *registry.Head, from int) ([]byte, error) {
	rest := registry.Range{From: from, Limit: h.Partners - from}
	err := r.view.Partners(ctx, h, rest, func(p *registry.Partner) error {
		dst = append(dst, ',')
		dst = r.partner(dst, p)
		return nil
	})
	return dst, err
}

// appendComma separates the nth item of a list, counted from 0, from the one before.
func appendComma(dst []byte, n int) []byte {
	if n == 0 {
		return dst
	}
	return append(dst, ',')
}
