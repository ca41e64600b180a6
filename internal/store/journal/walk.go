package journal

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/store/registry"
	"razao/internal/store/registry/history"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
)

// Query selects events of the whole history.
type Query struct {
	Events  []string                 // codes; nil: all
	Where   func(*change.Event) bool // what else must hold of an event, asked before anything is read of its company; nil: nothing
	Text    string                   // words, as a search finds them now; "": none
	Filters filter.Set
	Side    Side      // of the changes that the filters ask about
	Since   time.Time // of the publication of their loads; zero: any
	From    history.Position
	OneLoad bool // read the load of From alone
	Limit   int
}

// Page is a part of the history.
type Page struct {
	Changes   []Change
	Withdrawn []history.Withdrawn // loads that a reader from From has seen and that are not part of the history any more
	Next      history.Position    // of the next page
	More      bool                // something may follow now; otherwise only the next load brings more
}

// everything reports whether the query asks for every company.
func (q *Query) everything() bool { return q.Text == "" && q.Filters.Empty() }

// ErrTooWide says that the words of a query find so many establishments that their changes are not looked for.
var ErrTooWide = errors.New("the words find too many establishments")

// TooOldError means that the history does not go back to a position any more.
type TooOldError struct{ Oldest history.Position }

func (*TooOldError) Error() string { return "the history does not go back that far" }

const (
	// maxWalked bounds the companies that one page looks at: a rare event or filter gives short pages,
	// empty ones included, and not slow ones.
	maxWalked = 10_000
	// maxPassed bounds those of them that neither pass the filters now nor may have passed: they are only decoded.
	maxPassed = 100_000
	// maxSelected and maxChanged are up to how many establishments the index selects for a load: of all
	// that pass the filters, and of those that the load of companies in service changed. Where more
	// pass, walking finds them soon.
	maxSelected = 2_000
	maxChanged  = 50_000
	maxFound    = 20_000 // by words: what they find is always selected
	readAtOnce  = 500    // selected companies whose entries are read in one query
	// chosenAtOnce is how many companies of a walk are asked whether they pass.
	chosenAtOnce = 500
)

// Walk returns the events that follow a position, in the order of the journal. The position
// survives new loads: a reader who comes back continues without a hole or a repetition. Filters ask what companies and establishments were
// before a load, or after it, as far as what it changed tells; what it did not change they ask of what is there now, of which one that is
// gone has nothing. Words ask of now. The errors are *[TooOldError], [ErrTooWide], those of [snapshot.Snapshot.Find], and those of the records.
//
// If an operator has forgotten or built a part of the history, it is walked again as it is: nobody is led past what was deleted while the
// page was read, or before this server has noticed.
func Walk(ctx context.Context, s *snapshot.Snapshot, q Query) (Page, error) {
	few := maxSelected
	if q.Text != "" {
		few = maxFound
	}
	for view := s.Internals().Records(); ; {
		page, err := walkFrom(ctx, s, view, q, few, maxChanged)
		if err != nil {
			return page, err
		}
		now, err := view.Follow(ctx)
		if now == view || err != nil {
			return page, err
		}
		view = now
	}
}

func walkFrom(ctx context.Context, s *snapshot.Snapshot, view *registry.View, q Query, mostSelected, mostChanged int) (Page, error) {
	chain := view.History
	if oldest := chain.Oldest(); q.From.Seq > 0 && q.From.Seq < oldest.Seq {
		return Page{}, &TooOldError{oldest}
	}
	w := walk{s: s, view: view, Query: q, mostSelected: mostSelected, mostChanged: mostChanged, page: Page{Next: chain.End()}}
	if w.page.Next.Before(q.From) { // read from a server that has published a later load already
		w.page.Next = q.From
	}
	for i := range chain.Loads {
		l := &chain.Loads[i]
		if l.Seq < q.From.Seq || q.OneLoad && l.Seq > q.From.Seq || !q.wantsLoad(l) {
			continue
		}
		if err := w.load(ctx, l); err != nil {
			return Page{}, err
		}
		if w.page.More {
			break
		}
	}
	if w.page.More {
		w.page.Next.AsOf = chain.End().Seq
	}
	w.page.Withdrawn = chain.WithdrawnSince(q.From)
	return w.page, nil
}

// walk makes one page.
type walk struct {
	s    *snapshot.Snapshot
	view *registry.View // with the history that is walked
	Query
	mostSelected, mostChanged int // see maxSelected

	page   Page
	looked int        // companies
	passed int        // see maxPassed
	few    *selection // that pass the filters; nil: not known yet, without numbers: too many
	words  *selection // that the words find, whatever the filters say; as few
}

// candidate is an entry that has events of the wanted kinds.
type candidate struct {
	at    history.Position
	load  *history.Load
	entry history.Entry
}

