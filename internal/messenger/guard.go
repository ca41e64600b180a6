package messenger

import (
	"sync"
	"time"

	"golang.org/x/time/rate"

	"razao/internal/recent"
)

const (
	messagesPerMinute = 15 // of one sender
	messagesAtOnce    = 6
	remembered        = 50_000 // message ids, and as many senders
)

// verdict says what becomes of a message.
type verdict int

const (
	admitted verdict = iota
	warned           // the sender is told, once, to slow down
	silenced         // nothing is answered
)

// guard keeps a message that is delivered twice from being answered twice, and a sender from asking too much. It remembers a
// bounded number of them, and belongs to one process.
type guard struct {
	now func() time.Time

	mu      sync.Mutex
	seen    *recent.Map[string, struct{}]
	senders *recent.Map[string, *sender]
}

// sender is what is known of somebody who sends messages.
type sender struct {
	allowance *rate.Limiter
	warned    bool // since the last message that was admitted
}

func newGuard(now func() time.Time) *guard {
	return &guard{now: now, seen: recent.New[string, struct{}](remembered), senders: recent.New[string, *sender](remembered)}
}

// first reports whether a message was not seen before.
func (g *guard) first(id string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, known := g.seen.Get(id); known {
		return false
	}
	g.seen.Put(id, struct{}{})
	return true
}

// forget makes a message one that was not seen.
func (g *guard) forget(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen.Delete(id)
}

// admit counts a message of a sender.
func (g *guard) admit(id string) verdict {
	g.mu.Lock()
	defer g.mu.Unlock()
	s, known := g.senders.Get(id)
	if !known {
		s = &sender{allowance: rate.NewLimiter(rate.Limit(messagesPerMinute/time.Minute.Seconds()), messagesAtOnce)}
		g.senders.Put(id, s)
	}
	switch {
	case s.allowance.AllowN(g.now(), 1):
		s.warned = false
		return admitted
	case s.warned:
		return silenced
	}
	s.warned = true
	return warned
}
