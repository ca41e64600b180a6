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

const maxPage = 64 << 20 // read into memory at once; a page of the API has up to 2 MB

// reader is the pipeline of a load: up to workers goroutines read files and send blocks of lines or
// whole pages through a bounded queue, as many others parse them. The first error cancels all.
type reader struct {
	files   []*rows.File
	workers int
	out     *rows.Output
	blocks  *rows.Blocks

	mu   sync.Mutex // guards span
	span span
}

// run reads all files and returns the span of their contracts.
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

// readFile opens one file and sends its blocks.
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

// readPage sends a whole file as one block.
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

// parse is one parsing worker: it handles blocks until the queue is closed and then adds its span
// to the load's.
func (r *reader) parse(ctx context.Context) (err error) {
	p := newParser(r.out.Writer(), r.span.until)
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

// block parses one page, or the documents of a block of lines. Blank lines are skipped.
func (p *parser) block(b rows.Block) error {
	p.file, p.page = b.File, isPage(b.File.Name)
	if b.Long { // perhaps a page: the number of contracts lost with it is unknown
		return fmt.Errorf("%s line %d: the line has more than 4 MiB: write one contract a line", b.File.Path, b.Line)
	}
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
