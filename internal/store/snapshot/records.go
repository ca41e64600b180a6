package snapshot

import (
	"context"
	"sync"

	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
)

// Records returns a page of every source about a document of the company h, in the order of source.All, with up to limit items each: the first
// or, of sources whose ids from has, the one that begins at this position. A page past the end of its collection has no items and a From that is not
// below Total. It returns no error: a source that fails or is slow has a page with the status Failed and does not delay the others.
func (s *Snapshot) Records(ctx context.Context, h *pack.Head, d registry.Document, limit int, from map[string]int) []registry.SourcePage {
	pages := s.view.Sources(ctx, d, limit)
	var wait sync.WaitGroup
	for i := range pages {
		p := &pages[i]
		first := from[p.Source.ID]
		switch {
		case first == 0 || p.Status != registry.Found && p.Status != registry.None:
		case first >= p.Total:
			p.From, p.Items = first, nil
		default:
			wait.Go(func() {
				*p, _ = s.view.Select(ctx, p.Source.ID, d, registry.Selection{Range: registry.Range{From: first, Limit: limit}})
			})
		}
	}
	wait.Wait()
	s.counters.sources(ctx, pages)
	s.redactRecords(h, d, pages)
	return pages
}

// Select returns a selection of the records and fields of one source about a document of the company h; found is false if there
// is no source with this id. A source that fails has a page with the status Failed.
func (s *Snapshot) Select(ctx context.Context, id string, h *pack.Head, d registry.Document, in registry.Selection) (page registry.SourcePage, found bool) {
	page, found = s.view.Select(ctx, id, d, in)
	pages := []registry.SourcePage{page}
	s.counters.sources(ctx, pages)
	s.redactRecords(h, d, pages)
	return pages[0], found
}
