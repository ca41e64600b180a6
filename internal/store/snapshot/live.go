package snapshot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"razao/index/filter"
	"razao/internal/data/territory"
	"razao/internal/recovery"
	"razao/internal/store/registry"
)

const (
	pollEvery   = 2 * time.Second  // between looks at the current snapshot: a tick
	askTimeout  = 5 * time.Second  // for a small query while following
	viewTimeout = 30 * time.Second // for opening the records of a snapshot, on the pool of those who are served
)

// timely calls ask with a deadline, so that a database which hangs does not block following for
// good.
func timely[T any](ctx context.Context, limit time.Duration, ask func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return ask(ctx)
}

// Live follows the current snapshot and holds it in service. Create it with Open, keep Run running
// in one goroutine, end it with Close. Acquire, Trouble, Atlas and Stats are safe for concurrent
// use; Run and Refresh must not run at the same time, since the fields that pace retries are theirs
// alone.
type Live struct {
	store    *registry.Store
	records  *registry.Store // for requests: see ReadFrom
	reach    Reach           // nil: records are on the server of store
	indexDir string
	atlas    *territory.Atlas
	filters  func() (*filter.Reader, error)
	log      *slog.Logger
	retired  func(id int64, unused <-chan struct{})
	fetcher  Fetcher // nil: missing files are not fetched
	rowCache bool    // see UseRowCache

	current   atomic.Pointer[sharedSnapshot]
	trouble   atomic.Pointer[error] // the error of the last look; nil: none
	hidingErr atomic.Pointer[error] // the error of the last look for hidden contacts; nil: none
	down      *recovery.Outage      // why the current snapshot is not served, for the log
	pause     pause                 // between attempts to open an index
	trusted   int                   // ticks for which damage that queries find is ignored: see damaged
	flagging  int                   // ticks until missing flags are looked for again
	closing   sync.WaitGroup        // retired snapshots that still have users
	counters  *counters             // since Open
}

// Option is an option of [Open].
type Option func(*Live)

// ReadFrom makes snapshots read records through another store on the same database, with a pool of
// its own, so that following does not queue for connections behind requests.
func ReadFrom(records *registry.Store) Option { return func(l *Live) { l.records = records } }

// UseRowCache makes snapshots read companies from the row cache in the folder of their index,
// if there is one (registry.RowCache), and ask PostgreSQL only for what cannot be read there.
func UseRowCache() Option { return func(l *Live) { l.rowCache = true } }

// WhenRetired makes Live call tell for every snapshot that is replaced, by another one or by the
// same with another index. unused is closed when the last user has released it. tell must not
// block.
func WhenRetired(tell func(id int64, unused <-chan struct{})) Option {
	return func(l *Live) { l.retired = tell }
}

// Fetcher brings missing files into the folder of indexes, in goroutines of its own.
type Fetcher interface {
	// Want asks for the index of a snapshot and the flags of its loads, instead of what was wanted
	// before. It returns at once: nil if they are on their way, otherwise why the last attempt
	// failed. inService is an index that must not be deleted, "" for none.
	Want(s registry.Snapshot, inService string) error
	// Arrived returns a channel that receives when a fetch has ended, with or without success.
	Arrived() <-chan struct{}
}

// FetchFrom makes Live fetch missing or damaged indexes and missing flags from f.
func FetchFrom(f Fetcher) Option { return func(l *Live) { l.fetcher = f } }

// Open returns a Live on the current snapshot, without its index if that cannot be opened. It does
// not fail: if nothing has been published, or the records cannot be read, Acquire returns the
// reason until Run finds a snapshot that can be served. indexDir is the folder that holds the index
// folders.
func Open(ctx context.Context, store *registry.Store, indexDir string, atlas *territory.Atlas, log *slog.Logger, options ...Option) *Live {
	l := &Live{
		down:     recovery.NewOutage(log, "current snapshot is not served, or not whole"),
		counters: newCounters(), store: store, records: store, indexDir: indexDir, atlas: atlas, log: log, retired: func(int64, <-chan struct{}) {},
	}
	l.filters = sync.OnceValues(filter.NewReader)
	for _, set := range options {
		set(l)
	}
	l.report(ctx, l.Refresh(ctx))
	return l
}

// Atlas returns the states and municipalities.
func (l *Live) Atlas() *territory.Atlas { return l.atlas }

// Filters returns what reads the filters of searches, made at first use. It fails only in a damaged build.
func (l *Live) Filters() (*filter.Reader, error) { return l.filters() }

// Run looks for new snapshots, for an index that is missing or damaged, and for contacts hidden on
// request every two seconds, for the former two also when a fetch has ended, until ctx ends. It logs
// errors; Trouble returns the latest.
func (l *Live) Run(ctx context.Context) {
	var hiding sync.WaitGroup
	defer hiding.Wait()
	hiding.Go(func() { recovery.Keep(ctx, l.log, "follow hidden contacts", l.followHidden) })
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

// HidingTakes is the time after which every server that reaches the database hides a contact.
const HidingTakes = pollEvery + time.Second

// followHidden follows the contacts hidden on request, independently of the snapshot, because
// verifying an index takes minutes.
func (l *Live) followHidden(ctx context.Context) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			l.hide(ctx)
		}
	}
}

// hide looks once which contacts are hidden. When it cannot tell, what is hidden stays hidden, and
// follow reports why.
func (l *Live) hide(ctx context.Context) {
	numbers, err := timely(ctx, askTimeout, l.store.HiddenContacts)
	if err != nil {
		l.hidingErr.Store(&err)
		return
	}
	l.hidingErr.Store(nil)
	l.records.HideContacts(numbers)
}

