package column

import "sort"

// When says whether the documents of a stage of the order by opening were opened in a range of years.
type When byte

// The answers. The first two are 0 and 1, so that loops can add them.
const (
	Never     When = iota
	Always         // all of them
	Sometimes      // only their facets tell
)

// OpenedStages says, for each stage of the order by opening (newest first, forward), whether its documents were opened in the
// years from the first to the last.
func (c *Columns) OpenedStages(newest *Sequence, years [2]int) *[Stages]When {
	yearAt := func(position int) int {
		return c.FacetsFrom(min(newest.Doc(uint32(position)), c.Docs-1)).At(0).Year()
	}
	// In front may be days so far away that they have no year, though in no sound load more than a few.
	shift, front := StageShift(c.Docs), 0
	for front < int(newest.Known) && front < 1<<shift && yearAt(front) == 0 {
		front++
	}
	rest := int(newest.Known) - front
	first := front + sort.Search(rest, func(i int) bool { return yearAt(front+i) <= years[1] })
	behind := front + sort.Search(rest, func(i int) bool { return yearAt(front+i) < years[0] })
	out := new([Stages]When)
	for stage := range out {
		begin, end := stage<<shift, (stage+1)<<shift
		switch {
		case front > 0 && front == 1<<shift, end > first && begin < first, end > behind && begin < behind:
			out[stage] = Sometimes
		case begin >= first && end <= behind:
			out[stage] = Always
		}
	}
	return out
}
