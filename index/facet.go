package index

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"razao/index/column"
	"razao/index/filter"
	"razao/index/folder"
	"razao/index/term"
	"razao/internal/data/source"
)

// maxValues is how many values of a facet are listed: those with the highest counts.
const maxValues = 50

// facet describes a filter whose values are counted. Eleven of the twelve lie side by side in one
// 64-bit cell per document (column.Facets), so a [facetCounter] visits each document once and bumps
// array counters by bit field. "fonte" has several values per document and is counted by
// intersecting bitmaps instead; so are the subclasses below a chosen activity.
type facet struct {
	name string // as API and pages call it: "uf", "cnae_divisao", ...
	// shift and bits are the position and width of its bit field in column.Facets. bits is 0 for
	// a facet with several values per document.
	shift, bits int
	// last is the highest number of a value, unknown the one that stands for none. Any other
	// number is damage.
	last, unknown int
	value         func(int) string // the value of a number, "" for unknown
	// filters are the filters that choose one of its values. A year takes two, both ends of a
	// range.
	filters []string
}

// facetSource counts establishments by the sources that have records of them, or of their companies: see Query.CompanyRecords.
const facetSource = "fonte"

// allFacets returns all facets. The slice is the caller's.
func allFacets() []facet {
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
		{facetSource, 0, 0, len(source.IDs()) - 1, 0, func(n int) string { return source.IDs()[n] }, []string{filter.Source}},
	}
}

// chosen returns the filters that select a value of the facet.
func (f *facet) chosen(value string) filter.Set {
	var s filter.Set
	for _, name := range f.filters {
		s = s.With(name, value)
	}
	return s
}

// lastCode is the highest code of four digits, of municipalities and naturezas.
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

// top returns the maxValues values with the highest counts, in descending order of count, equal
// ones by value; values that are unknown or that nothing has are left out. counts[n] is the count
// of number n. The error is folder.ErrDamaged if a count belongs to a number that no document can
// have.
func (f *facet) top(counts []uint32) ([]FacetValue, error) {
	out := make([]FacetValue, 0, min(len(counts), maxValues))
	for n, count := range counts {
		if count == 0 || len(out) == maxValues && int64(count) < out[len(out)-1].Count {
			continue
		}
		if n > f.last && n != f.unknown {
			return nil, fmt.Errorf("%w (facet %s has a value %d)", folder.ErrDamaged, f.name, n)
		}
		v := FacetValue{f.value(n), int64(count)}
		if v.Value == "" {
			continue
		}
		if i, _ := slices.BinarySearchFunc(out, v, compareValues); i < maxValues {
			out = slices.Insert(out[:min(len(out), maxValues-1)], i, v)
		}
	}
	return out, nil
}

func compareValues(a, b FacetValue) int {
	return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Value, b.Value))
}

// facetBelow is the name of the facet for drilling down from a chosen activity of the CNAE: the
// subclasses of filter.Set.Activity, main activities only. It comes beside those of [allFacets].
const facetBelow = "cnae_abaixo"

// topOf returns counted values in the order and up to the number of [facet.top]; never nil.
func topOf(counts map[string]int64) []FacetValue {
	values := []FacetValue{}
	for value, count := range counts {
		if count > 0 {
			values = append(values, FacetValue{value, count})
		}
	}
	slices.SortFunc(values, compareValues)
	return values[:min(len(values), maxValues)]
}
