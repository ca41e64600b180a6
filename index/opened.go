package index

import (
	"razao/index/column"
	"razao/index/docset"
)

// openedIn returns the documents of a set that were opened in the years of a clause, read from columns instead of the postings
// of every year. One byte tells for most documents, their stage in the order by opening; the facets tell for the others.
func (v *shardSearch) openedIn(docs docset.Set, c *clause) docset.Set {
	newest := v.columns.Sequence(column.ByOpening, false)
	if c.known == nil {
		c.known = v.columns.OpenedStages(&newest, c.years)
	}
	return v.work.Sift(docs, func(first uint32, lows []uint16) int {
		stageOf, cells := newest.Stages(v.base+first), v.facetsFrom(first)
		n := 0
		for _, low := range lows {
			when := c.known[stageOf[low]]
			if when == column.Sometimes {
				when = column.Never
				if year := cells.At(low).Year(); year >= c.years[0] && year <= c.years[1] {
					when = column.Always
				}
			}
			lows[n] = low
			n += int(when)
		}
		return n
	})
}

// facetsFrom returns the facets of the shard's documents from one on.
func (v *shardSearch) facetsFrom(doc uint32) column.Cells { return v.columns.FacetsFrom(v.base + doc) }
