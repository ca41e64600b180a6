package column

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
)

// opened is an order by opening of documents whose days are known; 0 for none.
type opened struct {
	*Columns
	days []int64
	rng  *rand.Rand
}

func writeOpened(t *testing.T, docs int) *opened {
	t.Helper()
	o := &opened{&Columns{Docs: uint32(docs)}, make([]int64, docs), rand.New(rand.NewPCG(9, uint64(docs)))}
	listed := make([]uint32, docs)
	for doc := range o.days {
		o.days[doc], listed[doc] = int64(o.rng.IntN(max(docs/3, 2))), uint32(doc)
	}
	slices.SortStableFunc(listed, func(a, b uint32) int { return int(o.days[b] - o.days[a]) })
	dir := t.TempDir()
	err := WriteOrder(dir, ByOpening, func(w *OrderWriter) error {
		for _, doc := range listed {
			key := []byte(unknown)
			if day := o.days[doc]; day > 0 {
				key = binary.BigEndian.AppendUint64(nil, 1<<63-1-uint64(day))
			}
			if err := w.Add(key, []uint32{doc}); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = o.openOrder(dir, ByOpening, int64(docs))
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, f := range append(o.mapped, o.orders[ByOpening]) {
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	return o
}

// TestRangesAndPagesOfAnOrder compares ranges and pages with a scan, for sizes around those of groups and stages.
func TestRangesAndPagesOfAnOrder(t *testing.T) {
	t.Parallel()
	for _, docs := range []int{1, 63, 64, 65, 4095, 4097, 70_001} {
		t.Run(fmt.Sprint(docs), func(t *testing.T) {
			t.Parallel()
			o := writeOpened(t, docs)
			for range 40 {
				o.checkRange(t)
				o.checkPage(t)
			}
		})
	}
}

func (o *opened) checkRange(t *testing.T) {
	t.Helper()
	from, to := int64(1+o.rng.IntN(len(o.days))), int64(o.rng.IntN(len(o.days)))
	if o.rng.IntN(3) == 0 {
		from = 0
	}
	first := uint32(o.rng.IntN(len(o.days)))
	docs := 1 + uint32(o.rng.IntN(len(o.days)-int(first)))
	r, marks := o.keyed(ByOpening, from, to), make([]uint64, (docs+63)/64)
	r.Mark(first, docs, marks)
	for i := range uint32(64 * len(marks)) {
		in := false
		if doc := first + i; i < docs {
			day := o.days[doc]
			if in = day > 0 && day >= from && day <= to; r.Has(doc) != in {
				t.Fatalf("document %d of day %d is in %d to %d: %v", doc, day, from, to, !in)
			}
		}
		if marked := marks[i/64]>>(i%64)&1 == 1; marked != in {
			t.Fatalf("mark %d of %d documents from %d on is %v for %d to %d", i, docs, first, marked, from, to)
		}
	}
}

func (o *opened) checkPage(t *testing.T) {
	t.Helper()
	sequence := o.Sequence(ByOpening, o.rng.IntN(2) == 0)
	docs, share := roaring.New(), o.rng.Float64()*o.rng.Float64()
	for doc := range o.Docs {
		if o.rng.Float64() < share {
			docs.Add(doc)
		}
	}
	if docs.IsEmpty() {
		return
	}
	var want []uint32
	for position := range o.Docs {
		if docs.Contains(sequence.Doc(position)) {
			want = append(want, position)
		}
	}
	kept := &Selection{Parts: []Part{{0, docs}}, Total: len(want), Work: &Scratch{}}
	from := o.rng.IntN(len(want))
	to := min(from+1+o.rng.IntN(20), len(want))
	if got := kept.Page(&sequence, from, to); !slices.Equal(got, want[from:to]) {
		t.Fatalf("%d to %d of %d kept, backward %v: %d, want %d", from, to, len(want), sequence.Backward, got, want[from:to])
	}
	kept.skip = from
	got, complete := kept.pickStage(&sequence, to)
	if !complete && !sequence.Backward {
		t.Fatalf("%d to %d of %d kept are not found by stage", from, to, len(want))
	}
	if complete && !slices.Equal(got, want[from:to]) {
		t.Fatalf("%d to %d of %d kept by stage, backward %v: %d, want %d", from, to, len(want), sequence.Backward, got, want[from:to])
	}
}
