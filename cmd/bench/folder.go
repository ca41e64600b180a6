package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// mark is a file that says that a folder belongs to the bench.
const mark = "razao-bench"

// folder is where a run keeps its release, database and index.
type folder struct {
	dir     string // absolute
	created bool   // by this run
}

// openFolder takes an empty folder, one that a former run kept, or, without a name, a temporary one.
func openFolder(dir string) (*folder, error) {
	if dir == "" {
		made, err := os.MkdirTemp("", "razao-bench-")
		if err != nil {
			return nil, fmt.Errorf("temporary folder: %w", err)
		}
		return (&folder{dir: made, created: true}).signed()
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("-data: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, fmt.Errorf("-data: %w", err)
		}
		return (&folder{dir: dir, created: true}).signed()
	}
	if err != nil {
		return nil, fmt.Errorf("-data: %w", err)
	}
	f := &folder{dir: dir}
	if _, err := os.Lstat(f.path(mark)); len(entries) > 0 && err != nil {
		return nil, fmt.Errorf("-data: %s holds something else than a former run", dir)
	}
	return f.signed()
}

func (f *folder) signed() (*folder, error) {
	if err := os.WriteFile(f.path(mark), nil, 0o644); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	return f, nil
}

// close deletes the folder unless it is to be kept, or was there before this run.
func (f *folder) close(keep bool) error {
	if keep || !f.created {
		say("left in %s", f.dir)
		return nil
	}
	if err := os.RemoveAll(f.dir); err != nil {
		return fmt.Errorf("clean up: %w", err)
	}
	return nil
}

func (f *folder) path(name string) string { return filepath.Join(f.dir, name) }
func (f *folder) indexDir() string        { return f.path("index") }

// hasDatabase reports whether a former run loaded a release here.
func (f *folder) hasDatabase() bool {
	_, err := os.Stat(f.path("loaded"))
	return err == nil
}

// setLoaded notes that the database holds a complete load.
func (f *folder) setLoaded() error {
	if err := os.WriteFile(f.path("loaded"), nil, 0o644); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	return nil
}
