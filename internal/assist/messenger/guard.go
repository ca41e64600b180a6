package messenger

import (
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/time/rate"
)

const (
	messagesPerMinute = 15     // refill rate of the token bucket of a person
	messagesAtOnce    = 6      // its burst
	remembered        = 50_000 // entries of each of the two caches
)

// verdict is the decision about a message.
type verdict int

const (
	admitted verdict = iota
	warned           // over the rate: told once to slow down
	silenced         // over the rate and told already: no answer
)

// guard deduplicates redelivered messages and limits the rate of each person. Its two caches are
// bounded and per process: with several processes a person has one quota in each.
type guard struct {
	now func() time.Time

	mu     sync.Mutex
	seen   *simplelru.LRU[string, struct{}]
	quotas *simplelru.LRU[string, *quota]
}

// quota is the token bucket of a person.
type quota struct {
	tokens *rate.Limiter
	warned bool // since the last message that was admitted
}

func newGuard(now func() time.Time) *guard {
	g := &guard{now: now}
	g.seen, _ = simplelru.NewLRU[string, struct{}](remembered, nil) // fails only for a size below 1
	g.quotas, _ = simplelru.NewLRU[string, *quota](remembered, nil)
	return g
}

// firstDelivery reports whether a message id is new, and remembers it.
func (g *guard) firstDelivery(id string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, known := g.seen.Get(id); known {
		return false
	}
	g.seen.Add(id, struct{}{})
	return true
}

// forget undoes firstDelivery, for a message that the platform is to deliver again.
func (g *guard) forget(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen.Remove(id)
}

// admit takes a token from a person's bucket. A person over the rate is warned once and then
// ignored until a message is admitted again.
func (g *guard) admit(id string) (v verdict) {
	g.admitIf(id, func(decided verdict) bool {
		v = decided
		return true
	})
	return v
}

// admitIf is admit with accept, which gets the verdict and may still refuse the message, for the
// platform to deliver it again: then nothing changes, or redelivery would drain the bucket. It
// returns what accept returns. accept must not block: every other person waits for it.
func (g *guard) admitIf(id string, accept func(verdict) bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	q, known := g.quotas.Get(id)
	if !known {
		q = &quota{tokens: rate.NewLimiter(rate.Limit(messagesPerMinute/time.Minute.Seconds()), messagesAtOnce)}
		g.quotas.Add(id, q)
	}
	now := g.now()
	v := admitted
	switch {
	case q.tokens.TokensAt(now) >= 1:
	case q.warned:
		v = silenced
	default:
		v = warned
	}
	if !accept(v) {
		return false
	}
	if v == admitted {
		q.tokens.AllowN(now, 1)
	}
	q.warned = v != admitted
	return true
}
