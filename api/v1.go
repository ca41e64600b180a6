package api

import (
	"context"
	"fmt"
	"slices"

	"github.com/gin-gonic/gin"

	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/render"
	"razao/internal/store/snapshot"
	"razao/internal/web"
)

// v1Record serves /v1/cnpj/{cnpj}: with 8 positions the company and all its establishments, with 14
// the company and that establishment alone.
func (a *API) v1Record(c *gin.Context, b *body) error {
	ctx := c.Request.Context()
	if _, err := parameters(c.Request.URL); err != nil {
		return err
	}
	document, err := registry.ParseDocument(c.Param("cnpj"))
	if err != nil {
		return err
	}
	s, err := a.config.Live.Acquire()
	if err != nil {
		return fmt.Errorf("current snapshot: %w", err)
	}
	defer s.Release()
	r := v1Renderer{Renderer: render.Of(s), snap: s}
	b.bytes = append(b.bytes, `{"dados":`...)
	if b.bytes, err = r.document(ctx, b.bytes, document); err != nil {
		return err
	}
	lacking := s.Load.Lacking()
	if len(lacking) > 0 {
		c.Header(partialHeader, partNames(lacking))
	}
	b.etag = web.ETag(appendGaps(b.bytes, &s.Load, lacking))
	b.bytes = appendV1Meta(b.bytes, s.Load.Period, web.EventOf(ctx).RequestID)
	b.bytes = append(b.bytes, '}')
	return nil
}

// appendV1Meta appends "meta" from its comma on. month is the Receita load's, null if unknown.
func appendV1Meta(dst []byte, month, requestID string) []byte {
	dst = render.AppendTextOrNull(dst, `,"meta":{"versao":"v1","competencia":`, month)
	dst = render.AppendText(dst, `,"requisicao_id":`, requestID)
	return append(dst, '}')
}

// v1Renderer renders the response of v1. Unlike v2 it has no pages: a company is written whole,
// however many chunks of rows it has.
type v1Renderer struct {
	*render.Renderer
	snap *snapshot.Snapshot
}

// document appends the value of "dados". The error is a *registry.AbsentError if the load lacks the
// company or the establishment.
func (r *v1Renderer) document(ctx context.Context, dst []byte, d registry.Document) ([]byte, error) {
	head, err := r.snap.Company(ctx, d.Root)
	if err != nil {
		return dst, err
	}
	if d.Order == nil {
		return r.company(ctx, dst, &head)
	}
	only, err := r.snap.Establishment(ctx, &head, *d.Order)
	if err != nil {
		return dst, err
	}
	dst = r.opening(dst, &head)
	dst = r.AppendEstablishment(dst, &only)
	return r.closing(ctx, dst, &head)
}

// company appends a company with all its establishments.
func (r *v1Renderer) company(ctx context.Context, dst []byte, h *pack.Head) ([]byte, error) {
	dst = r.opening(dst, h)
	dst, err := r.establishments(ctx, dst, h)
	if err != nil {
		return dst, err
	}
	return r.closing(ctx, dst, h)
}

// opening appends everything before the first establishment.
func (r *v1Renderer) opening(dst []byte, h *pack.Head) []byte {
	dst = append(dst, `{"cnpj_basico":"`...)
	dst = h.Root.Append(dst)
	dst = append(dst, `","empresa":`...)
	if h.HasCompany {
		dst = r.AppendCompany(dst, h.Root, &h.Company)
		dst = append(dst, '}')
	} else {
		dst = append(dst, "null"...)
	}
	return append(dst, `,"estabelecimentos":[`...)
}

// closing appends everything after the last establishment.
func (r *v1Renderer) closing(ctx context.Context, dst []byte, h *pack.Head) ([]byte, error) {
	dst = append(dst, `],"socios":[`...)
	dst, err := r.partners(ctx, dst, h)
	if err != nil {
		return dst, err
	}
	dst = append(dst, `],"simples":`...)
	if h.HasSimples {
		dst = render.AppendSimples(dst, &h.Simples)
	} else {
		dst = append(dst, "null"...)
	}
	return append(dst, '}'), nil
}

// establishments appends all establishments, separated by commas: those in the head row, which has
// up to fifty and is already read, then the further chunks.
func (r *v1Renderer) establishments(ctx context.Context, dst []byte, h *pack.Head) ([]byte, error) {
	n := 0
	first := h.FirstEstablishments()
	for ; first.Next(); n++ {
		dst = render.AppendComma(dst, n)
		dst = r.AppendEstablishment(dst, &first.Establishment)
	}
	if err := first.Err(); err != nil || n >= h.Establishments {
		return dst, err
	}
	return r.moreEstablishments(ctx, dst, h, n)
}

// moreEstablishments reads the further chunks. It is separate because its closure makes dst escape
// to the heap, which companies that fit the head row are spared.
func (r *v1Renderer) moreEstablishments(ctx context.Context, dst []byte, h *pack.Head, from int) ([]byte, error) {
	const usualSize = 1 << 10 // bytes of a rendered establishment: dst grows once
	rest := registry.Range{From: from, Limit: h.Establishments - from}
	// The size is known beforehand, so overload is refused before the body is made.
	if err := web.EventOf(ctx).Hold(len(dst) + rest.Limit*usualSize); err != nil {
		return dst, err
	}
	dst = slices.Grow(dst, rest.Limit*usualSize)
	err := r.snap.Establishments(ctx, h, rest, func(e *record.Establishment) error {
		dst = append(dst, ',')
		dst = r.AppendEstablishment(dst, e)
		return nil
	})
	return dst, err
}

// partners appends all partners, like establishments.
func (r *v1Renderer) partners(ctx context.Context, dst []byte, h *pack.Head) ([]byte, error) {
	n := 0
	first := h.FirstPartners()
	for ; first.Next(); n++ {
		dst = render.AppendComma(dst, n)
		dst = r.AppendPartner(dst, &first.Partner)
	}
	if err := first.Err(); err != nil || n >= h.Partners {
		return dst, err
	}
	return r.morePartners(ctx, dst, h, n)
}

func (r *v1Renderer) morePartners(ctx context.Context, dst []byte, h *pack.Head, from int) ([]byte, error) {
	rest := registry.Range{From: from, Limit: h.Partners - from}
	err := r.snap.Partners(ctx, h, rest, func(p *record.Partner) error {
		dst = append(dst, ',')
		dst = r.AppendPartner(dst, p)
		return nil
	})
	return dst, err
}
