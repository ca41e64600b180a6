package sample

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/klauspost/compress/flate"
	"golang.org/x/sync/errgroup"
)

const (
	pieceSize   = 4096 // positions that one worker writes and deflates at a time
	deflateFast = 1    // the level: a release is written once and read once
)

// press writes files in order, of pieces that its workers make in any order.
type press struct {
	dir      string
	workers  int
	progress func(int64)
	ordered  chan *piece // in the order of writing
	spare    sync.Pool   // of pieces whose memory serves again
	done     int         // positions of the record tables
	sum      Summary
}

// piece is a range of a file's positions: its rows, and the same deflated.
type piece struct {
	file     *file
	from, to int
	rows     int
	raw      []byte
	deflated buffer
	made     chan struct{}
}

// buffer is the part of bytes.Buffer that a deflater needs, kept as a slice.
type buffer []byte

func (b *buffer) Write(p []byte) (int, error) {
	*b = append(*b, p...)
	return len(p), nil
}

// run writes the files. Pieces queue twice: for the workers, and in the order of writing; their number, and so the
// memory, is bounded by the queues.
func (p *press) run(ctx context.Context, files []file) error {
	group, ctx := errgroup.WithContext(ctx)
	work := make(chan *piece)
	p.ordered = make(chan *piece, 2*p.workers)
	p.spare.New = func() any { return &piece{} }
	group.Go(func() error {
		defer close(work)
		defer close(p.ordered)
		return p.plan(ctx, files, work)
	})
	for range p.workers {
		group.Go(func() error { return makePieces(work) })
	}
	group.Go(func() error { return p.writeAll(ctx, files) })
	return group.Wait()
}

// plan cuts the files into pieces, in order.
func (p *press) plan(ctx context.Context, files []file, work chan<- *piece) error {
	for i := range files {
		f := &files[i]
		for from := f.from; from < f.to; from += pieceSize {
			c := p.spare.Get().(*piece)
			*c = piece{
				file: f, from: from, to: min(from+pieceSize, f.to),
				raw: c.raw[:0], deflated: c.deflated[:0], made: make(chan struct{}),
			}
			for _, queue := range [...]chan<- *piece{p.ordered, work} {
				select {
				case queue <- c:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		}
	}
	return nil
}

// makePieces is a worker. A piece ends with a flush, on a byte boundary, and refers to nothing before it, so that the
// pieces one after the other are one deflate stream.
func makePieces(work <-chan *piece) error {
	deflater, err := flate.NewWriter(io.Discard, deflateFast)
	if err != nil {
		return fmt.Errorf("deflate: %w", err)
	}
	for c := range work {
		c.raw, c.rows = c.file.rows(c.raw, c.from, c.to)
		deflater.Reset(&c.deflated)
		if _, err := deflater.Write(c.raw); err != nil {
			return fmt.Errorf("deflate: %w", err)
		}
		if err := deflater.Flush(); err != nil {
			return fmt.Errorf("deflate: %w", err)
		}
		close(c.made)
	}
	return nil
}

func (p *press) writeAll(ctx context.Context, files []file) error {
	for i := range files {
		if err := p.writeFile(ctx, &files[i]); err != nil {
			return err
		}
	}
	return nil
}

func (p *press) writeFile(ctx context.Context, f *file) (err error) {
	out, err := os.Create(filepath.Join(p.dir, f.zip))
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := out.Close(); err == nil {
			err = closeErr
		}
	}()
	if err := p.writeZip(ctx, out, f); err != nil {
		return fmt.Errorf("%s: %w", f.zip, err)
	}
	size, err := out.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	p.sum.ZipBytes += size
	return nil
}

func (p *press) writeZip(ctx context.Context, out io.Writer, f *file) error {
	z := zip.NewWriter(out)
	stream := &deflatedStream{}
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		stream.out = w
		return stream, nil
	})
	// One fixed time, so that the same options give the same bytes.
	header := &zip.FileHeader{Name: f.member, Method: zip.Deflate, Modified: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	member, err := z.CreateHeader(header)
	if err != nil {
		return err
	}
	for at := f.from; at < f.to; {
		c, err := p.nextPiece(ctx)
		if err != nil {
			return err
		}
		stream.deflated = c.deflated
		if _, err := member.Write(c.raw); err != nil {
			return err
		}
		p.count(f, c)
		at = c.to
		p.spare.Put(c)
	}
	return z.Close()
}

// nextPiece waits for the next piece in order to be made.
func (p *press) nextPiece(ctx context.Context) (*piece, error) {
	select {
	case c, ok := <-p.ordered:
		if !ok {
			return nil, context.Cause(ctx)
		}
		select {
		case <-c.made:
			return c, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *press) count(f *file, c *piece) {
	p.sum.CSVBytes += int64(len(c.raw))
	rows := [...]*int64{&p.sum.Companies, &p.sum.Establishments, &p.sum.Partners, &p.sum.Simples, &p.sum.Domains}
	*rows[f.table] += int64(c.rows)
	if f.table == domainTable {
		return
	}
	p.done += c.to - c.from
	if p.progress != nil {
		p.progress(int64(p.done) / 4) // every company has its turn in four tables
	}
}

// deflatedStream stands where archive/zip puts a compressor. It is given the rows, which zip counts and sums, and
// passes on what a worker has already made of them.
type deflatedStream struct {
	out      io.Writer
	deflated []byte
}

func (s *deflatedStream) Write(rows []byte) (int, error) {
	if _, err := s.out.Write(s.deflated); err != nil {
		return 0, err
	}
	return len(rows), nil
}

// Close ends the deflate stream with an empty last block.
func (s *deflatedStream) Close() error {
	_, err := s.out.Write([]byte{0x03, 0x00})
	return err
}
