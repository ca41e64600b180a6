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
	var keys segment.Merge
	allowed := make([]allowance, len(s.shards))
	for i := range s.shards {
		if err := keys.Add(s.shard(i).View, i, s.number.First, s.number.Last); err != nil {
			return err
		}
	}
	last := cnpj.Root(-1)
	for n := 1; !s.done(); n++ {
		if n&0x3ff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		c := keys.Least()
		if c == nil {
			break
		}
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
	if s.query.Order == ByRank {
		return nil
	}
	for i, v := range s.shards {
		if v != nil && !bitmap.IsEmpty(v.numbered) {
			if err := s.add(i, v.numbered, WhyCNPJ); err != nil {
				return err
			}
		}
	}
	return nil
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

// addNumber adds the establishment at a cursor; again says that one of its company has been added.
func (s *search) addNumber(c *segment.Cursor, again bool) {
	v := s.shard(c.Shard)
	if v.seen == nil {
		v.seen = roaring.New()
		if v.numbered = v.seen; s.query.ByCompany {
			v.numbered = roaring.New()
		}
	}
	v.seen.Add(c.Doc)
	if again && s.query.ByCompany && len(s.number.Prefix) <= rootLength {
		s.page.grouped++
		return
	}
	if s.query.ByCompany {
		v.numbered.Add(c.Doc)
		s.stand(s.index.companies.Principal(v.base + c.Doc))
	}
	if s.query.Order != ByRank {
		return
	}
	if first, last := s.page.take(1); first < last {
		s.page.hit(Hit{c.Key, WhyCNPJ}, v.base+c.Doc)
	}
}
