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
	"razao/internal/web/fetch"
)

// download fetches files of one index from a store into a folder.
type download struct {
	node   *Node
	index  string
	dir    string              // target folder
	local  map[string][]string // local files by the checksum that their manifest claims
	linked atomic.Int64        // bytes linked instead of fetched
}

// partSuffix ends the name of a file that is incomplete or not verified yet.
const partSuffix = ".part"

// Retries of one file: the first pause, and how many failures without progress end it.
const (
	firstPause = time.Second
	failures   = 4
)

// fetchAll fetches files, several in parallel. A file under its own name is complete: it was
// verified and synced before the rename.
func (d *download) fetchAll(ctx context.Context, files []folder.File) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(filesAtOnce)
	for _, f := range files {
		g.Go(func() error {
			if err := d.fetchFile(ctx, f); err != nil {
				return fmt.Errorf("file %s of index %s (%s in %s): %w", f.Path, d.index, contentName(f.SHA256), d.node.store, err)
			}
			return nil
		})
	}
	return g.Wait()
}

// missingBytes returns the bytes that remain to be fetched, for the check of free disk space.
func (d *download) missingBytes(files []folder.File) (bytes int64) {
	for _, f := range files {
		path := d.path(f)
		if d.isComplete(f) || len(d.local[f.SHA256]) > 0 {
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

// isComplete reports whether a file is complete under its own name.
func (d *download) isComplete(f folder.File) bool {
	info, err := os.Stat(d.path(f))
	return err == nil && info.Size() == f.Bytes
}

// fetchFile provides one file: it is there, linked from another index, or fetched with retries.
// Progress resets the count of failures, unless all attempts together are slower than fetch.Pace allows.
func (d *download) fetchFile(ctx context.Context, f folder.File) error {
	if d.isComplete(f) {
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
	pace, ended := fetch.Pace{Silence: silence}, time.Now()
	err := retry.Do(ctx, "fetch "+f.Path, func() (further bool, err error) {
		before := sizeOf(path + partSuffix)
		err = d.attempt(ctx, f, path+partSuffix)
		got := sizeOf(path+partSuffix) - before
		slow := pace.Slow(got, time.Since(ended)) // with the pause before the attempt
		ended = time.Now()
		return got > 0 && !slow, err
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

// link hard-links a local file of another index after verifying it. Sharing the inode is safe,
// because files of indexes never change.
func (d *download) link(ctx context.Context, f folder.File) bool {
	for _, path := range d.local[f.SHA256] {
		if isContent(ctx, path, f) && os.Link(path, d.path(f)) == nil {
			return true
		}
	}
	return false
}

// attempt resumes a file where the former attempt ended. A complete file with the wrong checksum is
// deleted; the attempt may be repeated if part of it was there before, since that part may be what
// is wrong.
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

// receive appends the rest of a file under a watchdog.
func (d *download) receive(ctx context.Context, file *os.File, got *digest, f folder.File) error {
	ctx, begin, end, stop := watchdog(ctx, silence)
	defer stop()
	r, err := d.node.store.Open(ctx, contentName(f.SHA256), got.size)
	if err != nil {
		return caused(ctx, err)
	}
	defer func() { _ = r.Close() }()
	before := got.size
	err = receive(newWatched(r, begin, end), io.MultiWriter(file, got), got, f)
	d.node.bytes.Add(got.size - before)
	return caused(ctx, err)
}

// receive copies the rest of a file, at most one byte more than it should have: enough to notice
// that it is too long. Errors of the reading side are passing trouble, those of the local disk are
// not.
func receive(from io.Reader, to io.Writer, got *digest, f folder.File) error {
	_, err := io.Copy(to, io.LimitReader(troubleReader{from}, f.Bytes-got.size+1))
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("%d of %d bytes are written: %w", got.size, f.Bytes, err)
	}
	if err == nil && got.size < f.Bytes {
		err = fetch.Passing("%w", &contentError{want: f, size: got.size})
	}
	return err
}

// troubleReader marks the errors of a reader as fetch.Trouble, to tell them from those of the writer.
type troubleReader struct{ io.Reader }

// Read implements io.Reader.
func (t troubleReader) Read(p []byte) (int, error) {
	n, err := t.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fetch.Passing("%w", err)
	}
	return n, err
}

// watchedReader runs the watchdog only while it waits for the peer: our own slow disk is not its silence. A byte now and then is no silence,
// so it must also keep a pace (slow server attack).
type watchedReader struct {
	io.Reader
	begin, end func()
	pace       fetch.Pace
}

func newWatched(r io.Reader, begin, end func()) *watchedReader {
	return &watchedReader{r, begin, end, fetch.Pace{Silence: silence}}
}

// Read implements io.Reader.
func (w *watchedReader) Read(p []byte) (int, error) {
	w.begin()
	defer w.end()
	began := time.Now()
	n, err := w.Reader.Read(p)
	if w.pace.Slow(int64(n), time.Since(began)) && err == nil {
		err = fmt.Errorf("%w: less than %d bytes a minute", fetch.ErrSlow, fetch.LeastBytes)
	}
	return n, err
}

// resume hashes what is there of a file and leaves the offset at its end. A file that is already
// too long is truncated.
func (d *digest) resume(ctx context.Context, file *os.File, f folder.File) error {
	if _, err := io.Copy(d, fetch.Reader(ctx, file)); err != nil || d.size <= f.Bytes {
		return err
	}
	d.reset()
	_, err := file.Seek(0, io.SeekStart)
	return errors.Join(err, file.Truncate(0))
}
