package load

import (
	"context"
	"errors"
	"os"
	"path/filepath"
)

// Workspace is the folder of a run: a release, and a folder for each build with what it has loaded.
type Workspace struct {
	Release  string // folder, for Invent
	Programs []*Program
	Loaded   bool // by a former run in the same folder

	dir, temporary string
}

// OpenWorkspace opens a folder for builds, "" for a temporary one that Close deletes. A folder that is
// left can be opened again with the same builds in the same order.
func OpenWorkspace(ctx context.Context, dir string, builds ...string) (*Workspace, error) {
	w := &Workspace{}
	var err error
	if dir == "" {
		dir, err = os.MkdirTemp("", "razao-lab-")
		w.temporary = dir
	} else {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return nil, err
	}
	w.dir, w.Release = dir, filepath.Join(dir, "release")
	_, err = os.Stat(w.mark())
	w.Loaded = err == nil
	for i, build := range builds {
		p, err := Open(ctx, build, filepath.Join(dir, "build"+string(rune('0'+i))))
		if err != nil {
			return nil, errors.Join(err, w.Close())
		}
		w.Programs = append(w.Programs, p)
	}
	return w, nil
}

func (w *Workspace) mark() string { return filepath.Join(w.dir, "loaded") }

// SetLoaded records that all builds have loaded the release.
func (w *Workspace) SetLoaded() error { return os.WriteFile(w.mark(), nil, 0o600) }

// Close stops what runs.
func (w *Workspace) Close() (err error) {
	for _, p := range w.Programs {
		err = errors.Join(err, p.Close())
	}
	return errors.Join(err, os.RemoveAll(w.temporary))
}
