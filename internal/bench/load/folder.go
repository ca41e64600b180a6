package load

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"razao/index/folder"
	"razao/internal/bench/machine"
	"razao/internal/bench/report"
)

// Folder holds the files of a run: postgres, index, work, the release and the file loaded.
type Folder struct {
	Dir     string // absolute
	created bool   // by this run
}

// OpenFolder opens the folder dir for a run: one that does not exist, an empty one, or one that a
// former run kept. "" creates a temporary folder. A folder with other content is an error, so that
// a mistyped -data never mixes with foreign files.
func OpenFolder(dir string) (*Folder, error) {
	if dir == "" {
		made, err := os.MkdirTemp("", "razao-bench-")
		return &Folder{Dir: made, created: true}, err
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("-data: %w", err)
	}
	f := &Folder{Dir: dir}
	entries, err := os.ReadDir(dir)
	if f.created = errors.Is(err, fs.ErrNotExist); f.created {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return nil, fmt.Errorf("-data: %w", err)
	}
	if _, err := os.Stat(f.path("postgres")); len(entries) > 0 && err != nil {
		return nil, fmt.Errorf("-data: %s holds something else than a former run", dir)
	}
	return f, nil
}

// Close deletes the folder if this run created it and keep is false.
func (f *Folder) Close(keep bool) error {
	if keep || !f.created {
		report.Say("left in %s", f.Dir)
		return nil
	}
	if err := os.RemoveAll(f.Dir); err != nil {
		return fmt.Errorf("clean up: %w", err)
	}
	return nil
}

func (f *Folder) path(name string) string { return filepath.Join(f.Dir, name) }

// IndexDir returns the folder that holds the indexes.
func (f *Folder) IndexDir() string { return f.path("index") }

// temporary returns the bytes that a load has on disk for itself: its work folder, and the index
// under construction.
func (f *Folder) temporary() int64 {
	all := machine.Disk(f.path("work"))
	building, _ := filepath.Glob(filepath.Join(f.IndexDir(), "*"+folder.TemporarySuffix))
	for _, dir := range building {
		all += machine.Disk(dir)
	}
	return all
}

// Loaded reports whether a run completed loading a release in this folder.
func (f *Folder) Loaded() bool {
	_, err := os.Stat(f.path("loaded"))
	return err == nil
}

// setLoaded records that the database holds a complete load.
func (f *Folder) setLoaded() error {
	if err := os.WriteFile(f.path("loaded"), nil, 0o644); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	return nil
}
