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
	folders  folders
	workers  int
	roots    int // companies' worth of work
	progress func(int64)
	ordered  chan *piece // in the order of writing
	spare    sync.Pool   // of pieces whose memory serves again
	done     int         // positions of the record tables
	total    int         // of them
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
	for i := range files {
		p.total += files[i].positions()
	}
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

// positions returns how many count as work.
func (f *file) positions() int {
	if f.table == domainTable {
		return 0
	}
	return f.to - f.from
}

func (f *file) pieceSize() int {
	if f.piece > 0 {
		return f.piece
	}
	return pieceSize
}

// hasPiece says whether a piece begins at a position: an empty table with a header still has one.
func (f *file) hasPiece(at int) bool { return at < f.to || at == f.from && len(f.header) > 0 }

// plan cuts the files into pieces, in order.
func (p *press) plan(ctx context.Context, files []file, work chan<- *piece) error {
	for i := range files {
		f := &files[i]
		for from := f.from; f.hasPiece(from); from += f.pieceSize() {
			c := p.spare.Get().(*piece)
			*c = piece{
				file: f, from: from, to: min(from+f.pieceSize(), f.to),
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
		c.make()
		if c.file.member != "" {
			deflater.Reset(&c.deflated)
			if _, err := deflater.Write(c.raw); err != nil {
				return fmt.Errorf("deflate: %w", err)
			}
			if err := deflater.Flush(); err != nil {
				return fmt.Errorf("deflate: %w", err)
			}
		}
		close(c.made)
	}
	return nil
}

func (c *piece) make() {
	if c.from == c.file.from {
		c.raw = append(c.raw, c.file.header...)
	}
	c.raw, c.rows = c.file.rows(c.raw, c.from, c.to)
	if c.to == c.file.to {
		c.raw = append(c.raw, c.file.footer...)
	}
}

func (p *press) writeAll(ctx context.Context, files []file) error {
	for len(files) > 0 {
		n := 1
		for n < len(files) && files[n].folder == files[0].folder && files[n].name == files[0].name {
			n++
		}
		if err := p.writeFile(ctx, files[:n]); err != nil {
			return err
		}
		files = files[n:]
	}
	return nil
}

// writeFile writes the tables of one zip, or the one table that is not zipped.
func (p *press) writeFile(ctx context.Context, tables []file) (err error) {
	name := tables[0].name
	out, err := os.Create(filepath.Join(p.folders.beside(tables[0].folder), name))
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := out.Close(); err == nil {
			err = closeErr
		}
	}()
	if tables[0].member == "" {
		err = p.writeTable(ctx, &tables[0], func(c *piece) error {
			_, err := out.Write(c.raw)
			return err
		})
	} else {
		err = p.writeZip(ctx, out, tables)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if tables[0].table == sourceTable {
		return p.date(&tables[0])
	}
	size, err := out.Seek(0, io.SeekCurrent)
	p.sum.ZipBytes += size
	return err
}

// date sets the time of a file whose publisher dates it in no other way.
func (p *press) date(f *file) error {
	if f.modified.IsZero() {
		return nil
	}
	return os.Chtimes(filepath.Join(p.folders.beside(f.folder), f.name), f.modified, f.modified)
}

func (p *press) writeZip(ctx context.Context, out io.Writer, members []file) error {
	z := zip.NewWriter(out)
	stream := &deflatedStream{}
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		stream.out = w
		return stream, nil
	})
	for i := range members {
		// One fixed time, so that the same options give the same bytes.
		member, err := z.CreateHeader(&zip.FileHeader{
			Name: members[i].member, Method: zip.Deflate, Modified: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		})
		if err != nil {
			return err
		}
		err = p.writeTable(ctx, &members[i], func(c *piece) error {
			stream.deflated = c.deflated
			_, err := member.Write(c.raw)
			return err
		})
		if err != nil {
			return err
		}
	}
	return z.Close()
}

// writeTable writes the pieces of a table in order.
func (p *press) writeTable(ctx context.Context, f *file, write func(*piece) error) error {
	for at := f.from; f.hasPiece(at); at += f.pieceSize() {
		c, err := p.nextPiece(ctx)
		if err != nil {
			return err
		}
		if err := write(c); err != nil {
			return err
		}
		p.count(c)
		p.spare.Put(c)
	}
	return nil
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

func (p *press) count(c *piece) {
	f := c.file
	if f.table == sourceTable {
		if f.source != "" {
			p.sum.Sources[f.source] += int64(c.rows)
		}
	} else {
		p.sum.CSVBytes += int64(len(c.raw))
		rows := [...]*int64{&p.sum.Companies, &p.sum.Establishments, &p.sum.Partners, &p.sum.Simples, &p.sum.Domains}
		*rows[f.table] += int64(c.rows)
	}
	if f.positions() == 0 {
		return
	}
	p.done += c.to - c.from
	if p.progress != nil {
		p.progress(int64(float64(p.roots) * float64(p.done) / float64(p.total)))
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
