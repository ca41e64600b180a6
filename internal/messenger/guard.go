package messenger

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
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
	seen    memory[struct{}]
	senders memory[*sender]
}

// sender is what is known of somebody who sends messages.
type sender struct {
	allowance *rate.Limiter
	warned    bool // since the last message that was admitted
}

func newGuard(now func() time.Time) *guard {
	return &guard{now: now, seen: newMemory[struct{}](remembered), senders: newMemory[*sender](remembered)}
}

// first reports whether a message was not seen before.
func (g *guard) first(id string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, known := g.seen.get(id); known {
		return false
	}
	g.seen.put(id, struct{}{})
	return true
}

// forget makes a message one that was not seen.
func (g *guard) forget(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen.drop(id)
}

// admit counts a message of a sender.
func (g *guard) admit(id string) verdict {
	g.mu.Lock()
	defer g.mu.Unlock()
	s, known := g.senders.get(id)
	if !known {
		s = &sender{allowance: rate.NewLimiter(rate.Limit(messagesPerMinute/time.Minute.Seconds()), messagesAtOnce)}
		g.senders.put(id, s)
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

// memory maps keys to values and forgets, when there are too many, those that were not asked for longest.
type memory[V any] struct {
	half          int // as many keys as either map may have
	recent, older map[string]V
}

func newMemory[V any](size int) memory[V] {
	return memory[V]{half: size / 2, recent: map[string]V{}}
}

func (m *memory[V]) get(key string) (V, bool) {
	if v, ok := m.recent[key]; ok {
		return v, true
	}
	v, ok := m.older[key]
	if ok {
		m.put(key, v)
	}
	return v, ok
}

func (m *memory[V]) put(key string, v V) {
	if len(m.recent) >= m.half {
		m.older, m.recent = m.recent, map[string]V{}
	}
	m.recent[key] = v
}

func (m *memory[V]) drop(key string) {
	delete(m.recent, key)
	delete(m.older, key)
}
