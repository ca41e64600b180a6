package extsort

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/klauspost/compress/s2"
	"golang.org/x/sync/errgroup"
)

// Bucket is a sorted key range of records. It and its payloads are valid only until the work
// function that received it returns: the memory is reused for the next bucket.
type Bucket struct {
	data    []byte
	entries []entry
	spare   []entry // second buffer of the radix sort
}

// entry is the key of a record and the position of its payload in Bucket.data. Sorting moves these
// 24 bytes instead of payloads.
type entry struct {
	hi, lo uint64
	off    uint32
	n      uint32
}

// Len returns the number of records.
func (b *Bucket) Len() int { return len(b.entries) }

// At returns record i in key order, from 0. The payload aliases the bucket's memory and must not be
// changed.
func (b *Bucket) At(i int) (hi, lo uint64, payload []byte) {
	e := &b.entries[i]
	return e.hi, e.lo, b.data[e.off : e.off+e.n : e.off+e.n]
}

// Hi returns the first part of the key of record i.
func (b *Bucket) Hi(i int) uint64 { return b.entries[i].hi }

// Run sorts all buckets with workers goroutines, passes each to work, and the results to sink in
// key order. work runs concurrently, sink in one goroutine. Results wait in order: at most
// workers+1 exist at a time, so a slow sink slows the workers down (backpressure). A bucket's file
// is deleted once it is loaded, so Run can be called only once. Run returns the first error of
// work, sink or ctx, after all goroutines have ended.
func Run[T any](ctx context.Context, s *Sorter, workers int, work func(*Bucket) (T, error), sink func(T) error) error {
	type slot chan T
	g, ctx := errgroup.WithContext(ctx)
	order := make(chan slot, workers)
	scratch := make(chan *Bucket, workers)
	for range workers {
		scratch <- new(Bucket)
	}
	g.Go(func() error {
		defer close(order)
		return s.each(ctx, workers, func(load func(*Bucket) error) error {
			var b *Bucket
			select {
			case b = <-scratch:
			case <-ctx.Done():
				return ctx.Err()
			}
			done := make(slot, 1)
			select {
			case order <- done:
			case <-ctx.Done():
				return ctx.Err()
			}
			g.Go(func() error {
				defer func() { scratch <- b }()
				if err := load(b); err != nil {
					return err
				}
				result, err := work(b)
				if err != nil {
					return err
				}
				done <- result
				return nil
			})
			return nil
		})
	})
	g.Go(func() error {
		for done := range order {
			select {
			case result := <-done:
				if err := sink(result); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	return g.Wait()
}

// each calls visit for every non-empty bucket in key order, with a function that loads and sorts
// it. A bucket above bucketBytes is split first, and its parts are visited in its place.
func (s *Sorter) each(ctx context.Context, workers int, visit func(load func(*Bucket) error) error) error {
	for i := range s.buckets {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := &s.buckets[i]
		if b.file == nil {
			continue
		}
		if b.raw > s.bucketBytes {
			parts, err := s.split(ctx, b, workers)
			if err != nil {
				return err
			}
			if parts != nil {
				if err := parts.each(ctx, workers, visit); err != nil {
					return err
				}
				continue
			}
		}
		if err := visit(b.load); err != nil {
			return err
		}
	}
	return nil
}

// split partitions an oversize bucket at quantiles of a sample of its keys and deletes its file. It
// returns nil when that is useless because nearly all records share one Hi; the bucket is then
// sorted as it is. The parts stay open after an error, since their files may be in use: Remove
// closes them.
func (s *Sorter) split(ctx context.Context, b *bucket, workers int) (*Sorter, error) {
	n := min(int(b.raw/max(s.bucketBytes*3/4, 1))+1, MaxBuckets-1)
	keys, err := b.sample(ctx, n)
	if err != nil {
		return nil, err
	}
	if keys[0] == keys[len(keys)-1] {
		return nil, nil
	}
	parts, err := New(b.path+".parts", Options{
		Boundaries:  thin(keys, n),
		BucketBytes: s.bucketBytes,
	})
	if err != nil {
		return nil, err
	}
	s.parts = append(s.parts, parts)
	parts.blockBytes = max(parts.blockBytes/workers, 4<<10) // all writers together buffer what one does elsewhere
	r, err := b.reader()
	if err != nil {
		return nil, err
	}
	g, ctx := errgroup.WithContext(ctx)
	for range workers {
		g.Go(func() error {
			w := parts.Writer()
			if err := r.records(ctx, 1, w.Add); err != nil {
				return err
			}
			return w.Close()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for i := range parts.buckets {
		if parts.buckets[i].rows == b.rows {
			return nil, parts.Remove() // one part got everything
		}
	}
	return parts, b.remove()
}

// An oversize bucket is sampled in about sampleBlocks blocks for each boundary that is wanted, at four
// keys or more each, and in at most maxSampleBlocks.
const (
	sampleBlocks    = 32
	maxSampleBlocks = 4096
)

// sample returns the sorted Hi of some records from all over the bucket, at least one. They should do
// for this number of boundaries.
func (b *bucket) sample(ctx context.Context, boundaries int) ([]uint64, error) {
	r, err := b.reader()
	if err != nil {
		return nil, err
	}
	blocks := int64(min(sampleBlocks*boundaries, maxSampleBlocks))
	oneIn := max(b.raw/blockBytes/blocks, 1)
	every := max(b.rows/oneIn/(4*blocks), 1)
	var keys []uint64
	var row int64
	err = r.records(ctx, int(oneIn), func(hi, _ uint64, _ []byte) error {
		if row%every == 0 {
			keys = append(keys, hi)
		}
		row++
		return nil
	})
	slices.Sort(keys)
	return keys, err
}

// load reads the bucket into dst, sorts it and deletes the file. It checks bytes and records
// against what was written.
func (b *bucket) load(dst *Bucket) error {
	if b.raw > 1<<32-1 { // entry.off is 32 bits
		return fmt.Errorf("file for sorting %s: %d bytes under one key", b.path, b.raw)
	}
	dst.data = slices.Grow(dst.data[:0], int(b.raw))[:b.raw]
	dst.entries = slices.Grow(dst.entries[:0], int(b.rows))[:0]
	r, err := b.reader()
	if err != nil {
		return err
	}
	filled := 0
	for data := []byte(nil); ; {
		var rawLen int
		if rawLen, data, err = r.next(data); errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if filled+rawLen > len(dst.data) {
			return fmt.Errorf("file for sorting %s: longer than written", b.path)
		}
		if _, err := s2.Decode(dst.data[filled:filled+rawLen], data); err != nil {
			return fmt.Errorf("file for sorting %s: %w", b.path, err)
		}
		filled += rawLen
	}
	for off := 0; off < filled; {
		e, next := parse(dst.data, off)
		dst.entries = append(dst.entries, e)
		off = next
	}
	if int64(len(dst.entries)) != b.rows {
		return fmt.Errorf("file for sorting %s: %d records written, %d read", b.path, b.rows, len(dst.entries))
	}
	dst.sort()
	return b.remove()
}

// blockReader reads the compressed blocks of a bucket: see Writer.flush for the format. Goroutines
// may share one; each block goes to one of them.
type blockReader struct {
	path string
	mu   sync.Mutex
	r    *bufio.Reader
}

// reader returns a blockReader from the beginning of the file.
func (b *bucket) reader() (*blockReader, error) {
	if _, err := b.file.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("file for sorting: %w", err)
	}
	return &blockReader{path: b.path, r: bufio.NewReaderSize(b.file, 256<<10)}, nil
}

// next returns a compressed block and its uncompressed length, or io.EOF after the last. The block
// reuses the memory of buf.
func (r *blockReader) next(buf []byte) (rawLen int, block []byte, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	raw, err := binary.ReadUvarint(r.r)
	if errors.Is(err, io.EOF) {
		return 0, nil, io.EOF
	}
	n, err2 := binary.ReadUvarint(r.r)
	if err = cmp.Or(err, err2); err == nil {
		block = slices.Grow(buf[:0], int(n))[:n]
		_, err = io.ReadFull(r.r, block)
	}
	if err != nil {
		return 0, nil, fmt.Errorf("file for sorting %s: %w", r.path, err)
	}
	return int(raw), block, nil
}

// records calls visit for the records of every oneIn-th block that this goroutine takes, with one
// block in memory at a time. Payloads are valid during the call.
func (r *blockReader) records(ctx context.Context, oneIn int, visit func(hi, lo uint64, payload []byte) error) error {
	var data, raw []byte
	for block := 0; ; block++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		rawLen, compressed, err := r.next(data)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		data = compressed
		if block%oneIn != 0 {
			continue
		}
		raw = slices.Grow(raw[:0], rawLen)[:rawLen]
		if raw, err = s2.Decode(raw, data); err != nil {
			return fmt.Errorf("file for sorting %s: %w", r.path, err)
		}
		for off := 0; off < len(raw); {
			e, next := parse(raw, off)
			if err := visit(e.hi, e.lo, raw[e.off:e.off+e.n]); err != nil {
				return err
			}
			off = next
		}
	}
}

// remove closes and deletes the file.
func (b *bucket) remove() error {
	err := errors.Join(b.file.Close(), os.Remove(b.path))
	b.file = nil
	return err
}

// parse decodes the record at off (see Writer.Add) and returns the offset of the next one.
func parse(data []byte, off int) (e entry, next int) {
	var n int
	var size uint64
	e.hi, n = binary.Uvarint(data[off:])
	off += n
	e.lo, n = binary.Uvarint(data[off:])
	off += n
	size, n = binary.Uvarint(data[off:])
	off += n
	e.off, e.n = uint32(off), uint32(size)
	return e, off + int(size)
}

// sort orders the entries by Hi, Lo and payload: two stable radix sorts, least significant key
// first, then a comparison sort of the runs with equal keys, which are short.
func (b *Bucket) sort() {
	b.entries, b.spare = Radix(b.entries, b.spare, func(e *entry) uint64 { return e.lo })
	b.entries, b.spare = Radix(b.entries, b.spare, func(e *entry) uint64 { return e.hi })
	tied := func(x, y *entry) bool { return x.hi == y.hi && x.lo == y.lo }
	SortTies(b.entries, tied, func(x, y entry) int {
		return cmp.Or(bytes.Compare(b.data[x.off:x.off+x.n], b.data[y.off:y.off+y.n]), cmp.Compare(x.off, y.off))
	})
}

// Radix is a stable LSD radix sort by the bytes of key, in O(n) per byte. It skips bytes that all
// items share, which are most when the items are a narrow range of keys. It returns the sorted items
// and the other buffer; spare may be nil.
func Radix[T any](items, spare []T, key func(*T) uint64) (sorted, other []T) {
	if len(items) == 0 {
		return items, spare
	}
	var varying uint64
	first := key(&items[0])
	for i := range items {
		varying |= key(&items[i]) ^ first
	}
	spare = slices.Grow(spare[:0], len(items))[:len(items)]
	for shift := 0; shift < 64; shift += 8 {
		if varying>>shift&0xff == 0 {
			continue
		}
		var starts [256]int
		for i := range items {
			starts[key(&items[i])>>shift&0xff]++
		}
		sum := 0
		for d, n := range starts {
			starts[d] = sum
			sum += n
		}
		for i := range items {
			d := key(&items[i]) >> shift & 0xff
			spare[starts[d]] = items[i]
			starts[d]++
		}
		items, spare = spare, items
	}
	return items, spare
}

// SortTies sorts each run of neighbours that are tied: what Radix left in the order of the input.
func SortTies[T any](items []T, tied func(a, b *T) bool, compare func(a, b T) int) {
	for from := 0; from < len(items); {
		to := from + 1
		for to < len(items) && tied(&items[from], &items[to]) {
			to++
		}
		if to-from > 1 {
			slices.SortFunc(items[from:to], compare)
		}
		from = to
	}
}
