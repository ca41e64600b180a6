package ingest

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"razao/index/build"
	"razao/index/extsort"
	"razao/index/folder"
	"razao/internal/data/cnpj"
	"razao/internal/store/network"
	"razao/internal/store/proof"
	"razao/internal/store/registry"
	"razao/internal/store/sitemap"
)

// indexOutput is what servers need of a Receita load beside PostgreSQL: the documents of the search
// index, and in its folder the list of pages for search engines, the network, the tree of the companies
// and the row cache.
type indexOutput struct {
	documents *build.Builder
	pages     *pages
	edges     *extsort.Sorter // of the network
	tree      *proof.Writer
	cache     *registry.RowCacheWriter // nil: no row cache
}

// newIndexOutput starts an index in the folder of that name below IndexDir. work is the folder for
// temporary files. former is the tree of the load if it has one, nil if not. The caller must call abort,
// which does nothing after finish.
func (in *Ingester) newIndexOutput(load int64, month, name, work string, former *registry.Tree) (*indexOutput, error) {
	pages, err := newPages(work)
	if err != nil {
		return nil, err
	}
	documents, err := build.New(filepath.Join(in.IndexDir, name), in.buildOptions(load, month))
	if err != nil {
		return nil, errors.Join(err, pages.close())
	}
	f := &indexOutput{documents: documents, pages: pages}
	if f.edges, err = extsort.New(filepath.Join(work, "edges"), extsort.Options{Boundaries: network.Boundaries()}); err != nil {
		f.abort()
		return nil, err
	}
	if f.tree, err = proof.Create(documents.Folder(), leafKey(former)); err != nil {
		f.abort()
		return nil, err
	}
	if in.RowCache {
		if f.cache, err = registry.CreateRowCache(documents.Folder()); err != nil {
			f.abort()
			return nil, err
		}
	}
	return f, nil
}

// leafKey returns the key of a tree, a new one for nil.
func leafKey(former *registry.Tree) []byte {
	if former != nil {
		return former.LeafKey
	}
	key := make([]byte, proof.KeyBytes)
	_, _ = rand.Read(key) // never fails
	return key
}

// output returns the target of a merge or rebuild that fills f. stage is the name of its progress.
func (in *Ingester) output(stage string, f *indexOutput) *mergeOutput {
	var copied registry.CopiedRows
	return &mergeOutput{
		documents: f.documents, edges: f.edges, pages: f.pages.add, progress: in.progress(stage), workers: in.workers(),
		rows: func(rows []byte) error { return copied.Each(rows, f.row) },
	}
}

// row takes the next row of the record store, by root and seq.
func (f *indexOutput) row(root cnpj.Root, seq int32, doc []byte) error {
	if err := f.tree.Add(root, seq, doc); err != nil || f.cache == nil {
		return err
	}
	return f.cache.Add(root, seq, doc)
}

// endRows completes the row cache after the last row.
func (f *indexOutput) endRows() error {
	if f.cache == nil {
		return nil
	}
	return f.cache.Close()
}

