package snapshot

import (
	"context"
	"fmt"
	"slices"

	"razao/index"
	"razao/index/filter"
	"razao/internal/cnpj"
	"razao/internal/record"
	"razao/internal/registry/pack"
)

// Match is one establishment that was found, with its company and the reason.
type Match struct {
	*pack.Head    // of the company; matches of one company share it
	Establishment record.Establishment
	Why           index.Why
	Partner       *record.Partner // who was found by name, nil when it was not a partner
}

// Name is what people call the establishment: the company's name or, without one, the trade name or the number.
func (m *Match) Name() string { return m.Head.NameOf(&m.Establishment) }

// Found is one page of what a query finds.
type Found struct {
	Matches      []Match // never nil; in the order of the query
	Total        int
	TotalIsFloor bool // there are more than Total
	// Establishments is how many there are in all when companies stand for theirs; a floor with Total.
	Establishments int
	Understood     index.Understood
}

// Find answers a query with establishments. The errors are *filter.Error, *IndexError, *SourceError, ErrIndexAhead, those of ctx, of the
// index and of the records.
func (s *Snapshot) Find(ctx context.Context, q index.Query) (Found, error) {
	ix, err := s.indexFor(ctx, &q)
	if err != nil {
		return Found{}, err
	}
	r, err := ix.Search(ctx, q)
	s.asked.search(r, err)
	if err != nil {
		return Found{}, s.troubled("search", err)
	}
	matches, err := s.matches(ctx, r.Hits)
	if err == nil {
		err = s.namePartners(ctx, q.Text, r.Understood.Corrections, q.Scope == index.InPartners, matches)
	}
	return Found{matches, r.Total, r.TotalIsFloor, r.Establishments, r.Understood}, err
}

// indexFor returns the index. When the query filters by contacts it first learns which of them are hidden, so that hiding one takes effect
// with the next question to any process.
func (s *Snapshot) indexFor(ctx context.Context, q *index.Query) (*index.Index, error) {
	ix, err := s.index()
	if err != nil || !q.Filters.AsksContact() {
		return ix, err
	}
	hidden, err := s.view.HiddenContacts(ctx)
	if err != nil {
		return nil, err
	}
	return ix, s.troubled("hide contacts", ix.Hide(hidden))
}

// Suggest completes what is being typed with at most n establishments, whole names first.
func (s *Snapshot) Suggest(ctx context.Context, text string, n int) ([]Match, error) {
	ix, err := s.index()
	if err != nil {
		return nil, err
	}
	hits, err := ix.Suggest(ctx, text, n)
	s.asked.question(Suggestions, err)
	if err != nil {
		return nil, s.troubled("suggest", err)
	}
	matches, err := s.matches(ctx, hits)
	if err == nil {
		err = s.namePartners(ctx, text, nil, false, matches)
	}
	return matches, err
}

// Facets counts what a query finds by every filter, each as if it had no filter itself. The result must not be changed.
func (s *Snapshot) Facets(ctx context.Context, q index.Query) (index.Facets, error) {
	ix, err := s.indexFor(ctx, &q)
	if err != nil {
		return nil, err
	}
	counts, err := ix.Facets(ctx, q)
	s.asked.question(FacetCounts, err)
	if err != nil {
		return nil, s.troubled("count by filters", err)
	}
	return counts, nil
}

// StateOf says what positions in the results of a search with these filters belong to: the index, the loads of the sources by which it is
// narrowed and, for what is in force, the day.
func (s *Snapshot) StateOf(f filter.Set) string {
	state := "index " + s.IndexName()
	for _, id := range f.Sources() {
		state += fmt.Sprint(" ", id, " ", s.LoadOf(id))
	}
	if f.Has(filter.Sanction) {
		state += " " + record.Today().String()
	}
	return state
}

// SourceError is the error of a query that filters by a source of which the index does not know whom it has records of. The
// rest of the snapshot answers.
type SourceError = index.SourceError

// exportedAtOnce is how many companies of an export are read in one round trip.
const exportedAtOnce = 500

// Export calls visit for the first most establishments that a query finds. They come in the order of their numbers, in which records lie
// together; nth, from 0 on without a gap, is the place of each in the order of the query.
func (s *Snapshot) Export(ctx context.Context, q index.Query, most int, visit func(nth int, m *Match)) error {
	ix, err := s.indexFor(ctx, &q)
	if err != nil {
		return err
	}
	var hits []index.Hit
	nth := map[cnpj.Full]int{}
	err = ix.Each(ctx, q, most, func(number cnpj.Full) error {
		nth[number] = len(hits)
		hits = append(hits, index.Hit{CNPJ: number, Why: index.WhyListed})
		return nil
	})
	s.asked.question(Exports, err)
	if err != nil {
		return s.troubled("export", err)
	}
	slices.SortFunc(hits, func(a, b index.Hit) int { return int(a.CNPJ - b.CNPJ) })
	for part := range slices.Chunk(hits, exportedAtOnce) {
		matches, err := s.matches(ctx, part)
		if err != nil {
			return err
		}
		for i := range matches {
			visit(nth[matches[i].Establishment.CNPJ], &matches[i])
		}
	}
	return nil
}

// matches reads the records of hits: their companies in one round trip, and one more for each branch that is not among the
// first fifty establishments of its company.
func (s *Snapshot) matches(ctx context.Context, hits []index.Hit) ([]Match, error) {
	companies, err := s.companies(ctx, hits)
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
		if err != nil {
			return nil, indexAhead(err)
		}
		matches = append(matches, Match{Head: h, Establishment: e, Why: hit.Why})
	}
	return matches, nil
}

// companies reads the companies of hits, each once.
func (s *Snapshot) companies(ctx context.Context, hits []index.Hit) (map[cnpj.Root]*pack.Head, error) {
	var roots []cnpj.Root
	byRoot := make(map[cnpj.Root]*pack.Head, len(hits))
	for _, hit := range hits {
		root := hit.CNPJ.Root()
		if _, known := byRoot[root]; !known {
			byRoot[root] = nil
			roots = append(roots, root)
		}
	}
	heads, err := s.view.Heads(ctx, roots)
	if err != nil {
		return nil, err
	}
	for i := range heads {
		byRoot[heads[i].Root] = &heads[i]
	}
	return byRoot, nil
}
