package snapshot

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"razao/internal/recovery"
	"razao/internal/registry"
	"razao/internal/territory"
)

const (
	pollEvery   = 2 * time.Second  // how long a publication by another process may stay unseen
	askTimeout  = 5 * time.Second  // of a question to the database while following
	viewTimeout = 30 * time.Second // to read what codes mean, and the loads of a snapshot, beside those who are served
)

// timely asks with a deadline, so that a database which does not answer holds nobody up for good.
func timely[T any](ctx context.Context, limit time.Duration, ask func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return ask(ctx)
}

// Live follows the current snapshot. Create it with Open, keep Run running, end it with Close.
type Live struct {
	store    *registry.Store
	records  *registry.Store // for those who are served: see ReadFrom
	indexDir string
	atlas    *territory.Atlas
	log      *slog.Logger
	current  atomic.Pointer[served]
	trouble  atomic.Pointer[error] // why Refresh failed the last time; nil when it did not
	said     string                // the trouble that was last logged
	pause    pause                 // between attempts at an index
	calm     int                   // ticks in which damage that questions find is not looked into: see damaged
	flagging int                   // ticks until missing flags of sources are looked for again
	closing  sync.WaitGroup        // retired snapshots whose last user has not left
	asked    *asked                // since Open
	retired  func(id int64, unused <-chan struct{})
	fetcher  Fetcher // nil: what is missing is not fetched
}

// Option is an option of Open.
type Option func(*Live)

// ReadFrom lets records be read through another store on the same database, so that following does not wait for connections behind
// them.
func ReadFrom(records *registry.Store) Option { return func(l *Live) { l.records = records } }

// WhenRetired lets tell know of every snapshot that another one, or the same with another index, took the place of. unused is closed when
// its last user has left. tell must not block.
func WhenRetired(tell func(id int64, unused <-chan struct{})) Option {
	return func(l *Live) { l.retired = tell }
}

// Fetcher brings what is missing into the folder of indexes.
type Fetcher interface {
	// Want asks for the index of a snapshot and the flags of its loads, in place of what was wanted before, and returns at once: that
	// they are on their way, or why they could not be had. inService is an index that must stay, "" for none.
	Want(s registry.Snapshot, inService string) (coming bool, err error)
	// Arrived receives when what was wanted is there, or cannot be had.
	Arrived() <-chan struct{}
}

// FetchFrom lets indexes and flags that are missing be fetched.
func FetchFrom(f Fetcher) Option { return func(l *Live) { l.fetcher = f } }

// Open returns a Live on the current snapshot, without its index when that cannot be opened. When none was published yet, or
// its records cannot be read, Acquire returns the reason until Run has found a good one. indexDir is the folder that holds the
// index folders.
func Open(ctx context.Context, store *registry.Store, indexDir string, atlas *territory.Atlas, log *slog.Logger, options ...Option) *Live {
	l := &Live{
		asked: newAsked(), store: store, records: store, indexDir: indexDir, atlas: atlas, log: log, retired: func(int64, <-chan struct{}) {},
	}
	for _, set := range options {
		set(l)
	}
	l.report(ctx, l.Refresh(ctx))
	return l
}

// Atlas returns the states and municipalities.
func (l *Live) Atlas() *territory.Atlas { return l.atlas }

// Run looks for new snapshots, and for an index that was missing or damaged, until ctx ends.
func (l *Live) Run(ctx context.Context) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	var arrived <-chan struct{}
	if l.fetcher != nil {
		arrived = l.fetcher.Arrived()
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			l.report(ctx, l.follow(ctx))
		case <-arrived:
			l.pause, l.flagging = pause{}, 0
			l.report(ctx, l.follow(ctx))
		}
	}
}

// report logs why the current snapshot is not served, or not whole. The same trouble every two seconds is one line in the log.
func (l *Live) report(ctx context.Context, err error) {
	if err == nil || errors.Is(err, registry.ErrNoSnapshot) || ctx.Err() != nil {
		l.said = ""
		return
	}
	if text := err.Error(); text != l.said {
		l.log.Error("current snapshot is not served, or not whole", "error", err)
		l.said = text
	}
}

// Refresh switches to the current snapshot when it is not the one in service, and takes its index into service when that was
// missing. An *IndexError means that the index still cannot be used; what is served instead, refresh decides. It must not be
// called while Run is running.
func (l *Live) Refresh(ctx context.Context) error {
	l.pause, l.calm, l.flagging = pause{}, 0, 0
	return l.follow(ctx)
}

func (l *Live) follow(ctx context.Context) error {
	err := l.refresh(ctx)
	if err != nil {
		l.trouble.Store(&err)
	} else {
		l.trouble.Store(nil)
	}
	return err
}

// Trouble returns why the snapshot in service is not the current one, or lacks its index, or what a question has found wrong
// with that; nil when it is the current one and whole.
func (l *Live) Trouble() error {
	if err := l.trouble.Load(); err != nil {
		return *err
	}
	if s := l.current.Load(); s != nil && s.damage() != nil {
		return s.damage()
	}
	return nil
}

