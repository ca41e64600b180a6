package load

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"razao/internal/people/account"
	"razao/internal/people/seal"
)

// Keys creates n accounts in a database and returns a key of each. s must have the secret of the
// servers: keys that it did not seal are checked the slow way.
func Keys(ctx context.Context, pool *pgxpool.Pool, s *seal.Sealer, n int) ([]string, error) {
	store := account.NewStore(pool, s)
	keys := make([]string, n)
	run := time.Now().UnixNano() // accounts of a former run may have as many keys as they may have
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(8)
	for i := range keys {
		g.Go(func() (err error) {
			keys[i], _, err = store.CreateKey(ctx, fmt.Sprintf("lab%d-%d@exemplo.com", run, i), "lab")
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("make keys: %w", err)
	}
	return keys, nil
}

// Ring hands out keys in turn.
type Ring struct {
	keys []string
	next atomic.Int64
}

// NewRing returns a ring of the keys.
func NewRing(keys []string) *Ring { return &Ring{keys: keys} }

// Next returns the next key.
func (r *Ring) Next() string { return r.keys[(r.next.Add(1)-1)%int64(len(r.keys))] }
