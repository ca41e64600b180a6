package api

import (
	"context"
	"fmt"

	"github.com/gin-gonic/gin"

	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/loads"
	"razao/internal/store/registry"
	"razao/internal/store/render"
	"razao/internal/store/snapshot"
	"razao/internal/web"
)

// catalogue serves /v2/fontes: every source with the load in service and the history of its loads.
// It needs no key. A source without a readable load is listed as such and makes the response
// partial. The ETag covers staleness, which changes with the day, so a client learns of it without
// a new load.
func (a *API) catalogue(c *gin.Context, b *body) error {
	if _, err := parameters(c.Request.URL); err != nil {
		return err
	}
	s, err := a.config.Live.Acquire()
	if err != nil {
		return fmt.Errorf("current snapshot: %w", err)
	}
	defer s.Release()
	ctx := c.Request.Context()
	histories, rejected, err := a.histories(ctx, s)
	if err != nil {
		return err
	}
	b.bytes = append(b.bytes, `{"dados":{"fontes":[`...)
	partial := false
	now := a.config.Now()
	for i := range a.sources {
		b.bytes = render.AppendComma(b.bytes, i)
		load, availability := loadOf(ctx, a.sources[i].ID, s)
		history := record.SourceHistory{Cargas: histories[a.sources[i].ID]}
		if load != nil {
			history.DeixadasDeFora, history.Rejeitadas = loads.LeftOut(load), rejected[load.ID]
		}
		b.bytes = render.AppendSource(b.bytes, &a.sources[i], availability, load, history, now)
		partial = partial || load == nil
	}
	b.bytes = append(b.bytes, `]}`...)
	b.etag = web.ETag(b.bytes)
	b.bytes = appendRelease(b.bytes, "fontes")
	b.bytes = appendSnapshot(b.bytes, s, web.EventOf(ctx).RequestID, partial, nil)
	b.bytes = append(b.bytes, '}')
	return nil
}

// histories returns the loads of all sources by source, and the rejected rows by load in service. A
// failed query fails the request: leaving a history out would say that there is none.
func (a *API) histories(ctx context.Context, s *snapshot.Snapshot) (map[string][]record.PastLoad, map[int64][]record.RejectedIn, error) {
	ids := source.IDs()
	served, err := loads.Served(ctx, s, ids...)
	if err != nil {
		return nil, nil, err
	}
	histories := map[string][]record.PastLoad{}
	for i := range served {
		l := &served[i]
		histories[l.Source] = append(histories[l.Source], loads.Past(s, l))
	}
	var current []int64
	for _, id := range ids {
		current = append(current, s.LoadOf(id))
	}
	rejected, err := loads.Rejected(ctx, s, current...)
	return histories, rejected, err
}

// loadOf returns the load of a source in a snapshot and its availability: disponivel, or with a nil
// load indisponivel (none was published) or erro (it could not be read, which goes to the log).
func loadOf(ctx context.Context, id string, snap *snapshot.Snapshot) (load *registry.Load, availability string) {
	l, ok, err := loads.Of(ctx, snap, id)
	switch {
	case err != nil:
		web.EventOf(ctx).Fail(err)
		return nil, "erro"
	case !ok:
		return nil, "indisponivel"
	}
	return &l, "disponivel"
}