// damaged reports whether the files of the index in service were written to, or a question has found damage, so that it has to
// be verified again. When it turns out to be whole, the question made the program panic, which others like it will do again:
// then what questions find is not looked into for a while. They are answered with their errors meanwhile, and Trouble tells.
func (l *Live) damaged(s *served) bool {
	if s == nil || s.opened == nil {
		return false
	}
	if s.opened.Check() != nil {
		return true
	}
	if l.calm > 0 {
		l.calm--
		return false
	}
	return s.damage() != nil
}

// refresh goes to the current snapshot. When its index cannot be used, a whole former snapshot stays in service as long as its
// records exist: search on the data of last month, which say so, is worth more to people than none, and the operator is told
// by log and health. Otherwise the records are served without the index.
func (l *Live) refresh(ctx context.Context) error {
	id, err := timely(ctx, askTimeout, l.store.CurrentID)
	if err != nil {
		return err
	}
	old := l.current.Load()
	damaged := l.damaged(old)
	if damaged {
		l.log.Error("the index in service is damaged: its files are verified again", recovery.Attrs(old.damage())...)
	}
	if old != nil && old.view.Snapshot.ID == id && old.missing == nil && !damaged {
		l.pause = pause{}
		return l.flag(ctx, old)
	}
	lost, err := l.lostRecords(ctx, old)
	if err != nil {
		return err
	}
	if !lost && !damaged && l.pause.holds(id) {
		return l.pause.after
	}
	next, err := l.open(ctx, id)
	if err != nil {
		return err
	}
	if next.missing != nil {
		l.pause.extend(next.missing)
		if old != nil && !lost && !damaged && (old.missing == nil || old.view == next.view) {
			return next.missing
		}
	}
	l.swap(next)
	if next.missing != nil {
		l.log.Warn("serving records without search", "snapshot", id, "load", next.Load.ID, "month", next.Load.Period)
		return next.missing
	}
	l.pause = pause{}
	if damaged && old.view == next.view {
		l.calm = calmPause
	}
	l.log.Info("serving snapshot", "snapshot", id, "load", next.Load.ID, "month", next.Load.Period)
	return nil
}

// lostRecords reports whether the records of a snapshot in service were deleted, as those of the load before the former are.
func (l *Live) lostRecords(ctx context.Context, s *served) (bool, error) {
	if s == nil {
		return false, nil
	}
	load, err := timely(ctx, askTimeout, func(ctx context.Context) (registry.Load, error) { return l.store.Load(ctx, s.Load.ID) })
	return load.State == registry.LoadDropped, err
}

// open opens a snapshot for service, without an index when that cannot be used.
func (l *Live) open(ctx context.Context, id int64) (*served, error) {
	view, err := l.view(ctx, id)
	if err != nil {
		return nil, err
	}
	ix, err := l.index(ctx, view)
	if ctx.Err() != nil {
		if ix != nil {
			_ = ix.release()
		}
		return nil, ctx.Err()
	}
	if err != nil {
		return newServed(view, nil, &IndexError{Snapshot: id, Err: err}, l.atlas), nil
	}
	return newServed(view, ix, nil, l.atlas), nil
}

// view returns the records of a snapshot: those in service when they are that.
func (l *Live) view(ctx context.Context, id int64) (*registry.View, error) {
	if old := l.current.Load(); old != nil && old.view.Snapshot.ID == id {
		return old.view, nil
	}
	names, err := timely(ctx, askTimeout, func(ctx context.Context) (registry.Snapshot, error) { return l.store.Snapshot(ctx, id) })
	if err != nil {
		return nil, err
	}
	view, err := timely(ctx, viewTimeout, func(ctx context.Context) (*registry.View, error) { return l.records.View(ctx, names) })
	if err != nil {
		return nil, err
	}
	l.learnOwners(ctx, view)
	return view, nil
}

// learnOwners lets a view know which companies the sources have records of. It is served without that
// knowledge, at the price of statements, when it cannot be read in time.
func (l *Live) learnOwners(ctx context.Context, view *registry.View) {
	var former *registry.View
	if old := l.current.Load(); old != nil {
		former = old.view
	}
	_, err := timely(ctx, viewTimeout, func(ctx context.Context) (struct{}, error) { return struct{}{}, view.LearnOwners(ctx, former) })
	if err != nil && ctx.Err() == nil {
		l.log.Warn("sources are asked about every company", "error", err)
	}
}

// swap puts next (nil: nothing) in service and gives the old index up when its last user leaves.
func (l *Live) swap(next *served) {
	if next != nil {
		next.asked = l.asked
	}
	old := l.current.Swap(next)
	if old == nil {
		return
	}
	if next != nil {
		l.retired(old.view.Snapshot.ID, old.retired)
	}
	l.closing.Go(func() {
		<-old.retired
		if old.opened == nil {
			return
		}
		if err := recovery.Do(old.opened.release); err != nil {
			l.log.Error("close former index", recovery.Attrs(err)...)
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
			return nil, cmp.Or(l.Trouble(), registry.ErrNoSnapshot)
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
