package registry

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"razao/internal/data/cnpj"
)

// hiddenContacts is the set of establishments whose contact is hidden on request, as of one moment.
// It is immutable. Operators hide contacts by hand, so there are hundreds, not millions.
type hiddenContacts struct {
	numbers []cnpj.Full // ascending
	orders  map[cnpj.Root][]cnpj.Order
}

// HiddenContacts reads which establishments have their contact hidden on request, ascending.
func (s *Store) HiddenContacts(ctx context.Context) ([]cnpj.Full, error) {
	numbers, err := collect(ctx, s.pool, func(row pgx.CollectableRow) (cnpj.Full, error) {
		var root cnpj.Root
		var order cnpj.Order
		err := row.Scan((*int64)(&root), (*int32)(&order))
		return cnpj.Join(root, order), err
	}, `SELECT root, establishment FROM hidden_contact ORDER BY root, establishment`)
	if err != nil {
		return nil, fmt.Errorf("hidden contacts: %w", err)
	}
	return numbers, nil
}

// HideContacts makes all views of the store leave out the contacts of these establishments, and show
// all others. numbers ascend and must not be changed afterwards. Who serves views for longer than a
// moment calls it again and again with what HiddenContacts has read.
func (s *Store) HideContacts(numbers []cnpj.Full) {
	if now := s.hidden.Load(); now != nil && slices.Equal(now.numbers, numbers) {
		return
	}
	h := &hiddenContacts{numbers: numbers, orders: map[cnpj.Root][]cnpj.Order{}}
	for _, n := range numbers {
		h.orders[n.Root()] = append(h.orders[n.Root()], n.Order())
	}
	s.hidden.Store(h)
}

// learnHidden reads the hidden contacts unless some have been set: no view is made without them.
func (s *Store) learnHidden(ctx context.Context) error {
	if s.hidden.Load() != nil {
		return nil
	}
	numbers, err := s.HiddenContacts(ctx)
	if err == nil {
		s.HideContacts(numbers)
	}
	return err
}

// HiddenContacts returns all establishments whose contact is hidden on request, ascending. The slice
// must not be changed. It is the present state, whatever the snapshot.
func (v *View) HiddenContacts() []cnpj.Full { return v.store.hidden.Load().numbers }
