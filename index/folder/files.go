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
