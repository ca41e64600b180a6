package records

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"razao/internal/data/cnpj"
	"razao/internal/data/glossary"
	"razao/internal/data/ptbr"
	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
	"razao/internal/store/totals"
	"razao/site/page"
)

// Section is the public records on the page of an establishment. The head office's page shows those
// of the whole company unless its own are asked for; a branch's page shows its own.
type Section struct {
	CNPJ      cnpj.Full
	Whole     bool   // the records are those of the whole company
	Several   bool   // the company has more than one establishment
	SwitchURL string // the page with the other scope; "" for a company with one establishment
	Briefs    []Brief
	Themes    []Theme
	Others    []Card // sources without records, in the order of source.All
	Timeline  Timeline
}

// About returns the masked number that the records are about: the root for the whole company.
func (s *Section) About() string {
	if s.Whole {
		return s.CNPJ.Root().Masked()
	}
	return s.CNPJ.Masked()
}

// WithRecords returns the cards of the sources that have records, in page order.
func (s *Section) WithRecords() []Card {
	var found []Card
	for _, t := range s.Themes {
		found = append(found, t.Cards...)
	}
	return found
}

// Troubled returns the cards of the sources that could not be read this time.
func (s *Section) Troubled() []Card {
	return slices.DeleteFunc(slices.Clone(s.Others), func(c Card) bool { return !c.Failed() })
}

// SomeNone reports whether a source was read and has nothing.
func (s *Section) SomeNone() bool {
	return slices.ContainsFunc(s.Others, func(c Card) bool { return c.None() })
}

// MaxSummed bounds the records of one source that a page reads for totals, orders, filters and
// dates. A source with more is shown without these: reading more would take too long for a page.
const MaxSummed = totals.MostAdded

// maxReadAtOnce is how many sources are read in full at a time; each holds a database connection.
const maxReadAtOnce = 2

// reading is the state of one call of Read.
type reading struct {
	*Request
	hs    *Handlers
	snap  *snapshot.Snapshot
	head  *pack.Head
	doc   registry.Document
	whole bool

	pages []registry.SourcePage // in the order of source.All
	facts []facts               // parallel to pages
	cards []Card                // parallel to pages
}

// facts are the facts of all records of a source, or the reason why they are not known.
type facts struct {
	all     []fact
	missing string // a sentence; "" when all are known
}

// Read builds the section of an establishment. others are events of the time line that do not come
// from records, and missing are sentences on what these lack. A failing source is part of the
// answer, not an error. Errors are those of the head office's look-up and *page.NoSuchPage.
func (hs *Handlers) Read(ctx context.Context, snap *snapshot.Snapshot, h *pack.Head, r *Request, others []Event, missing ...string) (*Section, error) {
	head, err := snap.HeadOffice(ctx, h)
	if err != nil {
		return nil, err
	}
	var office cnpj.Full
	if head != nil {
		office = head.CNPJ
	}
	s := &Section{CNPJ: r.Full, Whole: office == r.Full && !r.OwnOnly, Several: h.Establishments > 1}
	switch {
	case !s.Several:
	case office != r.Full:
		s.SwitchURL = "/" + office.String() + "#registros"
	case s.Whole:
		s.SwitchURL = r.address.Path + "?ver=estabelecimento#registros"
	default:
		s.SwitchURL = r.address.Path + "#registros"
	}
	read := &reading{Request: r, hs: hs, snap: snap, head: h, doc: documentOf(h.Root, r.Full, s.Whole), whole: s.Whole}
	if err := read.records(ctx); err != nil {
		return nil, err
	}
	if err := read.arrange(ctx, s); err != nil {
		return nil, err
	}
	s.Briefs = read.briefs()
	s.Timeline = read.timeline(others, missing)
	return s, nil
}

// records reads a page of every source, then the facts of all records where the page does not hold
// them all. For a list that is ordered or filtered the first page is read: its rows are replaced
// later.
func (read *reading) records(ctx context.Context) error {
	from := map[string]int{}
	for id, l := range read.lists {
		if !l.chosen() {
			from[id] = l.position()
		}
	}
	read.pages = read.snap.Records(ctx, read.head, read.doc, PerPage, from)
	for i := range read.pages {
		if p := &read.pages[i]; isBeyond(p) {
			id := p.Source.ID
			return &page.NoSuchPage{Number: read.lists[id].page, First: read.pager("", id, p.Total).First}
		}
	}
	logFailures(ctx, read.pages...)
	read.facts = make([]facts, len(read.pages))
	g := errgroup.Group{}
	g.SetLimit(maxReadAtOnce)
	for i := range read.pages {
		p := &read.pages[i]
		switch {
		case p.Status != registry.Found:
		case p.From == 0 && len(p.Items) == p.Total:
			read.facts[i].all = factsOf(&p.Source, p.Items, 0)
		case p.Total > MaxSummed:
			read.facts[i].missing = "São mais de " + ptbr.Count(MaxSummed) + " registros: esta página não os soma, não os ordena e não os filtra. A API traz todos."
		default:
			g.Go(func() error {
				read.facts[i] = read.all(ctx, p)
				return nil
			})
		}
	}
	return g.Wait()
}

