package snapshot

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"razao/index"
	"razao/index/filter"
	"razao/index/term"
	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/data/glossary"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/web"
)

// Match is an establishment that was found, with its company.
type Match struct {
	*pack.Head    // of the company; matches of one company share it
	Establishment record.Establishment
	Why           index.Why       // what it was found by
	Partner       *record.Partner // the partner whose name was found; nil if it was something else
}

// Name returns a name for the establishment, never "": that of the company or, without one, the
// trade name or the number.
func (m *Match) Name() string { return m.Head.NameOf(&m.Establishment) }

// Found is one page of the results of a query.
type Found struct {
	Matches      []Match // never nil; in the order of the query
	Total        int
	TotalIsFloor bool // there are more, or may be: Total is a lower bound
	// Establishments counts establishments where Total counts companies (Query.ByCompany). It is a
	// lower bound if Total is one.
	Establishments int
	Understood     index.Understood
	// Unsought is how many more, in the unit of Total and up to index.MaxTotal, pass all filters but those that look for a contact:
	// natural persons and MEIs, whose contact is not searched.
	Unsought int
	Lacking  []change.Part // what the load has not whole and the query depends on; Total is a lower bound then
	Caveats  []glossary.Caveat
	Work     int // what the search and reading its results took, in steps: see [CallWork]
}

// Find returns a page of the establishments that a query finds, with their records. The errors are
// *filter.Error, *IndexError, *SourceError, *registry.LackError, ErrIndexAhead, limiter and context errors of the index,
// and those of the records.
func (s *Snapshot) Find(ctx context.Context, q index.Query) (Found, error) {
	ix, err := s.Internals().Index(&q)
	if err != nil {
		return Found{}, err
	}
	r, err := ix.Search(ctx, q)
	s.counters.search(r, err)
	if err != nil {
		return Found{}, s.Internals().Wrap("search", err)
	}
	meant := q
	for _, c := range r.Understood.Conditions {
		meant.Filters = meant.Filters.Add(c.Name, c.Value)
	}
	if err := s.lack(meant.Filters); err != nil {
		return Found{}, err
	}
	lacking := s.Lacking(meant)
	unsought, err := s.unsought(ctx, ix, q, r.Understood.Conditions)
	if err != nil {
		return Found{}, err
	}
	matches, err := s.matches(ctx, r.Hits)
	if err == nil {
		words := term.Words(q.Text)
		for _, c := range r.Understood.Corrections {
			words = append(words, c.To)
		}
		err = s.namePartners(ctx, words, "", q.Scope == index.InPartners, matches)
	}
	return Found{
		Matches: matches, Total: r.Total, TotalIsFloor: r.TotalIsFloor || len(lacking) > 0, Establishments: r.Establishments, Understood: r.Understood,
		Unsought: unsought.Total, Lacking: lacking, Caveats: caveats(&meant, matches), Work: r.Work + unsought.Work + len(r.Hits)*CompanySteps,
	}, err
}

// unsought counts what a query would have to look at in contacts that are not searched: see Found.Unsought.
func (s *Snapshot) unsought(ctx context.Context, ix *index.Index, q index.Query, understood []index.Condition) (index.Results, error) {
	rest, sought := q.Filters.WithoutSought()
	for _, c := range understood {
		if _, contact := filter.Of(c.Name, c.Value).WithoutSought(); contact {
			q.Text, sought = c.Without, true
		}
	}
	if !sought {
		return index.Results{}, nil
	}
	q.Filters, q.Order, q.Offset, q.Limit = rest.Add(filter.Unsought, "sim"), index.ByRank, 0, 0
	r, err := ix.Search(ctx, q)
	return r, s.Internals().Wrap("search", err)
}

// Suggest completes a text that is being typed with at most n establishments, those with the whole
// name first, those of partners last. The errors are those of Find.
func (s *Snapshot) Suggest(ctx context.Context, text string, n int) ([]Match, error) {
	ix, err := s.index()
	if err != nil {
		return nil, err
	}
	hits, err := ix.Suggest(ctx, text, n)
	s.counters.query(Suggestions, err)
	if err != nil {
		return nil, s.Internals().Wrap("suggest", err)
	}
	matches, err := s.matches(ctx, hits)
	if words := term.Words(text); err == nil && len(words) > 0 {
		err = s.namePartners(ctx, words, words[len(words)-1], false, matches)
	}
	return matches, err
}

// Facets counts the results of a query by the values of every filter, each as if the query did not
// have that filter. The result is cached and must not be changed. The errors are those of Find.
func (s *Snapshot) Facets(ctx context.Context, q index.Query) (index.Facets, error) {
	ix, err := s.Internals().Index(&q)
	if err != nil {
		return nil, err
	}
	if from := web.SiteOf(ctx); from.IsValid() {
		ctx = index.By(ctx, from)
	}
	counts, err := ix.Facets(ctx, q)
	s.counters.query(FacetCounts, err)
	if err != nil {
		return nil, s.Internals().Wrap("count by filters", err)
	}
	if len(s.Load.Lacks(change.Simples)) > 0 { // all who are not in it would be counted as having opted out
		counts = maps.Clone(counts)
		delete(counts, filter.Simples)
		delete(counts, filter.MEI)
	}
	return counts, nil
}

