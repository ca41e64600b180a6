// Package coalesce lets calls that come at the same time share one statement, as databases share a write of their log (group
// commit). There is no timer: a call that finds a statement's place free is asked at once, and those that come while all places
// are taken share the next statement. An idle server waits for nothing, and a busy one pays one round trip for many calls.
package coalesce

import (
	"context"
	"errors"
	"sync"
	"time"

	"razao/internal/recovery"
)

// ErrUnanswered is the answer to a call of which the statement said nothing.
var ErrUnanswered = errors.New("the shared statement has no answer")

// Call is a question waiting for its answer.
type Call[K, V any] struct {
	Key K

	ctx      context.Context
	answered bool
	result   chan result[V] // with room for one: answering never blocks
}

type result[V any] struct {
	value V
	err   error
}

// Answer answers the call. Only its first use counts.
func (c *Call[K, V]) Answer(value V, err error) {
	if !c.answered {
		c.answered = true
		c.result <- result[V]{value, err}
	}
}

// Group asks what is asked at the same time together. Its exported fields are set before its first use; then it is safe for
// concurrent use.
type Group[K, V any] struct {
	// Ask answers calls with one statement. A single call comes with the context of its caller, several with one that does not
	// end: Ask sets the deadline. A panic is an error of all its calls.
	Ask func(ctx context.Context, calls []*Call[K, V])
	// AtOnce is how many statements run at the same time, Most how many calls share one.
	AtOnce, Most int
	// Hedge is how long a statement may take before another may start beside it, so that one that hangs does not hold up those
	// that come later; at most one more than AtOnce. 0: none does.
	Hedge time.Duration

	mu         sync.Mutex
	queue      []*Call[K, V]
	running    int
	sentAt     time.Time // of the latest statement
	background sync.WaitGroup
}

// Wait returns when the statements of calls that shared them have ended, their callers gone or not. Nobody may call Get then.
func (g *Group[K, V]) Wait() { g.background.Wait() }

// Load returns how many statements run and how many calls wait for the next one.
func (g *Group[K, V]) Load() (running, waiting int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.running, len(g.queue)
}

// Get asks for key and returns its answer. When ctx ends first, its error is returned; a call that has not been sent by then is
// not asked.
func (g *Group[K, V]) Get(ctx context.Context, key K) (V, error) {
	call := &Call[K, V]{Key: key, ctx: ctx, result: make(chan result[V], 1)}
	if g.enter(call) {
		g.ask(ctx, []*Call[K, V]{call})
		g.leave()
	}
	var late <-chan time.Time
	if g.Hedge > 0 {
		timer := time.NewTimer(g.Hedge)
		defer timer.Stop()
		late = timer.C
	}
	for {
		select {
		case r := <-call.result:
			return r.value, r.err
		case <-ctx.Done():
			var none V
			return none, ctx.Err()
		case <-late:
			g.hurry()
		}
	}
}

// hurry sends the calls that wait, if a statement is late.
func (g *Group[K, V]) hurry() {
	g.mu.Lock()
	late := len(g.queue) > 0 && g.late()
	if late {
		g.running++
	}
	g.mu.Unlock()
	if late {
		g.leave()
	}
}

// late reports whether one more statement may start because one takes too long. The caller holds g.mu.
func (g *Group[K, V]) late() bool {
	return g.Hedge > 0 && g.running == g.AtOnce && time.Since(g.sentAt) >= g.Hedge
}

// enter takes a place for a statement, or queues the call.
func (g *Group[K, V]) enter(call *Call[K, V]) (free bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.running < g.AtOnce || g.late() {
		g.running++
		g.sentAt = time.Now()
		return true
	}
	g.queue = append(g.queue, call)
	return false
}

// leave gives a place up, or to those who have queued meanwhile: the caller has its answer and need not wait for theirs.
func (g *Group[K, V]) leave() {
	if next := g.next(); next != nil {
		g.background.Go(func() {
			for ; next != nil; next = g.next() {
				g.ask(context.Background(), next)
			}
		})
	}
}

// next returns the calls of the next statement. If there are none the place is given up.
func (g *Group[K, V]) next() (calls []*Call[K, V]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for len(g.queue) > 0 && len(calls) < g.Most {
		if g.queue[0].ctx.Err() == nil { // else its caller has left
			calls = append(calls, g.queue[0])
		}
		g.queue = g.queue[1:]
	}
	if len(calls) == 0 {
		g.queue = nil
		g.running--
		return nil
	}
	g.sentAt = time.Now()
	return calls
}

func (g *Group[K, V]) ask(ctx context.Context, calls []*Call[K, V]) {
	err := recovery.Do(func() error {
		g.Ask(ctx, calls)
		return ErrUnanswered
	})
	for _, c := range calls {
		var none V
		c.Answer(none, err)
	}
}
