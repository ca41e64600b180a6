package flags

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"razao/internal/cnpj"
)

// Measure is something that the records about an establishment come to.
type Measure int

// The measures. Which ones a source has is declared in internal/source.
const (
	Total   Measure = iota // the sum of their amounts, in cents
	InForce                // every day, as a record.Date, on which one of them is in force; of one without a beginning, or end, all before, or after
	Year                   // every year that one of them is of

	measures int = iota
)

// Value is a value of a measure, or many: all from one to another, both included.
type Value struct {
	Measure  Measure
	From, To int64
}

// Records is what a load of a source has: whom it has records of, and what these come to. The zero value is a load without records.
type Records struct {
	owners  []owner
	columns [measures]column
}

// owner is establishments that a source has records of: all from a number to another, both included.
type owner struct{ first, last cnpj.Full }

// Add adds the establishments from a number to another, which are behind those that were added before, with the values that each of
// them has, in any order; none ends before it begins.
func (r *Records) Add(first, last cnpj.Full, values ...Value) {
	r.owners = append(r.owners, owner{first, last})
	slices.SortFunc(values, func(a, b Value) int {
		return cmp.Or(cmp.Compare(a.Measure, b.Measure), cmp.Compare(a.From, b.From))
	})
	for m := range r.columns {
		n := 0
		for n < len(values) && values[n].Measure == Measure(m) {
			n++
		}
		r.columns[m].add(values[:n])
		values = values[n:]
	}
}

// Len returns how many establishments, or ranges of them, were added.
func (r *Records) Len() int { return len(r.owners) }

// measured is the measures that the owners have any values of: bit m is measure m.
func (r *Records) measured() (mask int64) {
	for m := range r.columns {
		if len(r.columns[m].from) > 0 {
			mask |= 1 << m
		}
	}
	return mask
}

// column has the values of a measure of things in an order, owners or documents: of each some spans that rise and do not overlap.
type column struct {
	from []int64
	to   []int64  // nil: every span is one value
	ends []uint32 // where the spans of each thing end; nil: each has one
}

// add adds a thing with its values, in the order of where they begin.
func (c *column) add(values []Value) {
	before := len(c.from)
	for _, v := range values {
		if last := len(c.from) - 1; last >= before && v.From <= max(c.last(last), c.last(last)+1) { // the sum overflows behind the last value
			c.put(last, max(v.To, c.last(last)))
			continue
		}
		c.from = append(c.from, v.From)
		c.put(len(c.from)-1, v.To)
	}
	c.close(before)
}

// put sets where a span ends.
func (c *column) put(i int, to int64) {
	if c.to == nil && to != c.from[i] {
		c.to = slices.Clone(c.from)
	}
	if c.to != nil {
		c.to = append(c.to[:i], to)
	}
}

// last returns where a span ends.
func (c *column) last(i int) int64 {
	if c.to == nil {
		return c.from[i]
	}
	return c.to[i]
}

// close ends a thing, before which there were some spans.
func (c *column) close(before int) {
	if c.ends == nil && len(c.from) != before+1 {
		c.ends = make([]uint32, before)
		for i := range c.ends {
			c.ends[i] = uint32(i + 1)
		}
	}
	if c.ends != nil {
		c.ends = append(c.ends, uint32(len(c.from)))
	}
}

// spans returns where the spans of a thing begin and end.
func (c *column) spans(thing int) (begin, end int) {
	if c.ends == nil {
		return thing, thing + 1
	}
	if thing > 0 {
		begin = int(c.ends[thing-1])
	}
	return begin, int(c.ends[thing])
}

// A thing is written as how many spans it has, times two, and one more if any is longer than a value; the first value, and of further
// spans how far they are from the end of the one before; and if any is longer, how much each is. All are varints.
func (c *column) appendThing(dst []byte, thing int) []byte {
	begin, end := c.spans(thing)
	wide := uint64(0)
	for i := begin; i < end; i++ {
		if c.last(i) != c.from[i] {
			wide = 1
		}
	}
	dst = binary.AppendUvarint(dst, uint64(end-begin)<<1|wide)
	for i := begin; i < end; i++ {
		if i == begin {
			dst = binary.AppendVarint(dst, c.from[i])
		} else {
			dst = binary.AppendUvarint(dst, uint64(c.from[i])-uint64(c.last(i-1)))
		}
		if wide == 1 {
			dst = binary.AppendUvarint(dst, uint64(c.last(i))-uint64(c.from[i]))
		}
	}
	return dst
}

