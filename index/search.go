package index

import (
	"context"
	"fmt"

	"razao/index/folder"
	"razao/index/gate"
	"razao/internal/cnpj"
)

// Search answers a query. Any text is allowed: one without a word or a number, or longer than a name can be, finds
// nothing. Pages of the same query are stable and never repeat a hit. The errors are *filter.Error, those of ctx and of
// reading the index.
func (ix *Index) Search(ctx context.Context, q Query) (Results, error) {
	r, err := gate.Once(ctx, ix.Gate, &ix.flights, q, func() (Results, error) {
		p := &page{skip: max(q.Offset, 0), limit: max(q.Limit, 0), count: MaxTotal, hits: []Hit{}}
		s, err := ix.answer(ctx, &q, p, gate.NewBudget(ix.columns.Docs))
		if err != nil {
			return Results{}, err
		}
		return Results{
			Hits: p.hits, Total: min(p.total, MaxTotal), TotalIsFloor: p.total > MaxTotal || s.cut(), Establishments: p.total + p.collapsed, Understood: s.understood,
		}, nil
	})
	if err != nil {
		return Results{Hits: []Hit{}}, fmt.Errorf("search: %w", err)
	}
	return r, nil
}

// cut says that there may be more than was found. Of words that nothing has as they stand, only guesses are cut.
func (s *search) cut() bool {
	return s.eval.Budget.Spent && (s.page.total > 0 || s.query.Text == "")
}

// Each hands on the hits of a query one by one in their order, the first max of them, whatever its Offset and Limit.
// It returns the error of visit at once.
func (ix *Index) Each(ctx context.Context, q Query, max int, visit func(cnpj.Full) error) error {
	if max <= 0 {
		return nil
	}
	leave, err := ix.Gate.Enter(ctx, gate.Count)
	if err != nil {
		return err
	}
	defer leave()
	p := &page{limit: max}
	if _, err := ix.answer(ctx, &q, p, gate.Boundless()); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	for i, hit := range p.hits {
		if i&0x3ff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := visit(hit.CNPJ); err != nil {
			return err
		}
	}
	return nil
}

// answer fills a page with the hits of a query.
func (ix *Index) answer(ctx context.Context, q *Query, p *page, b gate.Budget) (_ *search, err error) {
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

// Suggest completes what is being typed: at most n companies, whole names first, then active ones that have all
// the words, in any order, the last one taken as a beginning, by importance; or, for a number, those that begin with
// it, in order.
func (ix *Index) Suggest(ctx context.Context, text string, n int) ([]Hit, error) {
	hits, err := gate.Once(ctx, ix.Gate, &ix.flights, completion{text, n}, func() ([]Hit, error) {
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

// completion is the question of Suggest.
type completion struct {
	typed string
	n     int
}

func (ix *Index) complete(ctx context.Context, q *Query) (_ *search, err error) {
	defer ix.noteDamage(&err)
	defer folder.Guard(&err)()
	s := ix.begin(q, &page{limit: max(q.Limit, 0), hits: []Hit{}}, gate.NewBudget(ix.columns.Docs))
	defer s.end()
	if err := s.suggest(ctx); err != nil {
		return nil, err
	}
	return s, s.showHeadOffices()
}

// page gathers hits: it skips, keeps up to limit, and goes on counting until there are more than count.
type page struct {
	skip, limit int
	count       int // 0: the total is of no interest
	hits        []Hit
	docs        []uint32 // of the hits
	total       int
	collapsed   int // establishments for which others stand
}

// hit adds a hit and its document.
func (p *page) hit(h Hit, doc uint32) { p.hits, p.docs = append(p.hits, h), append(p.docs, doc) }

// done says that nothing more is wanted.
func (p *page) done() bool { return len(p.hits) >= p.limit && (p.count == 0 || p.total > p.count) }

// take counts n more matches and returns which of them, from first on, belong to the page.
func (p *page) take(n int) (first, last int) {
	first = min(max(p.skip-p.total, 0), n)
	last = min(first+p.limit-len(p.hits), n)
	p.total += n
	return first, last
}
