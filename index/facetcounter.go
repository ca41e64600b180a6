package index

import (
	"slices"

	"razao/index/column"
)

// facetCounter counts documents by the values of facets with bits in column.Facets. Not safe for
// concurrent use.
type facetCounter struct{ histograms []histogram }

// histogram is an array of counters for neighbouring bit fields, indexed by all their bits together.
type histogram struct {
	shift, bits int
	counts      []uint32
}

// together are the bit ranges that share an array when there are several facets. Bumping five
// counters per document is faster than bumping twelve; [facetCounter.countsOf] then sums over the other
// bits of the range.
var together = [...][2]int{
	{0, column.UFShift},
	{column.UFShift, column.YearShift},
	{column.YearShift, column.MunicipioShift},
	{column.MunicipioShift, column.NaturezaShift},
	{column.NaturezaShift, column.FacetBits},
}

// newFacetCounter returns a counter for facets. Its counters live in work and are valid until
// work.Reset. With a single facet only its bits are counted.
func newFacetCounter(facets []facet, work *column.Scratch) *facetCounter {
	c := &facetCounter{}
	switch {
	case len(facets) == 1 && facets[0].bits > 0:
		c.histograms = []histogram{{shift: facets[0].shift, bits: facets[0].bits}}
	case len(facets) > 1:
		for _, cut := range together {
			c.histograms = append(c.histograms, histogram{shift: cut[0], bits: cut[1] - cut[0]})
		}
	}
	for i := range c.histograms {
		c.histograms[i].counts = work.Zeros(1 << c.histograms[i].bits)
	}
	return c
}

// counts reports whether any facet has bits to count; if not, documents need not be visited.
func (c *facetCounter) counts() bool { return len(c.histograms) > 0 }

// add counts documents of one container: lows are their offsets from the document where cells
// begins.
func (c *facetCounter) add(lows []uint16, cells column.Cells) {
	if len(c.histograms) == 1 {
		c.histograms[0].add(lows, cells)
	} else {
		c.addAll(lows, cells)
	}
}

func (t *histogram) add(lows []uint16, cells column.Cells) {
	counts, shift, mask := t.counts, t.shift, column.Facets(1)<<t.bits-1
	for _, low := range lows {
		counts[cells.At(low)>>shift&mask]++
	}
}

// addAll bumps the counters of all five bit ranges. The conversions to arrays of constant size let
// the compiler drop the bounds checks of the inner loop.
func (c *facetCounter) addAll(lows []uint16, cells column.Cells) {
	small := (*[1 << column.UFShift]uint32)(c.histograms[0].counts)
	places := (*[1 << (column.YearShift - column.UFShift)]uint32)(c.histograms[1].counts)
	years := (*[1 << (column.MunicipioShift - column.YearShift)]uint32)(c.histograms[2].counts)
	municipios := (*[1 << (column.NaturezaShift - column.MunicipioShift)]uint32)(c.histograms[3].counts)
	naturezas := (*[1 << (column.FacetBits - column.NaturezaShift)]uint32)(c.histograms[4].counts)
	for _, low := range lows {
		f := cells.At(low)
		small[f%(1<<column.UFShift)]++
		places[f>>column.UFShift%(1<<(column.YearShift-column.UFShift))]++
		years[f>>column.YearShift%(1<<(column.MunicipioShift-column.YearShift))]++
		municipios[f>>column.MunicipioShift%(1<<(column.NaturezaShift-column.MunicipioShift))]++
		naturezas[f>>column.NaturezaShift%(1<<(column.FacetBits-column.NaturezaShift))]++
	}
}

// countsOf returns the counts of one facet by number, which may be the memory of the counter
// itself. f must be one of the facets of newFacetCounter, with bits.
func (c *facetCounter) countsOf(f *facet) []uint32 {
	i := slices.IndexFunc(c.histograms, func(t histogram) bool { return f.shift >= t.shift && f.shift < t.shift+t.bits })
	t := &c.histograms[i]
	if t.bits == f.bits {
		return t.counts
	}
	out := make([]uint32, 1<<f.bits)
	for i, n := range t.counts {
		out[i>>(f.shift-t.shift)%len(out)] += n
	}
	return out
}
