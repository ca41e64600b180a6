package snapshot

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"

	"razao/index"
	"razao/index/folder"
	"razao/internal/registry"
)

// IndexError is the error of every question that needs the index, of a snapshot that is served without one. Records are
// answered all the same.
type IndexError struct {
	Snapshot int64
	Err      error // what is wrong with the index; folder.ErrFormat and folder.ErrDamaged among others
}

func (e *IndexError) Error() string {
	return fmt.Sprintf("index of snapshot %d: %v", e.Snapshot, e.Err)
}

// Unwrap returns what is wrong with the index.
func (e *IndexError) Unwrap() error { return e.Err }

// openedIndex is an index folder that several snapshots may share: those that differ in the load of a source only.
type openedIndex struct {
	*index.Index
	snapshots atomic.Int64 // that use it
}

func (o *openedIndex) release() error {
	if o.snapshots.Add(-1) > 0 {
		return nil
	}
	return o.Close()
}

// index returns the index that belongs to records: the one in service when it is that, else opened and warm. One in which a
// question has found damage is opened again, with all its files verified again.
func (l *Live) index(ctx context.Context, of *registry.View) (*openedIndex, error) {
	name := of.Snapshot.IndexName
	dir := filepath.Join(l.indexDir, name)
	if old := l.current.Load(); old != nil && old.opened != nil && old.view.Snapshot.IndexName == name {
		if old.opened.Damage() == nil {
			old.opened.snapshots.Add(1) // old holds it, and only refresh, which we are in, takes it out of service
			return old.opened, nil
		}
		if err := folder.Forget(dir); err != nil {
			return nil, err
		}
	}
	ix, err := openIndex(ctx, dir)
	if err != nil {
		return nil, err
	}
	if got := ix.Manifest().Load; got != of.Load.ID {
		return nil, errors.Join(fmt.Errorf("built from load %d, not %d: run `razao index build`", got, of.Load.ID), ix.Close())
	}
	o := &openedIndex{Index: ix}
	o.snapshots.Store(1)
	return o, nil
}

// openIndex opens and warms an index.
func openIndex(ctx context.Context, dir string) (*index.Index, error) {
	ix, err := index.OpenContext(ctx, dir)
	if err != nil {
		return nil, err
	}
	if err := ix.Warm(ctx); err != nil {
		return nil, errors.Join(err, ix.Close())
	}
	return ix, nil
}

const (
	longestPause = 15  // ticks: half a minute
	calmPause    = 300 // ticks: ten minutes
)

// pause spaces the attempts to open an index that cannot be used: they cost more each than looking for a new snapshot.
type pause struct {
	after  *IndexError // the last attempt; nil: there was none
	length int         // in ticks, doubled by every attempt
	left   int
}

// holds reports whether the index of a snapshot is not to be tried at this tick.
func (p *pause) holds(snapshot int64) bool {
	if p.after == nil || p.after.Snapshot != snapshot || p.left == 0 {
		return false
	}
	p.left--
	return true
}

// extend begins the pause after an attempt that failed.
func (p *pause) extend(err *IndexError) {
	if p.after == nil || p.after.Snapshot != err.Snapshot {
		p.length = 0
	}
	p.length = min(max(1, 2*p.length), longestPause)
	p.after, p.left = err, p.length
}
