// Package press writes the files of a sample: in pieces that workers make in any order, zipped or not, in folders that
// appear when all of them are complete.
package press

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/klauspost/compress/flate"
	"golang.org/x/sync/errgroup"

	"razao/internal/sample/table"
)

const deflateFast = 1 // the level: a release is written once and read once

// Written counts what was written of a file.
type Written struct {
	Rows, Bytes int64
	OnDisk      int64 // of the zip, at its first member
}

// Write fills the folders; it leaves them to be published or discarded. The files do not depend on the number of
// workers, 0 for one on every processor. The positions of all tables are the work, of which progress is told.
func Write(ctx context.Context, f *Folders, files []table.File, workers int, progress func(done, total int)) ([]Written, error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	p := press{folders: f, files: files, written: make([]Written, len(files)), progress: progress}
	for i := range files {
		p.total += files[i].To - files[i].From
	}
	err := f.Create()
	if err == nil {
		err = p.run(ctx, workers)
	}
	return p.written, err
}

// press writes files in order, of pieces that its workers make in any order.
type press struct {
	folders     *Folders
	files       []table.File
	written     []Written
	progress    func(done, total int)
	done, total int         // positions
	ordered     chan *piece // in the order of writing
	spare       sync.Pool   // of pieces whose memory serves again
}

// piece is a range of a file's positions: its rows, and the same deflated.
type piece struct {
	file     *table.File
	from     int
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
func (p *press) run(ctx context.Context, workers int) error {
	group, ctx := errgroup.WithContext(ctx)
	work := make(chan *piece)
	p.ordered = make(chan *piece, 2*workers)
	p.spare.New = func() any { return &piece{} }
	group.Go(func() error {
		defer close(work)
		defer close(p.ordered)
		return p.plan(ctx, work)
	})
	for range workers {
		group.Go(func() error { return makePieces(work) })
	}
	group.Go(func() error { return p.writeAll(ctx) })
	return group.Wait()
}

// plan cuts the files into pieces, in order.
func (p *press) plan(ctx context.Context, work chan<- *piece) error {
	for i := range p.files {
		f := &p.files[i]
		for from := f.From; f.HasPiece(from); from += f.PieceSize() {
			c := p.spare.Get().(*piece)
			*c = piece{file: f, from: from, raw: c.raw[:0], deflated: c.deflated[:0], made: make(chan struct{})}
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
		c.raw, c.rows = c.file.AppendPiece(c.raw, c.from)
		if c.file.Member != "" {
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

func (p *press) writeAll(ctx context.Context) error {
	for i := 0; i < len(p.files); {
		n := 1
		for i+n < len(p.files) && p.files[i+n].Folder == p.files[i].Folder && p.files[i+n].Name == p.files[i].Name {
			n++
		}
		if err := p.writeFile(ctx, i, n); err != nil {
			return fmt.Errorf("%s: %w", p.files[i].Name, err)
		}
		i += n
	}
	return nil
}

// writeFile writes the n tables of one zip from the i-th on, or the one table that is not zipped.
func (p *press) writeFile(ctx context.Context, i, n int) (err error) {
	first := &p.files[i]
	path := filepath.Join(p.folders.beside(first.Folder), first.Name)
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := out.Close(); err == nil {
			err = closeErr
		}
	}()
	if first.Member == "" {
		err = p.writeTable(ctx, i, func(c *piece) error {
			_, err := out.Write(c.raw)
			return err
		})
	} else {
		err = p.writeZip(ctx, out, i, n)
	}
	if err != nil {
		return err
	}
	if !first.Modified.IsZero() {
		return os.Chtimes(path, first.Modified, first.Modified)
	}
	p.written[i].OnDisk, err = out.Seek(0, io.SeekCurrent)
	return err
}

func (p *press) writeZip(ctx context.Context, out io.Writer, i, n int) error {
	z := zip.NewWriter(out)
	stream := &deflatedStream{}
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		stream.out = w
		return stream, nil
	})
	for k := i; k < i+n; k++ {
		// One fixed time, so that the same options give the same bytes.
		member, err := z.CreateHeader(&zip.FileHeader{
			Name: p.files[k].Member, Method: zip.Deflate, Modified: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		})
		if err != nil {
			return err
		}
		err = p.writeTable(ctx, k, func(c *piece) error {
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

// writeTable writes the pieces of the i-th table in order.
func (p *press) writeTable(ctx context.Context, i int, write func(*piece) error) error {
	f := &p.files[i]
	for at := f.From; f.HasPiece(at); at += f.PieceSize() {
		c, err := p.nextPiece(ctx)
		if err != nil {
			return err
		}
		if err := write(c); err != nil {
			return err
		}
		p.written[i].Rows += int64(c.rows)
		p.written[i].Bytes += int64(len(c.raw))
		p.spare.Put(c)
		if f.From < f.To {
			p.done += min(f.PieceSize(), f.To-at)
			p.progress(p.done, p.total)
		}
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
