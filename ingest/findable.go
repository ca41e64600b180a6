package ingest

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"razao/index/build"
	"razao/index/folder"
	"razao/ingest/merge"
	"razao/internal/cnpj"
	"razao/internal/registry"
	"razao/internal/sitemap"
)

// findable is what is made of the records of a load so that they are found: the documents of the index, and the pages
// that search engines are told of. The latter become part of the index folder.
type findable struct {
	documents *build.Builder
	pages     *pages
}

// newFindable prepares the index folder of that name. work is a folder for temporary files.
func (in *Ingester) newFindable(load int64, month, name, work string) (*findable, error) {
	pages, err := newPages(work)
	if err != nil {
		return nil, err
	}
	documents, err := build.New(filepath.Join(in.IndexDir, name), in.buildOptions(load, month))
	if err != nil {
		return nil, errors.Join(err, pages.close())
	}
	return &findable{documents, pages}, nil
}

// output is for companies to be made into what is found of them, as a stage of that name.
func (in *Ingester) output(stage string, f *findable) *merge.Output {
	return &merge.Output{Documents: f.documents, Pages: f.pages.add, Progress: in.progress(stage), Workers: in.workers()}
}

// abort removes what was made. After finish it does nothing.
func (f *findable) abort() {
	_ = f.pages.close()
	_ = f.documents.Abort()
}

// finish completes the index folder of a load whose records are stored.
func (in *Ingester) finish(ctx context.Context, f *findable, load int64) (folder.Manifest, error) {
	if err := in.sitemap(ctx, f, load); err != nil {
		return folder.Manifest{}, err
	}
	return f.documents.Finish(ctx)
}

// sitemap writes the list of pages with the days on which they changed: those of the loads that brought their records.
func (in *Ingester) sitemap(ctx context.Context, f *findable, load int64) error {
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
	beginning, _ := view.Beginning() // without one the days of what did not change are not known
	err = view.EachChange(ctx, func(root cnpj.Root, load int64) error {
		if err := f.pages.list(w, root, days[beginning.ID]); err != nil {
			return err
		}
		return f.pages.list(w, root+1, days[load])
	})
	if err != nil {
		return err
	}
	const behindAll = cnpj.Orders * cnpj.Orders
	if err := f.pages.list(w, behindAll, days[beginning.ID]); err != nil {
		return err
	}
	_, err = w.Close()
	return err
}

// days returns when the loads were made, by their ids.
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

// pages keeps the numbers of the pages, which come in CNPJ order, in a file until it is known when each changed.
type pages struct {
	file   *os.File
	out    *bufio.Writer
	in     *bufio.Reader
	number cnpj.Full // the next one to list
	more   bool      // there is a next one
}

func newPages(dir string) (*pages, error) {
	file, err := os.Create(filepath.Join(dir, "pages"))
	if err != nil {
		return nil, fmt.Errorf("file of the pages: %w", err)
	}
	return &pages{file: file, out: bufio.NewWriterSize(file, 1<<16)}, nil
}

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

// rewind ends the adding and goes to the first page.
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

func (p *pages) next() error {
	var cell [8]byte
	_, err := io.ReadFull(p.in, cell[:])
	if p.more = err == nil; p.more || errors.Is(err, io.EOF) {
		p.number = cnpj.Full(binary.BigEndian.Uint64(cell[:]))
		return nil
	}
	return fmt.Errorf("file of the pages: %w", err)
}

// list writes the pages of the roots before until, which changed on a day.
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

func (p *pages) close() error { return errors.Join(p.file.Close(), os.Remove(p.file.Name())) }
