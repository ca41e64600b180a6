// Package press writes the files of a sample in parallel and publishes their folders together.
//
// Files are cut into pieces of some thousand positions. One goroutine walks the files in order and
// queues, for each piece, a channel that will deliver it; workers make the pieces in any order; one
// writer takes the channels from the queue in order. The queue bounds how many pieces exist at
// once, and with them the memory.
//
// Workers also deflate their pieces. Each piece is a sequence of deflate blocks that ends with a
// sync flush and refers to nothing before it (RFC 1951), so concatenated pieces are one valid
// stream, whatever the number of workers. Folders are filled under temporary names and renamed at
// the end; see [Folders].
package press

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
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

const deflateFast = 1 // compression level: a release is written once and read once

// Written counts what was written of one table.
type Written struct {
	Rows, Bytes int64 // before compression, header included in Bytes
	OnDisk      int64 // size of the file, at the first member of a zip
}

// Write creates the folders and writes the files into them; the caller then publishes or discards
// the folders, also after an error. workers is the number of goroutines that make pieces, 0 for
// GOMAXPROCS; the bytes do not depend on it. progress must not be nil; it is called from one
// goroutine with the positions done and their total. The result has one element for each file. When
// ctx ends, its error is returned.
func Write(ctx context.Context, f *Folders, files []table.File, workers int, progress func(done, total int)) ([]Written, error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	p := press{folders: f, files: files, written: make([]Written, len(files)), progress: progress}
	for i := range files {
		p.total += files[i].To - files[i].From
	}
	if err := f.Create(); err != nil {
		return nil, err
	}
	group, ctx := errgroup.WithContext(ctx)
	// The queue bounds the pieces that are made but not yet written.
	p.queue = make(chan chan *piece, 2*workers)
	group.Go(func() error { return p.writeAll(ctx) })
	group.Go(func() error { return p.makeAll(ctx, workers) })
	return p.written, group.Wait()
}

// press is the state of one Write.
type press struct {
	folders     *Folders
	files       []table.File
	written     []Written
	progress    func(done, total int)
	done, total int              // positions written, and of all tables
	queue       chan chan *piece // one channel for each piece, in the order of writing
	spare       sync.Pool        // of written pieces, for their buffers
}

// piece is a part of a table, raw and, for a member of a zip, deflated.
type piece struct {
	rows     int
	raw      []byte
	deflated bytes.Buffer
	deflater *flate.Writer
	err      error
}

// makeAll queues the pieces of all files in order and starts a worker for each, at most workers at
// a time.
func (p *press) makeAll(ctx context.Context, workers int) error {
	var group errgroup.Group
	group.SetLimit(workers)
	defer func() { _ = group.Wait() }()
	for i := range p.files {
		f := &p.files[i]
		for from := f.From; f.HasPiece(from); from += f.PieceSize() {
			made := make(chan *piece, 1)
			select {
			case p.queue <- made:
			case <-ctx.Done():
				return ctx.Err()
			}
			group.Go(func() error {
				made <- p.make(f, from)
				return nil
			})
		}
	}
	return nil
}

// make makes one piece. The flush at its end puts the next piece on a byte boundary, and the reset
// before it clears the window, so pieces can be concatenated to one deflate stream.
func (p *press) make(f *table.File, from int) *piece {
	c, ok := p.spare.Get().(*piece)
	if !ok {
		c = &piece{}
		c.deflater, c.err = flate.NewWriter(nil, deflateFast)
	}
	c.raw, c.rows = f.AppendPiece(c.raw[:0], from)
	if f.Member != "" && c.err == nil {
		c.deflated.Reset()
		c.deflater.Reset(&c.deflated)
		_, err := c.deflater.Write(c.raw)
		c.err = errors.Join(err, c.deflater.Flush())
	}
	return c
}

// writeAll writes all files in order; neighbours with the same folder and name are the members of
// one zip.
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

// writeFile writes the n tables of one zip from the i-th on, or the one table that is not zipped,
// and sets the time of the file once it is closed: a file system may set its own until then.
func (p *press) writeFile(ctx context.Context, i, n int) error {
	first := &p.files[i]
	path := filepath.Join(p.folders.beside(first.Folder), first.Name)
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	if first.Member == "" {
		err = p.writeTable(ctx, i, func(c *piece) error {
			_, err := out.Write(c.raw)
			return err
		})
	} else {
		err = p.writeZip(ctx, out, i, n)
	}
	if err == nil {
		p.written[i].OnDisk, err = out.Seek(0, io.SeekCurrent)
	}
	if err := errors.Join(err, out.Close()); err != nil {
		return err
	}
	if first.Modified.IsZero() {
		return nil
	}
	return os.Chtimes(path, first.Modified, first.Modified)
}

// writeZip writes the members of a zip. Its writer gets the raw rows, for size and CRC, and a
// compressor that substitutes the bytes which the workers deflated.
func (p *press) writeZip(ctx context.Context, out io.Writer, i, n int) error {
	z := zip.NewWriter(out)
	stream := &deflatedStream{}
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		stream.out = w
		return stream, nil
	})
	for k := i; k < i+n; k++ {
		// A fixed time, so that equal options give equal bytes.
		member, err := z.CreateHeader(&zip.FileHeader{
			Name: p.files[k].Member, Method: zip.Deflate, Modified: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		})
		if err != nil {
			return err
		}
		err = p.writeTable(ctx, k, func(c *piece) error {
			stream.deflated = c.deflated.Bytes()
			_, err := member.Write(c.raw)
			return err
		})
		if err != nil {
			return err
		}
	}
	return z.Close()
}

// writeTable passes the pieces of the i-th table to write, in order, and counts them.
func (p *press) writeTable(ctx context.Context, i int, write func(*piece) error) error {
	f := &p.files[i]
	for at := f.From; f.HasPiece(at); at += f.PieceSize() {
		var c *piece
		select {
		case made := <-p.queue:
			c = <-made
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := errors.Join(c.err, write(c)); err != nil {
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

// deflatedStream takes the place of archive/zip's compressor: it ignores the rows that it is given
// and writes what a worker has deflated from them.
type deflatedStream struct {
	out      io.Writer
	deflated []byte
}

// Write writes the deflated form of rows, which must be what s.deflated was made from, and reports
// rows as written.
func (s *deflatedStream) Write(rows []byte) (int, error) {
	if _, err := s.out.Write(s.deflated); err != nil {
		return 0, err
	}
	return len(rows), nil
}

// Close ends the deflate stream with an empty final block of fixed Huffman codes.
func (s *deflatedStream) Close() error {
	_, err := s.out.Write([]byte{0x03, 0x00})
	return err
}
