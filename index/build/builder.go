package build

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"golang.org/x/sync/errgroup"

	"razao/index/column"
	"razao/index/extsort"
	"razao/index/folder"
	"razao/index/segment"
)

// Options of a Builder. Load and Month are copied to the manifest; the rest may be zero.
type Options struct {
	Load    int64  // the load of the Receita that the documents are from
	Month   string // its month, "2026-08"
	Workers int    // goroutines of Finish; 0 means 1
	// Progress is called with how far a stage, "invert" and then "merge", has come, in documents.
	// Calls are serialized. nil is allowed.
	Progress func(stage string, done, total int64)
	// BucketBytes is the most bytes of encoded documents that a worker inverts at once; 0 means
	// 10 MiB, for which a worker needs some eight times as much memory.
	BucketBytes int64
	// ShardDocs is the number of documents of the first shard; 0 means 65,536. Each further shard
	// has twice as many, up to 64 times as many as the first.
	ShardDocs int64
}

// Builder makes one index folder. Add documents through Writers, in any order, then call Finish;
// after an error of theirs, or to give up, call Abort. Writer may be called from several
// goroutines, Finish and Abort only when all writers are closed.
type Builder struct {
	dir, tmp string
	options  Options
	sorter   *extsort.Sorter
	heads    *roaring.Bitmap // documents that are head offices; set by invert
}

// New prepares the making of dir. The error wraps fs.ErrExist if dir exists. Leftovers of a build
// that was killed are removed.
func New(dir string, o Options) (*Builder, error) {
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("index folder %s: %w", dir, cmp.Or(err, fs.ErrExist))
	}
	b := &Builder{dir: dir, tmp: dir + ".tmp", options: o}
	b.options.Workers = max(o.Workers, 1)
	b.options.BucketBytes = cmp.Or(o.BucketBytes, 10<<20)
	b.options.ShardDocs = cmp.Or(o.ShardDocs, 1<<16)
	if err := os.RemoveAll(b.tmp); err != nil {
		return nil, fmt.Errorf("leftover of a build: %w", err)
	}
	if err := os.MkdirAll(b.path("index"), 0o700); err != nil {
		return nil, fmt.Errorf("index folder: %w", err)
	}
	var err error
	b.sorter, err = extsort.New(b.path("rank"), extsort.Options{Boundaries: rankBoundaries(), BucketBytes: b.options.BucketBytes})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(b.tmp))
	}
	return b, nil
}

// path returns a path in the temporary folder.
func (b *Builder) path(names ...string) string {
	return filepath.Join(append([]string{b.tmp}, names...)...)
}

// Folder returns the folder in the making. A file that is put there before Finish becomes part of
// the index: the manifest lists it with its checksum. Its name must not be one of the index's own.
func (b *Builder) Folder() string { return b.path("index") }

// Writer adds documents. Each belongs to one goroutine; several may be open at once.
type Writer struct {
	encoder encoder
	sorted  *extsort.Writer
}

// Writer returns a new writer, which must be closed before Finish.
func (b *Builder) Writer() *Writer { return &Writer{sorted: b.sorter.Writer()} }

// Add encodes a document and hands it to the external sort. Nothing of d is kept. Each CNPJ must be
// added once; Finish fails otherwise.
func (w *Writer) Add(d *Doc) error {
	hi, lo := d.Rank()
	if err := w.sorted.Add(hi, lo, w.encoder.encode(d)); err != nil {
		return fmt.Errorf("indexing %s: %w", d.CNPJ, err)
	}
	return nil
}

// Close flushes the writer, which must not be used afterwards.
func (w *Writer) Close() error { return w.sorted.Close() }

// Abort deletes everything that was written. After a successful Finish it does nothing.
func (b *Builder) Abort() error {
	return errors.Join(b.sorter.Remove(), os.RemoveAll(b.tmp))
}

// Finish sorts the documents, writes the shards and columns, verifies them and renames the folder
// to its place. It returns the manifest. If it fails or ctx ends, it deletes everything and returns
// the error.
func (b *Builder) Finish(ctx context.Context) (folder.Manifest, error) {
	m, err := b.finish(ctx)
	if err != nil {
		return folder.Manifest{}, errors.Join(fmt.Errorf("building the index: %w", err), b.Abort())
	}
	return m, os.RemoveAll(b.tmp)
}

