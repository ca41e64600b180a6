package build

import (
	"bufio"
	"bytes"
	"container/heap"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync/atomic"

	"razao/index/folder"
	"razao/index/segment"
)

// run is a file of sorted terms with their postings, documents numbered from 0; see inverter.write for the layout.
type run struct {
	path  string
	docs  int64
	users *atomic.Int32 // shards that are still to be made of it
}

// runPart is the range of a run's documents that belongs to one shard.
type runPart struct {
	run
	from, to int64
}

// cut returns the parts of consecutive runs that hold the documents from (included) to to, counted over all runs.
func cut(runs []run, from, to int64) []runPart {
	var parts []runPart
	first := int64(0)
	for _, r := range runs {
		p := runPart{r, max(from-first, 0), min(to-first, r.docs)}
		first += r.docs
		if p.from < p.to {
			r.users.Add(1)
			parts = append(parts, p)
		}
	}
	return parts
}

// release deletes the runs that no other shard is made of.
func release(parts []runPart) error {
	for _, p := range parts {
		if p.users.Add(-1) > 0 {
			continue
		}
		if err := os.Remove(p.path); err != nil {
			return err
		}
	}
	return nil
}

// runReader walks a part of a run: first the keys of the documents, then term by term.
type runReader struct {
	part  runPart
	file  *os.File
	r     *bufio.Reader
	base  uint32 // number of the part's first document in the shard
	docs  uint64 // of the whole run
	key   []byte
	count uint64 // documents of the current term, in the whole run
}

func openRun(p runPart, base uint32) (*runReader, error) {
	file, err := os.Open(p.path)
	if err != nil {
		return nil, err
	}
	rr := &runReader{part: p, file: file, r: bufio.NewReaderSize(file, 128<<10), base: base}
	if rr.docs, err = binary.ReadUvarint(rr.r); err != nil {
		file.Close()
		return nil, err
	}
	return rr, nil
}

// keys hands the documents' keys on in order.
func (rr *runReader) keys(visit func(id []byte)) error {
	var id [8]byte
	for doc := range int64(rr.docs) {
		if _, err := io.ReadFull(rr.r, id[:]); err != nil {
			return err
		}
		if doc >= rr.part.from && doc < rr.part.to {
			visit(id[:])
		}
	}
	return nil
}

// next moves to the next term; at the end it returns io.EOF. The documents of the current term must have been read.
func (rr *runReader) next() error {
	n, err := binary.ReadUvarint(rr.r)
	if err != nil {
		return folder.Truncated(err)
	}
	if n == 0 {
		return io.EOF
	}
	if cap(rr.key) < int(n) {
		rr.key = make([]byte, 256)
	}
	rr.key = rr.key[:n]
	if _, err := io.ReadFull(rr.r, rr.key); err != nil {
		return folder.Truncated(err)
	}
	rr.count, err = binary.ReadUvarint(rr.r)
	return folder.Truncated(err)
}

// appendDocs reads the documents of the current term and appends those of the part.
func (rr *runReader) appendDocs(dst []uint32) ([]uint32, error) {
	doc, from, to := uint32(0), uint32(rr.part.from), uint32(rr.part.to)
	for range rr.count {
		delta, err := binary.ReadUvarint(rr.r)
		if err != nil {
			return dst, folder.Truncated(err)
		}
		if doc += uint32(delta); doc >= from && doc < to {
			dst = append(dst, doc-from+rr.base)
		}
	}
	return dst, nil
}

// runHeap orders readers by their current term, equal terms by their documents.
type runHeap []*runReader

func (h runHeap) Len() int { return len(h) }
func (h runHeap) Less(i, j int) bool {
	if c := bytes.Compare(h[i].key, h[j].key); c != 0 {
		return c < 0
	}
	return h[i].base < h[j].base
}
func (h runHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *runHeap) Push(x any)   { *h = append(*h, x.(*runReader)) }
func (h *runHeap) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}

// writeShard makes the Bleve index of consecutive parts of runs, which together have so many documents, and deletes the
// runs that are used up. The documents keep the order of the runs.
func writeShard(ctx context.Context, dir, tmp string, docs int64, parts []runPart) error {
	fill := func(w *segment.Writer) error { return mergeRuns(ctx, parts, w) }
	if err := segment.Create(dir, tmp, uint64(docs), fill); err != nil {
		return err
	}
	return release(parts)
}

// mergeRuns writes the keys of all parts one after the other, then their terms in a k-way merge.
func mergeRuns(ctx context.Context, parts []runPart, w *segment.Writer) (err error) {
	var docs int64
	var readers []*runReader
	defer func() {
		for _, rr := range readers {
			err = errors.Join(err, rr.file.Close())
		}
	}()
	for _, p := range parts {
		rr, err := openRun(p, uint32(docs))
		if err != nil {
			return fmt.Errorf("run %s: %w", p.path, err)
		}
		readers = append(readers, rr)
		docs += p.to - p.from
	}
	for _, rr := range readers {
		if err := rr.keys(w.Key); err != nil {
			return fmt.Errorf("keys of a run: %w", folder.Truncated(err))
		}
		if err := rr.next(); err != nil {
			return fmt.Errorf("terms of a run: %w", folder.Truncated(err))
		}
	}
	w.EndKeys()
	return mergeTerms(ctx, readers, w)
}

// mergeTerms is the k-way merge: postings of equal terms are concatenated, since the parts are in rank order.
func mergeTerms(ctx context.Context, readers []*runReader, w *segment.Writer) error {
	h := runHeap(slices.Clone(readers))
	heap.Init(&h)
	var key []byte
	var docs []uint32
	for written := 0; len(h) > 0; written++ {
		if written&0xfff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		key = append(key[:0], h[0].key...)
		docs = docs[:0]
		for len(h) > 0 && bytes.Equal(h[0].key, key) {
			var err error
			if docs, err = h[0].appendDocs(docs); err != nil {
				return fmt.Errorf("documents of a run: %w", err)
			}
			switch err := h[0].next(); {
			case err == nil:
				heap.Fix(&h, 0)
			case errors.Is(err, io.EOF):
				heap.Pop(&h)
			default:
				return fmt.Errorf("terms of a run: %w", err)
			}
		}
		if len(docs) == 0 {
			continue // the term is in the other parts of its runs only
		}
		if err := w.Term(key, docs); err != nil {
			return fmt.Errorf("writing a term: %w", err)
		}
	}
	return nil
}