// all reads the facts of all records of a source. A number of records other than the page's total
// counts as a failure.
func (read *reading) all(ctx context.Context, p *registry.SourcePage) facts {
	in := registry.Selection{Range: registry.Range{Limit: MaxSummed}, Fields: p.Source.FactFields()}
	all, _ := read.snap.Select(ctx, p.Source.ID, read.head, read.doc, in)
	logFailures(ctx, all)
	if !all.Answered() || len(all.Items) != p.Total {
		return facts{missing: "Não foi possível ler todos os registros agora: faltam os totais, e a ordem é a da publicação. Isto não diz nada sobre a empresa."}
	}
	return facts{all: factsOf(&p.Source, all.Items, 0)}
}

// arrange builds the cards, grouped by theme, and the list of sources without records.
func (read *reading) arrange(ctx context.Context, s *Section) error {
	themes, linked := map[string][]Card{}, map[string]bool{}
	for i := range read.pages {
		c, err := read.card(ctx, i, s.Several)
		if err != nil {
			return err
		}
		read.cards = append(read.cards, c)
		if c.Found() {
			for _, term := range glossary.About(c.ID) {
				if !linked[term.ID] {
					c.Terms, linked[term.ID] = append(c.Terms, term), true
				}
			}
			theme := read.pages[i].Source.Theme
			themes[theme] = append(themes[theme], c)
			continue
		}
		s.Others = append(s.Others, c)
	}
	for _, id := range source.Themes() {
		if len(themes[id]) > 0 {
			s.Themes = append(s.Themes, Theme{ID: id, Title: themeTitles[id], Cards: themes[id]})
		}
	}
	return nil
}

// card builds the card of source i. several says that the company has more than one establishment.
func (read *reading) card(ctx context.Context, i int, several bool) (Card, error) {
	p, known := &read.pages[i], &read.facts[i]
	linked := linkerWithin(read.pages, p.Source.ID)
	c := cardOf(p, linked, read.hs.now())
	if several {
		c.Counts = countsOf(p)
	}
	if !c.Found() {
		var err error
		c.Line, err = read.hs.line(read.snap, &c, p.Load)
		return c, err
	}
	if list, ok := ibamaLists[c.ID]; ok {
		c.OwnURL = listAddress(read.document(), list, 1)
	}
	c.Unsummed = known.missing
	if c.Unsummed == "" {
		c.Summary = summaryOf(&p.Source, known.all)
	}
	if !listed(c.ID) {
		return c, nil
	}
	l := read.lists[c.ID]
	if c.Totals() != nil && (c.Total > controlsFrom || l.chosen()) {
		c.Summary.offer(read.Request, &p.Source, known.all)
	}
	if l.chosen() && c.Unsummed == "" {
		if err := read.choose(ctx, &c, &l, known.all); err != nil {
			return Card{}, err
		}
	}
	c.Pager = read.pager("Páginas de "+c.Title, c.ID, c.Among)
	return c, nil
}

// controlsFrom is the number of records above which a list offers orders and filters.
const controlsFrom = 5

// document returns the number in the address of the IBAMA lists: root or full CNPJ.
func (read *reading) document() string {
	if read.whole {
		return read.head.Root.String()
	}
	return read.Full.String()
}

// choose replaces the rows of a card by those that its list asks for. all are the facts of the
// source. Only these rows are read, by position; positions go to the store in ascending order. If
// they cannot be read, Unsummed says so.
func (read *reading) choose(ctx context.Context, c *Card, l *list, all []fact) error {
	chosen := l.choose(all)
	c.Among, c.From = len(chosen), l.position()+1
	if l.position() > 0 && l.position() >= len(chosen) {
		return &page.NoSuchPage{Number: l.page, First: read.pager("", c.ID, len(chosen)).First}
	}
	if l.narrowed() {
		state, year := "", ""
		if l.byState {
			state = "“" + l.state + "”"
		}
		if l.year != 0 {
			year = "de " + yearText(l.year)
		}
		c.Filter = ptbr.Join(" ", "só", state, year)
		c.AllURL = read.with(c.ID, c.ID+"_situacao", "", c.ID+"_ano", "", c.ID+"_pagina", "")
	}
	chosen = chosen[min(l.position(), len(chosen)):min(l.position()+PerPage, len(chosen))]
	at := make([]int, len(chosen))
	for i := range chosen {
		at[i] = chosen[i].at
	}
	slices.Sort(at) // Selection.At must ascend
	c.Rows = nil
	got, _ := read.snap.Select(ctx, c.ID, read.head, read.doc, registry.Selection{At: at})
	logFailures(ctx, got)
	if !got.Answered() || len(got.Items) != len(at) {
		c.Unsummed = "Não foi possível ler agora os registros nesta ordem. Isto não diz nada sobre a empresa; tente de novo em instantes."
		return nil
	}
	for _, f := range chosen {
		n, _ := slices.BinarySearch(at, f.at)
		c.Rows = append(c.Rows, c.row(&got.Items[n], f.at, nil)) // no linker: listed sources have no references
	}
	return nil
}

// countsOf returns own and company-wide number of records in words; "" when the source did not
// answer, does not tell establishments apart, or the company has none.
func countsOf(p *registry.SourcePage) string {
	if !p.Answered() || p.Here < 0 || p.InCompany == 0 {
		return ""
	}
	return ptbr.Count(p.Here) + " neste CNPJ · " + ptbr.Count(p.InCompany) + " na empresa toda"
}
