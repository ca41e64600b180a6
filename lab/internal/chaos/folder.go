package chaos

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Folder is a folder of files to damage and repair. Each undo must be called once, and before the
// next damage to the same file.
type Folder string

// Hide moves the folder away until undo is called.
func (f Folder) Hide() (undo func() error, err error) {
	hidden := filepath.Join(filepath.Dir(string(f)), "..", "hidden-"+filepath.Base(string(f)))
	return func() error { return os.Rename(hidden, string(f)) }, os.Rename(string(f), hidden)
}

// pick draws one of the files of at least the given size, except those whose names begin with a
// dot.
func (f Folder) pick(random *rand.Rand, least int64) (path string, size int64, err error) {
	var paths []string
	var sizes []int64
	err = filepath.WalkDir(string(f), func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Size() >= least {
			paths, sizes = append(paths, path), append(sizes, info.Size())
		}
		return err
	})
	if err != nil {
		return "", 0, err
	}
	if paths == nil {
		return "", 0, fmt.Errorf("%s has no file of %d bytes", f, least)
	}
	n := random.IntN(len(paths))
	return paths[n], sizes[n], nil
}

// flipped is the number of consecutive bytes that Flip changes.
const flipped = 16

// Flip changes some bytes of a file: in place, where a process that has the file mapped sees them,
// or in a copy that replaces the file, which only later opens see. what names the file and offset.
func (f Folder) Flip(random *rand.Rand, inPlace bool) (what string, undo func() error, err error) {
	path, size, err := f.pick(random, flipped)
	if err != nil {
		return "", nil, err
	}
	at := random.Int64N(size - flipped + 1)
	what = fmt.Sprintf("%s at %d", filepath.Base(path), at)
	if inPlace {
		return what, func() error { return flip(path, at) }, flip(path, at)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return "", nil, err
	}
	invert(content[at : at+flipped])
	whole := path + ".whole"
	err = errors.Join(os.Link(path, whole), os.WriteFile(path+".copy", content, 0o600), os.Rename(path+".copy", path))
	return what, func() error { return os.Rename(whole, path) }, err
}

func invert(bytes []byte) {
	for i := range bytes {
		bytes[i] ^= 0x55
	}
}

// flip inverts some bits in a file; doing it twice restores them.
func flip(path string, at int64) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	bytes := make([]byte, flipped)
	_, err = file.ReadAt(bytes, at)
	invert(bytes)
	if err == nil {
		_, err = file.WriteAt(bytes, at)
	}
	return errors.Join(err, file.Close())
}

// Shrink truncates a file to half its length, so that access to the rest of a mapping raises
// SIGBUS. undo writes the rest back.
func (f Folder) Shrink(random *rand.Rand) (what string, undo func() error, err error) {
	path, size, err := f.pick(random, 2)
	if err != nil {
		return "", nil, err
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		return "", nil, err
	}
	undo = func() error {
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = file.WriteAt(whole[size/2:], size/2)
		return errors.Join(err, file.Close())
	}
	return fmt.Sprintf("%s to %d of %d bytes", filepath.Base(path), size/2, size), undo, os.Truncate(path, size/2)
}
