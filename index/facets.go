package index

import (
	"context"
	"fmt"

	"razao/index/filter"
)

// Facets are counts by facet: "uf", "municipio", "situacao", "porte", "cnae_divisao", "natureza",
// "mei", "simples", "tipo", "ano", "capital", "fonte", with values as the filters take them; and
// "cnae_abaixo", the subclasses of filter.Set.Activity if there is one. A facet has its 50 most
// frequent values, by descending count, equal ones by value; values that nothing has are left out.
type Facets map[string][]FacetValue

// FacetValue is a value and the number of establishments that have it.
type FacetValue struct {
	Value string // as the filter takes it
	Count int64
}

// Facets counts the results of a query by each facet, as if the query had no filter by that facet,
// so that counts show what another choice would find. Order, Offset and Limit are
// ignored, and so is ByCompany but for the records of sources. Counts are of establishments, exact and without a budget. If ctx ends first, Facets
// returns its error and the counting goes on; results that took many documents are cached. The
// result is shared and must not be changed. The errors are those of [Index.Search].
func (ix *Index) Facets(ctx context.Context, q Query) (Facets, error) {
	if err := q.validate(); err != nil {
		return nil, fmt.Errorf("facets: %w", err)
	}
	key := facetKey{q.Text, q.Scope, q.LiteralPlaces, q.AllWords, q.Filters, q.asksOfCompanies() && (q.Text != "" || len(q.Filters.Sources()) > 0)}
	if known, ok := ix.facetCache.Get(key); ok {
		return known.of(&q), nil
	}
	counts, err := finish(ctx, ix.limiter, &ix.flights, key, func(ctx context.Context) (counted, error) { return ix.count(ctx, &q, key) })
	if err != nil {
		return nil, fmt.Errorf("facets: %w", err)
	}
	return counts.of(&q), nil
}

// counted are the facets of a query, which are cached: facetSource is the only one that depends on whose records filters look at.
type counted struct{ establishments, companies Facets }

func (c *counted) of(q *Query) Facets {
	if q.asksOfCompanies() {
		return c.companies
	}
	return c.establishments
}

// count is Facets once the limiter has admitted it. It checks the cache again, because an identical
// query may have filled it meanwhile.
func (ix *Index) count(ctx context.Context, q *Query, key facetKey) (counted, error) {
	if known, ok := ix.facetCache.Get(key); ok {
		return known, nil
	}
	c := newCounting(ix, q)
	counts, err := c.run(ctx)
	// Hidden contacts and the sanctions in force today change without a new index.
	volatile := q.AsksContact() || q.Filters.Has(filter.Sanction)
	if err == nil && c.visited >= worthRemembering && !volatile {
		ix.facetCache.Add(key, counts)
	}
	return counts, err
}
