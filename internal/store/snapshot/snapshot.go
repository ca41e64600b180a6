// Package snapshot is the door to the records and the search index that are being served: companies, their records, what a
// search finds. Networks, changes and loads are packages of functions over a [Snapshot], which build on its [Internals]; API, pages and assistants ask
// here and there and join nothing themselves, so a query has one answer.
//
// [Live] follows the published snapshot. It polls the record store every two seconds; when another
// snapshot is current, it opens the records, verifies and warms the index, and swaps one pointer. A
// request takes a [Snapshot] with [Live.Acquire], holds it with a reference count, and finishes on
// it whatever is published meanwhile (snapshot isolation). The index of a retired snapshot is
// unmapped when its last user has released it. Snapshots that differ only in the load of a source
// share one opened index.
//
// An index that is missing or damaged does not take the records down. A whole former snapshot stays
// in service as long as its records exist; otherwise the records are served alone, and queries
// that need the index return an [*IndexError]. Live retries with growing pauses,
// asks a [Fetcher] for files that are missing, and verifies the index again when its files change or
// a query runs into damage.
//
// A look-up that finds nothing returns a *registry.AbsentError. Every other error is a failure and
// never means that something does not exist.
//
// Pages take the snapshot with [Snapshot.ForVisitors], whose answers lack contacts and addresses of
// natural persons (visitor.go). The API returns what is published. Contacts that are hidden on
// request are in neither.
package snapshot

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"razao/index"
	"razao/index/figures"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/store/registry"
	"razao/internal/store/sitemap"
)

// ErrIndexAhead means that the index names a company or establishment that the records do not have:
// it was built from others.
var ErrIndexAhead = errors.New("the index names a company that the records do not have: run `razao index build`")

// Snapshot answers queries of one set of loads. It is safe for concurrent use, and its answers
// do not change, except that contacts are hidden on request. Get it from [Live.Acquire].
type Snapshot struct {
	*sharedSnapshot
	visitor bool // see ForVisitors
}

// sharedSnapshot is a snapshot in service, shared by its users. Live holds one reference while it is
// current; at zero, retired is closed and the index may be closed.
type sharedSnapshot struct {
	Load    registry.Load  // of the company registry
	Domains record.Domains // descriptions of codes; not to be changed

	view     *registry.View
	atlas    *territory.Atlas
	opened   *openedIndex  // nil without an index
	missing  *IndexError   // why there is no index; nil with one
	counters *counters     // of Live
	whole    Snapshot      // as published
	visitors Snapshot      // as visitors may see it
	users    atomic.Int64  // references: users, plus one while it is current
	retired  chan struct{} // closed when the last reference is gone

	mu    sync.Mutex
	cache map[any]*entry // see Once
}

// newServed returns a snapshot with one reference. Exactly one of ix and missing is set; it takes
// over the reference to ix.
func newServed(view *registry.View, ix *openedIndex, missing *IndexError, atlas *territory.Atlas) *sharedSnapshot {
	s := &sharedSnapshot{
		Load: view.Load, Domains: view.Domains, view: view, atlas: atlas, opened: ix, missing: missing,
		retired: make(chan struct{}), cache: map[any]*entry{},
	}
	s.whole, s.visitors = Snapshot{s, false}, Snapshot{s, true}
	s.users.Store(1)
	return s
}

// index returns the index, or the *IndexError of a snapshot without one.
func (s *sharedSnapshot) index() (*index.Index, error) {
	if s.opened == nil {
		return nil, s.missing
	}
	return s.opened.Index, nil
}

// damage returns the damage that a query has found in the index, as an *IndexError; nil if there
// is none, or no index.
func (s *sharedSnapshot) damage() error {
	if s.opened == nil || s.opened.Damage() == nil {
		return nil
	}
	return &IndexError{Snapshot: s.view.Snapshot.ID, Err: s.opened.Damage()}
}

// ForVisitors returns the snapshot as pages may show it: without street, CEP, telephones, fax and
// e-mail of natural persons in business, present and former. It shares the reference of s: release one
// of the two, once.
func (s *Snapshot) ForVisitors() *Snapshot { return &s.visitors }

// Release gives up the reference that Live.Acquire returned. The snapshot must not be used
// afterwards: the files of its index may be unmapped.
func (s *Snapshot) Release() { s.release() }

