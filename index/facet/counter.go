package facet

import (
	"slices"

	"razao/index/bitmap"
	"razao/index/column"
)

// Counter counts documents by the values of facets with bits in column.Facets. Not safe for
// concurrent use.
type Counter struct{ tallies []tally }

// tally is an array of counters for neighbouring bit fields, indexed by all their bits together.
type tally struct {
	shift, bits int
	counts      []uint32
}

// together are the bit ranges that share an array when there are several facets. Bumping five
// counters per document is faster than bumping twelve; [Counter.CountsOf] then sums over the other
// bits of the range.
var together = [...][2]int{
	{0, column.UFShift},
	{column.UFShift, column.YearShift},
	{column.YearShift, column.MunicipioShift},
	{column.MunicipioShift, column.NaturezaShift},
	{column.NaturezaShift, column.FacetBits},
}

// NewCounter returns a counter for facets. Its counters live in work and are valid until
// work.Reset. With a single facet only its bits are counted.
func NewCounter(facets []Facet, work *bitmap.Scratch) *Counter {
	c := &Counter{}
	switch {
	case len(facets) == 1 && facets[0].Bits > 0:
		c.tallies = []tally{{shift: facets[0].Shift, bits: facets[0].Bits}}
	case len(facets) > 1:
		for _, cut := range together {
			c.tallies = append(c.tallies, tally{shift: cut[0], bits: cut[1] - cut[0]})
		}
	}
	for i := range c.tallies {
		c.tallies[i].counts = work.Zeros(1 << c.tallies[i].bits)
	}
	return c
}

// Counts reports whether any facet has bits to count; if not, documents need not be visited.
func (c *Counter) Counts() bool { return len(c.tallies) > 0 }

// Add counts documents of one container: lows are their offsets from the document where cells
// begins.
func (c *Counter) Add(lows []uint16, cells column.Cells) {
	if len(c.tallies) == 1 {
		c.tallies[0].add(lows, cells)
	} else {
		c.addAll(lows, cells)
	}
}

func (t *tally) add(lows []uint16, cells column.Cells) {
	counts, shift, mask := t.counts, t.shift, column.Facets(1)<<t.bits-1
	for _, low := range lows {
		counts[cells.At(low)>>shift&mask]++
	}
}

// addAll bumps the counters of all five bit ranges. The conversions to arrays of constant size let
// the compiler drop the bounds checks of the inner loop.
func (c *Counter) addAll(lows []uint16, cells column.Cells) {
	small := (*[1 << column.UFShift]uint32)(c.tallies[0].counts)
	places := (*[1 << (column.YearShift - column.UFShift)]uint32)(c.tallies[1].counts)
	years := (*[1 << (column.MunicipioShift - column.YearShift)]uint32)(c.tallies[2].counts)
	municipios := (*[1 << (column.NaturezaShift - column.MunicipioShift)]uint32)(c.tallies[3].counts)
	naturezas := (*[1 << (column.FacetBits - column.NaturezaShift)]uint32)(c.tallies[4].counts)
	for _, low := range lows {
		f := cells.At(low)
		small[f%(1<<column.UFShift)]++
		places[f>>column.UFShift%(1<<(column.YearShift-column.UFShift))]++
		years[f>>column.YearShift%(1<<(column.MunicipioShift-column.YearShift))]++
		municipios[f>>column.MunicipioShift%(1<<(column.NaturezaShift-column.MunicipioShift))]++
		naturezas[f>>column.NaturezaShift%(1<<(column.FacetBits-column.NaturezaShift))]++
	}
}

// CountsOf returns the counts of one facet by number, which may be the memory of the counter
// itself. f must be one of the facets of NewCounter, with bits.
func (c *Counter) CountsOf(f *Facet) []uint32 {
	i := slices.IndexFunc(c.tallies, func(t tally) bool { return f.Shift >= t.shift && f.Shift < t.shift+t.bits })
	t := &c.tallies[i]
	if t.bits == f.Bits {
		return t.counts
	}
	out := make([]uint32, 1<<f.Bits)
	for i, n := range t.counts {
		out[i>>(f.Shift-t.shift)%len(out)] += n
	}
	return out
}
