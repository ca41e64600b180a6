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

// run is a file of sorted terms with the postings of some consecutive documents, numbered from 0.
// inverter.write has the layout.
type run struct {
	path       string
	docs       int64
	attributes []byte             // encoded, of all documents; nil once the columns have them
	orders     [column.Keys]int64 // offsets of the orders in the file
	users      *atomic.Int32      // reference count: shards, and the orders, yet to be made from it
}

// runPart is the documents of a run from (included) to to (excluded): what one shard takes of it.
type runPart struct {
	run
	from, to int64
}

// cut returns the parts of consecutive runs that hold the documents from (included) to to
// (excluded), counted over all runs, and counts a reference to each.
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

// release drops a reference to the run of each part and deletes runs without any.
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

// runReader reads a part of a run sequentially: the keys of the documents, then term by term.
type runReader struct {
	part  runPart
	file  *os.File
	r     *bufio.Reader
	base  uint32 // number of the part's first document in the shard
	key   []byte // of the current term
	head  uint64 // first eight bytes of key, which order most keys
	count uint64 // documents of the current term in the whole run
}

// runBuffers is the memory for read buffers of one merge, divided among its runs; each has at least
// 4 KB and at most 128 KB.
const runBuffers = 16 << 20

// readRuns opens the files of parts at the offsets that begin returns, passes the readers to use
// and closes them.
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

// keys calls visit with the key of each document of the part, in order. The slice is reused.
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

// uvarint is binary.ReadUvarint without the interface call for numbers of one byte, which most are.
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

// next moves to the next term and returns io.EOF behind the last. The postings of the current term
// must have been read.
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
	rr.head = headOf(rr.key)
	rr.count, err = rr.uvarint()
	return folder.Truncated(err)
}

// appendDocs reads the postings of the current term and appends the documents of the part,
// renumbered for the shard.
func (rr *runReader) appendDocs(dst []uint32) ([]uint32, error) {
	doc, from, to := uint32(0), uint32(rr.part.from), uint32(rr.part.to)
	for left := rr.count; left > 0; {
		buffered, _ := rr.r.Peek(rr.r.Buffered())
		read := 0
		for ; left > 0; left-- {
			delta, n := binary.Uvarint(buffered[read:])
			if n < 0 {
				return dst, errors.New("a number of more than 64 bits")
			}
			if n == 0 {
				break // cut off by the end of the buffer
			}
			read += n
			if doc += uint32(delta); doc >= from && doc < to {
				dst = append(dst, doc-from+rr.base)
			}
		}
		_, _ = rr.r.Discard(read)
		if left > 0 {
			if _, err := rr.r.Peek(rr.r.Buffered() + 1); err != nil {
				return dst, folder.Truncated(err)
			}
		}
	}
	return dst, nil
}

// runHeap is a min-heap of readers by current term, equal terms by base.
type runHeap []*runReader

func (h runHeap) less(i, j int) bool {
	if h[i].head != h[j].head {
		return h[i].head < h[j].head
	}
	if c := bytes.Compare(h[i].key, h[j].key); c != 0 {
		return c < 0
	}
	return h[i].base < h[j].base
}

// down sifts the reader at i down after it has moved on.
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

// mergeTerms is the k-way merge. It calls piece with each term in ascending order, once for each
// run that has it; the documents of these pieces are ascending, because the parts are in rank
// order. key and docs are valid during the call.
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
		if len(docs) > 0 { // else only other parts of the run have the term
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

// writeShard makes the Bleve index of one shard from consecutive parts of runs with docs documents
// in all, then releases the runs. Documents keep their order.
func writeShard(ctx context.Context, dir, tmp string, docs int64, parts []runPart) error {
	fill := func(w *segment.Writer) error { return mergeRuns(ctx, parts, w) }
	if err := segment.Create(dir, tmp, uint64(docs), fill); err != nil {
		return err
	}
	return release(parts)
}

// mergeRuns feeds a segment: the keys of all parts, then the merged terms.
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

// termWriter joins the pieces of a term and passes it to a segment.
type termWriter struct {
	w    *segment.Writer
	key  []byte
	docs []uint32
}

// add takes the next piece.
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

// end writes the current term, if there is one.
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
