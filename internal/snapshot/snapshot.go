// Package snapshot is what is being served: the records and the search index of one set of loads, switched together, and
// every question that is asked of both. Records are served without an index that is missing or cannot be used; then questions
// that need it return an *IndexError, until Live has found it whole. The rooms above ask here and join nothing themselves, so that a question has one
// answer, wherever it is asked: in the API, on a page, by an assistant.
//
// A request takes the snapshot once, from Live, and finishes on it, whatever is published meanwhile. Pages take it
// ForVisitors: then what a visitor may not see of natural persons is not in the answers. A look-up that finds nothing returns
// a *registry.AbsentError; every other error is trouble, and never means that something is not there.
package snapshot

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"razao/index"
	"razao/index/folder"
	"razao/internal/record"
	"razao/internal/registry"
	"razao/internal/sitemap"
	"razao/internal/territory"
)

// ErrIndexAhead is the error of an index that was built from other records than those that are served with it.
var ErrIndexAhead = errors.New("the index names a company that the records do not have: run `razao index build`")

// Snapshot answers questions about one set of loads. It is safe for concurrent use and never changes.
type Snapshot struct {
	*served
	visitor bool // see ForVisitors
}

// served is a snapshot in service, which those who hold it share.
type served struct {
	Load    registry.Load  // of the cadastre
	Domains record.Domains // what codes mean

	view     *registry.View
	atlas    *territory.Atlas
	opened   *openedIndex // nil without an index
	missing  *IndexError  // why there is none; else nil
	asked    *asked       // of Live
	whole    Snapshot     // as it is published
	visitors Snapshot     // as visitors may see it
	places   func() (*Places, error)
	users    atomic.Int64 // holders, plus one while it is current
	retired  chan struct{}

	mu   sync.Mutex
	kept map[any]*kept
}

// newServed needs the index or the reason why it is missing.
func newServed(view *registry.View, ix *openedIndex, missing *IndexError, atlas *territory.Atlas) *served {
	s := &served{
		Load: view.Load, Domains: view.Domains, view: view, atlas: atlas, opened: ix, missing: missing,
		retired: make(chan struct{}), kept: map[any]*kept{},
	}
	s.whole, s.visitors = Snapshot{s, false}, Snapshot{s, true}
	s.places = sync.OnceValues(s.addUp)
	s.users.Store(1)
	return s
}

// index returns the index, or the *IndexError of a snapshot without one.
func (s *served) index() (*index.Index, error) {
	if s.opened == nil {
		return nil, s.missing
	}
	return s.opened.Index, nil
}

// damage returns what a question has found wrong with the index in service, nil when there is nothing or no index.
func (s *served) damage() error {
	if s.opened == nil || s.opened.Damage() == nil {
		return nil
	}
	return &IndexError{Snapshot: s.view.Snapshot.ID, Err: s.opened.Damage()}
}

// troubled says what was asked of the index when it returned an error, nil when it did not. That of one that is damaged is an *IndexError.
func (s *served) troubled(asking string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, folder.ErrDamaged) {
		err = &IndexError{Snapshot: s.view.Snapshot.ID, Err: err}
	}
	return fmt.Errorf("%s: %w", asking, err)
}

// ForVisitors returns the same snapshot without what pages do not show of individual entrepreneurs: street, CEP, telephones,
// fax and e-mail, and what these were. Release either of the two, once.
func (s *Snapshot) ForVisitors() *Snapshot { return &s.visitors }

// Release ends the use of a snapshot got from Live.Acquire.
func (s *Snapshot) Release() { s.release() }

func (s *served) release() {
	if s.users.Add(-1) == 0 {
		close(s.retired)
	}
}

// acquire counts one more user unless the snapshot has already been given up.
func (s *served) acquire() bool {
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

// ID is the number of the snapshot. No two publications have the same.
func (s *Snapshot) ID() int64 { return s.view.Snapshot.ID }

// Fotografia is the opaque id of the snapshot, as the API publishes it.
func (s *Snapshot) Fotografia() string { return strconv.FormatInt(s.ID(), 10) }

// PublishedAt is when the snapshot was switched to.
func (s *Snapshot) PublishedAt() time.Time { return s.view.Snapshot.PublishedAt }

// LoadOf returns the id of the load of a source, that of the cadastre for "", 0 when the snapshot has none. Positions in a
// collection of that source hold as long as it is the same.
func (s *Snapshot) LoadOf(source string) int64 {
	if source == "" {
		source = registry.Receita
	}
	return s.view.Snapshot.Loads[source]
}

// IndexName names the index: positions among hits hold as long as it is the same, and the load of the source that they are
// filtered by.
func (s *Snapshot) IndexName() string { return s.view.Snapshot.IndexName }

// Searchable reports whether the snapshot has its index.
func (s *Snapshot) Searchable() bool { return s.opened != nil }

// Unflagged returns the sources of which the index does not know whom they have records of: filtering by one is an
// *index.SourceError, and facets lack it.
func (s *Snapshot) Unflagged() []string {
	ix, err := s.index()
	if err != nil {
		return nil
	}
	return ix.Unflagged()
}

// Pages returns the list of the establishments that search engines may be told of, an empty one when the index is older than
// such lists.
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

// maxKept bounds what Once keeps for a snapshot: summaries of places take some 8 KB each, and there are 5,600 places.
const maxKept = 1000

// kept is a value made for a snapshot, or in the making.
type kept struct {
	mu    sync.Mutex
	value any // nil until it is made
}

// Once returns what make returned for this snapshot and key, calling it again only after an error or when there were too many
// keys to keep. Those who come meanwhile wait for the first (singleflight). Values must not be changed.
func Once[T any](s *Snapshot, key any, make func() (T, error)) (T, error) {
	k := s.keep(key)
	k.mu.Lock()
	defer k.mu.Unlock()
	if value, ok := k.value.(T); ok {
		return value, nil
	}
	value, err := make()
	if err == nil {
		k.value = value
	}
	return value, err
}

func (s *served) keep(key any) *kept {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.kept[key]
	if k == nil {
		if len(s.kept) >= maxKept {
			clear(s.kept)
		}
		k = &kept{}
		s.kept[key] = k
	}
	return k
}
