package folder

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Publish syncs every file and folder below folder, renames folder to dir and syncs the parent. dir
// must not exist, and must be on the same file system.
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

// TemporarySuffix ends the name of a file that Put has not finished. A crash may leave such a file
// behind.
const TemporarySuffix = ".tmp"

// Put writes a file atomically and durably: temporary file, sync, rename, sync of the folder. It
// creates the folder (mode 0700) when missing and replaces an existing file. Calls for the same
// path must not be concurrent.
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

// syncPath syncs a file, or the entries of a folder.
func syncPath(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// Truncated returns io.ErrUnexpectedEOF for an io.EOF in the middle of a value, and any other error
// unchanged, nil included.
func Truncated(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