func (b *Builder) finish(ctx context.Context) (folder.Manifest, error) {
	m := folder.Manifest{Format: folder.Format, Load: b.options.Load, Month: b.options.Month, Docs: b.sorter.Records(), BuiltAt: time.Now().UTC()}
	runs, err := b.invert(ctx)
	if err != nil {
		return m, err
	}
	if err := b.sorter.Remove(); err != nil {
		return m, err
	}
	debug.FreeOSMemory() // the buffers of the inversion, before the merge needs its own
	if m.Shards, err = b.merge(ctx, runs, m.Docs); err != nil {
		return m, err
	}
	if err := b.open(ctx, m); err != nil {
		return m, err
	}
	if err := m.Write(b.path("index")); err != nil {
		return m, fmt.Errorf("manifest: %w", err)
	}
	return m, folder.Publish(b.path("index"), b.dir)
}

// invert turns the sorted buckets into runs, several at a time, and writes what comes in rank order
// from their attributes: facets, numbers and figures of places. Runs are returned in rank order.
func (b *Builder) invert(ctx context.Context) (runs []run, err error) {
	columns, err := createColumnWriters(b.path("index"), b.options.Month)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, columns.close()) }()
	inverters := make(chan *inverter, b.options.Workers)
	for range b.options.Workers {
		inverters <- newInverter()
	}
	var made atomic.Int64
	work := func(bucket *extsort.Bucket) (run, error) {
		v := <-inverters
		defer func() { inverters <- v }()
		return v.run(bucket, b.path(fmt.Sprintf("run-%06d", made.Add(1))))
	}
	var done int64
	err = extsort.Run(ctx, b.sorter, b.options.Workers, work, func(r run) error {
		columns.add(r.attributes)
		r.attributes = nil
		runs = append(runs, r)
		done += r.docs
		b.progress("invert", done, b.sorter.Records())
		return nil
	})
	if err != nil {
		return nil, err
	}
	b.heads = columns.heads
	return runs, columns.sums.Write(b.path("index"))
}

// maxShardGrowth is the size of the largest shards in sizes of the first: four million documents by
// default.
const maxShardGrowth = 64

// merge writes orders and shards from the runs, in parallel. A run is deleted when its last user is
// done with it. The largest shards go first, which keeps all workers busy to the end (longest
// processing time first).
func (b *Builder) merge(ctx context.Context, runs []run, total int64) ([]folder.Shard, error) {
	shards, parts := b.partition(runs, total)
	var mu sync.Mutex
	var done int64
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(b.options.Workers)
	all := cut(runs, 0, total) // counted as users before the first shard can release a run
	g.Go(func() error { return writeOrders(ctx, b.path("index"), all) })
	for _, i := range largestFirst(shards) {
		g.Go(func() error {
			if err := writeShard(ctx, b.path("index", shards[i].Path), b.tmp, shards[i].Docs, parts[i]); err != nil {
				return fmt.Errorf("%s: %w", shards[i].Path, err)
			}
			mu.Lock()
			defer mu.Unlock()
			done += shards[i].Docs
			b.progress("merge", done, total)
			return nil
		})
	}
	return shards, g.Wait()
}

// partition divides total documents into growing shards and returns, for each, the parts of runs
// that it consists of.
func (b *Builder) partition(runs []run, total int64) (shards []folder.Shard, parts [][]runPart) {
	size, from := b.options.ShardDocs, int64(0)
	for from < total {
		to := min(from+size, total)
		shards = append(shards, folder.Shard{Path: fmt.Sprintf("shard-%03d", len(shards)), Docs: to - from})
		parts = append(parts, cut(runs, from, to))
		from, size = to, min(2*size, maxShardGrowth*b.options.ShardDocs)
	}
	return shards, parts
}

// largestFirst returns the indexes of the shards by descending size.
func largestFirst(shards []folder.Shard) []int {
	order := make([]int, len(shards))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(shards[b].Docs, shards[a].Docs) })
	return order
}

func (b *Builder) progress(stage string, done, total int64) {
	if b.options.Progress != nil {
		b.options.Progress(stage, done, total)
	}
}

// open opens columns and shards as servers will, probes the shards, and writes the table of companies,
// which is read from their key dictionaries.
func (b *Builder) open(ctx context.Context, m folder.Manifest) error {
	columns, err := column.Open(b.path("index"), m.Docs)
	if err != nil {
		return err
	}
	if err := columns.Close(); err != nil {
		return err
	}
	shards, err := segment.OpenAll(b.path("index"), m.Shards)
	if err != nil {
		return err
	}
	for i, s := range shards {
		if err = errors.Join(ctx.Err(), s.Probe(m.Shards[i].Docs)); err != nil {
			err = fmt.Errorf("verifying %s: %w", m.Shards[i].Path, err)
			break
		}
		s.ReleasePages()
	}
	if err == nil {
		err = b.companies(ctx, m, shards)
	}
	return errors.Join(err, segment.CloseAll(shards))
}
