package journal

import (
	"context"
	"slices"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/store/registry/history"
	"razao/internal/store/snapshot"
)

// Side says which state of a company and its establishments filters of changes are about.
type Side int

// The sides. Of what a load changed its events have both; the rest is as it is now.
const (
	EitherSide Side = iota
	BeforeSide
	AfterSide
)

// sideNames are what readers call the sides, in all parameters called lado.
var sideNames = map[string]Side{"": EitherSide, "antes": BeforeSide, "depois": AfterSide}

// ParseSide reads a parameter called lado.
func ParseSide(name string) (s Side, ok bool) {
	s, ok = sideNames[name]
	return s, ok
}

// of returns the values of a side of an event; nil if there was, or is, nothing.
func (s Side) of(e *change.Event) []string {
	if s == BeforeSide {
		return e.Before
	}
	return e.After
}

// each iterates over the sides that s stands for.
func (s Side) each(yield func(Side) bool) {
	if s != EitherSide {
		yield(s)
	} else if yield(BeforeSide) {
		yield(AfterSide)
	}
}

// touching returns which kinds of a load's events may change what the filters say; nil: none of its events does, so that what passes now
// passed before, too.
func (w *walk) touching(l *history.Load) func(*change.Event) bool {
	read := w.Filters.Fields()
	touches := map[change.Kind]bool{}
	for _, info := range change.Kinds() {
		if l.Events[info.CodeOf(l.Source)] == 0 {
			continue
		}
		if info.Part == change.Records {
			touches[info.Kind] = slices.Contains(read, filter.RecordsField(l.Source)) && (info.Kind == change.SourceIn || info.Kind == change.SourceOut)
			continue
		}
		touches[info.Kind] = slices.ContainsFunc(info.Fields, func(name string) bool { return slices.Contains(read, name) })
	}
	for _, does := range touches {
		if does {
			return func(e *change.Event) bool { return touches[e.Kind] }
		}
	}
	return nil
}

// state is what the events of an entry say of a company on one side.
type state struct {
	company map[string]string // fields of the company as a whole
	offices map[cnpj.Order]map[string]string
	none    map[cnpj.Order]bool // establishments that there were not, or are not any more
	gone    bool                // the company itself
}

func stateOf(l *history.Load, entry *history.Entry, side Side) *state {
	s := &state{company: map[string]string{}, offices: map[cnpj.Order]map[string]string{}, none: map[cnpj.Order]bool{}}
	for i := range entry.Events {
		e := &entry.Events[i]
		info, values := e.Kind.Info(), side.of(e)
		order, ofOffice := e.OrderOf()
		fields := s.company
		switch {
		case info.Part == change.Partners:
			continue
		case info.Part == change.Records:
			fields[filter.RecordsField(l.Source)] = map[bool]string{true: "S", false: "N"}[values != nil]
			continue
		case values == nil && ofOffice:
			s.none[order] = true
			continue
		case values == nil:
			s.gone = e.Kind == change.CompanyRemoved
			continue
		case ofOffice:
			if fields = s.offices[order]; fields == nil {
				fields = map[string]string{}
				s.offices[order] = fields
			}
		}
		for n, name := range info.Fields {
			fields[name] = values[n]
		}
	}
	return s
}

// condition is what remains to be asked of the index.
type condition struct {
	rest    filter.Set
	numbers index.Numbers
}

// office returns what an establishment must meet; ok is false if it does not pass whatever the rest.
func (s *state) office(f filter.Set, root cnpj.Root, order cnpj.Order) (c condition, ok bool) {
	if s.none[order] {
		return c, false
	}
	rest, holds := f.Decide(s.company)
	if holds {
		rest, holds = rest.Decide(s.offices[order])
	}
	number := cnpj.Join(root, order)
	return condition{rest, index.Numbers{First: number, Last: number}}, holds
}

