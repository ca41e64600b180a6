package index

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sync/errgroup"

	"razao/internal/extsort"
)

// An order file has an 8-byte count of the documents whose key is known, then the documents in the order, then for
// every document its position: 4 bytes each, little endian. The last part is a byte for every document, the stage in
// which its position is (see stageShift): a small array for those who only want to know about where documents stand.
const (
	orderHeader = 8
	orderCell   = 4
)

// The orders that have a file; ByOldest reads the one of ByNewest backwards.
var orderFiles = [...]struct {
	order Order
	name  string
}{
	{ByCapital, "order-capital"},
	{ByName, "order-name"},
	{ByNewest, "order-opening"},
}

// facetsFile holds the facets of every document, facetsCell bytes each, little endian.
const (
	facetsFile = "facets"
	facetsCell = 8
)

// invertedChunk is how many positions are turned round at once: 64 MB.
const invertedChunk = 16 << 20

// orders writes the files of facets, orders and rankings from the attributes of the runs.
func (b *Builder) orders(ctx context.Context, runs []run) (err error) {
	d := &distributor{totals: newTotals(b.options.Month)}
	defer func() { err = errors.Join(err, d.remove()) }()
	for i, o := range orderFiles {
		sorter, err := extsort.New(b.path(o.name), extsort.Options{Boundaries: orderBoundaries(o.order), BucketBytes: b.options.BucketBytes})
		if err != nil {
			return err
		}
		d.sorters[i], d.writers[i] = sorter, sorter.Writer()
	}
	if err := d.distribute(ctx, runs, b.path("index", facetsFile)); err != nil {
		return fmt.Errorf("attributes: %w", err)
	}
	if err := d.totals.write(b.path("index", rankingsFile)); err != nil {
		return fmt.Errorf("rankings: %w", err)
	}
	if err := d.totals.writeMoves(b.path("index", placesFile)); err != nil {
		return fmt.Errorf("places: %w", err)
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(b.options.Workers)
	for i, o := range orderFiles {
		g.Go(func() error {
			if err := writeOrder(ctx, b.path("index", o.name), d.sorters[i], d.known[i]); err != nil {
				return fmt.Errorf("%s: %w", o.name, err)
			}
			return nil
		})
	}
	return g.Wait()
}

// distributor takes the attributes of all documents, in rank order.
type distributor struct {
	sorters [len(orderFiles)]*extsort.Sorter
	writers [len(orderFiles)]*extsort.Writer
	known   [len(orderFiles)]int64 // documents that have a key in each order
	totals  *totals
	docs    uint32
	payload []byte
}

// remove deletes the files of the sorters.
func (d *distributor) remove() error {
	var errs []error
	for _, sorter := range d.sorters {
		if sorter != nil {
			errs = append(errs, sorter.Remove())
		}
	}
	return errors.Join(errs...)
}

// distribute reads the attributes of all runs, deletes them, and writes the facets to path.
func (d *distributor) distribute(ctx context.Context, runs []run, path string) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	facets := bufio.NewWriterSize(file, 256<<10)
	for _, r := range runs {
		if err := ctx.Err(); err != nil {
			return err
		}
		body, err := os.ReadFile(r.path + attributesSuffix)
		if err != nil {
			return err
		}
		for ; len(body) > 0; body = body[attributesLen(body):] {
			a := decodeAttributes(body)
			facets.Write(binary.LittleEndian.AppendUint64(d.payload[:0], uint64(a.facets))) // the error stays in facets
			if err := d.add(&a); err != nil {
				return err
			}
		}
		if err := os.Remove(r.path + attributesSuffix); err != nil {
			return err
		}
	}
	for _, w := range d.writers {
		if err := w.Close(); err != nil {
			return err
		}
	}
	return facets.Flush()
}

// add hands one document to the totals and to the sorters of all orders.
func (d *distributor) add(a *attributes) error {
	d.totals.add(a)
	for i, o := range orderFiles {
		hi, lo, rest, known := orderKey(o.order, a)
		if known {
			d.known[i]++
		}
		d.payload = append(append(d.payload[:0], rest...), 0)
		d.payload = binary.BigEndian.AppendUint32(d.payload, d.docs)
		if err := d.writers[i].Add(hi, lo, d.payload); err != nil {
			return err
		}
	}
	d.docs++
	return nil
}

// orderKey returns what a document is sorted by, and whether it is known; unknown keys come last.
func orderKey(o Order, a *attributes) (hi, lo uint64, rest []byte, known bool) {
	switch o {
	case ByCapital:
		if a.capital < 0 {
			return 1 << 63, 0, nil, false
		}
		return 1<<63 - 1 - uint64(a.capital), 0, nil, true
	case ByName:
		if len(a.name) == 0 {
			return 1<<64 - 1, 1<<64 - 1, nil, false
		}
		var head [16]byte
		n := copy(head[:], a.name)
		return binary.BigEndian.Uint64(head[:]), binary.BigEndian.Uint64(head[8:]), a.name[n:], true
	default:
		if a.opening == 0 {
			return 1 << 32, 0, nil, false
		}
		return 1<<32 - 1 - uint64(a.opening), 0, nil, true
	}
}

// orderBoundaries parts the keys of an order for a first sorting pass.
func orderBoundaries(o Order) []uint64 {
	var out []uint64
	switch o {
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
	shift := stageShift(uint32(docs))
	for from := int64(0); from < docs; from += invertedChunk {
		chunk := positions[:min(docs-from, invertedChunk)]
		in := bufio.NewReaderSize(io.NewSectionReader(file, orderHeader, docs*orderCell), 256<<10)
		var cell [orderCell]byte
		for position := range docs {
			if _, err := io.ReadFull(in, cell[:]); err != nil {
				return noEOF(err)
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
