package pncp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"razao/ingest/frame"
)

const (
	blockBytes  = 1 << 20  // what a worker gets at once, cut between lines
	maxDocument = 64 << 20 // of one line or one page; a page of the API has 2 MB
)

// reader reads the files of a load: some goroutines cut them into blocks, others parse those.
type reader struct {
	files   []*frame.File
	workers int
	out     *frame.Output
	blocks  chan block

	mu   sync.Mutex // guards span
	span span
}

// block is a run of whole lines, or a page.
type block struct {
	file *frame.File
	page bool
	line int64 // of its first byte
	text string
}

func (r *reader) run(ctx context.Context) (span, error) {
	g, ctx := errgroup.WithContext(ctx)
	r.blocks = make(chan block, r.workers)
	g.Go(func() error {
		defer close(r.blocks)
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

func (r *reader) readFile(ctx context.Context, f *frame.File) error {
	in, err := r.out.Open(f)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	if isPage(f.Name) {
		return r.readPage(ctx, f, in)
	}
	return r.split(ctx, f, in)
}

// readPage hands on a whole file.
func (r *reader) readPage(ctx context.Context, f *frame.File, in io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(in, maxDocument+1))
	if err != nil {
		return err
	}
	if len(text) > maxDocument {
		return fmt.Errorf("%s has more than %d bytes, too many for a page: write one contract a line and name the file *.jsonl", f.Path, maxDocument)
	}
	return r.send(ctx, block{file: f, page: true, line: 1, text: string(withoutMark(text))})
}

// split cuts a file into blocks between lines.
func (r *reader) split(ctx context.Context, f *frame.File, in io.Reader) error {
	data := make([]byte, 0, blockBytes)
	for line := int64(1); ; {
		n, err := io.ReadFull(in, data[len(data):cap(data)])
		data = data[:len(data)+n]
		// The frame's errors wrap a cut file's io.ErrUnexpectedEOF; ReadFull returns its own one bare.
		end := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !end {
			return err
		}
		cut := len(data)
		if !end {
			cut = bytes.LastIndexByte(data, '\n') + 1
		}
		if cut == 0 && !end {
			if len(data) >= maxDocument {
				return fmt.Errorf("%s line %d: no line ends within %d bytes: not JSON Lines", f.Path, line, maxDocument)
			}
			data = append(make([]byte, 0, 2*len(data)), data...)
			continue
		}
		whole := data[:cut]
		if line == 1 {
			whole = withoutMark(whole)
		}
		if err := r.send(ctx, block{file: f, line: line, text: string(whole)}); err != nil || end {
			return err
		}
		line += int64(bytes.Count(whole, []byte{'\n'}))
		data = data[:copy(data, data[cut:])]
	}
}

// withoutMark removes a byte order mark.
func withoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }

func (r *reader) send(ctx context.Context, b block) error {
	select {
	case r.blocks <- b:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// parse is one worker: it reads the contracts of blocks until there are no more.
func (r *reader) parse(ctx context.Context) (err error) {
	p := newParser(r.out.Writer())
	defer func() {
		if closed := p.w.Close(); err == nil {
			err = closed
		}
	}()
	for b := range r.blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.block(b); err != nil {
			return err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.span.add(p.span.earliest, p.span.newest)
	return nil
}

// block reads a page, or lines that are documents each.
func (p *parser) block(b block) error {
	p.file, p.page = b.file, b.page
	if b.page {
		return p.document(b.text, b.line)
	}
	line := b.line
	for text := range strings.Lines(b.text) {
		if strings.TrimSpace(text) != "" {
			if err := p.document(strings.TrimRight(text, "\r\n"), line); err != nil {
				return err
			}
		}
		line++
	}
	return nil
}
