package column

import (
	"github.com/RoaringBitmap/roaring/v2"

	"razao/index/bitmap"
)

// Local is a range among the documents of one shard. Documents are looked up one by one until that has cost about as much as to read the
// column through, which answers all that is asked later: the ski-rental rule, at most twice the cost of knowing beforehand. Not safe for
// concurrent use.
type Local struct {
	r           Range
	first, docs uint32
	lookedUp    int
	all         *roaring.Bitmap // once known
	known       bool
}

// NewLocal returns the part of a range that is among so many documents from one on.
func NewLocal(r Range, first, docs uint32) *Local { return &Local{r: r, first: first, docs: docs} }

// Known returns a range that is known already.
func Known(docs *roaring.Bitmap) *Local { return &Local{all: docs, known: true} }

// lookUpShare is the share of the documents of a shard that are looked up in the time in which the column is read through.
const lookUpShare = 1.0 / 16

// samples is how many documents tell how common a range is: enough to tell one that leaves few.
const samples = 64

// Unsampled is the share of documents below which none of a sample may be in a range.
const Unsampled = 1.0 / samples

// Estimate returns about how many documents are in the range.
func (l *Local) Estimate() int {
	if l.known {
		return bitmap.Size(l.all)
	}
	in := 0
	for i := range uint64(samples) {
		if l.r.Has(l.first + uint32(i*uint64(l.docs)/samples)) {
			in++
		}
	}
	return in * int(l.docs) / samples
}

// LooksUp says whether so many more documents would be looked up one by one.
func (l *Local) LooksUp(docs int) bool {
	return !l.known && float64(l.lookedUp+docs) < lookUpShare*float64(l.docs)
}

// All returns the documents in the range, by their numbers in the shard.
func (l *Local) All() *roaring.Bitmap {
	if !l.known {
		marks := make([]uint64, (l.docs+63)/64)
		l.r.Mark(l.first, l.docs, marks)
		l.all, l.known = roaring.FromDense(marks, true), true
	}
	return l.all
}

// LookUp returns those of some documents that are in the range.
func (l *Local) LookUp(docs *roaring.Bitmap, work *bitmap.Scratch) *roaring.Bitmap {
	l.lookedUp += bitmap.Size(docs)
	in := roaring.New()
	var some []uint32
	work.Containers(docs, func(first uint32, lows []uint16) {
		some = some[:0]
		for _, low := range lows {
			if doc := first | uint32(low); l.r.Has(l.first + doc) {
				some = append(some, doc)
			}
		}
		in.AddMany(some)
	})
	return in
}
