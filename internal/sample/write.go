package sample

import (
	"archive/zip"
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/klauspost/compress/flate"
	"golang.org/x/sync/errgroup"
)

const (
	deflateFast = 1       // compression level: a release is written once and read once
	blockSize   = 1 << 18 // bytes of rows that are written at once
)

// written counts what was written of one table.
type written struct {
	rows, bytes int64 // before compression, header included in bytes
	onDisk      int64 // size of the file, at the first member of a zip
}

// writer writes the files of a sample, one goroutine for each, into folders that are filled beside
// their final places, as .NAME.incomplete, and then renamed. A killed run leaves only such hidden
// folders, which the next run removes.
type writer struct {
	dir     string
	files   []file
	written []written // for each file
	folders []string  // below dir, in the order of the files

	mu       sync.Mutex
	done     int
	progress func(done int)
}

func newWriter(dir string, files []file, progress func(done int)) *writer {
	w := &writer{dir: dir, files: files, written: make([]written, len(files)), progress: progress}
	for i := range files {
		if !slices.Contains(w.folders, files[i].folder) {
			w.folders = append(w.folders, files[i].folder)
		}
	}
	return w
}

func (w *writer) final(folder string) string { return filepath.Join(w.dir, folder) }

// beside returns where a folder is filled.
func (w *writer) beside(folder string) string {
	return filepath.Join(w.dir, filepath.Dir(folder), "."+filepath.Base(folder)+".incomplete")
}

// absent returns nil when none of the final folders exists, else an error; for one that exists it
// matches fs.ErrExist.
func (w *writer) absent() error {
	for _, folder := range w.folders {
		switch _, err := os.Lstat(w.final(folder)); {
		case err == nil:
			return fmt.Errorf("folder %s: %w", w.final(folder), fs.ErrExist)
		case !errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("folder %s: %w", w.final(folder), err)
		}
	}
	return nil
}

// discard removes the temporary folders; published ones stay.
func (w *writer) discard() error {
	var all error
	for _, folder := range w.folders {
		all = errors.Join(all, os.RemoveAll(w.beside(folder)))
	}
	return all
}

// publish renames the folders, the first one last: whoever sees it sees all of them. When a rename
// fails, it removes the folders already published.
func (w *writer) publish() error {
	for i, folder := range slices.Backward(w.folders) {
		if err := os.Rename(w.beside(folder), w.final(folder)); err != nil {
			for _, published := range w.folders[i+1:] {
				err = errors.Join(err, os.RemoveAll(w.final(published)))
			}
			return err
		}
	}
	return nil
}

// writeAll fills the temporary folders with as many goroutines as workers, 0 for GOMAXPROCS; the
// bytes do not depend on it. The files come first that take longest.
func (w *writer) writeAll(ctx context.Context, workers int) error {
	if err := w.discard(); err != nil {
		return err
	}
	for _, folder := range w.folders {
		if err := os.MkdirAll(w.beside(folder), 0o755); err != nil {
			return err
		}
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	group, ctx := errgroup.WithContext(ctx)
	jobs := make(chan int, len(w.files)) // the first table of each file
	for i := range w.files {
		if i == 0 || w.files[i].folder != w.files[i-1].folder || w.files[i].name != w.files[i-1].name {
			jobs <- i
		}
	}
	close(jobs)
	for range workers {
		group.Go(func() error {
			b := newBuffers()
			for i := range jobs {
				if err := w.file(ctx, b, i); err != nil {
					return fmt.Errorf("%s: %w", w.files[i].name, err)
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// buffers are what a goroutine writes one file after the other with.
type buffers struct {
	out     *bufio.Writer
	deflate *flate.Writer
	rows    []byte
}

func newBuffers() *buffers {
	deflate, err := flate.NewWriter(nil, deflateFast)
	if err != nil {
		panic(err) // the level exists
	}
	return &buffers{out: bufio.NewWriterSize(nil, blockSize), deflate: deflate}
}

// file writes the tables of one file from the i-th on, the members of a zip or the one that is not
// zipped, and sets the time of the file once it is closed: a file system may set its own until then.
func (w *writer) file(ctx context.Context, b *buffers, i int) error {
	f := &w.files[i]
	path := filepath.Join(w.beside(f.folder), f.name)
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	b.out.Reset(out)
	if f.member == "" {
		err = w.table(ctx, b, i, b.out)
	} else {
		err = w.zip(ctx, b, i)
	}
	if err = errors.Join(err, b.out.Flush()); err == nil {
		w.written[i].onDisk, err = out.Seek(0, io.SeekCurrent)
	}
	if err := errors.Join(err, out.Close()); err != nil || f.modified.IsZero() {
		return err
	}
	return os.Chtimes(path, f.modified, f.modified)
}

func (w *writer) zip(ctx context.Context, b *buffers, i int) error {
	z := zip.NewWriter(b.out)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		b.deflate.Reset(w)
		return b.deflate, nil
	})
	for folder, name := w.files[i].folder, w.files[i].name; i < len(w.files) && w.files[i].folder == folder && w.files[i].name == name; i++ {
		// A fixed time, so that equal options give equal bytes.
		h := &zip.FileHeader{Name: w.files[i].member, Method: zip.Deflate, Modified: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
		member, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if err := w.table(ctx, b, i, member); err != nil {
			return err
		}
	}
	return z.Close()
}

// table writes the i-th table and counts it.
func (w *writer) table(ctx context.Context, b *buffers, i int, out io.Writer) error {
	f, n := &w.files[i], &w.written[i]
	r := rowBuffer{dialect: f.dialect, bytes: b.rows[:0]}
	r.text(f.header)
	reported := f.from
	for x := f.from; x < f.to; x++ {
		f.rows(&r, x)
		if len(r.bytes) < blockSize {
			continue
		}
		if _, err := out.Write(r.bytes); err != nil {
			return err
		}
		n.bytes += int64(len(r.bytes))
		r.bytes = r.bytes[:0]
		w.report(x - reported)
		reported = x
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	_, err := out.Write(r.bytes)
	n.bytes, n.rows, b.rows = n.bytes+int64(len(r.bytes)), int64(r.count), r.bytes
	w.report(f.to - reported)
	return err
}

// report adds to the positions done, one call at a time.
func (w *writer) report(more int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done += more; more > 0 {
		w.progress(w.done)
	}
}