// report logs why the current snapshot is not served, or not whole.
func (l *Live) report(ctx context.Context, err error) {
	if errors.Is(err, registry.ErrNoSnapshot) {
		err = nil
	}
	if ctx.Err() == nil {
		l.down.Note(err)
	}
}

// Refresh looks for hidden contacts and a new snapshot now and without regard to pauses, and switches
// to it, or to the index that was missing. After an *IndexError the index still cannot be used, and
// either the records without it or a former snapshot are served. It must not be called while Run is
// running.
func (l *Live) Refresh(ctx context.Context) error {
	l.pause, l.trusted, l.flagging = pause{}, 0, 0
	l.hide(ctx)
	return l.follow(ctx)
}

// follow is one look at the current snapshot, whose error Trouble returns.
func (l *Live) follow(ctx context.Context) error {
	err := l.refresh(ctx)
	if s := l.current.Load(); err == nil && s != nil && s.opened != nil {
		if err = s.opened.folder.cache.Damage(); err != nil {
			err = fmt.Errorf("companies are read from PostgreSQL: %w: run `razao index build`", err)
		}
	}
	if failed := l.hidingErr.Load(); err == nil && failed != nil {
		err = *failed
	}
	if err != nil {
		l.trouble.Store(&err)
	} else {
		l.trouble.Store(nil)
	}
	return err
}

// Trouble returns why the snapshot in service is not the current one or lacks its index, or the
// damage that a query has found in the index. nil means that the current snapshot is served and
// whole.
func (l *Live) Trouble() error {
	if err := l.trouble.Load(); err != nil {
		return *err
	}
	if s := l.current.Load(); s != nil && s.damage() != nil {
		return s.damage()
	}
	return nil
}

// damaged reports whether the index in service must be verified again: its files were written to,
// or a query has found damage. If the index then turns out to be whole, the query ran into a defect
// of the program, as others will. So that they do not cause one verification after the other, damage
// that queries find is then ignored for trustPause; they get their errors, and Trouble returns the
// damage.
func (l *Live) damaged(s *sharedSnapshot) bool {
	if s == nil || s.opened == nil {
		return false
	}
	if s.opened.Check() != nil {
		return true
	}
	if l.trusted > 0 {
		l.trusted--
		return false
	}
	return s.damage() != nil
}

// refresh switches to the current snapshot, or to the one in service again while no replica has the
// current one.
func (l *Live) refresh(ctx context.Context) error {
	id, err := timely(ctx, askTimeout, l.store.CurrentID)
	if err != nil {
		return err
	}
	old := l.current.Load()
	var behind error
	if l.reach != nil {
		behind = l.followReplicas(ctx, id, old)
	}
	if behind != nil {
		if old == nil {
			return behind
		}
		id = old.view.Snapshot.ID
	} else if old != nil && old.view.Snapshot.ID == id { // replicas that lag say nothing new of the history
		if old, err = l.followHistory(ctx, old); err != nil {
			return err
		}
	}
	return cmp.Or(l.switchTo(ctx, id, old), behind)
}

// switchTo puts a snapshot into service instead of old, which may be it. If its index cannot be
// used, a whole former snapshot stays in service as long as its records exist (stale-if-error):
// search on the data of last month, labelled as such, is worth more than none, and log and health
// tell the operator. Otherwise the records are served without the index.
func (l *Live) switchTo(ctx context.Context, id int64, old *sharedSnapshot) error {
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
		l.trusted = trustPause
	}
	l.log.Info("serving snapshot", "snapshot", id, "load", next.Load.ID, "month", next.Load.Period)
	return nil
}

// followHistory puts the snapshot in service again with its history as it is stored now, if an operator has changed that, and returns what
// is in service.
func (l *Live) followHistory(ctx context.Context, old *sharedSnapshot) (*sharedSnapshot, error) {
	view, err := timely(ctx, askTimeout, old.view.Follow)
	if err != nil || view == old.view {
		return old, err
	}
	if old.opened != nil {
		old.opened.folder.snapshots.Add(1)
	}
	next := newServed(view, old.opened, old.missing, l.atlas)
	l.swap(next)
	return next, nil
}

// lostRecords reports whether the records of the snapshot in service are deleted: after a second
// publication without a usable index, the load before the former one is not kept.
func (l *Live) lostRecords(ctx context.Context, s *sharedSnapshot) (bool, error) {
	if s == nil {
		return false, nil
	}
	load, err := timely(ctx, askTimeout, func(ctx context.Context) (registry.Load, error) { return l.store.Load(ctx, s.Load.ID) })
	return load.State == registry.LoadDropped, err
}

// open opens a snapshot, without an index if that cannot be used. It returns an error only for the
// records and for the end of ctx.
func (l *Live) open(ctx context.Context, id int64) (*sharedSnapshot, error) {
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

// view opens the records of a snapshot, or returns those in service if they belong to it: then the
// new snapshot differs in its index only.
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

// swap puts next in service, nil for none, and gives up the reference to the old snapshot. A
// goroutine that Close waits for closes the old index after its last user.
func (l *Live) swap(next *sharedSnapshot) {
	if next != nil {
		next.counters = l.counters
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

// Acquire returns the snapshot in service and a reference to it, which the caller must give up with
// Release. It does not block. Without a snapshot the error says why: registry.ErrNoSnapshot if none
// has been published, otherwise what is wrong with the published one.
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

// Close takes the snapshot out of service and waits for the users of all snapshots. Run must have
// ended.
func (l *Live) Close() {
	l.swap(nil)
	l.closing.Wait()
}
