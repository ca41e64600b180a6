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
// another choice would find. Counts are exact, beyond MaxTotal too. Listings are counted once and remembered: the
// result must not be changed.
func (ix *Index) Facets(ctx context.Context, q Query) (Facets, error) {
	if err := q.validate(); err != nil {
		return nil, fmt.Errorf("facets: %w", err)
	}
	base, err := ix.counted(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("facets: %w", err)
	}
	out := make(Facets, len(base))
	for _, f := range facetList() {
		open := q
		f.clear(&open.Filters)
		from := base
		if open.Filters != q.Filters {
			if from, err = ix.counted(ctx, open); err != nil {
				return nil, fmt.Errorf("facets: %w", err)
			}
		}
		out[f.name] = from[f.name]
	}
	return out, nil
}

// facet is one filter whose values are counted.
type facet struct {
	name  string
	kind  string // its filter terms: the kind and, of width letters, the value
	width int    // 0: there is only the kind, which is "sim"
	shift int    // where it stands in facets, and how wide
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
		{"uf", "u", 2, ufShift, 5, ufValue, func(f *Filters) { f.UF = "" }},
		{"municipio", "m", 4, municipioShift, 14, code, func(f *Filters) { f.Municipio = "" }},
		{"situacao", "s", 2, situacaoShift, 3, func(n int) string { return strings.TrimSpace(situacaoCode(n)) }, func(f *Filters) { f.Situacao = "" }},
		{"porte", "p", 2, porteShift, 2, func(n int) string { return portes[2*n : 2*n+2] }, func(f *Filters) { f.Porte = "" }},
		{"cnae_divisao", "c", 2, divisionShift, 7, divisionValue, func(f *Filters) { f.CNAE = "" }},
		{"natureza", "n", 4, naturezaShift, 14, code, func(f *Filters) { f.Natureza = "" }},
		{"mei", "omei", 0, meiShift, 1, yes, func(f *Filters) { f.MEI = Any }},
		{"simples", "osimples", 0, simplesShift, 1, yes, func(f *Filters) { f.Simples = Any }},
		{"matriz", "t", 0, headShift, 1, yes, func(f *Filters) { f.HeadOffice = Any }},
		{"ano", "y", 4, yearShift, 8, yearValue, func(f *Filters) { f.YearFrom, f.YearTo = 0, 0 }},
		{"capital", "z", 1, capitalShift, 3, bandValue, func(f *Filters) { f.Capital = "" }},
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

// counted returns the facets of what a query finds, its own filters included.
func (ix *Index) counted(ctx context.Context, q Query) (Facets, error) {
	if q.Text != "" {
		return ix.countFound(ctx, q)
	}
	if known := ix.remembered.get(q.Filters); known != nil {
		return known, nil
	}
	count := ix.countFound
	if q.Filters == (Filters{}) {
		count = ix.countAll
	}
	counts, err := count(ctx, q)
	if err == nil {
		ix.remembered.put(q.Filters, counts)
	}
	return counts, err
}

// countAll counts everything, by the dictionaries.
func (ix *Index) countAll(ctx context.Context, _ Query) (Facets, error) {
	out := Facets{}
	for _, f := range facetList() {
		terms, err := ix.counts(ctx, f.kind)
		if err != nil {
			return nil, err
		}
		counts := make(map[string]int64)
		for value, n := range terms {
			switch {
			case len(value) != f.width:
			case f.width == 0:
				counts["sim"], counts["nao"] = n, ix.manifest.Docs-n
			case f.name == "capital":
				counts[bandValue(int(value[0]-'0'))] = n
			default:
				counts[value] = n
			}
		}
		if f.width == 0 && len(counts) == 0 {
			counts["nao"] = ix.manifest.Docs
		}
		out[f.name] = facetValues(counts)
	}
	return out, nil
}

// countFound counts what a query finds, document by document: a few nanoseconds each.
func (ix *Index) countFound(ctx context.Context, q Query) (Facets, error) {
	q.Order = ByName // any that finds everything
	s := ix.begin(&q, &page{})
	if err := s.gather(ctx); err != nil {
		return nil, err
	}
	var h histograms
	s.eachKept(func(doc uint32) { h.add(ix.columns.facetsOf(doc)) })
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := Facets{}
	for _, f := range facetList() {
		counts := make(map[string]int64)
		for n, count := range h.of(f) {
			if count == 0 {
				continue
			}
			if value := f.value(n); value != "" {
				counts[value] += count
			}
		}
		out[f.name] = facetValues(counts)
	}
	return out, nil
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

// facetValues turns counts into the list of a facet.
func facetValues(counts map[string]int64) []FacetValue {
	out := make([]FacetValue, 0, len(counts))
	for value, n := range counts {
		if n > 0 {
			out = append(out, FacetValue{value, n})
		}
	}
	slices.SortFunc(out, func(a, b FacetValue) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Value, b.Value))
	})
	return slices.Clip(out[:min(len(out), maxFacetValues)])
}
