package build

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync/atomic"

	"razao/index/column"
	"razao/index/folder"
	"razao/index/segment"
)

// run is a file of sorted terms with their postings, documents numbered from 0; see inverter.write for the layout.
type run struct {
	path       string
	docs       int64
	attributes []byte             // of the documents, until they have been handed on
	orders     [column.Keys]int64 // where the orders of the documents begin in the file
	users      *atomic.Int32      // shards and orders that are still to be made of it
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

// release deletes the runs that nothing else is made of.
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
	base  uint32 // number of the part's first document among those of all parts
	key   []byte
	count uint64 // documents of the current term, in the whole run
}

// runBuffers is the memory of the readers of a merge together, however many runs there are, of at least 4 KB each.
const runBuffers = 16 << 20

// readRuns opens parts of consecutive runs where their files begin, or where begin says, and hands them to use.
func readRuns(parts []runPart, begin func(runPart) int64, use func([]*runReader) error) (err error) {
	var readers []*runReader
	defer func() {
		for _, rr := range readers {
			err = errors.Join(err, rr.file.Close())
		}
	}()
	base := int64(0)
	for _, p := range parts {
		file, err := os.Open(p.path)
		if err != nil {
			return err
		}
		buffered := bufio.NewReaderSize(file, min(max(runBuffers/len(parts), 4<<10), 128<<10))
		readers = append(readers, &runReader{part: p, file: file, r: buffered, base: uint32(base)})
		if _, err := file.Seek(begin(p), io.SeekStart); err != nil {
			return err
		}
		base += p.to - p.from
	}
	return use(readers)
}

// keys hands the documents' keys on in order.
func (rr *runReader) keys(visit func(id []byte)) error {
	var id [8]byte
	for doc := range rr.part.docs {
		if _, err := io.ReadFull(rr.r, id[:]); err != nil {
			return folder.Truncated(err)
		}
		if doc >= rr.part.from && doc < rr.part.to {
			visit(id[:])
		}
	}
	return nil
}

// uvarint is binary.ReadUvarint without an interface: most numbers are one byte.
func (rr *runReader) uvarint() (uint64, error) {
	b, err := rr.r.ReadByte()
	if err != nil || b < 0x80 {
		return uint64(b), err
	}
	if err := rr.r.UnreadByte(); err != nil {
		return 0, err
	}
	return binary.ReadUvarint(rr.r)
}

// next moves to the next term; at the end it returns io.EOF. The documents of the current term must have been read.
func (rr *runReader) next() error {
	n, err := rr.uvarint()
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
	rr.count, err = rr.uvarint()
	return folder.Truncated(err)
}

// appendDocs reads the documents of the current term and appends those of the part.
func (rr *runReader) appendDocs(dst []uint32) ([]uint32, error) {
	doc, from, to := uint32(0), uint32(rr.part.from), uint32(rr.part.to)
	for range rr.count {
		delta, err := rr.uvarint()
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

func (h runHeap) less(i, j int) bool {
	if c := bytes.Compare(h[i].key, h[j].key); c != 0 {
		return c < 0
	}
	return h[i].base < h[j].base
}

// down restores the order below the reader at i, which has moved on.
func (h runHeap) down(i int) {
	for {
		least := 2*i + 1
		if least >= len(h) {
			return
		}
		if right := least + 1; right < len(h) && h.less(right, least) {
			least = right
		}
		if !h.less(least, i) {
			return
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}

// mergeTerms is the k-way merge. It hands over the terms in order, and each in pieces: its documents in one run after the
// other, which rise since the parts are in rank order. Key and documents are valid during the call.
func mergeTerms(ctx context.Context, readers []*runReader, piece func(key []byte, docs []uint32) error) error {
	h := runHeap(slices.Clone(readers))
	for _, rr := range h {
		if err := rr.next(); err != nil {
			return fmt.Errorf("terms of a run: %w", folder.Truncated(err))
		}
	}
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.down(i)
	}
	var docs []uint32
	var err error
	for read := 0; len(h) > 0; read++ {
		if read&0xfff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if docs, err = h[0].appendDocs(docs[:0]); err != nil {
			return fmt.Errorf("documents of a run: %w", err)
		}
		if len(docs) > 0 { // else the term is in the other parts of its run only
			if err := piece(h[0].key, docs); err != nil {
				return err
			}
		}
		switch err := h[0].next(); {
		case errors.Is(err, io.EOF):
			h[0] = h[len(h)-1]
			h = h[:len(h)-1]
		case err != nil:
			return fmt.Errorf("terms of a run: %w", err)
		}
		h.down(0)
	}
	return nil
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

// mergeRuns writes the keys of all parts one after the other, then their terms.
func mergeRuns(ctx context.Context, parts []runPart, w *segment.Writer) error {
	begin := func(runPart) int64 { return 0 }
	return readRuns(parts, begin, func(readers []*runReader) error {
		for _, rr := range readers {
			if err := rr.keys(w.Key); err != nil {
				return fmt.Errorf("keys of a run: %w", err)
			}
		}
		w.EndKeys()
		terms := termWriter{w: w}
		if err := mergeTerms(ctx, readers, terms.add); err != nil {
			return err
		}
		return terms.end()
	})
}

// termWriter joins the pieces of each term.
type termWriter struct {
	w    *segment.Writer
	key  []byte
	docs []uint32
}

func (t *termWriter) add(key []byte, docs []uint32) error {
	if !bytes.Equal(key, t.key) {
		if err := t.end(); err != nil {
			return err
		}
		t.key = append(t.key[:0], key...)
	}
	t.docs = append(t.docs, docs...)
	return nil
}

// end writes the term whose pieces have all come, if any.
func (t *termWriter) end() error {
	if len(t.docs) == 0 {
		return nil
	}
	docs := t.docs
	t.docs = docs[:0]
	if err := t.w.Term(t.key, docs); err != nil {
		return fmt.Errorf("writing a term: %w", err)
	}
	return nil
}
