package indexstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"razao/internal/web/fetch"
)

// dir is a store in a local or mounted folder.
type dir string

// openFolder returns the store in a folder, nil for an empty path.
func openFolder(path string) Store {
	if path == "" {
		return nil
	}
	return dir(filepath.Clean(path))
}

func (d dir) String() string { return string(d) }

func (d dir) path(name string) string { return filepath.Join(string(d), filepath.FromSlash(name)) }

// Open implements Store.
func (d dir) Open(ctx context.Context, name string, from int64) (io.ReadCloser, error) {
	file, err := os.Open(d.path(name))
	if err != nil {
		return nil, err
	}
	if _, err := file.Seek(from, io.SeekStart); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return struct {
		io.Reader
		io.Closer
	}{fetch.Reader(ctx, file), file}, nil
}

// Put implements Writable: temporary file, sync, rename. Files are world-readable (0644, folders
// 0755), since an HTTP server under another user may serve them. A killed process leaves its
// temporary file below files/ under a name that nothing refers to, and a later Sweep removes it.
func (d dir) Put(ctx context.Context, name string, size int64, content io.ReadSeeker) error {
	path := d.path(name)
	parent, unfinished := filepath.Dir(path), d.path(filesPrefix)
	if err := errors.Join(os.MkdirAll(parent, 0o755), os.MkdirAll(unfinished, 0o755)); err != nil {
		return err
	}
	file, err := os.CreateTemp(unfinished, filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	n, err := io.Copy(file, fetch.Reader(ctx, content))
	if err == nil && n != size {
		err = fmt.Errorf("%d bytes instead of %d: %w", n, size, io.ErrUnexpectedEOF)
	}
	if err = errors.Join(err, file.Chmod(0o644), file.Sync(), file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return syncDir(parent)
}

// List implements Writable.
func (d dir) List(ctx context.Context, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		err := filepath.WalkDir(d.path(prefix), func(path string, e fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case errors.Is(err, fs.ErrNotExist): // nothing is stored yet, or it was deleted meanwhile
				return nil
			case err != nil || e.IsDir():
				return err
			}
			info, err := e.Info()
			if err != nil {
				return err
			}
			name, err := filepath.Rel(string(d), path)
			if err == nil && !yield(Object{filepath.ToSlash(name), info.Size(), info.ModTime()}, nil) {
				err = fs.SkipAll
			}
			return err
		})
		if err != nil {
			yield(Object{}, err)
		}
	}
}

// Remove implements Writable.
func (d dir) Remove(_ context.Context, name string) error {
	if err := os.Remove(d.path(name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// syncDir syncs the entries of a folder.
func syncDir(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}
