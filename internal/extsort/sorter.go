// Package extsort is an external distribution sort. Writers partition records by key range into S2-compressed bucket files; Run
// sorts each bucket in memory and hands them on in key order. Memory depends on the bucket size, not on the number of records:
// buckets that turn out too large are partitioned again.
//
// A record is a key of two uint64, Hi and Lo, and a payload. Hi decides the bucket. The order is total, by Hi, Lo and payload,
// so the result does not depend on the number of writers.
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
	// blockBytes is how much a writer buffers for a bucket before compressing and writing it as one block.
	blockBytes = 48 << 10
	// MaxBuckets bounds the open files and, with blockBytes, a writer's memory: 24 MiB. Excess boundaries are thinned out.
	MaxBuckets = 512
)

// Options of a Sorter. The zero value starts with one bucket and splits it as needed.
type Options struct {
	// Boundaries are the lowest Hi of the second and each further bucket, in any order. Estimates from a sample do: they only
	// decide how even the buckets are.
	Boundaries []uint64
	// BucketBytes is the uncompressed size above which a bucket is split before it is sorted; 0: 64 MiB.
	BucketBytes int64
}

// Sorter collects records. Use one Writer per goroutine, close them all, then call Run once.
type Sorter struct {
	dir         string
	boundaries  []uint64
	bucketBytes int64
	blockBytes  int // as the constant, less where several writers split a bucket
	buckets     []bucket
}

// bucket is a key range of records in a file. Writers share it.
type bucket struct {
	mu   sync.Mutex
	file *os.File // nil until the first block is written
	path string
	raw  int64 // uncompressed bytes
	rows int64
}

// New returns a sorter with its files in dir, which it creates and Remove deletes.
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
	s := &Sorter{dir: dir, boundaries: boundaries, bucketBytes: o.BucketBytes, blockBytes: blockBytes, buckets: make([]bucket, len(boundaries)+1)}
	for i := range s.buckets {
		s.buckets[i].path = filepath.Join(dir, fmt.Sprintf("%04d", i))
	}
	return s, nil
}

// thin returns n quantiles of sorted, fewer if some are equal.
func thin(sorted []uint64, n int) []uint64 {
	kept := make([]uint64, n)
	for i := range kept {
		kept[i] = sorted[(i+1)*len(sorted)/(n+1)]
	}
	return slices.Compact(kept)
}

// Records returns the number of records in blocks written so far; all, once the writers are closed.
func (s *Sorter) Records() int64 {
	var n int64
	for i := range s.buckets {
		n += s.buckets[i].rows
	}
	return n
}

// Remove closes and deletes the files. No writer may be in use.
func (s *Sorter) Remove() error {
	var errs []error
	for i := range s.buckets {
		if f := s.buckets[i].file; f != nil {
			errs = append(errs, f.Close())
			s.buckets[i].file = nil
		}
	}
	return errors.Join(append(errs, os.RemoveAll(s.dir))...)
}

// bucketOf returns the index of the bucket of a key.
func (s *Sorter) bucketOf(hi uint64) int {
	i, exact := slices.BinarySearch(s.boundaries, hi)
	if exact {
		i++
	}
	return i
}

// Writer adds records. It must be used by one goroutine at a time; several writers may work concurrently.
type Writer struct {
	sorter  *Sorter
	pending [][]byte // by bucket: records not yet written
	rows    []int64  // by bucket: their number
	encoded []byte   // buffer of flush
}

// Writer returns a new writer.
func (s *Sorter) Writer() *Writer {
	return &Writer{sorter: s, pending: make([][]byte, len(s.buckets)), rows: make([]int64, len(s.buckets))}
}

// Add adds a record: uvarint Hi, uvarint Lo, uvarint length, payload. The payload is copied.
func (w *Writer) Add(hi, lo uint64, payload []byte) error {
	i := w.sorter.bucketOf(hi)
	buf := w.pending[i]
	if buf == nil {
		buf = make([]byte, 0, w.sorter.blockBytes+4<<10)
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

// Close writes the buffered records. The writer must not be used afterwards.
func (w *Writer) Close() error {
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

// flush writes the pending records of bucket i as one block: uvarint uncompressed length, uvarint compressed length, S2 data.
func (w *Writer) flush(i int) error {
	raw := w.pending[i]
	header := binary.AppendUvarint(w.encoded[:0], uint64(len(raw)))
	limit := s2.MaxEncodedLen(len(raw))
	need := 2*binary.MaxVarintLen64 + limit
	if cap(header) < need {
		header = append(make([]byte, 0, need), header...)
	}
	// One buffer, no copy of raw: encode after the widest possible header, then move the data up to the actual one.
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
