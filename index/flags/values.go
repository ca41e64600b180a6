package flags

import (
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"razao/index/folder"
	"razao/internal/data/cnpj"
)

// Measure is a quantity that the records about an establishment add up to.
type Measure int

// The measures. Package internal/data/source declares which sources have which.
const (
	Total Measure = iota // sum of their amounts, in cents; at most one value
	// InForce is every day, as a record.Date, on which a record is in force: a span per record,
	// open at either end where the record has no beginning or end.
	InForce
	Year // every year that a record belongs to

	measures int = iota
)

// Value is a span of values of a measure, both ends included; a single value has From = To.
type Value struct {
	Measure  Measure
	From, To int64
}

// Records collects the owners of one load's records and their values, to be written by
// Writer.Write. The zero value is a load without records. Not safe for concurrent use.
type Records struct {
	establishments, companies owners
	alone                     []bool // by company: one establishment has all its records
}

// owners are who has records, and the values of these.
type owners struct {
	all     []owner
	columns [measures]column // by owner
}

// owner is a range of CNPJs that share records: one establishment, or all of a company. Both ends
// are included.
type owner struct{ first, last cnpj.Full }

// Add adds the establishments from first to last, both included, with their values. Calls must come
// in ascending order of disjoint ranges. Values may come in any order and overlap; each must have
// From <= To. Add sorts values in place and does not keep them.
func (r *Records) Add(first, last cnpj.Full, values ...Value) {
	r.establishments.add(first, last, values)
}

// AddCompany adds a company whose establishments were the last to be added: its values are those of all
// their records together, which are no function of theirs, since a repeated amount counts once.
func (r *Records) AddCompany(root cnpj.Root, values ...Value) {
	r.companies.add(cnpj.Join(root, 0), cnpj.Join(root, cnpj.Orders-1), values)
	all := r.establishments.all
	n := len(all)
	r.alone = append(r.alone, n > 0 && all[n-1].first.Root() == root && (n == 1 || all[n-2].last.Root() != root))
}

func (o *owners) add(first, last cnpj.Full, values []Value) {
	o.all = append(o.all, owner{first, last})
	slices.SortFunc(values, func(a, b Value) int {
		return cmp.Or(cmp.Compare(a.Measure, b.Measure), cmp.Compare(a.From, b.From))
	})
	for m := range o.columns {
		n := 0
		for n < len(values) && values[n].Measure == Measure(m) {
			n++
		}
		o.columns[m].add(values[:n])
		values = values[n:]
	}
}

// measured returns the measures that any owner has values of, as a mask: bit m is measure m.
func (r *Records) measured() (mask int64) {
	for m := range measures {
		if len(r.establishments.columns[m].from)+len(r.companies.columns[m].from) > 0 {
			mask |= 1 << m
		}
	}
	return mask
}

// column has the values of one measure for a sequence of things, owners or documents. A thing has
// any number of spans, ascending and disjoint. Two arrays are left nil as long as they would say
// nothing, which most measures never need: a total costs 8 bytes.
type column struct {
	from []int64
	to   []int64  // ends of the spans; nil while every span is a single value
	ends []uint32 // end of each thing's spans in from; nil while each has exactly one
}

// add adds a thing with its values, sorted by From. Overlapping and adjacent spans are merged.
func (c *column) add(values []Value) {
	before := len(c.from)
	for _, v := range values {
		// The max guards against overflow: math.MaxInt64 is an open end.
		if last := len(c.from) - 1; last >= before && v.From <= max(c.endOf(last), c.endOf(last)+1) {
			c.setEnd(last, max(v.To, c.endOf(last)))
			continue
		}
		c.from = append(c.from, v.From)
		c.setEnd(len(c.from)-1, v.To)
	}
	c.close(before)
}

// setEnd sets the end of span i, the last one, and allocates to when the span is the first that is
// longer than one value.
func (c *column) setEnd(i int, to int64) {
	if c.to == nil && to != c.from[i] {
		c.to = slices.Clone(c.from)
	}
	if c.to != nil {
		c.to = append(c.to[:i], to)
	}
}

// endOf returns the end of span i.
func (c *column) endOf(i int) int64 {
	if c.to == nil {
		return c.from[i]
	}
	return c.to[i]
}

// close ends a thing whose first span is at before, and allocates ends when the thing is the first
// without exactly one span.
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

// spans returns the half-open range of a thing's spans in from.
func (c *column) spans(thing int) (begin, end int) {
	if c.ends == nil {
		return thing, thing + 1
	}
	if thing > 0 {
		begin = int(c.ends[thing-1])
	}
	return begin, int(c.ends[thing])
}

// appendThing appends the encoding of a thing: the number of its spans times two, plus one if any
// is longer than a value; the first value as a signed varint, every further one as its distance
// from the end of the span before; and with the flag set, the length of each span after its
// beginning. Distances are computed in uint64, since open spans exceed int64.
func (c *column) appendThing(dst []byte, thing int) []byte {
	begin, end := c.spans(thing)
	wide := uint64(0)
	for i := begin; i < end; i++ {
		if c.endOf(i) != c.from[i] {
			wide = 1
		}
	}
	dst = binary.AppendUvarint(dst, uint64(end-begin)<<1|wide)
	for i := begin; i < end; i++ {
		if i == begin {
			dst = binary.AppendVarint(dst, c.from[i])
		} else {
			dst = binary.AppendUvarint(dst, uint64(c.from[i])-uint64(c.endOf(i-1)))
		}
		if wide == 1 {
			dst = binary.AppendUvarint(dst, uint64(c.endOf(i))-uint64(c.from[i]))
		}
	}
	return dst
}