// conditions returns what an event must meet on a side, one of them: its establishment or, of a company's event, any of the company.
func (s *state) conditions(f filter.Set, root cnpj.Root, e *change.Event) (either []condition) {
	if s.gone {
		return nil
	}
	if order, ok := e.OrderOf(); ok {
		if c, ok := s.office(f, root, order); ok {
			either = append(either, c)
		}
		return either
	}
	var known []cnpj.Order // ascending
	for order := range s.offices {
		known = append(known, order)
	}
	for order := range s.none {
		known = append(known, order)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	for _, order := range known {
		if c, ok := s.office(f, root, order); ok {
			either = append(either, c)
		}
	}
	rest, holds := f.Decide(s.company)
	if !holds {
		return either
	}
	all := index.Company(root) // the others, as they are now
	for _, order := range known {
		if number := cnpj.Join(root, order); all.First <= number {
			if all.First < number {
				either = append(either, condition{rest, index.Numbers{First: all.First, Last: number - 1}})
			}
			all.First = number + 1
		}
	}
	if all.First <= all.Last {
		either = append(either, condition{rest, all})
	}
	return either
}

// subject is what filters ask about for an event of a load: its establishment, or the company.
type subject struct {
	root  cnpj.Root
	order cnpj.Order
	whole bool // the company
}

func subjectOf(root cnpj.Root, e *change.Event) subject {
	order, ok := e.OrderOf()
	return subject{root, order, !ok}
}

// sides returns a function that reports which events of the candidates, all of one load, pass the filters on the wanted side. Nothing needs
// to be asked of the index for what their load has changed, and once only for all events of a subject.
func (w *walk) sides(ctx context.Context, candidates []candidate) (func(c *candidate, event int) bool, error) {
	conditions := map[subject][]condition{}
	queries := map[filter.Set]map[index.Numbers]int{}
	for i := range candidates {
		c := &candidates[i]
		var about []*change.Event // the first wanted event of each subject
		for n := c.at.Event; n < len(c.entry.Events); n++ {
			e := &c.entry.Events[n]
			of := subjectOf(c.entry.Root, e)
			if _, known := conditions[of]; !known && w.wantsEvent(c.load, e) {
				conditions[of] = nil
				about = append(about, e)
			}
		}
		for side := range w.Side.each {
			s := stateOf(c.load, &c.entry, side)
			for _, e := range about {
				of := subjectOf(c.entry.Root, e)
				conditions[of] = append(conditions[of], s.conditions(w.Filters, c.entry.Root, e)...)
			}
		}
	}
	for _, either := range conditions {
		for _, one := range either {
			if one.rest.Empty() {
				continue
			}
			if queries[one.rest] == nil {
				queries[one.rest] = map[index.Numbers]int{}
			}
			if _, known := queries[one.rest][one.numbers]; !known {
				queries[one.rest][one.numbers] = len(queries[one.rest])
			}
		}
	}
	answers := map[filter.Set][]bool{}
	for rest, numbers := range queries {
		ranges := make([]index.Numbers, len(numbers))
		for r, at := range numbers {
			ranges[at] = r
		}
		var err error
		if answers[rest], err = among(ctx, w.s, rest, ranges); err != nil {
			return nil, err
		}
	}
	return func(c *candidate, event int) bool {
		return slices.ContainsFunc(conditions[subjectOf(c.entry.Root, &c.entry.Events[event])], func(one condition) bool {
			return one.rest.Empty() || answers[one.rest][queries[one.rest][one.numbers]]
		})
	}, nil
}

// among reports which of the ranges have an establishment that passes filters now.
func among(ctx context.Context, s *snapshot.Snapshot, f filter.Set, ranges []index.Numbers) ([]bool, error) {
	ix, err := s.Internals().Index(&index.Query{Filters: f})
	if err != nil {
		return nil, err
	}
	passes, err := ix.Among(ctx, f, ranges)
	return passes, s.Internals().Wrap("filter changes", err)
}
