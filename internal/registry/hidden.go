package registry

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"razao/internal/cnpj"
)

// hiddenOrders is the column that a look-up of the root $1 reads beside its records: the orders of the establishments whose
// contact is hidden. It is part of the same query, so that hiding takes effect with the next look-up of any process.
const hiddenOrders = `ARRAY(SELECT establishment FROM hidden_contact WHERE root = $1)`

// HiddenContacts returns the establishments whose contact is hidden, by their numbers.
func (v *View) HiddenContacts(ctx context.Context) ([]cnpj.Full, error) {
	rows, err := v.pool.Query(ctx, `SELECT root, establishment FROM hidden_contact ORDER BY root, establishment`)
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