// errValues reports spans that are not ascending, or wrap around.
var errValues = errors.New("values that nobody wrote")

// readThing reads a thing that appendThing has written. One without spans is not added and returns
// false. Each span takes a byte at least, so a forged count ends with the input.
func (c *column) readThing(r *folder.Reader) (has bool) {
	n := r.Uvarint()
	if n == 2 && c.ends == nil && c.to == nil { // fast path: nearly every amount is a single value
		c.from = append(c.from, r.Varint())
		return r.Err == nil
	}
	wide := n&1 == 1
	before := len(c.from)
	for i := range n >> 1 {
		var from, to int64
		if i == 0 {
			from = r.Varint()
		} else {
			last := c.endOf(len(c.from) - 1)
			if from = int64(uint64(last) + r.Uvarint()); from <= last {
				r.Fail(errValues)
			}
		}
		if to = from; wide {
			if to = int64(uint64(from) + r.Uvarint()); to < from {
				r.Fail(errValues)
			}
		}
		if r.Err != nil {
			return false
		}
		c.from = append(c.from, from)
		c.setEnd(len(c.from)-1, to)
	}
	if n>>1 == 0 {
		return false
	}
	c.close(before)
	return true
}

// values has one measure for the documents of a shard.
type values struct {
	docs   *roaring.Bitmap // documents with a value
	column column          // their values, in ascending order of documents
}

// readValues reads one measure of the flagged documents. It checks the number of documents against
// the remaining bytes before it allocates.
func readValues(r *folder.Reader, flagged *roaring.Bitmap) values {
	all := flagged.GetCardinality()
	if all > uint64(len(r.Rest)) { // each has a byte at the least
		r.Fail(io.ErrUnexpectedEOF)
		return values{}
	}
	v := values{docs: flagged, column: column{from: make([]int64, 0, all)}}
	lacking := roaring.New()
	it := flagged.ManyIterator()
	var batch [batchSize]uint32
	for n := it.NextMany(batch[:]); n > 0 && r.Err == nil; n = it.NextMany(batch[:]) {
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

// clip reallocates the arrays to their length: a Set lives as long as its snapshot.
func (c *column) clip() {
	c.from, c.to, c.ends = slices.Clone(c.from), slices.Clone(c.to), slices.Clone(c.ends)
}

// batchSize is the number of documents taken from a bitmap iterator at a time.
const batchSize = 256

// Between returns the documents of a shard that have a value of m between from and to, both
// included; nil when there are none. Open ends are math.MinInt64 and math.MaxInt64. The bitmap is
// the caller's own. Cost is linear in the values of the shard.
func (s *Set) Between(shard int, m Measure, from, to int64) *roaring.Bitmap {
	if shard >= len(s.shards) {
		return nil
	}
	return s.shards[shard].establishments.values[m].between(from, to)
}

// BetweenOfCompanies is Between with the values of the companies that documents belong to.
func (s *Set) BetweenOfCompanies(shard int, m Measure, from, to int64) *roaring.Bitmap {
	if shard >= len(s.shards) {
		return nil
	}
	of := &s.shards[shard]
	docs, more := of.establishments.values[m].between(from, to), of.companies.values[m].between(from, to)
	if docs == nil {
		return more
	}
	if docs.AndNot(of.companies.docs); more != nil {
		docs.Or(more)
	}
	return docs
}

func (v *values) between(from, to int64) *roaring.Bitmap {
	if from > to || v.docs == nil || v.docs.IsEmpty() {
		return nil
	}
	marks, thing := make([]uint64, v.docs.Maximum()/64+1), 0
	it := v.docs.ManyIterator()
	var batch [batchSize]uint32
	for n := it.NextMany(batch[:]); n > 0; n = it.NextMany(batch[:]) {
		for _, doc := range batch[:n] {
			marks[doc/64] |= v.column.overlaps(thing, from, to) << (doc % 64)
			thing++
		}
	}
	if docs := roaring.FromDense(marks, false); !docs.IsEmpty() {
		return docs
	}
	return nil
}

// overlaps returns 1 when a span of a thing overlaps [from, to], 0 otherwise. It returns a bit
// rather than a bool because a branch on it would be mispredicted half the time; single values need
// one unsigned comparison.
func (c *column) overlaps(thing int, from, to int64) (bit uint64) {
	if c.ends == nil && c.to == nil { // fast path: every total
		if uint64(c.from[thing])-uint64(from) <= uint64(to)-uint64(from) {
			bit = 1
		}
		return bit
	}
	begin, end := c.spans(thing)
	for i := begin; i < end; i++ {
		if c.from[i] <= to && c.endOf(i) >= from {
			return 1
		}
	}
	return 0
}
