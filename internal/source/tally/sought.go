package tally

import (
	"cmp"
	"math"

	"razao/internal/record"
	"razao/internal/registry/pack"
	"razao/internal/source"
)

// Sought gathers what searches ask for of the records about one establishment.
type Sought struct {
	facts *source.Facts
	adder *Adder
	added bool
	sum   Sum
	years map[int]bool
	spans []Span
}

// Span is the days from one to another, both included, as a record.Date; math.MinInt64 and math.MaxInt64 where none was published.
type Span struct{ From, To int64 }

// NewSought begins with no record.
func NewSought(facts *source.Facts) *Sought {
	s := &Sought{facts: facts}
	if facts.Sought.Total {
		s.adder = NewAdder(facts.Amount)
	}
	return s
}

// Add adds a record, with the fields that SoughtFields names.
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

// Cents returns what the amounts come to, as a page shows it; ok is false when none was added.
func (s *Sought) Cents() (total int64, ok bool) { return s.sum.Cents(), s.added }

// Years returns the years that records are of, in any order.
func (s *Sought) Years() map[int]bool { return s.years }

// InForce returns the days on which records are in force, one span for each record.
func (s *Sought) InForce() []Span { return s.spans }
