package main

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"razao/internal/account"
)

// keyedAccounts is how many accounts call in turn: with sixty calls a minute each, none is limited below twenty thousand
// calls a second.
const keyedAccounts = 20_000

// makeKeys returns a key of each of many accounts.
func makeKeys(ctx context.Context, db *database) ([]string, error) {
	say("making %s keys", count(keyedAccounts))
	store := account.NewStore(db.pool)
	keys := make([]string, keyedAccounts)
	run := time.Now().UnixNano() // an account has five keys at the most, and folders are used again
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(8)
	for i := range keys {
		g.Go(func() (err error) {
			keys[i], _, err = store.CreateKey(ctx, fmt.Sprintf("bench%d-%d@exemplo.com", run, i), "bench")
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("make keys: %w", err)
	}
	return keys, nil
}
