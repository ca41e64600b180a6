package column

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"razao/index/folder"
	"razao/internal/extsort"
)

// invertedChunk is how many positions are turned round at once: 64 MB.
const invertedChunk = 16 << 20

// Writer writes the columns of an index: facets as they come, orders by an external sort of each. Add all documents in
// rank order, then call finish, and remove in any case. Not safe for concurrent use.
type Writer struct {
	dir     string
	file    *os.File
	facets  *bufio.Writer
	sorters [len(orderFiles)]*extsort.Sorter
	writers [len(orderFiles)]*extsort.Writer
	known   [len(orderFiles)]int64 // documents that have a key in each order
	docs    uint32
	payload []byte
}

// NewWriter prepares the columns of the index folder dir. Sorting takes place in files in tmp, bucketBytes of which are in
// memory at once.
func NewWriter(dir, tmp string, bucketBytes int64) (*Writer, error) {
	w := &Writer{dir: dir}
	for i, name := range orderFiles {
		o := extsort.Options{Boundaries: orderBoundaries(Key(i)), BucketBytes: bucketBytes}
		sorter, err := extsort.New(filepath.Join(tmp, name), o)
		if err != nil {
			return nil, errors.Join(err, w.Remove())
		}
		w.sorters[i], w.writers[i] = sorter, sorter.Writer()
	}
	var err error
	if w.file, err = os.Create(filepath.Join(dir, facetsFile)); err != nil {
		return nil, errors.Join(err, w.Remove())
	}
	w.facets = bufio.NewWriterSize(w.file, 256<<10)
	return w, nil
}

// Remove deletes the temporary files and closes what is open.
func (w *Writer) Remove() error {
	var errs []error
	for _, sorter := range w.sorters {
		if sorter != nil {
			errs = append(errs, sorter.Remove())
		}
	}
	return errors.Join(append(errs, w.closeFacets())...)
}

func (w *Writer) closeFacets() error {
	if w.file == nil {
		return nil
	}
	file := w.file
	w.file = nil
	return file.Close()
}

// Add takes the next document.
func (w *Writer) Add(a *Attributes) error {
	w.facets.Write(binary.LittleEndian.AppendUint64(w.payload[:0], uint64(a.Facets))) // the error stays in facets
	for i := range orderFiles {
		hi, lo, rest, known := keyOf(Key(i), a)
		if known {
			w.known[i]++
		}
		w.payload = append(append(w.payload[:0], rest...), 0)
		w.payload = binary.BigEndian.AppendUint32(w.payload, w.docs)
		if err := w.writers[i].Add(hi, lo, w.payload); err != nil {
			return err
		}
	}
	w.docs++
	return nil
}

// Finish sorts and writes the orders, several at a time.
func (w *Writer) Finish(ctx context.Context, workers int) error {
	for _, sorted := range w.writers {
		if err := sorted.Close(); err != nil {
			return err
		}
	}
	if err := errors.Join(w.facets.Flush(), w.closeFacets()); err != nil {
		return fmt.Errorf("%s: %w", facetsFile, err)
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(workers)
	for i, name := range orderFiles {
		g.Go(func() error {
			if err := writeOrder(ctx, filepath.Join(w.dir, name), w.sorters[i], w.known[i]); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			return nil
		})
	}
	return g.Wait()
}

// keyOf returns what a document is sorted by, and whether it is known; unknown keys come last.
func keyOf(by Key, a *Attributes) (hi, lo uint64, rest []byte, known bool) {
	switch by {
	case ByCapital:
		if a.Capital < 0 {
			return 1 << 63, 0, nil, false
		}
		return 1<<63 - 1 - uint64(a.Capital), 0, nil, true
	case ByName:
		if len(a.name) == 0 {
			return 1<<64 - 1, 1<<64 - 1, nil, false
		}
		var head [16]byte
		n := copy(head[:], a.name)
		return binary.BigEndian.Uint64(head[:]), binary.BigEndian.Uint64(head[8:]), a.name[n:], true
	default:
		if a.Opening == 0 {
			return 1 << 32, 0, nil, false
		}
		return 1<<32 - 1 - uint64(a.Opening), 0, nil, true
	}
}

// orderBoundaries parts the keys of an order for a first sorting pass.
func orderBoundaries(by Key) []uint64 {
	var out []uint64
	switch by {
	case ByCapital:
		for cents := uint64(1); cents < 1<<50; cents *= 2 {
			out = append(out, 1<<63-1-cents, 1<<63-1-cents-cents/2)
		}
	case ByName:
		for first := uint64('0'); first <= 'z'; first++ {
			for _, second := range [...]uint64{0, 'e', 'i', 'o', 'u'} {
				out = append(out, first<<56|second<<48)
			}
		}
	default:
		for month := uint64(1950 * 12); month < 2040*12; month += 6 {
			out = append(out, 1<<32-1-(month/12*10_000+month%12*100))
		}
	}
	return out
}

// writeOrder sorts and writes one order file.
func writeOrder(ctx context.Context, path string, sorter *extsort.Sorter, known int64) (err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := bufio.NewWriterSize(file, 256<<10)
	out.Write(binary.LittleEndian.AppendUint64(nil, uint64(known))) // the error stays in out
	work := func(bucket *extsort.Bucket) ([]byte, error) {
		cells := make([]byte, 0, bucket.Len()*orderCell)
		for i := range bucket.Len() {
			_, _, payload := bucket.At(i)
			cells = binary.LittleEndian.AppendUint32(cells, binary.BigEndian.Uint32(payload[len(payload)-4:]))
		}
		return cells, nil
	}
	err = extsort.Run(ctx, sorter, 1, work, func(cells []byte) error {
		_, err := out.Write(cells)
		return err
	})
	if err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return appendPositions(file, sorter.Records())
}

// appendPositions appends the position and then the stage of every document to a file that has the documents in order.
func appendPositions(file *os.File, docs int64) error {
	out := bufio.NewWriterSize(file, 256<<10)
	positions := make([]uint32, min(docs, invertedChunk))
	stageOf := make([]byte, 0, docs)
	shift := StageShift(uint32(docs))
	for from := int64(0); from < docs; from += invertedChunk {
		chunk := positions[:min(docs-from, invertedChunk)]
		in := bufio.NewReaderSize(io.NewSectionReader(file, orderHeader, docs*orderCell), 256<<10)
		var cell [orderCell]byte
		for position := range docs {
			if _, err := io.ReadFull(in, cell[:]); err != nil {
				return folder.Truncated(err)
			}
			if doc := int64(binary.LittleEndian.Uint32(cell[:])) - from; doc >= 0 && doc < int64(len(chunk)) {
				chunk[doc] = uint32(position)
			}
		}
		if err := writeCells(out, chunk); err != nil {
			return err
		}
		for _, position := range chunk {
			stageOf = append(stageOf, byte(position>>shift))
		}
	}
	if _, err := out.Write(stageOf); err != nil {
		return err
	}
	return out.Flush()
}

func writeCells(out *bufio.Writer, cells []uint32) error {
	var cell [orderCell]byte
	for _, c := range cells {
		binary.LittleEndian.PutUint32(cell[:], c)
		if _, err := out.Write(cell[:]); err != nil {
			return err
		}
	}
	return nil
}
