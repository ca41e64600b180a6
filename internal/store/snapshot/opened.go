package snapshot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync/atomic"
	"time"

	"razao/index"
	"razao/index/folder"
	"razao/internal/store/network"
	"razao/internal/store/registry"
)

// IndexError means that a query needs the index and the snapshot is served without one, or the index
// is damaged. Queries of records are answered all the same.
type IndexError struct {
	Snapshot int64 // its id
	Err      error // what is wrong with the index: folder.ErrFormat and folder.ErrDamaged among others
}

func (e *IndexError) Error() string {
	return fmt.Sprintf("index of snapshot %d: %v", e.Snapshot, e.Err)
}

// Unwrap returns Err.
func (e *IndexError) Unwrap() error { return e.Err }

// openedIndex is an index as one snapshot uses it: with the flags of the loads of its sources.
type openedIndex struct {
	*index.Index
	folder *sharedIndex
}

// sharedIndex is an opened index folder. Snapshots that differ only in the load of a source share
// it.
type sharedIndex struct {
	*index.Index
	cache     *registry.RowCache // nil: the folder has none, or it is not used
	network   *network.Graph     // nil: the folder has none, or it cannot be read
	snapshots atomic.Int64       // reference count; the folder is closed at zero
}

// release gives up the reference of a snapshot.
func (o *openedIndex) release() error {
	if o.folder.snapshots.Add(-1) > 0 {
		return nil
	}
	err := o.folder.Close()
	if o.folder.cache != nil {
		err = errors.Join(err, o.folder.cache.Close())
	}
	if o.folder.network != nil {
		err = errors.Join(err, o.folder.network.Close())
	}
	return err
}

// index returns the index of a snapshot, warm: the one in service if it is the same and whole,
// otherwise opened. One in which a query has found damage is opened again, and all its files are
// verified again. A missing or damaged index is asked of the Fetcher.
func (l *Live) index(ctx context.Context, of *registry.View) (*openedIndex, error) {
	name := of.Snapshot.IndexName
	dir := filepath.Join(l.indexDir, name)
	if old := l.current.Load(); old != nil && old.opened != nil && old.view.Snapshot.IndexName == name {
		if old.opened.Damage() == nil {
			old.opened.folder.snapshots.Add(1) // not zero before: only refresh, our caller, retires old
			return l.use(ctx, old.opened.folder, of)
		}
		if err := folder.Forget(dir); err != nil {
			return nil, err
		}
	}
	ix, err := l.openIndex(ctx, dir)
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
	if l.rowCache {
		if shared.cache, err = registry.OpenRowCache(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			l.log.Error("companies are read from PostgreSQL", "error", err)
		}
	}
	if shared.network, err = network.Open(dir); err != nil {
		l.log.Error("networks are not answered", "error", err)
	}
	return l.use(ctx, shared, of)
}

// errComing means that the missing files are being fetched, and that nothing has failed so far.
var errComing = errors.New("it is to be fetched from the index store")

// fetch asks the Fetcher for what a snapshot lacks. It returns wrong, why it is asked, together
// with errComing or the reason why the fetch failed; without a Fetcher, only wrong.
func (l *Live) fetch(s registry.Snapshot, wrong error) error {
	if l.fetcher == nil {
		return wrong
	}
	inService := ""
	if old := l.current.Load(); old != nil && old.opened != nil {
		inService = old.view.Snapshot.IndexName
	}
	return fmt.Errorf("%w (%w)", cmp.Or(l.fetcher.Want(s, inService), errComing), wrong)
}

// hasFormer reports whether a snapshot other than s is in service with an index.
func (l *Live) hasFormer(s registry.Snapshot) bool {
	old := l.current.Load()
	return old != nil && old.opened != nil && old.view.Snapshot.ID != s.ID
}

// use returns a shared index with the flags of a snapshot's loads, warm. It takes over one
// reference and gives it up after an error. Missing flags are logged, and the rest of the index is
// used without them; but while they are being fetched, a former snapshot that is whole stays in
// service.
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
	by.ReadThrough(shared.cache)
	if err := ix.WarmFacets(ctx); err != nil {
		return nil, errors.Join(err, o.release())
	}
	return o, nil
}

// flag looks for flags that the snapshot in service lacks, because its folder is still being copied
// or fetched. If there are any that it can open now, it puts the snapshot in service again with
// them. It looks every longestPause ticks.
func (l *Live) flag(ctx context.Context, s *sharedSnapshot) error {
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
		return nil // use has logged the missing flags
	}
	s.opened.folder.snapshots.Add(1)
	ix, err := l.use(ctx, s.opened.folder, s.view)
	if err != nil {
		return err
	}
	l.swap(newServed(s.view, ix, nil, l.atlas))
	return nil
}

// openIndex opens and verifies an index and reads what the first queries need into the page cache.
func (l *Live) openIndex(ctx context.Context, dir string) (*index.Index, error) {
	ix, err := index.OpenContext(ctx, dir)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	if err := ix.Warm(ctx); err != nil {
		return nil, errors.Join(err, ix.Close())
	}
	read := time.Now()
	if err := ix.Rehearse(ctx); err != nil {
		return nil, errors.Join(err, ix.Close())
	}
	l.log.Info("index warm", "index", filepath.Base(dir), "files_seconds", read.Sub(start).Seconds(), "queries_seconds", time.Since(read).Seconds())
	return ix, nil
}

const (
	longestPause = 15  // ticks: half a minute
	trustPause   = 300 // ticks: ten minutes
)

// pause spaces the attempts to open an index that cannot be used (exponential backoff): verifying
// an index costs far more than a look for a new snapshot. The zero value holds nothing.
type pause struct {
	after  *IndexError // the error of the last attempt; nil: none
	length int         // in ticks, doubled by every attempt up to longestPause
	left   int         // ticks left
}

// holds reports whether the index of a snapshot must not be tried at this tick, and counts the
// tick.
func (p *pause) holds(snapshot int64) bool {
	if p.after == nil || p.after.Snapshot != snapshot || p.left == 0 {
		return false
	}
	p.left--
	return true
}

// extend begins the pause after a failed attempt. Another snapshot begins with the shortest one.
func (p *pause) extend(err *IndexError) {
	if p.after == nil || p.after.Snapshot != err.Snapshot {
		p.length = 0
	}
	p.length = min(max(1, 2*p.length), longestPause)
	p.after, p.left = err, p.length
}
