package snapshot

import (
	"context"
	"maps"
	"slices"

	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry/history"
	"razao/internal/store/registry/pack"
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

// Changes returns the history of a company, the load told last first, each load's events in their
// order. Parts of loads that were not compared are in [Snapshot.History].
func (s *Snapshot) Changes(ctx context.Context, h *pack.Head) ([]Change, error) {
	found, err := s.view.CompanyHistory(ctx, h.Root)
	if err != nil {
		return nil, err
	}
	var changes []Change
	for i := range found {
		changes = s.shown(changes, h, found[i].Load, &found[i].Entry, 0)
	}
	return changes, nil
}

// ChangesOf returns the changes of several companies in loads told since a number of the journal,
// as those of [Snapshot.Changes]. Companies that are not in this snapshot are treated as natural persons.
func (s *Snapshot) ChangesOf(ctx context.Context, roots []cnpj.Root, since int64) (map[cnpj.Root][]Change, error) {
	found, err := s.view.CompanyHistories(ctx, roots, func(l *history.Load) bool { return l.Seq >= since })
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
			changes[root] = s.shown(changes[root], heads[root], of[i].Load, &of[i].Entry, 0)
		}
	}
	return changes, nil
}

// shown appends what may be shown of an entry, without its first events. h is the company as it is
// now, nil if it is not there any more: what was asked to be hidden of it is then not known, and no
// contact is shown.
func (s *Snapshot) shown(to []Change, h *pack.Head, l *history.Load, e *history.Entry, skip int) []Change {
	private := s.visitor && (h == nil || e.Individual || h.Individual())
	for i := skip; i < len(e.Events); i++ {
		c := Change{Event: e.Events[i], Root: e.Root, Company: h, Load: l, Index: i}
		order, ok := c.OrderOf()
		if ok && (h == nil || h.ContactHidden(order)) && !c.leaveOut(isPersonal) {
			continue
		}
		if private {
			c.withhold()
		}
		to = append(to, c)
	}
	return to
}

// History returns the loads that the history of this snapshot consists of, in the order in which
// they were told, each with its gaps.
func (s *Snapshot) History() []history.Load { return s.view.History.Loads }

// HistoryEnd returns the position behind everything that has been told.
func (s *Snapshot) HistoryEnd() history.Position { return s.view.History.End() }

// PlaceChanges adds up openings, closures and moves for each load of the Receita: of municipalities
// (the tax authority's codes), and of divisions of CNAE; nil stands for all.
func (s *Snapshot) PlaceChanges(ctx context.Context, municipalities, divisions []string) ([]history.PlaceMonth, error) {
	return s.view.PlaceHistory(ctx, municipalities, divisions)
}
