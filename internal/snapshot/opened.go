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

// openedIndex is an index as one snapshot uses it: with what the loads of its sources have records of.
type openedIndex struct {
	*index.Index
	folder *sharedIndex
}

// sharedIndex is an index folder that several snapshots may share: those that differ in the load of a source only.
type sharedIndex struct {
	*index.Index
	snapshots atomic.Int64 // that use it
}

func (o *openedIndex) release() error {
	if o.folder.snapshots.Add(-1) > 0 {
		return nil
	}
	return o.folder.Close()
}

// index returns the index that belongs to records: the one in service when it is that, else opened and warm. One in which a
// question has found damage is opened again, with all its files verified again.
func (l *Live) index(ctx context.Context, of *registry.View) (*openedIndex, error) {
	name := of.Snapshot.IndexName
	dir := filepath.Join(l.indexDir, name)
	if old := l.current.Load(); old != nil && old.opened != nil && old.view.Snapshot.IndexName == name {
		if old.opened.Damage() == nil {
			old.opened.folder.snapshots.Add(1) // old holds it, and only refresh, which we are in, takes it out of service
			return l.use(ctx, old.opened.folder, of)
		}
		if err := folder.Forget(dir); err != nil {
			return nil, err
		}
	}
	ix, err := openIndex(ctx, dir)
	if err != nil {
		if errors.Is(err, folder.ErrDamaged) {
			err = l.fetch(of.Snapshot, err)
		}
		return nil, err
	}
	if got := ix.Manifest().Load; got != of.Load.ID {
		return nil, errors.Join(fmt.Errorf("built from load %d, not %d: run `razao index build`", got, of.Load.ID), ix.Close())
	}
	shared := &sharedIndex{Index: ix}
	shared.snapshots.Store(1)
	return l.use(ctx, shared, of)
}

// errComing says that what is missing is being fetched, as far as is known yet.
var errComing = errors.New("it is to be fetched from the index store")

// fetch asks for what a snapshot lacks, and returns what is wrong with it beside how that goes: errComing, or why it cannot be had.
func (l *Live) fetch(s registry.Snapshot, wrong error) error {
	if l.fetcher == nil {
		return wrong
	}
	inService := ""
	if old := l.current.Load(); old != nil && old.opened != nil {
		inService = old.view.Snapshot.IndexName
	}
	coming, err := l.fetcher.Want(s, inService)
	if coming {
		err = errComing
	}
	return fmt.Errorf("%w (%w)", err, wrong)
}

// hasFormer reports whether there is an index in service, that of a former snapshot.
func (l *Live) hasFormer(s registry.Snapshot) bool {
	old := l.current.Load()
	return old != nil && old.opened != nil && old.view.Snapshot.ID != s.ID
}

// use returns a shared index as a snapshot uses it, warm. A source of which the index does not know whom it has records of is in
// the log, and leaves the rest of the index as it is; while that is being fetched a former snapshot stays in service.
func (l *Live) use(ctx context.Context, shared *sharedIndex, by *registry.View) (*openedIndex, error) {
	ix, err := shared.ForLoads(by.Snapshot.Loads)
	if err != nil {
		err = l.fetch(by.Snapshot, err)
	}
	if errors.Is(err, errComing) && l.hasFormer(by.Snapshot) {
		return nil, errors.Join(err, (&openedIndex{ix, shared}).release())
	}
	if err != nil {
		l.log.Error("searching without the flags of a source", "snapshot", by.Snapshot.ID, "error", err)
	}
	o := &openedIndex{ix, shared}
	if err := ix.WarmFacets(ctx); err != nil {
		return nil, errors.Join(err, o.release())
	}
	return o, nil
}

// flag looks for flags of sources that a snapshot in service lacks, as while its folder is being copied, and takes those that
// are there now into service.
func (l *Live) flag(ctx context.Context, s *served) error {
	missing := len(s.opened.Unflagged())
	if missing == 0 {
		return nil
	}
	if l.flagging--; l.flagging > 0 {
		return nil
	}
	l.flagging = longestPause
	if again, err := s.opened.ForLoads(s.view.Snapshot.Loads); err != nil && len(again.Unflagged()) == missing {
		_ = l.fetch(s.view.Snapshot, err)
		return nil // use has logged it
	}
	s.opened.folder.snapshots.Add(1)
	ix, err := l.use(ctx, s.opened.folder, s.view)
	if err != nil {
		return err
	}
	l.swap(newServed(s.view, ix, nil, l.atlas))
	return nil
}

// openIndex opens an index and reads it into memory.
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
