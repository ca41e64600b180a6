package index

import (
	"context"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"

	"razao/index/filter"
	"razao/index/folder"
	"razao/internal/data/cnpj"
)

// Numbers is a range of establishments, both ends included: one, or all of a company.
type Numbers struct{ First, Last cnpj.Full }

// Company returns the numbers of all establishments of a company.
func Company(root cnpj.Root) Numbers {
	return Numbers{cnpj.Join(root, 0), cnpj.Join(root, cnpj.Orders-1)}
}

// Among reports for each of the ranges whether one of its establishments passes the filters, of which those on records of
// sources look at those of the whole company. It weighs as much as a count in the limiter. The errors are those of Search.
func (ix *Index) Among(ctx context.Context, f filter.Set, ranges []Numbers) (passes []bool, err error) {
	leave, err := ix.limiter.enter(ctx, countWeight)
	if err != nil {
		return nil, err
	}
	defer leave()
	defer ix.noteDamage(&err)
	defer folder.Guard(&err)()
	q := Query{Filters: f, CompanyRecords: true}
	if err := q.validate(); err != nil {
		return nil, err
	}
	s := ix.begin(&q, &page{}, boundless())
	defer s.end()
	passes = make([]bool, len(ranges))
	found := make([]*roaring.Bitmap, len(ranges))
	for i := range ix.shards {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v := s.shard(i)
		candidates := roaring.New()
		for n, r := range ranges {
			if found[n] = nil; passes[n] {
				continue
			}
			found[n] = roaring.New()
			c, more, err := v.Keys(r.First, r.Last)
			for ; more && err == nil; more, err = c.Next() {
				found[n].Add(c.Doc)
			}
			if err != nil {
				return nil, fmt.Errorf("filter numbers: %w", err)
			}
			candidates.Or(found[n])
		}
		docs, err := v.evaluate(allOf(s.filters...), candidates)
		if err != nil {
			return nil, fmt.Errorf("filter numbers: %w", err)
		}
		for n := range ranges {
			passes[n] = passes[n] || !isEmpty(found[n]) && !isEmpty(docs) && docs.Intersects(found[n])
		}
	}
	return passes, nil
}
