// Package journal answers what loads have changed: the history of a company, and the changes of the whole country, load by load in the order of the
// journal, by event, day and every filter of the search. The history itself is in the record store (registry/history); this is as much of it as may
// be shown, with the companies as they are now.
//
// A filter asks for the state of a company before a load or after it. As far as the load changed what is asked, its events tell (side.go); the rest is
// asked of the index, which knows the present. A walk bounds what a page looks at, and its position survives new loads (walk.go).
package journal

import (
	"context"
	"maps"
	"slices"

	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry/history"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
)

// Change is one event of a company, as it may be shown.
type Change struct {
	change.Event
	Root     cnpj.Root
	Company  *pack.Head    // as it is now; nil: it is not there any more
	Load     *history.Load // that it was seen in
	Index    int           // among the events of the company in this load, from 0; it does not change
	Withheld []string      // fields that changed and must not be shown: they are "" in Before and After
}

// Code returns the stable code of the event.
func (c *Change) Code() string { return c.Kind.Info().CodeOf(c.Load.Source) }

// Number returns the CNPJ of the establishment that the event is about; ok is false if it is about
// the company.
func (c *Change) Number() (number cnpj.Full, ok bool) {
	order, ok := c.OrderOf()
	return cnpj.Join(c.Root, order), ok
}

// Fields returns the declarations of the fields that changed, those withheld included.
func (c *Change) Fields() []record.Field {
	var fields []record.Field
	changed := c.Changed()
	for i, field := range c.Kind.Declared() {
		if slices.Contains(changed, i) || slices.Contains(c.Withheld, field.Name) {
			fields = append(fields, field)
		}
	}
	return fields
}

// Entry is what one load changed of a company: one event at least, in the load's order.
type Entry []Change

// Root returns the company.
func (e Entry) Root() cnpj.Root { return e[0].Root }

// Load returns the load.
func (e Entry) Load() *history.Load { return e[0].Load }

// Entries divides changes, of which those of a company and load follow one another.
func Entries(changes []Change) (entries []Entry) {
	for len(changes) > 0 {
		n := 1
		for n < len(changes) && changes[n].Root == changes[0].Root && changes[n].Load == changes[0].Load {
			n++
		}
		entries, changes = append(entries, changes[:n:n]), changes[n:]
	}
	return entries
}

// Of returns the history of a company, the load that was compared last first, each load's events in their
// order. Parts of loads that were not compared are in [Loads].
func Of(ctx context.Context, s *snapshot.Snapshot, h *pack.Head) ([]Change, error) {
	found, err := s.Internals().Records().CompanyHistory(ctx, h.Root)
	if err != nil {
		return nil, err
	}
	var changes []Change
	for i := range found {
		changes = shown(changes, s, h, found[i].Load, &found[i].Entry, 0)
	}
	return changes, nil
}

// OfCompanies returns the changes of several companies in loads since a number of the journal,
// as those of [Of]. Companies that are not in the snapshot are treated as natural persons.
func OfCompanies(ctx context.Context, s *snapshot.Snapshot, roots []cnpj.Root, since int64) (map[cnpj.Root][]Change, error) {
	found, err := s.Internals().Records().CompanyHistories(ctx, roots, func(l *history.Load) bool { return l.Seq >= since })
	if err != nil {
		return nil, err
	}
	heads, err := s.Companies(ctx, slices.Collect(maps.Keys(found)))
	if err != nil {
		return nil, err
	}
	changes := map[cnpj.Root][]Change{}
	for root, of := range found {
		for i := range of {
			changes[root] = shown(changes[root], s, heads[root], of[i].Load, &of[i].Entry, 0)
		}
	}
	return changes, nil
}

// shown appends what may be shown of an entry, without its first events. h is the company as it is
// now, nil if it is not there any more.
func shown(to []Change, s *snapshot.Snapshot, h *pack.Head, l *history.Load, e *history.Entry, skip int) []Change {
	for i := skip; i < len(e.Events); i++ {
		event, withheld, ok := s.Internals().Show(e.Events[i], h, e.Individual)
		if ok {
			to = append(to, Change{Event: event, Root: e.Root, Company: h, Load: l, Index: i, Withheld: withheld})
		}
	}
	return to
}

// Loads returns the loads that the history of a snapshot consists of, in the order of the journal, each with its gaps.
func Loads(s *snapshot.Snapshot) []history.Load { return s.Internals().Records().History.Loads }

// End returns the position behind everything that the history has.
func End(s *snapshot.Snapshot) history.Position { return s.Internals().Records().History.End() }

// InPlaces adds up openings, closures and moves for each load of the Receita: of municipalities
// (the tax authority's codes), and of divisions of CNAE; nil stands for all.
func InPlaces(ctx context.Context, s *snapshot.Snapshot, municipalities, divisions []string) ([]history.PlaceMonth, error) {
	return s.Internals().Records().PlaceHistory(ctx, municipalities, divisions)
}
