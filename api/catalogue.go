package api

import (
	"context"
	"fmt"

	"github.com/gin-gonic/gin"

	"razao/internal/registry"
	"razao/internal/render"
	"razao/internal/snapshot"
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
		b.bytes = render.AppendComma(b.bytes, i)
		load, availability := loadOf(ctx, a.sources[i].ID, s)
		b.bytes = render.AppendSource(b.bytes, &a.sources[i], availability, load, now)
		partial = partial || load == nil
	}
	b.bytes = append(b.bytes, `]}`...)
	b.etag = web.ETag(b.bytes)
	b.bytes = appendRelease(b.bytes, "fontes")
	b.bytes = appendSnapshot(b.bytes, s, web.EventOf(ctx).RequestID, partial)
	b.bytes = append(b.bytes, '}')
	return nil
}

// loadOf returns the load of a source, nil without one, and what the catalogue calls that.
func loadOf(ctx context.Context, id string, snap *snapshot.Snapshot) (load *registry.Load, availability string) {
	l, ok, err := snap.SourceLoad(ctx, id)
	switch {
	case err != nil:
		web.EventOf(ctx).Fail(err)
		return nil, "erro"
	case !ok:
		return nil, "indisponivel"
	}
	return &l, "disponivel"
}
