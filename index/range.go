package index

import (
	"github.com/RoaringBitmap/roaring/v2"

	"razao/index/bitmap"
	"razao/index/column"
	"razao/index/filter"
)

// local returns a range in a shard: of a column, or of what a source knows.
func (v *shardSearch) local(q *filter.Range) (*column.Local, error) {
	key := rangeKey{q.Measure, q.From, q.To}
	if r := v.ranges[key]; r != nil {
		return r, nil
	}
	if v.ranges == nil {
		v.ranges = map[rangeKey]*column.Local{}
	}
	docs, ofSource, err := v.search.index.sources.Range(v.number, q)
	if err != nil {
		return nil, err
	}
	if v.ranges[key] = column.Known(docs); !ofSource {
		v.ranges[key] = column.NewLocal(v.search.columnRange(q), v.base, v.Docs())
	}
	return v.ranges[key], nil
}

// inRange returns the documents of a range, of those in within unless that is nil.
func (v *shardSearch) inRange(q *filter.Range, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	r, err := v.local(q)
	if err != nil {
		return nil, err
	}
	if within == nil {
		v.spend(r.All())
		return r.All(), nil
	}
	if r.LooksUp(bitmap.Size(within)) {
		return r.LookUp(within, v.search.work), nil
	}
	return v.and(r.All(), within), nil
}

// columnRange returns the documents of a range of the index's own columns. One search asks every shard for it.
func (s *search) columnRange(q *filter.Range) column.Range {
	key := rangeKey{q.Measure, q.From, q.To}
	if r := s.ranges[key]; r != nil {
		return r
	}
	if s.ranges == nil {
		s.ranges = map[rangeKey]column.Range{}
	}
	s.ranges[key] = s.index.columns.Range(q)
	return s.ranges[key]
}

type rangeKey struct {
	measure  filter.Measure
	from, to int64
}
