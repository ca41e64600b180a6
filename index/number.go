package index

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"razao/index/segment"
	"razao/internal/data/cnpj"
)

// byNumber adds the establishments whose CNPJ begins with the typed digits, by merging the key
// dictionaries of all shards in ascending order of the CNPJ. In another order it collects them by
// shard.
func (s *search) byNumber(ctx context.Context) error {
	if err := ctx.Err(); err != nil || s.number.Prefix == "" {
		return err
	}
	if s.query.Order != ByRank {
		return s.keepNumbers(ctx)
	}
	var keys segment.Merge
	filters := make([]*docFilter, len(s.shards))
	for i := range s.shards {
		v := s.shard(i)
		filters[i] = v.filter(s.filters)
		if err := keys.Add(v.View, i, s.number.First, s.number.Last); err != nil {
			return err
		}
	}
	last := cnpj.Root(-1)
	for c := keys.Least(); c != nil && !s.done() && s.eval.budget.visit(keyCost); c = keys.Least() {
		passes, err := filters[c.Shard].has(c.Doc)
		if err != nil {
			return err
		}
		if passes {
			s.addNumber(c, c.Key.Root() == last)
			last = c.Key.Root()
		}
		if err := keys.Next(); err != nil {
			return err
		}
	}
	return nil
}

// keepNumbers collects the establishments of the number range for another order. If the budget runs
// out, the most important ones are there, because shards are in rank order.
func (s *search) keepNumbers(ctx context.Context) error {
	for i := range s.index.shards {
		if err := ctx.Err(); err != nil || s.done() {
			return err
		}
		v := s.shard(i)
		found, err := v.between(s.number.First, s.number.Last)
		if err == nil && len(s.filters) > 0 && !isEmpty(found) {
			found, err = v.evaluate(allOf(s.filters...), found)
		}
		if err != nil {
			return err
		}
		if isEmpty(found) {
			continue
		}
		v.seen = found
		s.byCompany = s.wantsCompanies()
		if err := s.add(i, found, WhyCNPJ); err != nil {
			return err
		}
	}
	return nil
}

// rootLength is how many positions of a CNPJ are the root. Whoever types more wants establishments,
// not companies.
const rootLength = 8

// wantsCompanies reports whether numbers are collapsed by company.
func (s *search) wantsCompanies() bool {
	return s.query.ByCompany && len(s.number.Prefix) <= rootLength
}

// addNumber adds the establishment at a cursor. again says that another one of its company was
// added before.
func (s *search) addNumber(c *segment.Cursor, again bool) {
	v := s.shard(c.Shard)
	if v.seen == nil {
		v.seen = roaring.New()
	}
	v.seen.Add(c.Doc)
	if again && s.wantsCompanies() {
		s.page.collapsed++
		return
	}
	if s.query.ByCompany {
		s.claim(s.index.companies.Principal(v.base + c.Doc))
	}
	if first, last := s.page.take(1); first < last {
		s.page.hit(Hit{c.Key, WhyCNPJ}, v.base+c.Doc)
	}
}
