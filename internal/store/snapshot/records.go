package snapshot

import (
	"context"
	"sync"

	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
)

// Records returns the first page of every source about a document of the company h, in the order of
// source.All, with up to limit items each. It returns no error: a source that fails or is slow has
// a page with the status Failed and does not delay the others.
func (s *Snapshot) Records(ctx context.Context, h *pack.Head, d registry.Document, limit int) []registry.SourcePage {
	pages := s.view.Sources(ctx, d, limit)
	s.counters.sources(ctx, pages)
	s.redactRecords(h, d, pages)
	return pages
}

// RecordsFrom is Records with other pages of some sources: from has the position of the first item
// by source id. A page past the end of its collection has no items and a From that is not below
// Total.
func (s *Snapshot) RecordsFrom(ctx context.Context, h *pack.Head, d registry.Document, limit int, from map[string]int) []registry.SourcePage {
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

// RecordsOf returns a page of one source about a document of the company h; found is false if there
// is no source with this id. A source that fails has a page with the status Failed.
func (s *Snapshot) RecordsOf(ctx context.Context, id string, h *pack.Head, d registry.Document, in registry.Range) (page registry.SourcePage, found bool) {
	return s.Select(ctx, id, h, d, registry.Selection{Range: in})
}

// Select is RecordsOf for any selection of records and fields.
func (s *Snapshot) Select(ctx context.Context, id string, h *pack.Head, d registry.Document, in registry.Selection) (page registry.SourcePage, found bool) {
	page, found = s.view.Select(ctx, id, d, in)
	pages := []registry.SourcePage{page}
	s.counters.sources(ctx, pages)
	s.redactRecords(h, d, pages)
	return pages[0], found
}

// SourceLoad returns the load of a source, or of the cadastre, in this snapshot; ok is false if it
// has none. ok is true with an error: there is a load that cannot be read.
func (s *Snapshot) SourceLoad(ctx context.Context, id string) (l registry.Load, ok bool, err error) {
	if id == registry.Receita {
		return s.Load, true, nil
	}
	return s.view.SourceLoad(ctx, id)
}
