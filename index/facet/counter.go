package facet

import (
	"slices"

	"razao/index/bitmap"
	"razao/index/column"
)

// Counter counts documents by the values of facets that stand in column.Facets. Not safe for concurrent use.
type Counter struct{ tallies []tally }

// tally counts the values of neighbouring bits of facets.
type tally struct {
	shift, bits int
	counts      []uint32
}

// together are the bits that are counted at once when there are several facets: five counters to bump for a document are faster than twelve,
// so that neighbours share one.
var together = [...][2]int{
	{0, column.UFShift},
	{column.UFShift, column.YearShift},
	{column.YearShift, column.MunicipioShift},
	{column.MunicipioShift, column.NaturezaShift},
	{column.NaturezaShift, column.FacetBits},
}

// NewCounter returns a counter of some facets, which uses memory of work.
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

// Counts says whether there is something to count.
func (c *Counter) Counts() bool { return len(c.tallies) > 0 }

// Add counts documents by how far they are from the first of cells.
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

// addAll adds to the tallies of all bits at once.
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

// CountsOf returns the counts of one facet's numbers.
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
