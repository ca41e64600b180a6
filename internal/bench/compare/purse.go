package compare

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/bench/callers"
)

const (
	callsOfAccount = 60 // the limit for a minute, here for an account's lifetime, so that none ever gets 429
	madeTogether   = 50 // accounts created when a purse is empty
)

// purse supplies secrets of accounts, each for at most callsOfAccount calls, and creates accounts
// as needed. It is safe for concurrent use.
type purse struct {
	fill func(ctx context.Context) ([]string, error)

	mu      sync.Mutex
	secrets []string
	calls   int // made with secrets[0]
}

// take returns a secret with which n calls may be made.
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

// makeCallers sets up the purses of keys and access tokens, and returns the token of a session.
func (r *run) makeCallers(ctx context.Context, pool *pgxpool.Pool) (session string, err error) {
	r.keys = &purse{fill: func(ctx context.Context) ([]string, error) {
		return callers.Keys(ctx, pool, r.Seal, madeTogether)
	}}
	r.tokens = &purse{fill: func(ctx context.Context) ([]string, error) {
		return callers.Tokens(ctx, pool, r.Seal, r.servers[0], r.publicAddress, madeTogether)
	}}
	return callers.Session(ctx, pool)
}
