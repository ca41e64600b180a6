package index

import (
	"encoding/binary"
	"sort"
)

// openedWhen says whether the documents of a stage of the order by opening were opened in a range of years.
type openedWhen byte

const (
	never openedWhen = iota
	always
	sometimes
)

// openedIn returns the documents of a set that were opened in the years of a clause. Most are told by their stage in the
// order by opening, which is one byte to read, the others by their facets.
func (v *shardSearch) openedIn(docs docSet, c *clause) docSet {
	newest := v.columns.sequence(ByNewest)
	if c.known == nil {
		c.known = v.columns.openedStages(&newest, c.years)
	}
	out := v.work.blocks.take(len(docs))[:0]
	for i := range docs {
		b := &docs[i]
		stageOf, column := newest.stages(v.base+uint32(b.key)<<16), v.column(b)
		lows := v.work.lows(b, 0, b.n)
		n := 0
		for _, low := range lows {
			when := c.known[stageOf[low]]
			if when == sometimes {
				when = never
				if year := facetsAt(column, low).year(); year >= c.years[0] && year <= c.years[1] {
					when = always
				}
			}
			lows[n] = low
			n += int(when)
		}
		if n > 0 {
			out = append(out, v.work.list(b.key, lows[:n]))
		}
	}
	return out
}

// openedStages judges the stages of the order by opening, newest first.
func (c *columns) openedStages(newest *sequence, years [2]int) *[stages]openedWhen {
	yearAt := func(position int) int {
		doc := min(newest.doc(uint32(position)), c.docs-1)
		return facets(binary.LittleEndian.Uint64(c.facets.data[facetsCell*int(doc):])).year()
	}
	// In front may be days so far away that they have no year, though in no sound load more than a few.
	shift, front := stageShift(c.docs), 0
	for front < int(newest.known) && front < 1<<shift && yearAt(front) == 0 {
		front++
	}
	rest := int(newest.known) - front
	first := front + sort.Search(rest, func(i int) bool { return yearAt(front+i) <= years[1] })
	behind := front + sort.Search(rest, func(i int) bool { return yearAt(front+i) < years[0] })
	out := new([stages]openedWhen)
	for stage := range out {
		begin, end := stage<<shift, (stage+1)<<shift
		switch {
		case front > 0 && front == 1<<shift, end > first && begin < first, end > behind && begin < behind:
			out[stage] = sometimes
		case begin >= first && end <= behind:
			out[stage] = always
		}
	}
	return out
}
