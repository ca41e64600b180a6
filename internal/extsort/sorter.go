// Package extsort orders more records than memory holds. Records are partitioned by key range into compressed bucket
// files; then each bucket is read whole, sorted in memory and handed on, in key order over all buckets. Memory depends
// on the size of a bucket and not on the number of records: a bucket that turns out too large is partitioned again.
//
// A record is a key of two numbers (Hi decides the bucket, Lo the order inside) and a payload. The order is total:
// equal keys are ordered by payload, so the result does not depend on how many writers there were.
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
	// blockBytes is what a writer gathers for a bucket before it is compressed and written.
	blockBytes = 48 << 10
	// MaxBuckets bounds the open files and, with blockBytes, the memory of a writer. Further boundaries are thinned out.
	MaxBuckets = 512
)

// Options of a Sorter. The zero value has one bucket of up to 64 MiB that splits itself when it grows.
type Options struct {
	// Boundaries are the first Hi of the second and every further bucket, rising. They need not be exact.
	Boundaries []uint64
	// BucketBytes is the raw size above which a bucket is partitioned again before it is sorted; 0 means 64 MiB.
	BucketBytes int64
}

// Sorter gathers records. Create writers with Writer, one for each goroutine; close them all, then call Run.
type Sorter struct {
	dir         string
	boundaries  []uint64
	bucketBytes int64
	buckets     []bucket
}

type bucket struct {
	mu   sync.Mutex
	file *os.File // nil until the first block arrives
	path string
	raw  int64 // bytes before compression
	rows int64
}

// New returns a sorter that keeps its files in dir, which it creates and Remove deletes.
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
	for i := range s.buckets {
		s.buckets[i].path = filepath.Join(dir, fmt.Sprintf("%04d", i))
	}
	return s, nil
}

// thin keeps n values of sorted, evenly spread.
func thin(sorted []uint64, n int) []uint64 {
	kept := make([]uint64, n)
	for i := range kept {
		kept[i] = sorted[(i+1)*len(sorted)/(n+1)]
	}
	return slices.Compact(kept)
}

// Records returns how many records have been written.
func (s *Sorter) Records() int64 {
	var n int64
	for i := range s.buckets {
		n += s.buckets[i].rows
	}
	return n
}

// Remove closes and deletes the files. It may be called at any time after the writers stopped.
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

// bucketOf returns the bucket of a key.
func (s *Sorter) bucketOf(hi uint64) int {
	i, exact := slices.BinarySearch(s.boundaries, hi)
	if exact {
		i++
	}
	return i
}

// Writer adds records for one goroutine.
type Writer struct {
	sorter  *Sorter
	pending [][]byte // uncompressed records of each bucket
	rows    []int64
	encoded []byte
}

// Writer returns a new writer.
func (s *Sorter) Writer() *Writer {
	return &Writer{sorter: s, pending: make([][]byte, len(s.buckets)), rows: make([]int64, len(s.buckets))}
}

// Add appends a record; the payload is copied.
func (w *Writer) Add(hi, lo uint64, payload []byte) error {
	i := w.sorter.bucketOf(hi)
	buf := w.pending[i]
	if buf == nil {
		buf = make([]byte, 0, blockBytes+4<<10)
	}
	buf = binary.AppendUvarint(buf, hi)
	buf = binary.AppendUvarint(buf, lo)
	buf = binary.AppendUvarint(buf, uint64(len(payload)))
	buf = append(buf, payload...)
	w.pending[i] = buf
	w.rows[i]++
	if len(buf) < blockBytes {
		return nil
	}
	return w.flush(i)
}

// Close writes what is pending. The writer must not be used afterwards.
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

// flush writes the pending records of bucket i as one block: raw length, compressed length, S2 data.
func (w *Writer) flush(i int) error {
	raw := w.pending[i]
	header := binary.AppendUvarint(w.encoded[:0], uint64(len(raw)))
	limit := s2.MaxEncodedLen(len(raw))
	need := 2*binary.MaxVarintLen64 + limit
	if cap(header) < need {
		header = append(make([]byte, 0, need), header...)
	}
	// The data is encoded behind the widest possible header, then moved up against it.
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
