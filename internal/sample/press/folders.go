package press

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"razao/internal/sample/table"
)

// Folders are output folders that are filled beside their final places, as .NAME.incomplete, and
// then renamed. A killed run leaves only such hidden folders, which the next run removes.
type Folders struct {
	dir   string
	names []string // below dir
}

// NewFolders returns the folders of the files, below dir, each once and in the order of the files.
// The folder of the first file is published last.
func NewFolders(dir string, files []table.File) *Folders {
	f := &Folders{dir: dir}
	for i := range files {
		if !slices.Contains(f.names, files[i].Folder) {
			f.names = append(f.names, files[i].Folder)
		}
	}
	return f
}

func (f *Folders) final(name string) string { return filepath.Join(f.dir, name) }

// beside returns where a folder is filled.
func (f *Folders) beside(name string) string {
	return filepath.Join(f.dir, filepath.Dir(name), "."+filepath.Base(name)+".incomplete")
}

// Absent returns nil when none of the final folders exists, else an error; for one that exists it
// matches fs.ErrExist.
func (f *Folders) Absent() error {
	for _, name := range f.names {
		_, err := os.Lstat(f.final(name))
		switch {
		case err == nil:
			return fmt.Errorf("folder %s: %w", f.final(name), fs.ErrExist)
		case !errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("folder %s: %w", f.final(name), err)
		}
	}
	return nil
}

// Create creates the temporary folders, after removing what a killed run left of them.
func (f *Folders) Create() error {
	if err := f.Discard(); err != nil {
		return err
	}
	for _, name := range f.names {
		if err := os.MkdirAll(f.beside(name), 0o755); err != nil {
			return err
		}
	}
	return nil
}

// Publish renames the folders, the first one last: whoever sees it sees all of them. When a rename
// fails, it removes the folders already published.
func (f *Folders) Publish() error {
	for i, name := range slices.Backward(f.names) {
		if err := os.Rename(f.beside(name), f.final(name)); err != nil {
			for _, published := range f.names[i+1:] {
				err = errors.Join(err, os.RemoveAll(f.final(published)))
			}
			return err
		}
	}
	return nil
}

// Discard removes the temporary folders; published ones stay.
func (f *Folders) Discard() error {
	var all error
	for _, name := range f.names {
		all = errors.Join(all, os.RemoveAll(f.beside(name)))
	}
	return all
}
