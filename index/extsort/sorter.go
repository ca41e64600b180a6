// Package extsort is an external distribution sort (bucket sort): it orders more records than fit
// into memory.
//
// A record is a key of two uint64, Hi and Lo, and a payload. Writers range-partition records by Hi
// into S2-compressed bucket files; Run then loads one bucket per worker, sorts it in memory with an
// LSD radix sort, and hands the buckets on in key order. Unlike in an external merge sort, no k-way
// merge is needed, and a record is written and read once unless its bucket is split.
//
//	Writer ──┐   bucket 0  ─ load, radix sort, work ──┐
//	Writer ──┼─► bucket 1  ─ load, radix sort, work ──┼─► sink, in key order
//	Writer ──┘   ...                                  ┘
//
// Boundaries come from an estimate of the keys, so buckets may be uneven. One that exceeds
// Options.BucketBytes is partitioned again at quantiles of a sample of its own keys, recursively.
// Memory is thus bounded by BucketBytes times workers, not by the number of records; only records
// that share one Hi cannot be separated (at most 4 GiB of them).
//
// The order is total, by Hi, Lo and payload, so the result is deterministic whatever the number of
// writers and their timing. Records of one Hi are always in the same bucket: what belongs together
// is processed together.
package extsort

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/klauspost/compress/s2"
)

const (
	// blockBytes is how much a writer buffers per bucket before it compresses and writes a block: less
	// with many buckets, so that the buffers of a writer stay within writerBytes.
	blockBytes  = 48 << 10
	writerBytes = 24 << 20
	// MaxBuckets bounds the open files. Excess boundaries are thinned out.
	MaxBuckets = 2048
)

// Options configure a Sorter. The zero value starts with one bucket, which is split as needed.
type Options struct {
	// Boundaries are the lowest Hi of the second and each further bucket, in any order. They only
	// decide how even the buckets are, so estimates from a sample do.
	Boundaries []uint64
	// BucketBytes is the uncompressed size above which a bucket is split before it is sorted; 0
	// means 64 MiB.
	BucketBytes int64
}

// Sorter collects records in bucket files. The order of use: one Writer per goroutine, close them
// all, Run once, Remove. Remove must follow also after an error.
type Sorter struct {
	dir         string
	boundaries  []uint64
	bucketBytes int64
	blockBytes  int // at most the constant
	buckets     []bucket
	parts       []*Sorter // of buckets that were split
}

// bucket is the file of one key range. Writers share it, a block at a time under mu.
type bucket struct {
	mu   sync.Mutex
	file *os.File // nil until the first block is written
	path string
	raw  int64 // uncompressed bytes
	rows int64
}

// New returns a sorter with its files in dir, which it creates. The options' slice is not kept.
func New(dir string, o Options) (*Sorter, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("folder for sorting: %w", err)
	}
	boundaries := slices.Compact(slices.Sorted(slices.Values(o.Boundaries)))
	if len(boundaries) >= MaxBuckets {
		boundaries = thin(boundaries, MaxBuckets-1)
	}
	if o.BucketBytes <= 0 {
		o.BucketBytes = 64 << 20
	}
	s := &Sorter{dir: dir, boundaries: boundaries, bucketBytes: o.BucketBytes, buckets: make([]bucket, len(boundaries)+1)}
	s.blockBytes = min(blockBytes, writerBytes/len(s.buckets))
	for i := range s.buckets {
		s.buckets[i].path = filepath.Join(dir, fmt.Sprintf("%04d", i))
	}
	return s, nil
}

// thin returns n quantiles of sorted, or fewer when some are equal.
func thin(sorted []uint64, n int) []uint64 {
	kept := make([]uint64, n)
	for i := range kept {
		kept[i] = sorted[(i+1)*len(sorted)/(n+1)]
	}
	return slices.Compact(kept)
}

