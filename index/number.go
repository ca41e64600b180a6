package index

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"razao/index/bitmap"
	"razao/index/match"
	"razao/index/segment"
	"razao/internal/cnpj"
)

// byNumber adds the establishments of the number range, in the order of the numbers.
func (s *search) byNumber(ctx context.Context) error {
	if err := ctx.Err(); err != nil || s.number.Prefix == "" {
		return err
	}
	if s.query.Order != ByRank {
		return s.keepNumbers(ctx)
	}
	var keys segment.Merge
	allowed := make([]allowance, len(s.shards))
	for i := range s.shards {
		if err := keys.Add(s.shard(i).View, i, s.number.First, s.number.Last); err != nil {
			return err
		}
	}
	last := cnpj.Root(-1)
	for c := keys.Least(); c != nil && !s.done() && s.budget.Visit(keyVisit); c = keys.Least() {
		may, err := allowed[c.Shard].has(s.shard(c.Shard), c.Doc)
		if err != nil {
			return err
		}
		if may {
			s.addNumber(c, c.Key.Root() == last)
			last = c.Key.Root()
		}
		if err := keys.Next(); err != nil {
			return err
		}
	}
	return nil
}

// keepNumbers keeps the establishments of the number range for another order. A budget that is spent leaves the most important ones: shards
// are in rank order.
func (s *search) keepNumbers(ctx context.Context) error {
	for i := range s.index.shards {
		if err := ctx.Err(); err != nil || s.done() {
			return err
		}
		v := s.shard(i)
		found, err := v.numbered(s.number.First, s.number.Last)
		if err == nil && len(s.filters) > 0 && !bitmap.IsEmpty(found) {
			found, err = v.evaluate(match.All(s.filters...), found)
		}
		if err != nil {
			return err
		}
		if bitmap.IsEmpty(found) {
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

// keyVisit is the work of walking one key, in bytes of postings that are intersected meanwhile.
const keyVisit = 384

// numbered returns the documents of a shard whose numbers are from first to last, both included, as many as the budget allows.
func (v *shardSearch) numbered(first, last cnpj.Full) (*roaring.Bitmap, error) {
	c, more, err := v.Keys(first, last)
	if err != nil || !more {
		return nil, err
	}
	marks := v.search.work.Bits(int(v.Docs()))
	for ; more && v.search.budget.Visit(keyVisit); more, err = c.Next() {
		marks[c.Doc/64] |= 1 << (c.Doc % 64)
	}
	return roaring.FromDense(marks, true), err
}

// allowance is what the filters leave of a shard. Most texts that may be a number, like words of letters, are none: it is asked document by
// document before it is read as a whole.
type allowance struct {
	asked int
	docs  *roaring.Bitmap
}

const fewAsked = 64

func (a *allowance) has(v *shardSearch, doc uint32) (_ bool, err error) {
	s := v.search
	if len(s.filters) == 0 {
		return true, nil
	}
	a.asked++
	if a.asked <= fewAsked {
		docs, err := v.evaluate(match.All(s.filters...), roaring.BitmapOf(doc))
		return !bitmap.IsEmpty(docs), err
	}
	if a.asked == fewAsked+1 {
		a.docs, err = v.evaluate(match.All(s.filters...), nil)
	}
	return !bitmap.IsEmpty(a.docs) && a.docs.Contains(doc), err
}

// rootLength is how many positions of a CNPJ are the company's: who types more of them wants its establishments.
const rootLength = 8

// wantsCompanies says whether one establishment stands for each company that the number may be of.
func (s *search) wantsCompanies() bool {
	return s.query.ByCompany && len(s.number.Prefix) <= rootLength
}

// addNumber adds the establishment at a cursor; again says that one of its company has been added.
func (s *search) addNumber(c *segment.Cursor, again bool) {
	v := s.shard(c.Shard)
	if v.seen == nil {
		v.seen = roaring.New()
	}
	v.seen.Add(c.Doc)
	if again && s.wantsCompanies() {
		s.page.grouped++
		return
	}
	if s.query.ByCompany {
		s.stand(s.index.companies.Principal(v.base + c.Doc))
	}
	if first, last := s.page.take(1); first < last {
		s.page.hit(Hit{c.Key, WhyCNPJ}, v.base+c.Doc)
	}
}