var errValues = errors.New("values that nobody wrote")

// readThing adds a thing that appendThing wrote, unless it has no span.
func (c *column) readThing(r *reader) (has bool) {
	n := r.uvarint()
	if n == 2 && c.ends == nil && c.to == nil { // as nearly every amount
		c.from = append(c.from, r.varint())
		return r.err == nil
	}
	wide := n&1 == 1
	before := len(c.from)
	for i := range n >> 1 {
		var from, to int64
		if i == 0 {
			from = r.varint()
		} else {
			last := c.last(len(c.from) - 1)
			if from = int64(uint64(last) + r.uvarint()); from <= last {
				r.fail(errValues)
			}
		}
		if to = from; wide {
			if to = int64(uint64(from) + r.uvarint()); to < from {
				r.fail(errValues)
			}
		}
		if r.err != nil {
			return false
		}
		c.from = append(c.from, from)
		c.put(len(c.from)-1, to)
	}
	if n>>1 == 0 {
		return false
	}
	c.close(before)
	return true
}

// values is a measure of the documents of a shard.
type values struct {
	docs   *roaring.Bitmap // that have any
	column column          // theirs, in the order of their numbers
}

// readValues reads the values of documents.
func readValues(r *reader, flagged *roaring.Bitmap) values {
	all := flagged.GetCardinality()
	if all > uint64(len(r.rest)) { // each has a byte at the least
		r.fail(errCut)
		return values{}
	}
	v := values{docs: flagged, column: column{from: make([]int64, 0, all)}}
	lacking := roaring.New()
	it := flagged.ManyIterator()
	var batch [batchSize]uint32
	for n := it.NextMany(batch[:]); n > 0 && r.err == nil; n = it.NextMany(batch[:]) {
		for _, doc := range batch[:n] {
			if !v.column.readThing(r) {
				lacking.Add(doc)
			}
		}
	}
	if !lacking.IsEmpty() {
		v.docs = roaring.AndNot(flagged, lacking)
	}
	v.column.clip()
	return v
}

// clip gives back memory that was taken too much.
func (c *column) clip() {
	c.from, c.to, c.ends = slices.Clone(c.from), slices.Clone(c.to), slices.Clone(c.ends)
}

const batchSize = 256 // documents that are taken from a bitmap at a time

// Between returns the flagged documents of a shard with a value of a measure in a range, both ends included, nil for none. Open ends are
// math.MinInt64 and math.MaxInt64. It looks at every value of the shard.
func (s *Set) Between(shard int, m Measure, from, to int64) *roaring.Bitmap {
	if from > to || shard >= len(s.shards) || s.shards[shard].values[m].docs == nil || s.shards[shard].values[m].docs.IsEmpty() {
		return nil
	}
	v := &s.shards[shard].values[m]
	marks, thing := make([]uint64, v.docs.Maximum()/64+1), 0
	it := v.docs.ManyIterator()
	var batch [batchSize]uint32
	for n := it.NextMany(batch[:]); n > 0; n = it.NextMany(batch[:]) {
		for _, doc := range batch[:n] {
			marks[doc/64] |= v.column.meets(thing, from, to) << (doc % 64)
			thing++
		}
	}
	if docs := roaring.FromDense(marks, false); !docs.IsEmpty() {
		return docs
	}
	return nil
}

// meets returns 1 when a span of a thing has a value in a range, 0 when none has: a bit and no branch, which would be guessed wrong.
func (c *column) meets(thing int, from, to int64) (bit uint64) {
	if c.ends == nil && c.to == nil { // as every amount
		if uint64(c.from[thing])-uint64(from) <= uint64(to)-uint64(from) {
			bit = 1
		}
		return bit
	}
	begin, end := c.spans(thing)
	for i := begin; i < end; i++ {
		if c.from[i] <= to && c.last(i) >= from {
			return 1
		}
	}
	return 0
}

// reader takes numbers from the front of bytes; the first trouble is kept, and everything after it is 0.
type reader struct {
	rest []byte
	err  error
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err, r.rest = err, nil
	}
}

var errCut = errors.New("cut in the middle")

func (r *reader) bytes(n int) []byte {
	if n > len(r.rest) {
		r.fail(errCut)
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) uint32() uint32 {
	if b := r.bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) uvarint() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.fail(errCut)
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *reader) varint() int64 {
	n, size := binary.Varint(r.rest)
	if size <= 0 {
		r.fail(errCut)
		return 0
	}
	r.rest = r.rest[size:]
	return n
}
