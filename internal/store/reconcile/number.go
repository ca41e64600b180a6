package reconcile

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"razao/index"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
)

// Numbers finds establishments by their numbers, a company by its head office, and reads the companies with one statement. A match is nil
// if the number is not in the load, or may be in a file that the load lacks. The errors are those of the records.
func Numbers(ctx context.Context, s *snapshot.Snapshot, numbers []registry.Document) ([]*snapshot.Match, error) {
	roots := map[cnpj.Root]bool{}
	for _, n := range numbers {
		roots[n.Root] = true
	}
	companies, err := s.Companies(ctx, slices.Collect(maps.Keys(roots)))
	if err != nil {
		return nil, fmt.Errorf("companies of a list: %w", err)
	}
	found := make([]*snapshot.Match, len(numbers))
	for i, n := range numbers {
		h := companies[n.Root]
		if h == nil || !h.Exists() {
			continue
		}
		e, err := Establishment(ctx, s, h, n)
		switch {
		case registry.IsAbsent(err) || errors.As(err, new(*registry.LackError)):
		case err != nil:
			return nil, fmt.Errorf("establishment of a list: %w", err)
		case e != nil:
			found[i] = &snapshot.Match{Head: h, Establishment: *e, Why: index.WhyCNPJ}
		}
	}
	return found, nil
}

// Establishment returns the establishment of h that a number names: that with its order or, of a company, the head office, nil if it has
// none. The errors are those of [snapshot.Snapshot.Establishment].
func Establishment(ctx context.Context, s *snapshot.Snapshot, h *pack.Head, number registry.Document) (*record.Establishment, error) {
	if number.Order == nil {
		return s.HeadOffice(ctx, h)
	}
	e, err := s.Establishment(ctx, h, *number.Order)
	return &e, err
}
