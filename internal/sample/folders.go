package sample

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

// folders are filled beside their final places and appear together.
type folders struct {
	dir   string
	names []string // below dir, that of the release first
}

func newFolders(dir string, files []file) folders {
	f := folders{dir: dir}
	for i := range files {
		if !slices.Contains(f.names, files[i].folder) {
			f.names = append(f.names, files[i].folder)
		}
	}
	return f
}

func (f *folders) final(name string) string { return filepath.Join(f.dir, name) }

// beside is where a folder is filled.
func (f *folders) beside(name string) string {
	return filepath.Join(f.dir, filepath.Dir(name), "."+filepath.Base(name)+".incomplete")
}

// absent returns an error for a folder that is there already.
func (f *folders) absent() error {
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

// write fills new folders; what a killed run left there is removed.
func (f *folders) write(ctx context.Context, files []file, o Options) (Summary, error) {
	if err := f.discard(); err != nil {
		return Summary{}, err
	}
	for i, name := range f.names {
		if err := os.MkdirAll(f.beside(name), 0o755); err != nil {
			return Summary{}, err
		}
		text := markText
		if i == 0 {
			text += domainsText
		}
		if err := os.WriteFile(filepath.Join(f.beside(name), Mark), []byte(text), 0o644); err != nil {
			return Summary{}, err
		}
	}
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	p := press{folders: *f, workers: workers, roots: o.Roots, progress: o.Progress}
	if !o.OnlyReceita {
		p.sum.Sources = map[string]int64{}
	}
	err := p.run(ctx, files)
	return p.sum, err
}

// publish moves the folders to their places, the release last: who sees it sees all.
func (f *folders) publish() error {
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

// discard removes what is not complete.
func (f *folders) discard() error {
	var all error
	for _, name := range f.names {
		all = errors.Join(all, os.RemoveAll(f.beside(name)))
	}
	return all
}
