package pncp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"razao/ingest/rows"
)

const maxPage = 64 << 20 // a page of the API has 2 MB

// reader reads the files of a load: some goroutines cut them into blocks of lines, or send whole pages, others parse those.
type reader struct {
	files   []*rows.File
	workers int
	out     *rows.Output
	blocks  *rows.Blocks

	mu   sync.Mutex // guards span
	span span
}

func (r *reader) run(ctx context.Context) (span, error) {
	g, ctx := errgroup.WithContext(ctx)
	r.blocks = rows.NewBlocks(r.workers, func(data []byte) int { return bytes.LastIndexByte(data, '\n') + 1 })
	g.Go(func() error {
		defer r.blocks.Done()
		files, ctx := errgroup.WithContext(ctx)
		files.SetLimit(r.workers)
		for _, f := range r.files {
			if ctx.Err() != nil {
				break
			}
			files.Go(func() error { return r.readFile(ctx, f) })
		}
		return files.Wait()
	})
	for range r.workers {
		g.Go(func() error { return r.parse(ctx) })
	}
	err := g.Wait()
	return r.span, err
}

func (r *reader) readFile(ctx context.Context, f *rows.File) error {
	in, err := r.out.Open(f)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	if isPage(f.Name) {
		return r.readPage(ctx, f, in)
	}
	return r.blocks.Cut(ctx, f, in, 1)
}

// readPage hands on a whole file.
func (r *reader) readPage(ctx context.Context, f *rows.File, in io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(in, maxPage+1))
	if err != nil {
		return err
	}
	if len(text) > maxPage {
		return fmt.Errorf("%s has more than %d bytes, too many for a page: write one contract a line and name the file *.jsonl", f.Path, maxPage)
	}
	return r.blocks.Send(ctx, rows.Block{File: f, Line: 1, Data: text})
}

// parse is one worker: it reads the contracts of blocks until there are no more.
func (r *reader) parse(ctx context.Context) (err error) {
	p := newParser(r.out.Writer())
	defer func() {
		if closed := p.w.Close(); err == nil {
			err = closed
		}
	}()
	if err := r.blocks.Each(ctx, p.block); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.span.add(p.span.earliest, p.span.newest)
	return nil
}

// block reads a page, or lines that are documents each.
func (p *parser) block(b rows.Block) error {
	p.file, p.page = b.File, isPage(b.File.Name)
	data := b.Data
	if b.Line == 1 {
		data = bytes.TrimPrefix(data, []byte("\ufeff"))
	}
	if p.page {
		return p.document(string(data), b.Line)
	}
	line := b.Line
	for text := range strings.Lines(string(data)) {
		if strings.TrimSpace(text) != "" {
			if err := p.document(strings.TrimRight(text, "\r\n"), line); err != nil {
				return err
			}
		}
		line++
	}
	return nil
}
