package snapshot

import (
	"errors"
	"fmt"

	"razao/index"
	"razao/index/folder"
	"razao/internal/data/territory"
	"razao/internal/store/network"
	"razao/internal/store/registry"
)

// Internals is what a snapshot answers from, for the packages of internal/store that answer the queries of one subject. It is the one way to it, and
// theirs alone (internal/testing/layers): here nothing is left out for visitors.
type Internals struct{ s *Snapshot }

// Internals returns what the snapshot answers from.
func (s *Snapshot) Internals() Internals { return Internals{s} }

// Records returns the record store of the snapshot: rows, history, loads.
func (i Internals) Records() *registry.View { return i.s.view }

// Atlas returns the states and municipalities.
func (i Internals) Atlas() *territory.Atlas { return i.s.atlas }

// Index returns the index for a query. If the query asks for contacts, those that are hidden on request are passed to the index first. The
// errors are an *[IndexError] and, of filters that only a whole load can answer, a *registry.LackError.
func (i Internals) Index(q *index.Query) (*index.Index, error) {
	if err := i.s.lack(q.Filters); err != nil {
		return nil, err
	}
	ix, err := i.s.index()
	if err != nil || !q.AsksContact() {
		return ix, err
	}
	return ix, i.Wrap("hide contacts", ix.Hide(i.s.view.HiddenContacts()))
}

// Network returns the graph of who names whom. The error is an *[IndexError].
func (i Internals) Network() (*network.Graph, error) {
	if i.s.opened == nil {
		return nil, i.s.missing
	}
	if i.s.opened.folder.network == nil {
		return nil, &IndexError{i.s.ID(), network.ErrNone}
	}
	return i.s.opened.folder.network, nil
}

// Wrap wraps an error of the index or the graph with what was being done. Damage becomes an *[IndexError]. It returns nil for nil.
func (i Internals) Wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, folder.ErrDamaged) {
		err = &IndexError{i.s.ID(), err}
	}
	return fmt.Errorf("%s: %w", doing, err)
}
