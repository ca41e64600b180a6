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
	allowed  verdict = iota
	warned           // over the rate: told once to slow down
	silenced         // over the rate and told already: no answer
)

// limiter deduplicates redelivered messages and limits the rate of each person. Its two caches are
// bounded and per process: with several processes a person has one quota in each.
type limiter struct {
	now func() time.Time

	mu     sync.Mutex
	seen   *simplelru.LRU[string, struct{}]
	quotas *simplelru.LRU[string, *quota]
}

// quota is the token bucket of a person.
type quota struct {
	tokens *rate.Limiter
	warned bool // since the last message that was allowed
}

func newLimiter(now func() time.Time) *limiter {
	l := &limiter{now: now}
	l.seen, _ = simplelru.NewLRU[string, struct{}](remembered, nil) // fails only for a size below 1
	l.quotas, _ = simplelru.NewLRU[string, *quota](remembered, nil)
	return l
}

// firstDelivery reports whether a message id is new, and remembers it.
func (l *limiter) firstDelivery(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, known := l.seen.Get(id); known {
		return false
	}
	l.seen.Add(id, struct{}{})
	return true
}

// forget undoes firstDelivery, for a message that the platform is to deliver again.
func (l *limiter) forget(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen.Remove(id)
}

// allow takes a token from a person's bucket. A person over the rate is warned once and then
// ignored until a message is allowed again.
func (l *limiter) allow(id string) (v verdict) {
	l.allowIf(id, func(decided verdict) bool {
		v = decided
		return true
	})
	return v
}

// allowIf calls accept with the verdict and returns its result. If accept refuses the message, for
// the platform to deliver it again, no token is taken: redelivery must not drain the bucket. accept
// runs under the lock and must not block.
func (l *limiter) allowIf(id string, accept func(verdict) bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	q, known := l.quotas.Get(id)
	if !known {
		q = &quota{tokens: rate.NewLimiter(rate.Limit(messagesPerMinute/time.Minute.Seconds()), messagesAtOnce)}
		l.quotas.Add(id, q)
	}
	now := l.now()
	v := allowed
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
	if v == allowed {
		q.tokens.AllowN(now, 1)
	}
	q.warned = v != allowed
	return true
}