// StateOf returns the state that the results of a search with these filters depend on: the index,
// the loads of the sources that it filters by and, for sanctions in force, the day. Positions in
// the results, as cursors hold them, are valid while it is the same.
func (s *Snapshot) StateOf(f filter.Set) string {
	state := "index " + s.view.Snapshot.IndexName
	for _, id := range f.Sources() {
		state += fmt.Sprint(" ", id, " ", s.LoadOf(id))
	}
	if f.Has(filter.Sanction) {
		state += " " + record.Today().String()
	}
	return state
}

// SourceError is the error of a query that filters by a source whose flags the index lacks. All
// other queries are answered.
type SourceError = index.SourceError

// mostPartnersNamed is how many rows namePartners looks at for one page: cooperatives have thousands.
const mostPartnersNamed = 5_000

// establishmentsAtOnce is how many establishments of a long list are read in one round trip.
const establishmentsAtOnce = 500

// Read returns establishments with their companies, in the order of their numbers, as [Snapshot.Numbers]
// returns them. Memory does not grow with them: they are read in parts. The errors are those of Find.
func (s *Snapshot) Read(ctx context.Context, numbers []cnpj.Full) iter.Seq2[*Match, error] {
	return func(yield func(*Match, error) bool) {
		hits := make([]index.Hit, 0, establishmentsAtOnce)
		for part := range slices.Chunk(numbers, establishmentsAtOnce) {
			hits = hits[:0]
			for _, number := range part {
				hits = append(hits, index.Hit{CNPJ: number, Why: index.WhyListed})
			}
			matches, err := s.matches(ctx, hits)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range matches {
				if !yield(&matches[i], nil) {
					return
				}
			}
		}
	}
}

// Numbers returns the first most establishments that a query finds, in its order. It reads no records.
// The errors are those of Find.
func (s *Snapshot) Numbers(ctx context.Context, q index.Query, most int) ([]cnpj.Full, error) {
	ix, err := s.Internals().Index(&q)
	if err != nil {
		return nil, err
	}
	if q.Text != "" && len(s.Load.Lacking()) > 0 { // the text may have filters that Find refuses
		if _, err := s.Find(ctx, index.Query{Text: q.Text, Filters: q.Filters, Scope: q.Scope, LiteralPlaces: q.LiteralPlaces, Limit: 1}); err != nil {
			return nil, err
		}
	}
	numbers, err := ix.Numbers(ctx, q, most)
	s.counters.query(Exports, err)
	if err != nil {
		return nil, s.Internals().Wrap("numbers", err)
	}
	return numbers, nil
}

// matches reads the records of hits, in their order: all companies with one statement, and with one
// more each branch that is not among the first fifty establishments of its company.
func (s *Snapshot) matches(ctx context.Context, hits []index.Hit) ([]Match, error) {
	roots := map[cnpj.Root]bool{}
	for _, hit := range hits {
		roots[hit.CNPJ.Root()] = true
	}
	companies, err := s.Companies(ctx, slices.Collect(maps.Keys(roots)))
	if err != nil {
		return nil, err
	}
	matches := make([]Match, 0, len(hits))
	for _, hit := range hits {
		h := companies[hit.CNPJ.Root()]
		if h == nil {
			return nil, ErrIndexAhead
		}
		e, err := s.Establishment(ctx, h, hit.CNPJ.Order())
		if registry.IsAbsent(err) { // of what the index has that is a failure, not a 404
			err = ErrIndexAhead
		}
		if err != nil {
			return nil, err
		}
		matches = append(matches, Match{Head: h, Establishment: e, Why: hit.Why})
	}
	return matches, nil
}

// namePartners sets Match.Partner: the first partner whose name has the most of the words, written or
// heard; the beginning of a word, if there is one, decides between equals. It does so for matches that
// were found by a partner, or for all but those found by their number if the search was restricted to
// partners (all). It ends after [mostPartnersNamed] rows.
func (s *Snapshot) namePartners(ctx context.Context, words []string, begun string, all bool, matches []Match) error {
	meant := make([][]string, len(words))
	for i, word := range words {
		meant[i] = term.ByEar(word)
	}
	left, wholly := mostPartnersNamed, 2*len(words)
	if begun != "" {
		wholly++
	}
	for i := range matches {
		m := &matches[i]
		if m.Why == index.WhyCNPJ || m.Why != index.WhyPartner && !all {
			continue
		}
		most := 0
		err := s.Partners(ctx, m.Head, registry.Range{Limit: min(m.Partners, left)}, func(p *record.Partner) error {
			left--
			if n := common(words, meant, begun, term.Words(p.NomeSocio)); n > most {
				most, m.Partner = n, new(*p)
			}
			if most == wholly {
				return errFound
			}
			return nil
		})
		if err != nil && !errors.Is(err, errFound) {
			return err
		}
	}
	return nil
}

// common returns how much words have in common with a name: two for each word that is in it, one for
// each that only sounds like one of it, and one if a word of it begins so. meant is what the words may sound like.
func common(words []string, meant [][]string, begun string, name []string) int {
	n := 0
	for i, word := range words {
		if slices.Contains(name, word) {
			n += 2
			continue
		}
		if slices.ContainsFunc(name, func(part string) bool {
			return slices.ContainsFunc(term.Sounds(part), func(sound string) bool { return slices.Contains(meant[i], sound) })
		}) {
			n++
		}
	}
	if begun != "" && slices.ContainsFunc(name, func(word string) bool { return strings.HasPrefix(word, begun) }) {
		n++
	}
	return n
}
