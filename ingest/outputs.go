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
	"slices"

	"razao/index/build"
	"razao/index/extsort"
	"razao/index/folder"
	"razao/internal/data/cnpj"
	"razao/internal/store/network"
	"razao/internal/store/proof"
	"razao/internal/store/registry"
	"razao/internal/store/sitemap"
)

// sink is one of the outputs of a Receita load beside its records in PostgreSQL.
type sink interface {
	// finish completes it in the folder of the index. The records of the load are committed.
	finish(ctx context.Context, folder string) error
	// abort deletes what is unfinished, and temporary files.
	abort()
}

// outputs are the sinks of a load. One stream of companies fills them: emitters send documents, edges and
// pages from several goroutines, and rows come in the order of the record store.
type outputs struct {
	in        *Ingester
	documents *documents
	edges     *edges
	pages     *pages
	rows      []interface {
		Add(root cnpj.Root, seq int32, doc []byte) error
	}
	sinks []sink // those begun last are finished first: the documents are in the folder that holds the others
}

// newOutputs begins the index of a load in the folder of that name below IndexDir, and what lies in it.
// work is the folder for temporary files. others are finished when the rows can be read, before the rest.
// The caller must call abort in the end.
func (in *Ingester) newOutputs(l *registry.Load, name, work string, others ...sink) (_ *outputs, err error) {
	o := &outputs{in: in}
	defer func() {
		if err != nil {
			o.abort()
		}
	}()
	builder, err := build.New(filepath.Join(in.IndexDir, name), in.buildOptions(l.ID, l.Period))
	if err != nil {
		return nil, err
	}
	o.documents = &documents{Builder: builder}
	o.sinks = append(o.sinks, o.documents)
	leafKey := make([]byte, proof.KeyBytes)
	_, _ = rand.Read(leafKey) // never fails
	if l.Tree != nil {
		leafKey = l.Tree.LeafKey
	}
	w, err := proof.Create(builder.Folder(), leafKey)
	if err != nil {
		return nil, err
	}
	o.sinks, o.rows = append(o.sinks, &tree{w, l}), append(o.rows, w)
	sorter, err := extsort.New(filepath.Join(work, "edges"), extsort.Options{Boundaries: network.Boundaries()})
	if err != nil {
		return nil, err
	}
	o.edges = &edges{sorter, in.workers()}
	o.sinks = append(o.sinks, o.edges)
	if o.pages, err = newPages(in, l.ID, work); err != nil {
		return nil, err
	}
	o.sinks = append(append(o.sinks, o.pages), others...)
	if in.RowCache {
		w, err := registry.CreateRowCache(builder.Folder())
		if err != nil {
			return nil, err
		}
		o.sinks, o.rows = append(o.sinks, rowCache{w}), append(o.rows, w)
	}
	return o, nil
}

// row takes the next row of the record store, by root and seq.
func (o *outputs) row(root cnpj.Root, seq int32, doc []byte) error {
	for _, w := range o.rows {
		if err := w.Add(root, seq, doc); err != nil {
			return err
		}
	}
	return nil
}

// finish completes the sinks. The records of the load must be committed.
func (o *outputs) finish(ctx context.Context) error {
	folder := o.documents.Folder()
	for _, s := range slices.Backward(o.sinks) {
		if err := s.finish(ctx, folder); err != nil {
			return err
		}
	}
	return nil
}

// abort deletes what is unfinished. After finish it only removes temporary files.
func (o *outputs) abort() {
	for _, s := range slices.Backward(o.sinks) {
		s.abort()
	}
}

// documents are the search index.
type documents struct {
	*build.Builder
	manifest folder.Manifest // once they are finished
}

func (d *documents) finish(ctx context.Context, _ string) (err error) {
	d.manifest, err = d.Finish(ctx)
	return err
}

func (d *documents) abort() { _ = d.Abort() }

// rowCache is the row cache.
type rowCache struct{ *registry.RowCacheWriter }

func (c rowCache) finish(context.Context, string) error { return c.Close() }

func (c rowCache) abort() { c.Abort() }

// tree is the tree of the load's companies.
type tree struct {
	*proof.Writer
	of *registry.Load
}

// finish notes the tree in the load, or compares it with the one that is there.
func (t *tree) finish(context.Context, string) error {
	made, err := t.Close()
	if err != nil {
		return err
	}
	if t.of.Tree != nil && !bytes.Equal(t.of.Tree.Hash, made.Hash) {
		return fmt.Errorf("the records of load %d are not those of its checkpoint: they were changed since", t.of.ID)
	}
	t.of.Tree = &made
	return nil
}

func (t *tree) abort() { t.Abort() }

// edges are those of the network.
type edges struct {
	*extsort.Sorter
	workers int
}

// finish sorts the edges and writes their file.
func (e *edges) finish(ctx context.Context, folder string) error {
	w, err := network.Create(folder)
	if err != nil {
		return err
	}
	defer w.Abort()
	type edge struct{ node, key uint64 }
	err = extsort.Run(ctx, e.Sorter, e.workers, func(b *extsort.Bucket) ([]edge, error) {
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

func (e *edges) abort() { _ = e.Remove() }

// pages are the list of pages for search engines. They buffer the CNPJs in a file (8 bytes each, big
// endian, rising) until it is known on which day each changed: tens of millions of numbers stay out of
// memory.
type pages struct {
	of     *Ingester
	load   int64
	file   *os.File
	out    *bufio.Writer
	in     *bufio.Reader
	number cnpj.Full // next one to list, valid if more is true
	more   bool      // number is valid
}

// newPages creates the buffer file of a load in dir.
func newPages(in *Ingester, load int64, dir string) (*pages, error) {
	file, err := os.Create(filepath.Join(dir, "pages"))
	if err != nil {
		return nil, fmt.Errorf("file of the pages: %w", err)
	}
	return &pages{of: in, load: load, file: file, out: bufio.NewWriterSize(file, 1<<16)}, nil
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

// finish writes the list of pages, each with the day of the load that last changed its company. It
// is a merge join of two sequences that rise by root: the pages collected while merging, and the
// changed roots of the load. Pages between two changed roots have the day of the beginning, the
// load with which all unchanged records appeared.
func (p *pages) finish(ctx context.Context, folder string) error {
	view, err := p.of.Store.View(ctx, registry.Snapshot{Loads: map[string]int64{registry.Receita: p.load}}) // with the history of the load
	if err != nil {
		return err
	}
	days, err := p.of.days(ctx)
	if err != nil {
		return err
	}
	w, err := sitemap.Create(folder)
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := p.rewind(); err != nil {
		return err
	}
	beginning, _ := view.Beginning() // unknown: 0, whose day is 0 and means "not known"
	err = view.EachChange(ctx, func(root cnpj.Root, load int64) error {
		if err := p.list(w, root, days[beginning]); err != nil {
			return err
		}
		return p.list(w, root+1, days[load])
	})
	if err != nil {
		return err
	}
	// behindAll is above every root.
	const behindAll = cnpj.Orders * cnpj.Orders
	if err := p.list(w, behindAll, days[beginning]); err != nil {
		return err
	}
	_, err = w.Close()
	return err
}

// abort closes and deletes the buffer file.
func (p *pages) abort() { _ = errors.Join(p.file.Close(), os.Remove(p.file.Name())) }

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
