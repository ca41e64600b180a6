package eval

import (
	"github.com/RoaringBitmap/roaring/v2"

	"razao/index/bitmap"
	"razao/index/column"
	"razao/index/filter"
)

// local returns the part of a range in this shard, memoized. What the public records of a source
// say is stored with its flags, everything else in columns.
func (s *Shard) local(q *filter.Range) (*column.Local, error) {
	key := rangeKey{q.Measure, q.From, q.To}
	if r := s.ranges[key]; r != nil {
		return r, nil
	}
	if s.ranges == nil {
		s.ranges = map[rangeKey]*column.Local{}
	}
	docs, ofSource, err := s.evaluator.Sources.Range(s.Number, q)
	if err != nil {
		return nil, err
	}
	if s.ranges[key] = column.Known(docs); !ofSource {
		s.ranges[key] = column.NewLocal(s.evaluator.Range(q), s.Base, s.Docs())
	}
	return s.ranges[key], nil
}

// inRange evaluates a range within a set, or in the whole shard if within is nil.
func (s *Shard) inRange(q *filter.Range, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	r, err := s.local(q)
	if err != nil {
		return nil, err
	}
	if within == nil {
		s.spend(r.All())
		return r.All(), nil
	}
	if r.LooksUp(bitmap.Size(within)) {
		return r.LookUp(within, s.evaluator.Scratch), nil
	}
	return s.And(r.All(), within), nil
}

// Range returns a range of the columns, for the whole index. It is memoized, because finding its
// ends and, for wide ones, marking its documents is done once for all shards.
func (e *Evaluator) Range(q *filter.Range) column.Range {
	key := rangeKey{q.Measure, q.From, q.To}
	if r := e.ranges[key]; r != nil {
		return r
	}
	if e.ranges == nil {
		e.ranges = map[rangeKey]column.Range{}
	}
	e.ranges[key] = e.Columns.Range(q)
	return e.ranges[key]
}

// rangeKey identifies a filter.Range by value; its queries are pointers.
type rangeKey struct {
	measure  filter.Measure
	from, to int64
}
