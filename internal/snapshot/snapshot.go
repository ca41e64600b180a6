// Package snapshot holds what is being served: the records and the search index of one snapshot, switched together.
// Requests take the snapshot once and finish on it, whatever is published meanwhile.
package snapshot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"razao/index"
	"razao/internal/registry"
)

// pollEvery is how long a publication by another process may stay unseen.
const pollEvery = 2 * time.Second

// Snapshot is a set of loads and the index built from them. It is safe for concurrent use.
type Snapshot struct {
	*registry.View
	Index *index.Index

	opened  *openedIndex
	users   atomic.Int64 // holders, plus one while it is current
	retired chan struct{}
}

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

// Release ends the use of a snapshot got from Acquire.
func (s *Snapshot) Release() {
	if s.users.Add(-1) == 0 {
		close(s.retired)
	}
}

// acquire counts one more user unless the snapshot has already been given up.
func (s *Snapshot) acquire() bool {
	for {
		n := s.users.Load()
		if n == 0 {
			return false
		}
		if s.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// Live follows the current snapshot. Create it with Open, keep Run running, end it with Close.
type Live struct {
	store    *registry.Store
	indexDir string
	log      *slog.Logger
	current  atomic.Pointer[Snapshot]
	trouble  atomic.Pointer[error] // why Refresh failed the last time; nil when it did not
	closing  sync.WaitGroup        // retired snapshots whose last user has not left
}

// Open returns a Live on the current snapshot. When none was published yet, or it cannot be opened, Acquire returns the
// reason until Run has found a good one. indexDir is the folder that holds the index folders.
func Open(ctx context.Context, store *registry.Store, indexDir string, log *slog.Logger) *Live {
	l := &Live{store: store, indexDir: indexDir, log: log}
	if err := l.Refresh(ctx); err != nil && !errors.Is(err, registry.ErrNoSnapshot) {
		log.Error("snapshot cannot be served", "error", err)
	}
	return l
}

// Run looks for new snapshots until ctx ends. A snapshot that cannot be opened leaves the former one in service.
func (l *Live) Run(ctx context.Context) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	var last string
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err := l.Refresh(ctx)
		if err == nil || errors.Is(err, registry.ErrNoSnapshot) || ctx.Err() != nil {
			last = ""
			continue
		}
		if err.Error() != last { // the same trouble every two seconds is one line in the log
			l.log.Error("new snapshot cannot be served", "error", err)
			last = err.Error()
		}
	}
}

// Refresh switches to the current snapshot when it is not the one in service.
func (l *Live) Refresh(ctx context.Context) error {
	err := l.refresh(ctx)
	if err != nil {
		l.trouble.Store(&err)
	} else {
		l.trouble.Store(nil)
	}
	return err
}

func (l *Live) refresh(ctx context.Context) error {
	id, err := l.store.CurrentID(ctx)
	if err != nil {
		return err
	}
	if old := l.current.Load(); old != nil && old.Snapshot.ID == id {
		return nil
	}
	next, err := l.open(ctx, id)
	if err != nil {
		return err
	}
	l.swap(next)
	l.log.Info("serving snapshot", "snapshot", id, "load", next.Load.ID, "month", next.Load.Period)
	return nil
}

func (l *Live) open(ctx context.Context, id int64) (*Snapshot, error) {
	names, err := l.store.Snapshot(ctx, id)
	if err != nil {
		return nil, err
	}
	view, err := l.store.View(ctx, names)
	if err != nil {
		return nil, err
	}
	ix, err := l.index(ctx, &names)
	if err != nil {
		return nil, fmt.Errorf("index of snapshot %d: %w", id, err)
	}
	if got := ix.Manifest().Load; got != view.Load.ID {
		_ = ix.release()
		return nil, fmt.Errorf("index of snapshot %d was built from load %d, not %d: run `razao index build`", id, got, view.Load.ID)
	}
	s := &Snapshot{View: view, Index: ix.Index, opened: ix, retired: make(chan struct{})}
	s.users.Store(1)
	return s, nil
}

// index returns the index that a snapshot names: the one in service when it is that, else opened and warm.
func (l *Live) index(ctx context.Context, names *registry.Snapshot) (*openedIndex, error) {
	if old := l.current.Load(); old != nil && old.Snapshot.IndexName == names.IndexName {
		old.opened.snapshots.Add(1) // old holds it, and only refresh, which we are in, takes it out of service
		return old.opened, nil
	}
	ix, err := index.Open(filepath.Join(l.indexDir, names.IndexName))
	if err != nil {
		return nil, err
	}
	if err := ix.Warm(ctx); err != nil {
		_ = ix.Close()
		return nil, err
	}
	o := &openedIndex{Index: ix}
	o.snapshots.Store(1)
	return o, nil
}

// swap puts next (nil: nothing) in service and gives the old index up when its last user leaves.
func (l *Live) swap(next *Snapshot) {
	old := l.current.Swap(next)
	if old == nil {
		return
	}
	l.closing.Go(func() {
		<-old.retired
		if err := old.opened.release(); err != nil {
			l.log.Error("close former index", "error", err)
		}
	})
	old.Release()
}

// Acquire returns the snapshot in service; the caller must Release it. Without one the error says why:
// registry.ErrNoSnapshot when none was published yet, otherwise what is wrong with the published one.
func (l *Live) Acquire() (*Snapshot, error) {
	for {
		s := l.current.Load()
		if s == nil {
			if err := l.trouble.Load(); err != nil {
				return nil, *err
			}
			return nil, registry.ErrNoSnapshot
		}
		if s.acquire() {
			return s, nil
		}
	}
}

// Close takes the snapshot out of service and waits for its users.
func (l *Live) Close() {
	l.swap(nil)
	l.closing.Wait()
}
