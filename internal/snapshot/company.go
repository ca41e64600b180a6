package snapshot

import (
	"context"
	"errors"

	"razao/internal/cnpj"
	"razao/internal/record"
	"razao/internal/registry"
	"razao/internal/registry/pack"
)

// Company returns a company with the first of its partners and establishments, an *registry.AbsentError when it is not in
// the load. Partners or Simples alone, which the release has of some roots, are no company.
func (s *Snapshot) Company(ctx context.Context, root cnpj.Root) (pack.Head, error) {
	h, err := s.view.Head(ctx, root)
	if err == nil && !h.Exists() {
		err = &registry.AbsentError{Document: registry.Document{Root: root}}
	}
	if err != nil {
		return pack.Head{}, err
	}
	return h, nil
}

// Establishment returns one establishment of the company h, an *registry.AbsentError when it has none with this order.
func (s *Snapshot) Establishment(ctx context.Context, h *pack.Head, order cnpj.Order) (record.Establishment, error) {
	e, err := s.view.Establishment(ctx, h, order)
	if err == nil {
		s.redact(h, &e)
	}
	return e, err
}

// Has reports whether an establishment is in the load.
func (s *Snapshot) Has(ctx context.Context, number cnpj.Full) (bool, error) {
	h, err := s.Company(ctx, number.Root())
	if err == nil {
		_, err = s.view.Establishment(ctx, &h, number.Order())
	}
	if registry.IsAbsent(err) {
		return false, nil
	}
	return err == nil, err
}

// Establishments calls visit for the establishments of h in a range, in CNPJ order. The establishment is valid after visit
// returns; the pointer is not. It stops at the first error of visit.
func (s *Snapshot) Establishments(ctx context.Context, h *pack.Head, in registry.Range, visit func(*record.Establishment) error) error {
	if !s.visitor {
		return s.view.Establishments(ctx, h, in, visit)
	}
	return s.view.Establishments(ctx, h, in, func(e *record.Establishment) error {
		s.redact(h, e)
		return visit(e)
	})
}

// Partners calls visit for the partners of h in a range, in stored order (name, document, qualification, entry date, by
// bytes). The partner is valid after visit returns; the pointer is not. It stops at the first error of visit.
func (s *Snapshot) Partners(ctx context.Context, h *pack.Head, in registry.Range, visit func(*record.Partner) error) error {
	return s.view.Partners(ctx, h, in, visit)
}

// errFound ends a walk that has what it looked for.
var errFound = errors.New("found")

// HeadOffice returns the establishment that stands for a company: the one that says it is the head office, else the first.
// exists is false when the company is in the load and has no establishment at all.
func (s *Snapshot) HeadOffice(ctx context.Context, root cnpj.Root) (office cnpj.Full, exists bool, err error) {
	h, err := s.Company(ctx, root)
	if err != nil {
		return 0, false, err
	}
	return s.HeadOfficeOf(ctx, &h)
}

// HeadOfficeOf is HeadOffice of a company that was read. What the head holds is looked at first: mostly nothing else is read.
func (s *Snapshot) HeadOfficeOf(ctx context.Context, h *pack.Head) (office cnpj.Full, exists bool, err error) {
	look := func(e *record.Establishment) error {
		if !exists || e.HeadOffice() {
			office, exists = e.CNPJ, true
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
		return 0, false, err
	}
	return office, exists, nil
}

// Describe returns what a code means; ok is false when the code is unknown or empty.
func (s *Snapshot) Describe(kind record.Domain, code string) (text string, ok bool) {
	return s.Domains.Describe(kind, code)
}
