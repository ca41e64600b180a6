package index

import (
	"context"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
)

// CountActiveByUF returns the number of active head offices in every UF that has one, "EX" included.
func (ix *Index) CountActiveByUF(ctx context.Context) (map[string]int64, error) {
	return ix.counts(ctx, "hu")
}

// CountActiveByMunicipality returns the number of active head offices by the municipality's four-digit code.
func (ix *Index) CountActiveByMunicipality(ctx context.Context) (map[string]int64, error) {
	return ix.counts(ctx, "hm")
}

// CountByUF returns the number of establishments by UF and situação cadastral ("02" is active).
func (ix *Index) CountByUF(ctx context.Context) (map[string]map[string]int64, error) {
	terms, err := ix.counts(ctx, "us")
	if err != nil {
		return nil, err
	}
	out := make(map[string]map[string]int64)
	for term, n := range terms {
		uf, situacao := term[:min(len(term), 2)], term[min(len(term), 2):]
		if out[uf] == nil {
			out[uf] = make(map[string]int64)
		}
		out[uf][situacao] += n
	}
	return out, nil
}

// CountActive returns the number of active head offices.
func (ix *Index) CountActive(ctx context.Context) (int64, error) {
	byUF, err := ix.CountActiveByUF(ctx)
	var n int64
	for _, inUF := range byUF {
		n += inUF
	}
	return n, err
}

// counts returns how many documents have each filter term of a kind, by what follows the kind. It visits no documents:
// milliseconds, but worth keeping for as long as the index is served.
func (ix *Index) counts(ctx context.Context, kind string) (map[string]int64, error) {
	out := make(map[string]int64)
	for _, s := range ix.shards {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		err := s.view().terms(fieldFilter, []byte(kind), func(term string, docs *roaring.Bitmap) bool {
			out[term[len(kind):]] += int64(docs.GetCardinality())
			return true
		})
		if err != nil {
			return nil, fmt.Errorf("counting %s: %w", kind, err)
		}
	}
	return out, nil
}
