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
	"razao/internal/territory"
)

// pollEvery is how long a publication by another process may stay unseen.
const pollEvery = 2 * time.Second

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

// Live follows the current snapshot. Create it with Open, keep Run running, end it with Close.
type Live struct {
	store    *registry.Store
	indexDir string
	atlas    *territory.Atlas
	log      *slog.Logger
	current  atomic.Pointer[served]
	trouble  atomic.Pointer[error] // why Refresh failed the last time; nil when it did not
	closing  sync.WaitGroup        // retired snapshots whose last user has not left
}

// Open returns a Live on the current snapshot. When none was published yet, or it cannot be opened, Acquire returns the
// reason until Run has found a good one. indexDir is the folder that holds the index folders.
func Open(ctx context.Context, store *registry.Store, indexDir string, atlas *territory.Atlas, log *slog.Logger) *Live {
	l := &Live{store: store, indexDir: indexDir, atlas: atlas, log: log}
	if err := l.Refresh(ctx); err != nil && !errors.Is(err, registry.ErrNoSnapshot) {
		log.Error("snapshot cannot be served", "error", err)
	}
	return l
}

// Atlas returns the states and municipalities.
func (l *Live) Atlas() *territory.Atlas { return l.atlas }

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
	if old := l.current.Load(); old != nil && old.view.Snapshot.ID == id {
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

func (l *Live) open(ctx context.Context, id int64) (*served, error) {
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
	return newServed(view, ix, l.atlas), nil
}

// index returns the index that a snapshot names: the one in service when it is that, else opened and warm.
func (l *Live) index(ctx context.Context, names *registry.Snapshot) (*openedIndex, error) {
	if old := l.current.Load(); old != nil && old.view.Snapshot.IndexName == names.IndexName {
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
func (l *Live) swap(next *served) {
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
	old.release()
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
			return &s.whole, nil
		}
	}
}

// Close takes the snapshot out of service and waits for its users.
func (l *Live) Close() {
	l.swap(nil)
	l.closing.Wait()
}
