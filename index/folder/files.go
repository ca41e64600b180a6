package folder

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Publish makes a complete folder durable and renames it to dir, which must not exist.
func Publish(folder, dir string) error {
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, syncPath(path))
	})
	if err != nil {
		return err
	}
	if err := os.Rename(folder, dir); err != nil {
		return err
	}
	return syncPath(filepath.Dir(dir))
}

// TemporarySuffix ends the name of a file that Put has not finished.
const TemporarySuffix = ".tmp"

// Put makes a file of a content, and its folder when that is not there. Both are durable, and the file has its name only when
// it is complete.
func Put(path string, body []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp := path + TemporarySuffix
	if err := writeSynced(tmp, body); err != nil {
		return errors.Join(err, os.Remove(tmp))
	}
	if err := os.Rename(tmp, path); err != nil {
		return errors.Join(err, os.Remove(tmp))
	}
	return errors.Join(syncPath(dir), syncPath(filepath.Dir(dir)))
}

// syncPath makes a file, or the entries of a folder, durable.
func syncPath(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// Truncated turns an io.EOF in the middle of something into io.ErrUnexpectedEOF; other errors stay as they are.
func Truncated(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
