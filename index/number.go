package index

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"razao/index/bitmap"
	"razao/index/segment"
)

// byNumber adds the establishments of the number range, in the order of the numbers.
func (s *search) byNumber(ctx context.Context) error {
	if err := ctx.Err(); err != nil || s.number.Prefix == "" {
		return err
	}
	cursors, err := s.cursors()
	if err != nil {
		return err
	}
	for n := 0; len(cursors) > 0 && !s.done(); n++ {
		if n&0x3ff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		least := 0
		for i := range cursors {
			if cursors[i].Key < cursors[least].Key {
				least = i
			}
		}
		if c := &cursors[least]; c.allowed == nil || c.allowed.Contains(c.Doc) {
			s.addNumber(c)
		}
		more, err := cursors[least].Next()
		if err != nil {
			return err
		}
		if !more {
			cursors[least] = cursors[len(cursors)-1]
			cursors = cursors[:len(cursors)-1]
		}
	}
	if s.query.Order == ByRank {
		return nil
	}
	for i, v := range s.shards {
		if v != nil && !bitmap.IsEmpty(v.seen) {
			if err := s.add(i, v.seen, WhyCNPJ); err != nil {
				return err
			}
		}
	}
	return nil
}

// addNumber adds the establishment at a cursor.
func (s *search) addNumber(c *shardCursor) {
	v := s.shard(c.shard)
	if v.seen == nil {
		v.seen = roaring.New()
	}
	v.seen.Add(c.Doc)
	if s.query.Order == ByRank {
		if first, last := s.page.take(1); first < last {
			s.page.hits = append(s.page.hits, Hit{c.Key, WhyCNPJ})
		}
	}
}

// shardCursor walks the keys of one shard.
type shardCursor struct {
	segment.Cursor
	shard   int
	allowed *roaring.Bitmap // by the filters, nil for all
}

// cursors returns one for every shard that has a number of the range, at the first.
func (s *search) cursors() ([]shardCursor, error) {
	var out []shardCursor
	for i := range s.index.shards {
		c, ok, err := s.shard(i).Keys(s.number.First, s.number.Last)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		var allowed *roaring.Bitmap
		if len(s.filters) > 0 {
			if allowed, err = s.shard(i).evaluate(all(s.filters...), nil); err != nil {
				return nil, err
			}
			if bitmap.IsEmpty(allowed) {
				continue
			}
		}
		out = append(out, shardCursor{c, i, allowed})
	}
	return out, nil
}
