package compare

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/bench/callers"
)

const (
	callsOfAccount = 60 // in a minute; here in its whole life, so that no account is ever over its limit
	madeTogether   = 50
)

// purse holds the secrets of accounts, each good for as many calls as an account may make in a minute.
type purse struct {
	fill func(ctx context.Context) ([]string, error)

	mu      sync.Mutex
	secrets []string
	calls   int // made with the first of them
}

// take returns a secret that is good for n calls.
func (p *purse) take(ctx context.Context, n int) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.calls += n; p.calls > callsOfAccount {
		p.secrets, p.calls = p.secrets[1:], n
	}
	if len(p.secrets) == 0 {
		var err error
		if p.secrets, err = p.fill(ctx); err != nil {
			return "", err
		}
		p.calls = n
	}
	return p.secrets[0], nil
}

// makeCallers prepares the accounts that ask, and returns the session of one that is signed in.
func (r *run) makeCallers(ctx context.Context, pool *pgxpool.Pool) (session string, err error) {
	r.keys = &purse{fill: func(ctx context.Context) ([]string, error) {
		return callers.Keys(ctx, pool, r.Seal, madeTogether)
	}}
	r.tokens = &purse{fill: func(ctx context.Context) ([]string, error) {
		return callers.Tokens(ctx, pool, r.Seal, r.servers[0], r.publicAddress, madeTogether)
	}}
	return callers.Session(ctx, pool)
}
