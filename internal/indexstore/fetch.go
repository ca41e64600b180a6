package indexstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"razao/index/folder"
	"razao/ingest/fetch"
)

// download brings files of one index from a store into a folder.
type download struct {
	node   *Node
	index  string
	dir    string              // where the files go
	beside map[string][]string // files of this machine by the checksum that they are said to have
	linked atomic.Int64        // bytes that were here already
}

// partSuffix ends the name of a file that is not whole or not verified yet.
const partSuffix = ".part"

// How long trouble in the middle of a file is borne.
const (
	firstPause = time.Second
	failures   = 4
)

// all brings files, several at once. One that has its name is complete: it was verified and made durable before it got that.
func (d *download) all(ctx context.Context, files []folder.File) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(filesAtOnce)
	for _, f := range files {
		g.Go(func() error {
			if err := d.one(ctx, f); err != nil {
				return fmt.Errorf("file %s of index %s (%s in %s): %w", f.Path, d.index, contentName(f.SHA256), d.node.store, err)
			}
			return nil
		})
	}
	return g.Wait()
}

// lacking returns the bytes that are still to come.
func (d *download) lacking(files []folder.File) (bytes int64) {
	for _, f := range files {
		path := d.path(f)
		if d.has(f) || len(d.beside[f.SHA256]) > 0 {
			continue
		}
		bytes += f.Bytes
		if info, err := os.Stat(path + partSuffix); err == nil {
			bytes -= min(info.Size(), f.Bytes)
		}
	}
	return bytes
}

func (d *download) path(f folder.File) string {
	return filepath.Join(d.dir, filepath.FromSlash(f.Path))
}

func (d *download) has(f folder.File) bool {
	info, err := os.Stat(d.path(f))
	return err == nil && info.Size() == f.Bytes
}

func (d *download) one(ctx context.Context, f folder.File) error {
	if d.has(f) {
		return nil
	}
	path := d.path(f)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if d.link(ctx, f) {
		d.linked.Add(f.Bytes)
		return nil
	}
	retry := fetch.Retry{First: firstPause, Failures: failures, Log: d.node.log, Sleep: fetch.Sleep}
	err := retry.Do(ctx, "fetch "+f.Path, func() (further bool, err error) {
		before := sizeOf(path + partSuffix)
		err = d.attempt(ctx, f, path+partSuffix)
		return sizeOf(path+partSuffix) > before, err
	})
	if err != nil {
		return err
	}
	d.node.files.Add(1)
	return os.Rename(path+partSuffix, path)
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// link takes a file that another index on this machine has, once it is read and found whole: files of indexes never change.
func (d *download) link(ctx context.Context, f folder.File) bool {
	for _, path := range d.beside[f.SHA256] {
		if isContent(ctx, path, f) && os.Link(path, d.path(f)) == nil {
			return true
		}
	}
	return false
}

// attempt goes on with a file from where it was cut off. A file that turns out to be another is deleted.
func (d *download) attempt(ctx context.Context, f folder.File, part string) (err error) {
	file, err := os.OpenFile(part, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	got := newDigest()
	if err := got.resume(ctx, file, f); err != nil {
		return err
	}
	from := got.size
	if from < f.Bytes {
		if err := d.receive(ctx, file, got, f); err != nil {
			return err
		}
	}
	if wrong := got.verdict(f); wrong != nil {
		if err := os.Remove(part); err != nil {
			return errors.Join(wrong, err)
		}
		if from > 0 { // what was here before may be what is wrong
			return fetch.Passing("%w", wrong)
		}
		return wrong
	}
	return file.Sync()
}

func (d *download) receive(ctx context.Context, file *os.File, got *digest, f folder.File) error {
	ctx, begin, end, stop := watch(ctx, silence)
	defer stop()
	r, err := d.node.store.Open(ctx, contentName(f.SHA256), got.size)
	if err != nil {
		return caused(ctx, err)
	}
	defer func() { _ = r.Close() }()
	before := got.size
	err = receive(&watched{r, begin, end}, io.MultiWriter(file, got), got, f)
	d.node.bytes.Add(got.size - before)
	return caused(ctx, err)
}

// receive reads what is left of a file, of which got has passed, and not much more of one that is longer than it should be. An error of
// the other side is one that another attempt may cure.
func receive(from io.Reader, to io.Writer, got *digest, f folder.File) error {
	_, err := io.Copy(to, io.LimitReader(troubled{from}, f.Bytes-got.size+1))
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("%d of %d bytes are written: %w", got.size, f.Bytes, err)
	}
	if err == nil && got.size < f.Bytes {
		err = fetch.Passing("%w", &contentError{want: f, size: got.size})
	}
	return err
}

// troubled makes the errors of a reader fetch.Trouble, to tell them from those of who writes.
type troubled struct{ io.Reader }

// Read implements io.Reader.
func (t troubled) Read(p []byte) (int, error) {
	n, err := t.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fetch.Passing("%w", err)
	}
	return n, err
}

// watched tells a watch when it waits for the other side: a slow disk of ours is not its silence.
type watched struct {
	io.Reader
	begin, end func()
}

// Read implements io.Reader.
func (w *watched) Read(p []byte) (int, error) {
	w.begin()
	defer w.end()
	return w.Reader.Read(p)
}

// resume reads what is there of a file, and forgets it when it is too much.
func (d *digest) resume(ctx context.Context, file *os.File, f folder.File) error {
	if _, err := io.Copy(d, fetch.Reader(ctx, file)); err != nil || d.size <= f.Bytes {
		return err
	}
	d.reset()
	_, err := file.Seek(0, io.SeekStart)
	return errors.Join(err, file.Truncate(0))
}