// network sorts the edges and writes their file.
func (f *indexOutput) network(ctx context.Context, workers int) error {
	w, err := network.Create(f.documents.Folder())
	if err != nil {
		return err
	}
	defer w.Abort()
	type edge struct{ node, key uint64 }
	err = extsort.Run(ctx, f.edges, workers, func(b *extsort.Bucket) ([]edge, error) {
		edges := make([]edge, b.Len())
		for i := range edges {
			edges[i].node, edges[i].key, _ = b.At(i)
		}
		return edges, nil
	}, func(edges []edge) error {
		for _, e := range edges {
			if err := w.Add(network.Node(e.node), e.key); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return w.Close()
}

// abort deletes an unfinished index. After finish it only removes temporary files.
func (f *indexOutput) abort() {
	_ = f.pages.close()
	if f.edges != nil {
		_ = f.edges.Remove()
	}
	if f.tree != nil {
		f.tree.Abort()
	}
	if f.cache != nil {
		f.cache.Abort()
	}
	_ = f.documents.Abort()
}

// finish writes the sitemap and completes the index folder. It notes the tree in l, or compares it with
// the one that is there. The records of the load must be committed, because the days of the sitemap come
// from the changes stored with them.
func (in *Ingester) finish(ctx context.Context, f *indexOutput, l *registry.Load) (folder.Manifest, error) {
	if err := in.sitemap(ctx, f, l.ID); err != nil {
		return folder.Manifest{}, err
	}
	if err := f.network(ctx, in.workers()); err != nil {
		return folder.Manifest{}, err
	}
	tree, err := f.tree.Close()
	if err != nil {
		return folder.Manifest{}, err
	}
	if l.Tree != nil && !bytes.Equal(l.Tree.Hash, tree.Hash) {
		return folder.Manifest{}, fmt.Errorf("the records of load %d are not those of its checkpoint: they were changed since", l.ID)
	}
	l.Tree = &tree
	return f.documents.Finish(ctx)
}

// sitemap writes the list of pages, each with the day of the load that last changed its company. It
// is a merge join of two sequences that rise by root: the pages collected while merging, and the
// changed roots of the load. Pages between two changed roots have the day of the beginning, the
// load with which all unchanged records appeared.
func (in *Ingester) sitemap(ctx context.Context, f *indexOutput, load int64) error {
	view, err := in.Store.View(ctx, registry.Snapshot{Loads: map[string]int64{registry.Receita: load}})
	if err != nil {
		return err
	}
	days, err := in.days(ctx)
	if err != nil {
		return err
	}
	w, err := sitemap.Create(f.documents.Folder())
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := f.pages.rewind(); err != nil {
		return err
	}
	beginning, _ := view.Beginning() // unknown: 0, whose day is 0 and means "not known"
	err = view.EachChange(ctx, func(root cnpj.Root, load int64) error {
		if err := f.pages.list(w, root, days[beginning]); err != nil {
			return err
		}
		return f.pages.list(w, root+1, days[load])
	})
	if err != nil {
		return err
	}
	// behindAll is above every root.
	const behindAll = cnpj.Orders * cnpj.Orders
	if err := f.pages.list(w, behindAll, days[beginning]); err != nil {
		return err
	}
	_, err = w.Close()
	return err
}

// days returns the day on which each load was begun, by load id.
func (in *Ingester) days(ctx context.Context) (map[int64]sitemap.Day, error) {
	loads, err := in.Store.Loads(ctx)
	if err != nil {
		return nil, err
	}
	days := map[int64]sitemap.Day{}
	for i := range loads {
		days[loads[i].ID] = sitemap.DayOf(loads[i].StartedAt)
	}
	return days, nil
}

// pages buffers the CNPJs of pages in a file (8 bytes each, big endian, rising) until it is known
// on which day each changed. The file keeps tens of millions of numbers out of memory.
type pages struct {
	file   *os.File
	out    *bufio.Writer
	in     *bufio.Reader
	number cnpj.Full // next one to list, valid if more is true
	more   bool      // number is valid
}

// newPages creates the buffer file in dir.
func newPages(dir string) (*pages, error) {
	file, err := os.Create(filepath.Join(dir, "pages"))
	if err != nil {
		return nil, fmt.Errorf("file of the pages: %w", err)
	}
	return &pages{file: file, out: bufio.NewWriterSize(file, 1<<16)}, nil
}

// add appends numbers, which must rise over all calls.
func (p *pages) add(numbers []cnpj.Full) error {
	var cell [8]byte
	for _, number := range numbers {
		binary.BigEndian.PutUint64(cell[:], uint64(number))
		if _, err := p.out.Write(cell[:]); err != nil {
			return fmt.Errorf("file of the pages: %w", err)
		}
	}
	return nil
}

// rewind ends writing and reads the first number.
func (p *pages) rewind() error {
	if err := p.out.Flush(); err != nil {
		return fmt.Errorf("file of the pages: %w", err)
	}
	if _, err := p.file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("file of the pages: %w", err)
	}
	p.in = bufio.NewReaderSize(p.file, 1<<16)
	return p.next()
}

// next reads the next number into p.number and sets p.more.
func (p *pages) next() error {
	var cell [8]byte
	_, err := io.ReadFull(p.in, cell[:])
	if p.more = err == nil; p.more || errors.Is(err, io.EOF) {
		p.number = cnpj.Full(binary.BigEndian.Uint64(cell[:]))
		return nil
	}
	return fmt.Errorf("file of the pages: %w", err)
}

// list writes the remaining pages whose roots are below until, all with the same day.
func (p *pages) list(w *sitemap.Writer, until cnpj.Root, day sitemap.Day) error {
	for p.more && p.number.Root() < until {
		if err := w.Add(p.number, day); err != nil {
			return err
		}
		if err := p.next(); err != nil {
			return err
		}
	}
	return nil
}

// close closes and deletes the buffer file.
func (p *pages) close() error { return errors.Join(p.file.Close(), os.Remove(p.file.Name())) }
