package registry

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"razao/internal/cnpj"
)

// hiddenOrders is a column of the look-up of the root $1: the orders of the establishments whose
// contact is hidden on request. Being part of the look-up, hiding takes effect at once in all
// processes, but for those that read from a replica: see LearnHidden.
const hiddenOrders = `ARRAY(SELECT establishment FROM hidden_contact WHERE root = $1)`

// hiddenNumbers is the same for the roots $1, as full numbers (see cnpj.Full). It does not depend
// on the row, so PostgreSQL evaluates it once per statement: a sub-select per row doubled the cost
// of a look-up of eight.
var hiddenNumbers = fmt.Sprintf(`ARRAY(SELECT root * %d + establishment FROM hidden_contact WHERE root = ANY($1))`, cnpj.Orders)

// ordersOf returns the orders of a root among full numbers, nil if it has none.
func ordersOf(root cnpj.Root, numbers []int64) (orders []int32) {
	for _, n := range numbers {
		if full := cnpj.Full(n); full.Root() == root {
			orders = append(orders, int32(full.Order()))
		}
	}
	return orders
}

// HiddenContacts returns all establishments whose contact is hidden on request, ascending. It reads
// the present state, whatever the snapshot.
func (v *View) HiddenContacts(ctx context.Context) ([]cnpj.Full, error) {
	numbers, err := NewStore(v.pool).hiddenContacts(ctx)
	if v.hidden == nil || err != nil {
		return numbers, err
	}
	numbers = append(numbers, *v.hidden.Load()...)
	slices.Sort(numbers)
	return slices.Compact(numbers), nil
}

// hiddenContacts returns what HiddenContacts does, as the server of s has it.
func (s *Store) hiddenContacts(ctx context.Context) ([]cnpj.Full, error) {
	rows, err := s.pool.Query(ctx, `SELECT root, establishment FROM hidden_contact ORDER BY root, establishment`)
	if err != nil {
		return nil, fmt.Errorf("hidden contacts: %w", err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (cnpj.Full, error) {
		var root cnpj.Root
		var order cnpj.Order
		err := row.Scan((*int64)(&root), (*int32)(&order))
		return cnpj.Join(root, order), err
	})
}

// LearnHidden makes the views of s, which reads from a replica, hide what is hidden on the primary
// too: the replica may not have it yet. The views know what the last call has read.
func (s *Store) LearnHidden(ctx context.Context, primary *Store) error {
	numbers, err := primary.hiddenContacts(ctx)
	if err == nil {
		s.hidden.Store(&numbers)
	}
	return err
}

// alsoHidden adds to the orders of a root that are hidden as the server of the view has it those
// that LearnHidden has read.
func (v *View) alsoHidden(root cnpj.Root, orders []int32) []int32 {
	if v.hidden == nil {
		return orders
	}
	numbers := *v.hidden.Load()
	from, _ := slices.BinarySearch(numbers, cnpj.Join(root, 0))
	for _, n := range numbers[from:] {
		if n.Root() != root {
			break
		}
		if order := int32(n.Order()); !slices.Contains(orders, order) {
			orders = append(orders, order)
		}
	}
	return orders
}
