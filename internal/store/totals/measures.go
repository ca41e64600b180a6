package totals

import (
	"cmp"
	"encoding/json"
	"math"

	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/registry/pack"
)

// MostAdded is how many records of a company in one source are added up.
const MostAdded = 20_000

// Measures accumulates what searches filter by from the records of one establishment: total, years,
// days in force.
type Measures struct {
	facts *source.Facts
	adder *Adder // nil unless totals are measured
	added bool   // an amount has been added: the sum is known, even if it is 0
	sum   Sum
	years map[int]bool
	spans []Span
}

// Span is a range of days, both included, as values of record.Date. An open end is math.MinInt64 or
// math.MaxInt64.
type Span struct{ From, To int64 }

// Spans returns the days on which a record holds, as far as its source dates it: its periods, or those
// from the first to the second of its dates. A date that is absent leaves its end open, and a record
// without dates holds always. A span that ends before it begins is left out.
func Spans(facts *source.Facts, it *pack.Item) []Span {
	type period struct{ Inicio, Fim string }
	var periods []period
	if facts.Periods != "" {
		_ = json.Unmarshal([]byte(it.Value(facts.Periods)), &periods) // what is no list has no dates
	}
	if len(periods) == 0 {
		date := func(i int) string {
			if i >= len(facts.Dates) {
				return ""
			}
			return Value(it, facts.Dates[i].Field)
		}
		periods = []period{{date(0), date(1)}}
	}
	var spans []Span
	for _, p := range periods {
		span := Span{cmp.Or(int64(dayOf(p.Inicio)), math.MinInt64), cmp.Or(int64(dayOf(p.Fim)), math.MaxInt64)}
		if span.From <= span.To {
			spans = append(spans, span)
		}
	}
	return spans
}

// NewMeasures returns a Measures without records. facts must outlive it.
func NewMeasures(facts *source.Facts) *Measures {
	s := &Measures{facts: facts}
	if facts.Measures.Total {
		s.adder = NewAdder(facts.Amount)
	}
	return s
}

// Add adds one record, which must hold the fields that source.Source.MeasuredFields names. A record
// whose span ends before it begins is never in force.
func (s *Measures) Add(it *pack.Item) {
	var day record.Date
	if s.facts.Measures.Year || s.adder != nil && s.adder.since != 0 {
		day = Day(it, s.facts.Day)
	}
	if s.adder != nil {
		amount, valued := ParseAmount(Value(it, s.facts.Amount.Field))
		if s.adder.Adds(it, day, amount, valued) {
			s.sum.Add(amount)
			s.added = true
		}
	}
	if s.facts.Measures.Year && day != 0 {
		if s.years == nil {
			s.years = map[int]bool{}
		}
		s.years[day.Year()] = true
	}
	if s.facts.Measures.InForce {
		s.spans = append(s.spans, Spans(s.facts, it)...)
	}
}

// Cents returns the total in cents, as a page shows it; ok is false when no amount was added.
func (s *Measures) Cents() (total int64, ok bool) { return s.sum.Cents(), s.added }

// Years returns the set of years of the records, nil when there are none. The map is the Measures's
// own.
func (s *Measures) Years() map[int]bool { return s.years }

// InForce returns one span for each record, unordered and possibly overlapping. The slice is the
// Measures's own.
func (s *Measures) InForce() []Span { return s.spans }
