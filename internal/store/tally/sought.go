package tally

import (
	"cmp"
	"math"

	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/registry/pack"
)

// Sought accumulates what searches filter by from the records of one establishment: total, years,
// days in force.
type Sought struct {
	facts *source.Facts
	adder *Adder // nil unless totals are sought
	added bool   // an amount has been added: the sum is known, even if it is 0
	sum   Sum
	years map[int]bool
	spans []Span
}

// Span is a range of days, both included, as values of record.Date. An open end is math.MinInt64 or
// math.MaxInt64.
type Span struct{ From, To int64 }

// NewSought returns a Sought without records. facts must outlive it.
func NewSought(facts *source.Facts) *Sought {
	s := &Sought{facts: facts}
	if facts.Sought.Total {
		s.adder = NewAdder(facts.Amount)
	}
	return s
}

// Add adds one record, which must hold the fields that source.Source.SoughtFields names. A record
// whose span ends before it begins is never in force.
func (s *Sought) Add(it *pack.Item) {
	var day record.Date
	if s.facts.Sought.Year || s.adder != nil && s.adder.since != 0 {
		day = Day(it, s.facts.Day)
	}
	if s.adder != nil {
		amount, valued := ParseAmount(Value(it, s.facts.Amount.Field))
		if s.adder.Adds(it, day, amount, valued) {
			s.sum.Add(amount)
			s.added = true
		}
	}
	if s.facts.Sought.Year && day != 0 {
		if s.years == nil {
			s.years = map[int]bool{}
		}
		s.years[day.Year()] = true
	}
	if s.facts.Sought.InForce {
		from, to := Day(it, s.facts.Dates[0].Field), Day(it, s.facts.Dates[1].Field)
		span := Span{cmp.Or(int64(from), math.MinInt64), cmp.Or(int64(to), math.MaxInt64)}
		if span.From <= span.To {
			s.spans = append(s.spans, span)
		}
	}
}

// Cents returns the total in cents, as a page shows it; ok is false when no amount was added.
func (s *Sought) Cents() (total int64, ok bool) { return s.sum.Cents(), s.added }

// Years returns the set of years of the records, nil when there are none. The map is the Sought's
// own.
func (s *Sought) Years() map[int]bool { return s.years }

// InForce returns one span for each record, unordered and possibly overlapping. The slice is the
// Sought's own.
func (s *Sought) InForce() []Span { return s.spans }
