package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"razao/index/column"
	"razao/index/filter"
	"razao/index/folder"
	"razao/index/gate"
	"razao/index/term"
)

// maxFacetValues is how many values of a facet are listed.
const maxFacetValues = 50

// Facets are the counts of the values of every filter: "uf", "municipio", "situacao", "porte", "cnae_divisao",
// "natureza", "mei", "simples", "tipo", "ano", "capital", "fonte", with the values that the filters have. Values that nothing
// has are left out; the others are ordered by count, then by value, the first 50 of them.
type Facets map[string][]FacetValue

// FacetValue is how many establishments have a value.
type FacetValue struct {
	Value string
	Count int64
}

// Facets counts what a query finds by every filter, each facet as if it had no filter itself, so that it shows what
// another choice would find. Counts are exact, beyond MaxTotal too. Counting that takes longer than ctx goes on, and what many
// documents had to be visited for is remembered: the result must not be changed.
func (ix *Index) Facets(ctx context.Context, q Query) (Facets, error) {
	if err := q.validate(); err != nil {
		return nil, fmt.Errorf("facets: %w", err)
	}
	key := facetKey{q.Text, q.Scope, q.LiteralPlaces, q.Filters}
	if known := ix.remembered.get(key); known != nil {
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
	if known := ix.remembered.get(key); known != nil {
		return known, nil
	}
	c := newCounting(ix, q)
	counts, err := c.run(ctx)
	passing := q.Filters.AsksContact() || q.Filters.Has(filter.Sanction) // what is hidden changes, and what is in force today
	if err == nil && c.visited >= worthRemembering && !passing {
		ix.remembered.put(key, counts)
	}
	return counts, err
}

// facet is one filter whose values are counted.
type facet struct {
	name  string
	shift int // where it stands in facets, and how wide; one without bits has several values for a document
	bits  int
	// last is the highest number that a value has; beside it there is the one for unknown.
	last, unknown int
	value         func(int) string // of a number in facets, "" for unknown
	filters       []string         // that choose a value of it; with both ends of a range it is chosen by the same value
}

func facetList() []facet {
	code := func(n int) string {
		if n == column.UnknownCode {
			return ""
		}
		return fmt.Sprintf("%04d", n)
	}
	yes := func(n int) string { return [...]string{"nao", "sim"}[n] }
	office := func(n int) string { return [...]string{"filial", "matriz"}[n] }
	return []facet{
		{"uf", column.UFShift, 5, term.LastUF, 0, ufValue, []string{filter.UF}},
		{"municipio", column.MunicipioShift, 14, lastCode, column.UnknownCode, code, []string{filter.Municipio}},
		{"situacao", column.SituacaoShift, 3, term.LastSituacao, 0, situacaoValue, []string{filter.Situacao}},
		{"porte", column.PorteShift, 2, 3, 0, func(n int) string { return term.PorteCode(uint64(n)) }, []string{filter.Porte}},
		{"cnae_divisao", column.DivisionShift, 7, 99, column.UnknownDiv, divisionValue, []string{filter.CNAE}},
		{"natureza", column.NaturezaShift, 14, lastCode, column.UnknownCode, code, []string{filter.Natureza}},
		{"mei", column.MEIShift, 1, 1, 0, yes, []string{filter.MEI}},
		{"simples", column.SimplesShift, 1, 1, 0, yes, []string{filter.Simples}},
		{"tipo", column.HeadShift, 1, 1, 0, office, []string{filter.HeadOffice}},
		{"ano", column.YearShift, 8, 1<<8 - 1, 0, yearValue, []string{filter.YearFrom, filter.YearTo}},
		{"capital", column.CapitalShift, 3, column.UnknownCapital - 1, column.UnknownCapital, bandValue, []string{filter.Capital}},
		{"fonte", 0, 0, len(term.Sources()) - 1, 0, func(n int) string { return term.Sources()[n] }, []string{filter.Source}},
	}
}

// chosen returns the filters that leave what has a value of the facet.
func (f *facet) chosen(value string) filter.Set {
	var s filter.Set
	for _, name := range f.filters {
		s = s.With(name, value)
	}
	return s
}

// lastCode is the highest code of four digits.
const lastCode = 9999

func situacaoValue(n int) string { return strings.TrimSpace(term.SituacaoCode(n)) }

func ufValue(n int) string {
	if n == 0 || n > term.LastUF {
		return ""
	}
	return term.UFCode(n)
}

func divisionValue(n int) string {
	if n == column.UnknownDiv {
		return ""
	}
	return fmt.Sprintf("%02d", n)
}

func yearValue(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n - 1 + term.FirstYear)
}

func bandValue(n int) string {
	if n == column.UnknownCapital {
		return ""
	}
	return filter.CapitalBands()[n]
}

// top returns the values of the highest counts. The error of a number that no document can have is folder.ErrDamaged.
func (f *facet) top(counts []uint32) ([]FacetValue, error) {
	out := make([]FacetValue, 0, min(len(counts), maxFacetValues))
	for n, count := range counts {
		if count == 0 || len(out) == maxFacetValues && int64(count) < out[len(out)-1].Count {
			continue
		}
		if n > f.last && n != f.unknown {
			return nil, fmt.Errorf("%w (facet %s has a value %d)", folder.ErrDamaged, f.name, n)
		}
		v := FacetValue{f.value(n), int64(count)}
		if v.Value == "" {
			continue
		}
		if i, _ := slices.BinarySearchFunc(out, v, compareFacetValues); i < maxFacetValues {
			out = slices.Insert(out[:min(len(out), maxFacetValues-1)], i, v)
		}
	}
	return out, nil
}

func compareFacetValues(a, b FacetValue) int {
	return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Value, b.Value))
}
