package column

import (
	"github.com/RoaringBitmap/roaring/v2"
)

// Local is a [Range] within one shard, which chooses between two ways of evaluation: look documents
// up one by one, or read the column through into a bitmap that answers everything from then on.
//
// How often it will be asked is unknown, so it follows the ski-rental rule: it looks up (rents)
// until that has cost as much as reading the column (buys). The total is at most twice the cost of
// knowing beforehand. Not safe for concurrent use.
type Local struct {
	r           Range
	first, docs uint32
	lookedUp    int             // documents so far
	all         *roaring.Bitmap // the range within the shard, once known
	known       bool
}

// NewLocal returns the part of r in the shard of docs documents that begins at document first of
// the index.
func NewLocal(r Range, first, docs uint32) *Local { return &Local{r: r, first: first, docs: docs} }

// Known returns a range whose documents are known, numbered within the shard; nil is the empty set.
func Known(docs *roaring.Bitmap) *Local { return &Local{all: docs, known: true} }

// lookUpShare is the break-even point: looking up this share of a shard's documents takes as long
// as reading its column through.
const lookUpShare = 1.0 / 64

// samples is how many documents are sampled for an estimate: enough to tell a selective range from
// a wide one.
const samples = 64

// Unsampled is the resolution of [Local.Estimate]: ranges with a smaller share of the documents may
// be estimated as empty.
const Unsampled = 1.0 / samples

// Estimate returns about how many documents are in the range, from a systematic sample of 64, or
// exactly once they are known. A selective range may give 0.
func (l *Local) Estimate() int {
	if l.known {
		if l.all == nil {
			return 0
		}
		return int(l.all.GetCardinality())
	}
	in := 0
	for i := range uint64(samples) {
		if l.r.Has(l.first + uint32(i*uint64(l.docs)/samples)) {
			in++
		}
	}
	return in * int(l.docs) / samples
}

// LooksUp reports whether looking up docs more documents is still cheaper than reading the column.
func (l *Local) LooksUp(docs int) bool {
	return !l.known && float64(l.lookedUp+docs) < lookUpShare*float64(l.docs)
}

// All returns the documents in the range, numbered within the shard. The first call reads the
// column through. The set must not be changed.
func (l *Local) All() *roaring.Bitmap {
	if !l.known {
		marks := make([]uint64, (l.docs+63)/64)
		l.r.Mark(l.first, l.docs, marks)
		l.all, l.known = roaring.FromDense(marks, false), true
	}
	return l.all
}

// LookUp returns those of docs, numbered within the shard, that are in the range. It reads the
// column at each of them. The result is the caller's.
func (l *Local) LookUp(docs *roaring.Bitmap, work *Scratch) *roaring.Bitmap {
	l.lookedUp += int(docs.GetCardinality())
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
