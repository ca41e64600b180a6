package snapshot

import (
	"context"
	"errors"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
)

// Company returns a company with its first partners and establishments. The error is an
// *registry.AbsentError if it is not in the load, and a *registry.LackError if it may be in a file that the load lacks. Roots with nothing but partners or Simples, which
// releases have, are absent too.
func (s *Snapshot) Company(ctx context.Context, root cnpj.Root) (pack.Head, error) {
	h, err := s.view.Head(ctx, root)
	if err == nil && !h.Exists() {
		err = s.Load.Absent(registry.Document{Root: root})
	}
	if err != nil {
		return pack.Head{}, err
	}
	return h, nil
}

// Companies returns what the load has of these roots, each of which may be given once. What has nothing but partners or Simples does not exist
// (pack.Head.Exists).
func (s *Snapshot) Companies(ctx context.Context, roots []cnpj.Root) (map[cnpj.Root]*pack.Head, error) {
	heads, err := s.view.Heads(ctx, roots)
	if err != nil {
		return nil, err
	}
	of := make(map[cnpj.Root]*pack.Head, len(heads))
	for i := range heads {
		of[heads[i].Root] = &heads[i]
	}
	return of, nil
}

// Establishment returns one establishment of the company h. The errors are those of
// Company if there is none with this order.
func (s *Snapshot) Establishment(ctx context.Context, h *pack.Head, order cnpj.Order) (record.Establishment, error) {
	e, err := s.view.Establishment(ctx, h, order)
	if err == nil {
		s.redact(h, &e)
	}
	return e, err
}

// Establishments calls visit for the establishments of h in a range, in CNPJ order. visit may keep
// a copy of the establishment, but not the pointer. It stops at the first error of visit and
// returns it, wrapped.
func (s *Snapshot) Establishments(ctx context.Context, h *pack.Head, in registry.Range, visit func(*record.Establishment) error) error {
	if !s.visitor {
		return s.view.Establishments(ctx, h, in, visit)
	}
	return s.view.Establishments(ctx, h, in, func(e *record.Establishment) error {
		s.redact(h, e)
		return visit(e)
	})
}

// EstablishmentFacets calls visit for the facets of all establishments of h, in CNPJ order.
func (s *Snapshot) EstablishmentFacets(ctx context.Context, h *pack.Head, visit func(pack.Facets)) error {
	return s.view.EstablishmentFacets(ctx, h, visit)
}

// Partners calls visit for the partners of h in a range, in stored order: by name, document,
// qualification and entry date, compared as bytes. visit may keep a copy of the partner, but not
// the pointer. It stops at the first error of visit and returns it, wrapped.
func (s *Snapshot) Partners(ctx context.Context, h *pack.Head, in registry.Range, visit func(*record.Partner) error) error {
	return s.view.Partners(ctx, h, in, visit)
}

// errFound ends a walk early.
var errFound = errors.New("found")

// HeadOffice returns the establishment that stands for a company: the one published as head office,
// otherwise the first; nil if the company has no establishment. It looks at the establishments in
// the head first, which is mostly enough, and reads further chunks only if none of them is the head
// office.
func (s *Snapshot) HeadOffice(ctx context.Context, h *pack.Head) (office *record.Establishment, err error) {
	look := func(e *record.Establishment) error {
		if office == nil || e.HeadOffice() {
			found := *e
			office = &found
		}
		if e.HeadOffice() {
			return errFound
		}
		return nil
	}
	const first = pack.ChunkItems
	err = s.view.Establishments(ctx, h, registry.Range{Limit: first}, look)
	if err == nil && h.Establishments > first {
		err = s.view.Establishments(ctx, h, registry.Range{From: first, Limit: h.Establishments}, look)
	}
	if err != nil && !errors.Is(err, errFound) {
		return nil, err
	}
	if office != nil {
		s.redact(h, office)
	}
	return office, nil
}

// Describe returns the description of a code; ok is false if the code is unknown or empty.
func (s *Snapshot) Describe(kind record.Domain, code string) (text string, ok bool) {
	return s.Domains.Describe(kind, code)
}
