package flags

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"razao/index/folder"
)

// FuzzDecode decodes arbitrary shards below a fitting header and checksum. Whatever is accepted has
// a bitmap for each shard, no document beyond the shard, and values for some of its documents only.
func FuzzDecode(f *testing.F) {
	m := &folder.Manifest{BuiltAt: time.Unix(1, 0), Shards: []folder.Shard{{Docs: 100}, {Docs: 5}}}
	none := []byte{8, 0, 0, 0, 0x3a, 0x30, 0, 0, 0, 0, 0, 0}
	f.Add(int64(0), slices.Concat(none, none, none, none))
	f.Add(int64(0), []byte{255, 255, 255, 255, 0x3b, 0x30, 1, 0})
	f.Add(int64(1<<measures), slices.Concat(none, none, none, none))
	var r Records
	r.Add(1, 1, Value{Total, 100, 100})
	r.Add(2, 2, Value{InForce, math.MinInt64, 5}, Value{InForce, 7, math.MaxInt64}, Value{Year, 2020, 2020}, Value{Year, 2022, 2022})
	docs, err := roaring.BitmapOf(3, 50).ToBytes()
	if err != nil {
		f.Fatal(err)
	}
	whole := append(binary.LittleEndian.AppendUint32(nil, uint32(len(docs))), docs...)
	for m := range measures {
		for thing := range r.establishments.all {
			whole = r.establishments.columns[m].appendThing(whole, thing)
		}
	}
	f.Add(r.measured(), slices.Concat(whole, none, none, none))
	f.Add(r.measured(), slices.Concat(whole, whole, none, none))
	f.Fuzz(func(t *testing.T, measured int64, shards []byte) {
		s, err := decode(encode(m, 7, measured, [][]byte{shards}), m, 7)
		if err != nil {
			return
		}
		for i := range m.Shards {
			docs := s.In(i)
			of := s.InOfCompanies(i)
			if !of.IsEmpty() && int64(of.Maximum()) >= m.Shards[i].Docs || of.AndCardinality(docs) < docs.GetCardinality() {
				t.Errorf("shard %d has %v of companies, and %v", i, of, docs)
			}
			if !docs.IsEmpty() && int64(docs.Maximum()) >= m.Shards[i].Docs {
				t.Errorf("shard %d has no document %d", i, docs.Maximum())
			}
			for m := range Measure(measures) {
				all := s.Between(i, m, math.MinInt64, math.MaxInt64)
				if values := s.BetweenOfCompanies(i, m, math.MinInt64, math.MaxInt64); values != nil && values.AndCardinality(of) < values.GetCardinality() {
					t.Errorf("shard %d, measure %d: %v of companies of %v", i, m, values, of)
				}
				if measured>>m&1 == 0 && all != nil {
					t.Errorf("shard %d has values of %d, which the file has not", i, m)
				}
				for _, bounds := range [][2]int64{{math.MinInt64, -1}, {0, 0}, {1, math.MaxInt64}} {
					some := s.Between(i, m, bounds[0], bounds[1])
					if some != nil && (some.IsEmpty() || some.AndCardinality(all) < some.GetCardinality() || all.AndCardinality(docs) < all.GetCardinality()) {
						t.Errorf("shard %d, measure %d, %d: %v of %v of %v", i, m, bounds, some, all, docs)
					}
				}
			}
		}
	})
}