// Records returns the number of records in blocks written so far: all of them once the writers are
// closed. It must not run beside a Writer.
func (s *Sorter) Records() int64 {
	var n int64
	for i := range s.buckets {
		n += s.buckets[i].rows
	}
	return n
}

// Remove closes and deletes all files and the folder, those of split buckets included. No writer
// may be in use, and Run must have returned.
func (s *Sorter) Remove() error {
	var errs []error
	for _, parts := range s.parts {
		errs = append(errs, parts.Remove())
	}
	for i := range s.buckets {
		if f := s.buckets[i].file; f != nil {
			errs = append(errs, f.Close())
			s.buckets[i].file = nil
		}
	}
	return errors.Join(append(errs, os.RemoveAll(s.dir))...)
}

// bucketOf returns the index of the bucket of a key, by binary search.
func (s *Sorter) bucketOf(hi uint64) int {
	i, exact := slices.BinarySearch(s.boundaries, hi)
	if exact {
		i++
	}
	return i
}

// Writer adds records to the buckets of a Sorter. A Writer is for one goroutine; several Writers
// may work concurrently.
type Writer struct {
	sorter  *Sorter
	pending [][]byte // by bucket: encoded records not yet written
	rows    []int64  // by bucket: their number
	encoded []byte   // reused by flush
}

// Writer returns a new writer. All writers must be closed before Run.
func (s *Sorter) Writer() *Writer {
	return &Writer{sorter: s, pending: make([][]byte, len(s.buckets)), rows: make([]int64, len(s.buckets))}
}

// Add adds a record. The payload is copied. Encoding: uvarint Hi, uvarint Lo, uvarint length,
// payload.
func (w *Writer) Add(hi, lo uint64, payload []byte) error {
	i := w.sorter.bucketOf(hi)
	buf := w.pending[i]
	if buf == nil {
		buf = make([]byte, 0, w.sorter.blockBytes+w.sorter.blockBytes/12)
	}
	buf = binary.AppendUvarint(buf, hi)
	buf = binary.AppendUvarint(buf, lo)
	buf = binary.AppendUvarint(buf, uint64(len(payload)))
	buf = append(buf, payload...)
	w.pending[i] = buf
	w.rows[i]++
	if len(buf) < w.sorter.blockBytes {
		return nil
	}
	return w.flush(i)
}

// Close writes the buffered records and lets go of the buffers, up to 24 MiB. The writer must not be
// used afterwards.
func (w *Writer) Close() error {
	defer func() { w.pending, w.encoded = nil, nil }()
	for i := range w.pending {
		if len(w.pending[i]) == 0 {
			continue
		}
		if err := w.flush(i); err != nil {
			return err
		}
	}
	return nil
}

// flush writes the pending records of bucket i as one block: uvarint uncompressed length, uvarint
// compressed length, S2 data.
func (w *Writer) flush(i int) error {
	raw := w.pending[i]
	header := binary.AppendUvarint(w.encoded[:0], uint64(len(raw)))
	limit := s2.MaxEncodedLen(len(raw))
	need := 2*binary.MaxVarintLen64 + limit
	if cap(header) < need {
		header = append(make([]byte, 0, need), header...)
	}
	// One buffer, no copy of raw: encode behind the widest possible header, then move the data down
	// to the end of the actual one.
	data := s2.Encode(header[:need][2*binary.MaxVarintLen64:], raw)
	header = binary.AppendUvarint(header, uint64(len(data)))
	block := append(header, data...)
	w.encoded = block[:0]

	b := &w.sorter.buckets[i]
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.file == nil {
		f, err := os.OpenFile(b.path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
		if err != nil {
			return fmt.Errorf("file for sorting: %w", err)
		}
		b.file = f
	}
	if _, err := b.file.Write(block); err != nil {
		return fmt.Errorf("file for sorting: %w", err)
	}
	b.raw += int64(len(raw))
	b.rows += w.rows[i]
	w.pending[i] = raw[:0]
	w.rows[i] = 0
	return nil
}
