package api

import (
	"context"
	"fmt"

	"razao/internal/store/registry"
	"razao/internal/store/render"
	"razao/internal/web"
)

// sources appends registros_publicos: the first page of every source, grouped by theme. Pages come
// in the order of source.All, which keeps themes together. A failing source is a page with status
// erro.
func (r *v2Renderer) sources(ctx context.Context, dst []byte) []byte {
	pages := r.snap.Records(ctx, &r.head, r.document, r.limit)
	theme := ""
	for i := range pages {
		p := &pages[i]
		switch {
		case i == 0:
			dst = append(dst, `{"`...)
		case p.Source.Theme != theme:
			dst = append(dst, `},"`...)
		default:
			dst = append(dst, ',')
		}
		if p.Source.Theme != theme {
			theme = p.Source.Theme
			dst = append(dst, theme...)
			dst = append(dst, `":{`...)
		}
		dst = append(dst, '"')
		dst = append(dst, p.Source.ID...)
		dst = append(dst, `":`...)
		dst = r.sourcePage(ctx, dst, p)
	}
	return append(dst, "}}"...)
}

// source appends a page of one source. On the first page a failing source is a page with status
// erro; later it is errSourceFailed.
func (r *v2Renderer) source(ctx context.Context, dst []byte) ([]byte, error) {
	page, found := r.snap.RecordsOf(ctx, r.fonte, &r.head, r.document, r.page())
	if !found {
		return dst, errNoSource
	}
	if page.Status == registry.Failed && r.load != 0 {
		// A 200 without a cursor would end the walk, and the client would miss the rest unnoticed.
		return dst, fmt.Errorf("%w: %s: %w", errSourceFailed, r.fonte, page.Err)
	}
	return r.sourcePage(ctx, dst, &page), nil
}

// sourcePage appends a page of a source. One that did not answer makes the response partial.
func (r *v2Renderer) sourcePage(ctx context.Context, dst []byte, p *registry.SourcePage) []byte {
	if !p.Answered() {
		r.partial = true
		if p.Err != nil {
			web.EventOf(ctx).Fail(fmt.Errorf("source %s: %w", p.Source.ID, p.Err))
		}
	}
	dst = render.AppendRecords(dst, p, r.text, r.now)
	next, more := p.Next()
	if !more {
		return appendEnd(dst)
	}
	return r.next(dst, r.address(sourcePath+p.Source.ID), p.Load.ID, next)
}
