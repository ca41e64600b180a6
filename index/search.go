package index

import (
	"context"
	"fmt"
	"slices"

	"razao/index/folder"
	"razao/internal/data/cnpj"
)

// Search answers a query with one page. Any text is allowed: one without words or longer than any
// name finds nothing. Pages of a query are consistent with each other, because the index does not
// change. A query that exhausts its budget is answered with what it has found. The
// errors are *filter.Error, *SourceError, folder.ErrDamaged and that of ctx.
func (ix *Index) Search(ctx context.Context, q Query) (Results, error) {
	r, err := once(ctx, ix.limiter, &ix.flights, q, func() (Results, error) {
		p := &page{skip: max(q.Offset, 0), limit: max(q.Limit, 0), count: MaxTotal, hits: []Hit{}}
		s, err := ix.answer(ctx, &q, p, newBudget(ix.columns.Docs))
		if err != nil {
			return Results{}, err
		}
		return Results{
			Hits: p.hits, Total: min(p.total, MaxTotal), TotalIsFloor: p.total > MaxTotal || s.cut(), Establishments: p.total + p.collapsed, Understood: s.understood,
			Work: s.eval.budget.work,
		}, nil
	})
	if err != nil {
		return Results{Hits: []Hit{}}, fmt.Errorf("search: %w", err)
	}
	return r, nil
}

// cut reports whether the budget was spent so that matches may be missing. When a text has no hits,
// the budget went into corrections of it, and the empty result as typed is complete.
func (s *search) cut() bool {
	return s.eval.budget.spent && (s.page.total > 0 || s.query.Text == "")
}

// Numbers returns the hits of a query in their order, at most max of them, ignoring Offset and Limit. It
// has no budget and weighs as much as a count in the limiter.
func (ix *Index) Numbers(ctx context.Context, q Query, max int) ([]cnpj.Full, error) {
	if max <= 0 {
		return nil, nil
	}
	leave, err := ix.limiter.enter(ctx, countWeight)
	if err != nil {
		return nil, err
	}
	defer leave()
	p := &page{limit: max}
	if _, err := ix.answer(ctx, &q, p, boundless()); err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	numbers := make([]cnpj.Full, len(p.hits))
	for i := range p.hits {
		numbers[i] = p.hits[i].CNPJ
	}
	return numbers, nil
}

// answer runs a query within a budget and fills p with its hits. It is Search once the limiter has admitted it.
func (ix *Index) answer(ctx context.Context, q *Query, p *page, b budget) (_ *search, err error) {
	defer ix.noteDamage(&err)
	defer folder.Guard(&err)()
	if err := q.validate(); err != nil {
		return nil, err
	}
	s := ix.begin(q, p, b)
	defer s.end()
	if err := s.gather(ctx); err != nil {
		return nil, err
	}
	if q.Order != ByRank && !s.scan.complete {
		s.collapseFound()
	}
	if err := s.order(ctx); err != nil {
		return nil, err
	}
	return s, s.showHeadOffices()
}

// Suggest completes what is being typed: at most n companies, whole names first, then active ones
// that have all words in any order, the last word taken as a prefix, by importance; at last companies
// of partners with such a name, for whom there is always room. A number is
// completed to those that begin with it, in ascending order. The result may be shared with
// identical queries and must not be changed.
func (ix *Index) Suggest(ctx context.Context, text string, n int) ([]Hit, error) {
	hits, err := once(ctx, ix.limiter, &ix.flights, completion{text, n}, func() ([]Hit, error) {
		s, err := ix.complete(ctx, &Query{Text: text, Limit: n, ByCompany: true})
		if err != nil {
			return nil, err
		}
		return s.page.hits, nil
	})
	if err != nil {
		return nil, fmt.Errorf("suggestion: %w", err)
	}
	return hits, nil
}

// completion is the singleflight key of Suggest.
type completion struct {
	typed string
	n     int
}

// complete is Suggest once the limiter has admitted it.
func (ix *Index) complete(ctx context.Context, q *Query) (_ *search, err error) {
	defer ix.noteDamage(&err)
	defer folder.Guard(&err)()
	s := ix.begin(q, &page{limit: max(q.Limit, 0), hits: []Hit{}}, newBudget(ix.columns.Docs))
	defer s.end()
	if err := s.suggest(ctx); err != nil {
		return nil, err
	}
	return s, s.showHeadOffices()
}

// page collects hits: it skips the first, keeps up to limit, and counts on until the total exceeds
// count.
type page struct {
	skip, limit int
	count       int // 0 if the total does not matter
	hits        []Hit
	docs        []uint32 // documents of the hits
	total       int      // matches so far; companies when collapsed
	collapsed   int      // establishments dropped because another one represents their company
}

// hit appends a hit and its document.
func (p *page) hit(h Hit, doc uint32) { p.hits, p.docs = append(p.hits, h), append(p.docs, doc) }

// grow makes room for n more hits.
func (p *page) grow(n int) { p.hits, p.docs = slices.Grow(p.hits, n), slices.Grow(p.docs, n) }

// done reports whether the page is full and the total known as far as it matters: early
// termination.
func (p *page) done() bool { return len(p.hits) >= p.limit && (p.count == 0 || p.total > p.count) }

// take counts n more matches and returns which of them, from first (included) to last (excluded),
// belong on the page.
func (p *page) take(n int) (first, last int) {
	first = min(max(p.skip-p.total, 0), n)
	last = min(first+p.limit-len(p.hits), n)
	p.total += n
	return first, last
}