// release gives up one reference.
func (s *sharedSnapshot) release() {
	if s.users.Add(-1) == 0 {
		close(s.retired)
	}
}

// acquire takes a reference, unless the last one has already been given up.
func (s *sharedSnapshot) acquire() bool {
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

// ID returns the number of the snapshot, which the API publishes as an opaque id. No two publications have the same.
func (s *Snapshot) ID() int64 { return s.view.Snapshot.ID }

// PublishedAt returns when the snapshot was published.
func (s *Snapshot) PublishedAt() time.Time { return s.view.Snapshot.PublishedAt }

// LoadOf returns the id of the load of a source, for "" that of the company registry; 0 if the snapshot has
// none. Positions in collections of the source, as cursors hold them, are valid for one load.
func (s *Snapshot) LoadOf(source string) int64 {
	if source == "" {
		source = registry.Receita
	}
	return s.view.Snapshot.Loads[source]
}

// Searchable reports whether the snapshot has an index.
func (s *Snapshot) Searchable() bool { return s.opened != nil }

// HasRowCache reports whether companies are read from a file, and thus without the database.
func (s *Snapshot) HasRowCache() bool {
	return s.opened != nil && s.opened.folder.cache != nil && s.opened.folder.cache.Damage() == nil
}

// Unflagged returns the ids of sources whose flags the index lacks: filtering by one is a
// [*SourceError], and facets leave it out. It returns nil without an index.
func (s *Snapshot) Unflagged() []string {
	ix, err := s.index()
	if err != nil {
		return nil
	}
	return ix.Unflagged()
}

// SourcesOf returns how many sources have records of a company or of one of its establishments. It
// asks nothing of PostgreSQL, and leaves out the sources that Unlisted names.
func (s *Snapshot) SourcesOf(root cnpj.Root) int { return s.view.SourcesOf(root) }

// Unlisted returns the ids of the sources of which it is not known whom they have records of; nil for
// none.
func (s *Snapshot) Unlisted() []string { return s.view.Unlisted() }

// Pages returns the list of the establishments for search engines; an empty one if the index was
// built before such lists existed. The error may be an *IndexError.
func (s *Snapshot) Pages() (*sitemap.List, error) {
	ix, err := s.index()
	if err != nil {
		return nil, err
	}
	list, err := sitemap.Open(ix.Folder())
	if errors.Is(err, fs.ErrNotExist) {
		return &sitemap.List{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("pages for search engines: %w", err)
	}
	return list, nil
}

type placesKey struct{}

// Places returns the figures of all places. The error is an *IndexError.
func (s *Snapshot) Places() (*figures.Places, error) {
	return Once(s, placesKey{}, func() (*figures.Places, error) {
		ix, err := s.index()
		if err != nil {
			return nil, err
		}
		return figures.AddUp(ix.Rankings(), s.atlas, s.Load.Period, s.Load.Invented), nil
	})
}

// maxCached bounds the values that Once keeps for a snapshot. There are several times as many places,
// and their summaries are large.
const maxCached = 1000

// entry is a value of Once; mu is held while it is being made.
type entry struct {
	mu    sync.Mutex
	value any // nil until made
}

// Once returns the value of make for this snapshot and key, and keeps it for later calls.
// Concurrent calls for a key wait for the first (singleflight), without regard to their contexts.
// An error is not kept: the next call, one that waited included, calls make again. With more than
// maxCached keys all values are dropped. The value is shared and must not be changed. A key stands
// for one kind of value: give it an unexported type of its own, as for context keys. Values are
// shared with the snapshot ForVisitors: what differs for visitors must be part of the key.
func Once[T any](s *Snapshot, key any, make func() (T, error)) (T, error) {
	e := s.entry(key)
	e.mu.Lock()
	defer e.mu.Unlock()
	if value, ok := e.value.(T); ok {
		return value, nil
	}
	value, err := make()
	if err == nil {
		e.value = value
	}
	return value, err
}

// entry returns the entry of a key, a new one if need be.
func (s *sharedSnapshot) entry(key any) *entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.cache[key]
	if e == nil {
		if len(s.cache) >= maxCached {
			clear(s.cache)
		}
		e = &entry{}
		s.cache[key] = e
	}
	return e
}
