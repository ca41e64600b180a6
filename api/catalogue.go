package api

import (
	"context"
	"fmt"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/registry"
	"razao/internal/source"
	"razao/internal/web"
)

// catalogue answers /v2/fontes: every source with the load that is in service. It needs no key.
func (a *API) catalogue(c *gin.Context, b *body) error {
	if _, err := parameters(c.Request.URL); err != nil {
		return err
	}
	s, err := a.live.Acquire()
	if err != nil {
		return fmt.Errorf("current snapshot: %w", err)
	}
	defer s.Release()
	ctx := c.Request.Context()
	b.bytes = append(b.bytes, `{"dados":{"fontes":[`...)
	partial := false
	now := a.now()
	for i := range a.sources {
		b.bytes = appendComma(b.bytes, i)
		var available bool
		b.bytes, available = appendSource(ctx, b.bytes, &a.sources[i], s.View, now)
		partial = partial || !available
	}
	b.bytes = append(b.bytes, `]}`...)
	b.etag = web.ETag(b.bytes)
	b.bytes = appendRelease(b.bytes, "fontes")
	b.bytes = appendSnapshot(b.bytes, s.View, web.EventOf(ctx).RequestID, partial)
	b.bytes = append(b.bytes, '}')
	return nil
}

// appendSource appends one entry of the catalogue.
func appendSource(ctx context.Context, dst []byte, src *source.Source, view *registry.View, now time.Time) (_ []byte, available bool) {
	load, availability := loadOf(ctx, src.ID, view)
	dst = appendTextField(dst, `{"id":`, src.ID)
	dst = appendTextField(dst, `,"tema":`, src.Theme)
	dst = appendTextField(dst, `,"titulo":`, src.Title)
	dst = appendTextField(dst, `,"descricao":`, src.Description)
	dst = appendTextField(dst, `,"orgao":`, src.Orgao)
	dst = appendTextField(dst, `,"licenca":`, src.Licenca)
	dst = appendTextField(dst, `,"tipo_periodo":`, src.PeriodKind)
	dst = appendTextField(dst, `,"disponibilidade":`, availability)
	dst = appendLoad(dst, src, load, now)
	if load == nil {
		return append(dst, `,"total":null}`...), false
	}
	dst = appendIntField(dst, `,"total":`, load.Counts.Records)
	return append(dst, '}'), true
}

// loadOf returns the load of a source, nil without one, and what the catalogue calls that.
func loadOf(ctx context.Context, id string, view *registry.View) (load *registry.Load, availability string) {
	l, ok, err := view.SourceLoad(ctx, id)
	switch {
	case err != nil:
		web.EventOf(ctx).Fail(err)
		return nil, "erro"
	case !ok:
		return nil, "indisponivel"
	}
	return &l, "disponivel"
}
