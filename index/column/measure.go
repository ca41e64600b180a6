package column

import (
	"math"

	"razao/index/filter"
)

// Range returns the documents in the range of a filter by opening, capital or one of the numbers.
// Measures of sources are not columns: see flags.Sources.Range.
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
		if numbers.From == 1 { // a single establishment is stored as 0
			numbers.From = 0
		}
		return c.numbered(Establishments, numbers)
	case filter.Partners:
		return c.numbered(Partners, counts(q))
	default:
		return c.keyed(ByOpening, q.From, q.To)
	}
}

// mostNumber is the highest number of a column; counts are saturated to it.
const mostNumber = 1<<16 - 1

// days converts a range of days AAAAMMDD to one of numbers, without 0: documents without a day are
// in no range.
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

// counts converts a range of counts to one of numbers.
func counts(q *filter.Range) Numbers {
	n := Numbers{From: uint16(min(max(q.From, 0), mostNumber)), To: uint16(min(max(q.To, 0), mostNumber))}
	if q.Measure == filter.Establishments && q.To < 1 { // every company has one: an empty range
		return Numbers{From: 1}
	}
	return n
}
