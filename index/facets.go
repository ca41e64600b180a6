package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// maxFacetValues is how many values of a facet are listed.
const maxFacetValues = 50

// Facets are the counts of the values of every filter: "uf", "municipio", "situacao", "porte", "cnae_divisao",
// "natureza", "mei", "simples", "matriz" (these three with the values "sim" and "nao"), "ano", "capital". Values that
// nothing has are left out; the others are ordered by count, then by value, the first 50 of them.
type Facets map[string][]FacetValue

// FacetValue is how many establishments have a value.
type FacetValue struct {
	Value string
	Count int64
}

// Facets counts what a query finds by every filter, each facet as if it had no filter itself, so that it shows what
// another choice would find. Counts are exact, beyond MaxTotal too. Those of listings are remembered: the result must
// not be changed.
func (ix *Index) Facets(ctx context.Context, q Query) (Facets, error) {
	if err := q.validate(); err != nil {
		return nil, fmt.Errorf("facets: %w", err)
	}
	if known := ix.remembered.get(q.Filters); known != nil && q.Text == "" {
		return known, nil
	}
	out := Facets{}
	var together []facet // those that have no filter of their own
	for _, f := range facetList() {
		open := q
		if f.clear(&open.Filters); open.Filters == q.Filters {
			together = append(together, f)
			continue
		}
		if err := ix.count(ctx, open, out, f); err != nil {
			return nil, fmt.Errorf("facets: %w", err)
		}
	}
	if err := ix.count(ctx, q, out, together...); err != nil {
		return nil, fmt.Errorf("facets: %w", err)
	}
	if q.Text == "" {
		ix.remembered.put(q.Filters, out)
	}
	return out, nil
}

// facet is one filter whose values are counted.
type facet struct {
	name  string
	shift int // where it stands in facets, and how wide
	bits  int
	value func(int) string // of a number in facets, "" for unknown
	clear func(*Filters)
}

func facetList() []facet {
	yes := func(n int) string { return [...]string{"nao", "sim"}[n] }
	code := func(n int) string {
		if n == unknownCode {
			return ""
		}
		return fmt.Sprintf("%04d", n)
	}
	return []facet{
		{"uf", ufShift, 5, ufValue, func(f *Filters) { f.UF = "" }},
		{"municipio", municipioShift, 14, code, func(f *Filters) { f.Municipio = "" }},
		{"situacao", situacaoShift, 3, func(n int) string { return strings.TrimSpace(situacaoCode(n)) }, func(f *Filters) { f.Situacao = "" }},
		{"porte", porteShift, 2, func(n int) string { return portes[2*n : 2*n+2] }, func(f *Filters) { f.Porte = "" }},
		{"cnae_divisao", divisionShift, 7, divisionValue, func(f *Filters) { f.CNAE = "" }},
		{"natureza", naturezaShift, 14, code, func(f *Filters) { f.Natureza = "" }},
		{"mei", meiShift, 1, yes, func(f *Filters) { f.MEI = Any }},
		{"simples", simplesShift, 1, yes, func(f *Filters) { f.Simples = Any }},
		{"matriz", headShift, 1, yes, func(f *Filters) { f.HeadOffice = Any }},
		{"ano", yearShift, 8, yearValue, func(f *Filters) { f.YearFrom, f.YearTo = 0, 0 }},
		{"capital", capitalShift, 3, bandValue, func(f *Filters) { f.Capital = "" }},
	}
}

func ufValue(n int) string {
	if n == 0 || n > len(knownUFs)/3 {
		return ""
	}
	return ufCode(n)
}

func divisionValue(n int) string {
	if n == unknownDiv {
		return ""
	}
	return fmt.Sprintf("%02d", n)
}

func yearValue(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n - 1 + firstYear)
}

func bandValue(n int) string {
	if n == unknownCapital {
		return ""
	}
	return string(CapitalBands()[n])
}

// maxRemembered is how many listings' facets are kept; beyond it all are forgotten. One takes about 6 kB.
const maxRemembered = 2000

// facetMemory keeps the facets of listings, which never change.
type facetMemory struct {
	mu   sync.Mutex
	kept map[Filters]Facets
}

func (m *facetMemory) get(f Filters) Facets {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept[f]
}

func (m *facetMemory) put(f Filters, counts Facets) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil || len(m.kept) >= maxRemembered {
		m.kept = make(map[Filters]Facets)
	}
	m.kept[f] = counts
}

// count counts what a query finds, document by document: a few nanoseconds each.
func (ix *Index) count(ctx context.Context, q Query, out Facets, list ...facet) error {
	if len(list) == 0 {
		return nil
	}
	q.Order = ByName // any that finds everything
	s := ix.begin(&q, &page{})
	defer s.end()
	if err := s.gather(ctx); err != nil {
		return err
	}
	h := new(histograms)
	s.eachKept(func(doc uint32) { h.add(ix.columns.facetsOf(doc)) })
	for _, f := range list {
		out[f.name] = f.top(h.of(f))
	}
	return ctx.Err()
}

// histograms count facets. Neighbouring parts are counted together, which is fewer places to touch for a document.
type histograms struct {
	small     [1 << ufShift]uint32                      // situação to head office
	places    [1 << (yearShift - ufShift)]uint32        // UF and division
	years     [1 << (municipioShift - yearShift)]uint32 //
	municipio [1 << (naturezaShift - municipioShift)]uint32
	natureza  [1 << 14]uint32
}

func (h *histograms) add(f facets) {
	h.small[f&(1<<ufShift-1)]++
	h.places[f>>ufShift&(1<<(yearShift-ufShift)-1)]++
	h.years[f>>yearShift&(1<<(municipioShift-yearShift)-1)]++
	h.municipio[f>>municipioShift&(1<<(naturezaShift-municipioShift)-1)]++
	h.natureza[f>>naturezaShift&(1<<14-1)]++
}

// of returns the counts of one facet's numbers.
func (h *histograms) of(f facet) []int64 {
	counts, base := h.small[:], 0
	switch {
	case f.shift >= naturezaShift:
		counts, base = h.natureza[:], naturezaShift
	case f.shift >= municipioShift:
		counts, base = h.municipio[:], municipioShift
	case f.shift >= yearShift:
		counts, base = h.years[:], yearShift
	case f.shift >= ufShift:
		counts, base = h.places[:], ufShift
	}
	out := make([]int64, 1<<f.bits)
	for i, n := range counts {
		out[i>>(f.shift-base)&(1<<f.bits-1)] += int64(n)
	}
	return out
}

// top returns the values of the highest counts.
func (f *facet) top(counts []int64) []FacetValue {
	out := make([]FacetValue, 0, maxFacetValues)
	for n, count := range counts {
		if count == 0 || len(out) == maxFacetValues && count < out[len(out)-1].Count {
			continue
		}
		v := FacetValue{f.value(n), count}
		if v.Value == "" {
			continue
		}
		if i, _ := slices.BinarySearchFunc(out, v, compareFacetValues); i < maxFacetValues {
			out = slices.Insert(out[:min(len(out), maxFacetValues-1)], i, v)
		}
	}
	return out
}

func compareFacetValues(a, b FacetValue) int {
	return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Value, b.Value))
}
