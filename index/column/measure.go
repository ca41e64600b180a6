package column

import (
	"math"

	"razao/index/filter"
)

// Range returns the documents of a range of one of the columns.
func (c *Columns) Range(q *filter.Range) Range {
	switch q.Measure {
	case filter.CapitalCents:
		return c.keyed(ByCapital, q.From, q.To)
	case filter.SituacaoDay:
		return c.numbered(SituacaoDay, days(q))
	case filter.SimplesDay:
		return c.numbered(SimplesDay, days(q))
	case filter.MEIDay:
		return c.numbered(MEIDay, days(q))
	case filter.Establishments:
		numbers := counts(q)
		if numbers.From == 1 { // that one is kept as none
			numbers.From = 0
		}
		return c.numbered(Establishments, numbers)
	case filter.Partners:
		return c.numbered(Partners, counts(q))
	default:
		return c.keyed(ByOpening, q.From, q.To)
	}
}

const mostNumber = 1<<16 - 1

// days returns the numbers of a range of days: 0 is none.
func days(q *filter.Range) Numbers {
	n := Numbers{From: 1, To: mostNumber}
	if q.From > 0 {
		n.From = Day(int(q.From))
	}
	if q.To < math.MaxInt64 {
		n.To = Day(int(q.To))
	}
	return n
}

// counts returns the numbers of a range of counts.
func counts(q *filter.Range) Numbers {
	n := Numbers{From: uint16(min(max(q.From, 0), mostNumber)), To: uint16(min(max(q.To, 0), mostNumber))}
	if q.Measure == filter.Establishments && q.To < 1 { // every company has one
		return Numbers{From: 1}
	}
	return n
}