// load adds the events of one load, until the page is full.
func (w *walk) load(ctx context.Context, l *history.Load) error {
	from := history.Position{Seq: l.Seq}
	if w.From.Seq == l.Seq {
		from = w.From
	}
	selected, err := w.selected(ctx, l)
	if err != nil {
		return err
	}
	part := part{walk: w, selected: selected, events: len(w.page.Changes)}
	if err := part.askSides(ctx, l); err != nil {
		return err
	}
	visit := func(at history.Position, e *history.Entry) bool { return part.visit(ctx, at, l, e) }
	if part.selected != nil {
		err = w.eachSelected(ctx, part.selected, l, from, visit)
	} else {
		only := func(of *history.Load) bool { return of == l }
		err = w.view.WalkHistory(ctx, from, only, func(at history.Position, _ *history.Load, e *history.Entry) bool {
			if part.mayPass != nil && !part.mayPass(e) {
				if w.passed++; w.passed > maxPassed {
					return w.stop(at)
				}
				return true
			}
			if w.looked++; w.looked > maxWalked {
				return w.stop(at)
			}
			return visit(at, e)
		})
	}
	if err = cmp.Or(err, part.err); err != nil {
		return err
	}
	return part.choose(ctx)
}

// part is the entries of a load that are being looked at.
type part struct {
	*walk
	selected   *selection                // that are visited; nil: all
	sided      bool                      // the load changed what the filters ask about: selected passing now is not all
	mayPass    func(*history.Entry) bool // nil: every one
	candidates []candidate
	events     int // of the page and the candidates
	err        error
}

// askSides prepares for filters that a load may have changed the answer to. Those whose words find too much are asked of now.
func (p *part) askSides(ctx context.Context, l *history.Load) (err error) {
	touches := p.touching(l)
	if touches == nil {
		return nil
	}
	if p.Text != "" {
		if p.words == nil {
			if p.words, err = selectionOf(ctx, p.s, index.Query{Text: p.Text}, p.mostSelected); err != nil {
				return err
			}
			if p.words == nil {
				p.words = &selection{}
			}
		}
		if p.words.numbers != nil {
			p.sided, p.selected = true, p.words
		}
		return nil
	}
	now := p.selected
	p.sided, p.selected = true, nil
	if now != nil {
		p.mayPass = func(e *history.Entry) bool {
			return now.passes(index.Company(e.Root)) || slices.ContainsFunc(e.Events, func(ev change.Event) bool { return touches(&ev) })
		}
	}
	return nil
}

// whole reports whether every candidate passes.
func (p *part) whole() bool { return !p.sided && (p.everything() || p.selected != nil) }

// visit takes an entry, and reports whether the page has room for more. Of what was not selected it is
// not known what passes, so some are chosen from at a time.
func (p *part) visit(ctx context.Context, at history.Position, l *history.Load, e *history.Entry) (goOn bool) {
	if p.events >= p.Limit && p.whole() {
		return p.stop(at)
	}
	if n := p.count(l, e, at.Event); n > 0 {
		p.candidates, p.events = append(p.candidates, candidate{at, l, *e}), p.events+n
	}
	if len(p.candidates) == chosenAtOnce && !p.whole() {
		p.err = p.choose(ctx)
		p.candidates = nil
	}
	return p.err == nil && !p.page.More
}

// choose adds the events of the candidates that pass, until the page is full.
func (p *part) choose(ctx context.Context) (err error) {
	passes := func(*candidate, int) bool { return true }
	switch {
	case p.sided:
		passes, err = p.sides(ctx, p.candidates)
	case p.selected == nil && !p.everything():
		passes, err = passing(ctx, p.s, p.Filters, p.candidates)
	}
	if err != nil {
		return err
	}
	if p.selected != nil {
		other := passes
		passes = func(c *candidate, i int) bool {
			return p.selected.passes(numbersOf(c.entry.Root, &c.entry.Events[i])) && other(c, i)
		}
	}
	heads, err := p.s.Companies(ctx, rootsOf(p.candidates))
	if err != nil {
		return err
	}
	for i := range p.candidates {
		if p.take(&p.candidates[i], heads, passes) {
			break
		}
	}
	return nil
}

// stop ends the page before a position.
func (w *walk) stop(at history.Position) (goOn bool) {
	w.page.Next, w.page.More = at, true
	return false
}

// take adds the events of a candidate that pass, and reports whether the page is full: the next one
// then begins within the candidate.
func (w *walk) take(c *candidate, heads map[cnpj.Root]*pack.Head, passes func(*candidate, int) bool) (full bool) {
	for i := c.at.Event; i < len(c.entry.Events); i++ {
		if len(w.page.Changes) >= w.Limit {
			w.page.Next, w.page.More = history.Position{Seq: c.at.Seq, Hash: c.at.Hash, Event: i}, true
			return true
		}
		e := &c.entry.Events[i]
		if !w.wantsEvent(c.load, e) || !passes(c, i) {
			continue
		}
		one := history.Entry{Root: c.entry.Root, Individual: c.entry.Individual, Events: c.entry.Events[:i+1]}
		w.page.Changes = shown(w.page.Changes, w.s, heads[c.entry.Root], c.load, &one, i)
	}
	return false
}

