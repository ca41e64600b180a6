package snapshot

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry"
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
	table := change.TableOf(c.Kind.Info().Part)
	var fields []record.Field
	for i, name := range c.Kind.Info().Fields {
		if slices.Contains(c.Changed(), i) || slices.Contains(c.Withheld, name) {
			fields = append(fields, table.Field(name))
		}
	}
	return fields
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
	found, err := s.view.CompanyHistories(ctx, roots, since)
	if err != nil {
		return nil, err
	}
	heads, err := s.headsOf(ctx, slices.Collect(maps.Keys(found)))
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

// headsOf returns the companies with these roots that the snapshot has.
func (s *Snapshot) headsOf(ctx context.Context, roots []cnpj.Root) (map[cnpj.Root]*pack.Head, error) {
	heads, err := s.view.Heads(ctx, roots)
	if err != nil {
		return nil, err
	}
	of := make(map[cnpj.Root]*pack.Head, len(heads))
	for i := range heads {
		of[heads[i].Root] = &heads[i]
	}
	return of, nil
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

// ChangeQuery selects events of the whole history.
type ChangeQuery struct {
	Events  []string                 // codes; nil: all
	Where   func(*change.Event) bool // what else must hold of an event, asked before anything is read of its company; nil: nothing
	Filters filter.Set
	Since   time.Time // of the publication of their loads; zero: any
	From    history.Position
	Limit   int
}

// ChangePage is a part of the history.
type ChangePage struct {
	Changes   []Change
	Withdrawn []history.Withdrawn // loads that a reader from From has seen and that are not part of the history any more
	Next      history.Position    // of the next page
	More      bool                // something may follow now; otherwise only the next load brings more
}

// TooOldError means that the history does not go back to a position any more.
type TooOldError struct{ Oldest history.Position }

func (*TooOldError) Error() string { return "the history does not go back that far" }

// maxWalked bounds the companies that one page looks at: a rare event or filter gives short pages,
// empty ones included, and not slow ones.
const maxWalked = 10_000

// WalkChanges returns the events that follow a position, in the order of the journal. The position
// survives new loads: a reader who comes back continues without a hole or a repetition. Filters ask
// what companies and establishments are now; one that is gone passes none. The errors are
// *[TooOldError], those of [Snapshot.Find], and those of the records.
func (s *Snapshot) WalkChanges(ctx context.Context, q ChangeQuery) (ChangePage, error) {
	chain := s.view.History
	page := ChangePage{Next: chain.End()}
	if oldest := chain.Oldest(); q.From.Seq > 0 && q.From.Seq < oldest.Seq {
		return ChangePage{}, &TooOldError{oldest}
	}
	if page.Next.Before(q.From) { // read from a server that has published a later load already
		page.Next = q.From
	}
	var candidates []candidate
	walked, events := 0, 0
	err := s.view.WalkHistory(ctx, q.From, func(l *history.Load) bool { return !l.ToldAt.Before(q.Since) && q.wants(l) },
		func(at history.Position, l *history.Load, e *history.Entry) bool {
			if walked++; walked > maxWalked || events >= q.Limit && q.Filters.Empty() {
				page.Next, page.More = at, true
				return false
			}
			if n := q.count(l, e, at.Event); n > 0 {
				candidates, events = append(candidates, candidate{at, l, *e}), events+n
			}
			return true
		})
	if err != nil {
		return ChangePage{}, err
	}
	passes, err := s.passing(ctx, q.Filters, candidates)
	if err != nil {
		return ChangePage{}, err
	}
	roots := map[cnpj.Root]bool{}
	for i := range candidates {
		roots[candidates[i].entry.Root] = true
	}
	heads, err := s.headsOf(ctx, slices.Collect(maps.Keys(roots)))
	if err != nil {
		return ChangePage{}, err
	}
	for i := range candidates {
		if page.take(s, &q, &candidates[i], heads, passes) {
			break
		}
	}
	page.Withdrawn = chain.WithdrawnBetween(q.From, page.Next)
	return page, nil
}

// candidate is an entry that has events of the wanted kinds.
type candidate struct {
	at    history.Position
	load  *history.Load
	entry history.Entry
}

// take adds the events of a candidate that pass, and reports whether the page is full: the next one
// then begins within the candidate.
func (p *ChangePage) take(s *Snapshot, q *ChangeQuery, c *candidate, heads map[cnpj.Root]*pack.Head, passes func(index.Numbers) bool) (full bool) {
	for i := c.at.Event; i < len(c.entry.Events); i++ {
		if len(p.Changes) >= q.Limit {
			p.Next, p.More = history.Position{Seq: c.at.Seq, Hash: c.at.Hash, Event: i}, true
			return true
		}
		e := &c.entry.Events[i]
		if !q.wantsEvent(c.load, e) || !passes(numbersOf(c.entry.Root, e)) {
			continue
		}
		one := history.Entry{Root: c.entry.Root, Individual: c.entry.Individual, Events: c.entry.Events[:i+1]}
		p.Changes = s.shown(p.Changes, heads[c.entry.Root], c.load, &one, i)
	}
	return false
}

// numbersOf returns what filters ask about for an event: its establishment or, of a company's event,
// any of the company.
func numbersOf(root cnpj.Root, e *change.Event) index.Numbers {
	if order, ok := e.OrderOf(); ok {
		number := cnpj.Join(root, order)
		return index.Numbers{First: number, Last: number}
	}
	return index.Company(root)
}

// passing returns a function that reports which establishments of the candidates pass the filters.
func (s *Snapshot) passing(ctx context.Context, f filter.Set, candidates []candidate) (func(index.Numbers) bool, error) {
	if f.Empty() {
		return func(index.Numbers) bool { return true }, nil
	}
	ix, err := s.indexFor(&index.Query{Filters: f})
	if err != nil {
		return nil, err
	}
	at := map[index.Numbers]int{}
	var ranges []index.Numbers
	for i := range candidates {
		e := &candidates[i].entry
		for n := range e.Events {
			r := numbersOf(e.Root, &e.Events[n])
			if _, ok := at[r]; !ok {
				at[r] = len(ranges)
				ranges = append(ranges, r)
			}
		}
	}
	passes, err := ix.Among(ctx, f, ranges)
	if err != nil {
		return nil, s.troubled("filter changes", err)
	}
	return func(r index.Numbers) bool { return passes[at[r]] }, nil
}

// wants reports whether a load may have events that the query asks for.
func (q *ChangeQuery) wants(l *history.Load) bool {
	return q.Events == nil || slices.ContainsFunc(q.Events, func(code string) bool { return l.Events[code] > 0 })
}

func (q *ChangeQuery) wantsEvent(l *history.Load, e *change.Event) bool {
	return (q.Events == nil || slices.Contains(q.Events, e.Kind.Info().CodeOf(l.Source))) && (q.Where == nil || q.Where(e))
}

// count returns how many events of an entry are wanted, without its first ones.
func (q *ChangeQuery) count(l *history.Load, e *history.Entry, skip int) (n int) {
	for i := min(skip, len(e.Events)); i < len(e.Events); i++ {
		if q.wantsEvent(l, &e.Events[i]) {
			n++
		}
	}
	return n
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

// FailedLoads returns, of each source whose last load failed or was refused after the one in service,
// that load: its changes are not known yet.
func (s *Snapshot) FailedLoads(ctx context.Context) ([]registry.Load, error) {
	loads, err := s.view.FailedSince(ctx)
	if err != nil {
		return nil, fmt.Errorf("loads that failed: %w", err)
	}
	return loads, nil
}
