package index

import (
	"context"
	"fmt"

	"razao/index/facet"
	"razao/index/filter"
	"razao/index/gate"
)

// Facets are the counts of the values of every filter: "uf", "municipio", "situacao", "porte", "cnae_divisao",
// "natureza", "mei", "simples", "tipo", "ano", "capital", "fonte", with the values that the filters have; and "cnae_abaixo", the
// subclasses of filter.Set.Activity when there is one. Values that nothing has are left out; the others are ordered by count, then by
// value, the first 50 of them.
type Facets map[string][]FacetValue

// FacetValue is how many establishments have a value.
type FacetValue = facet.Value

// Facets counts what a query finds by every filter, each facet as if it had no filter itself, so that it shows what
// another choice would find. Counts are exact, beyond MaxTotal too. Counting that takes longer than ctx goes on, and what many
// documents had to be visited for is remembered: the result must not be changed.
func (ix *Index) Facets(ctx context.Context, q Query) (Facets, error) {
	if err := q.validate(); err != nil {
		return nil, fmt.Errorf("facets: %w", err)
	}
	key := facetKey{q.Text, q.Scope, q.LiteralPlaces, q.Filters}
	if known, ok := ix.facetCache.Get(key); ok {
		return known, nil
	}
	counts, err := gate.Finish(ctx, ix.Gate, &ix.flights, key, func(ctx context.Context) (Facets, error) { return ix.count(ctx, &q, key) })
	if err != nil {
		return nil, fmt.Errorf("facets: %w", err)
	}
	return counts, nil
}

// count is Facets behind the gate.
func (ix *Index) count(ctx context.Context, q *Query, key facetKey) (Facets, error) {
	if known, ok := ix.facetCache.Get(key); ok {
		return known, nil
	}
	c := newCounting(ix, q)
	counts, err := c.run(ctx)
	volatile := q.Filters.AsksContact() || q.Filters.Has(filter.Sanction) // what is hidden changes, and what is in force today
	if err == nil && c.visited >= worthRemembering && !volatile {
		ix.facetCache.Put(key, counts)
	}
	return counts, err
}
