package index

import (
	"context"

	"razao/index/docset"
	"razao/index/intent"
	"razao/index/segment"
	"razao/internal/cnpj"
)

// byNumber adds the establishments of the number range, in the order of the numbers. When tiers follow it sees to it
// that they do not find them again.
func (s *search) byNumber(ctx context.Context, tiersFollow bool) error {
	if err := ctx.Err(); err != nil || s.number.Prefix == "" {
		return err
	}
	filter := s.read(intent.Words{})
	cursors, err := s.cursors()
	if err != nil {
		return err
	}
	for found := 0; len(cursors) > 0 && !s.done(); found++ {
		if found&0x3ff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		least := 0
		for i := range cursors {
			if cursors[i].Key < cursors[least].Key {
				least = i
			}
		}
		if err := s.addNumber(cursors[least].shard, cursors[least].Key, filter, tiersFollow); err != nil {
			return err
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
	return nil
}

// addNumber adds one establishment that is among those of filter.
func (s *search) addNumber(i int, number cnpj.Full, filter *reading, tiersFollow bool) error {
	if len(filter.clauses) == 0 && s.query.Order == ByRank && !tiersFollow {
		if first, last := s.page.take(1); first < last {
			s.page.hits = append(s.page.hits, Hit{number, WhyCNPJ})
		}
		return nil
	}
	v, err := s.reading(i, filter)
	if err != nil {
		return err
	}
	found, err := v.ByKey(number)
	if err != nil {
		return err
	}
	if found = v.narrow([]docset.Set{found}, v.conditions); len(found) == 0 {
		return nil
	}
	v.seen = s.work.Or(v.seen, found)
	return s.add(i, found, WhyCNPJ)
}

// shardCursor walks the keys of one shard.
type shardCursor struct {
	segment.Cursor
	shard int
}

// cursors returns one for every shard that has a number of the range, at the first.
func (s *search) cursors() ([]shardCursor, error) {
	var out []shardCursor
	for i := range s.index.shards {
		c, ok, err := s.shard(i).Keys(s.number.First, s.number.Last)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, shardCursor{c, i})
		}
	}
	return out, nil
}