func rootsOf(candidates []candidate) []cnpj.Root {
	roots := map[cnpj.Root]bool{}
	for i := range candidates {
		roots[candidates[i].entry.Root] = true
	}
	return slices.Collect(maps.Keys(roots))
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

// passing returns a function that reports which events of the candidates are about establishments that pass the filters now.
func passing(ctx context.Context, s *snapshot.Snapshot, f filter.Set, candidates []candidate) (func(*candidate, int) bool, error) {
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
	passes, err := among(ctx, s, f, ranges)
	return func(c *candidate, i int) bool { return passes[at[numbersOf(c.entry.Root, &c.entry.Events[i])]] }, err
}

// selection is the establishments that pass filters. A nil selection is one of too many.
type selection struct {
	numbers map[cnpj.Full]bool
	roots   []cnpj.Root // their companies, in the order of history.Hash
}

// passes reports whether one of a range passes: an establishment, or any of a company.
func (s *selection) passes(r index.Numbers) bool {
	if r.First == r.Last {
		return s.numbers[r.First]
	}
	_, found := slices.BinarySearchFunc(s.roots, r.First.Root(), byHash)
	return found
}

func byHash(a, b cnpj.Root) int { return cmp.Compare(history.Hash(a), history.Hash(b)) }

// selected returns what passes the filters: of the load in service what it changed, of others all. nil
// means that the load has to be walked.
func (w *walk) selected(ctx context.Context, l *history.Load) (s *selection, err error) {
	if w.everything() {
		return nil, nil
	}
	if l.ID == w.s.LoadOf(registry.Receita) && w.Text == "" {
		q := index.Query{Filters: w.Filters.Add(filter.Changed, "sim")}
		s, err = selectionOf(ctx, w.s, q, w.mostChanged)
		if of, ok := errors.AsType[*index.SourceError](err); !ok || of.Source != registry.Receita {
			return s, err
		}
	}
	if w.few == nil {
		if w.few, err = selectionOf(ctx, w.s, index.Query{Text: w.Text, Filters: w.Filters}, w.mostSelected); err != nil {
			return nil, err
		}
		if w.few == nil && w.Text != "" {
			return nil, ErrTooWide
		}
		if w.few == nil {
			w.few = &selection{}
		}
	}
	if w.few.numbers == nil {
		return nil, nil
	}
	return w.few, nil
}

// selectionOf returns what a query finds, nil if that is more than most. As where people search, records of sources are those of whole
// companies.
func selectionOf(ctx context.Context, s *snapshot.Snapshot, q index.Query, most int) (*selection, error) {
	q.CompanyRecords = true
	numbers, err := s.Numbers(ctx, q, most+1)
	if err != nil || len(numbers) > most {
		return nil, err
	}
	found := &selection{numbers: make(map[cnpj.Full]bool, len(numbers))}
	for _, number := range numbers {
		found.numbers[number] = true
		found.roots = append(found.roots, number.Root())
	}
	slices.SortFunc(found.roots, byHash)
	found.roots = slices.Compact(found.roots)
	return found, nil
}

// eachSelected calls visit for the entries of a load at and behind a position that are of selected
// companies, as [history.Chain.Walk] does for all.
func (w *walk) eachSelected(ctx context.Context, of *selection, l *history.Load, from history.Position, visit func(history.Position, *history.Entry) bool) error {
	first, _ := slices.BinarySearchFunc(of.roots, from.Hash, func(root cnpj.Root, hash uint64) int { return cmp.Compare(history.Hash(root), hash) })
	for chunk := range slices.Chunk(of.roots[first:], readAtOnce) {
		if w.looked >= maxWalked {
			w.stop(history.Position{Seq: l.Seq, Hash: history.Hash(chunk[0])})
			return nil
		}
		w.looked += len(chunk)
		found, err := w.view.CompanyHistories(ctx, chunk, func(other *history.Load) bool { return other == l })
		if err != nil {
			return err
		}
		for _, root := range chunk {
			for _, f := range found[root] { // at most one
				at := history.Position{Seq: l.Seq, Hash: history.Hash(root)}
				if at.Hash == from.Hash {
					at.Event = from.Event
				}
				if !visit(at, &f.Entry) {
					return nil
				}
			}
		}
	}
	return nil
}

// wantsLoad reports whether a load may have events that the query asks for.
func (q *Query) wantsLoad(l *history.Load) bool {
	return !l.AnnouncedAt.Before(q.Since) && (q.Events == nil || slices.ContainsFunc(q.Events, func(code string) bool { return l.Events[code] > 0 }))
}

func (q *Query) wantsEvent(l *history.Load, e *change.Event) bool {
	return (q.Events == nil || slices.Contains(q.Events, e.Kind.Info().CodeOf(l.Source))) && (q.Where == nil || q.Where(e))
}

// count returns how many events of an entry are wanted, without its first ones.
func (q *Query) count(l *history.Load, e *history.Entry, skip int) (n int) {
	for i := min(skip, len(e.Events)); i < len(e.Events); i++ {
		if q.wantsEvent(l, &e.Events[i]) {
			n++
		}
	}
	return n
}
