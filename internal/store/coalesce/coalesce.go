// Package coalesce lets concurrent calls share statements, as a database's log lets concurrent
// transactions share one write (group commit). Unlike singleflight it batches different keys.
//
// There is no timer. A Group has AtOnce places for statements. A call that finds a place free is
// sent at once and alone; calls that arrive while all places are taken queue, and up to Most of
// them share the statement that starts when a place is given up. So batches grow with the load: an
// idle server adds no latency, and a busy one pays one round trip for many calls (backpressure).
//
//	Get ── free place ──► Ask with the caller's context, then run the queue in the background
//	   └── queue ───────► Ask with up to Most calls, without a deadline of its own
//
// A call that is alone runs in its caller's goroutine. Shared statements run in background
// goroutines with a context that never ends, since no single caller may cancel the others; Ask sets
// the deadline. A caller that leaves the queue is dropped before the statement starts.
//
// Hedge guards against a hung statement: when the latest one is older, one more may start beside
// AtOnce. A panic in Ask becomes the error of all its calls, and a call that Ask forgets gets
// ErrUnanswered, so no caller waits in vain.
package coalesce

import (
	"context"
	"errors"
	"sync"
	"time"

	"razao/internal/recovery"
)

// ErrUnanswered is the error of a call that Ask returned without answering.
var ErrUnanswered = errors.New("the shared statement has no answer")

// Call is one key waiting for its answer. Only Ask sees it.
type Call[K, V any] struct {
	Key K

	ctx      context.Context
	answered bool
	result   chan result[V] // buffered, so that answering never blocks
}

type result[V any] struct {
	value V
	err   error
}

// Answer answers the call; only its first use counts. Ask must not use a Call after it has
// returned, and may answer one from a single goroutine only.
func (c *Call[K, V]) Answer(value V, err error) {
	if !c.answered {
		c.answered = true
		c.result <- result[V]{value, err}
	}
}

// Group coalesces calls of Get. Set its exported fields before the first use and leave them alone;
// then it is safe for concurrent use.
type Group[K, V any] struct {
	// Ask answers all calls with one statement. For a single call that found a place free, ctx is
	// its caller's; otherwise ctx never ends and Ask must set a deadline. A panic becomes the error
	// of all its calls.
	Ask func(ctx context.Context, calls []*Call[K, V])
	// AtOnce is the number of concurrent statements, Most the number of calls that share one. Both
	// must be positive.
	AtOnce, Most int
	// Hedge is the age of the latest statement from which one more than AtOnce may run, so that a
	// hung statement does not hold up later calls. 0 disables it.
	Hedge time.Duration

	mu         sync.Mutex
	queue      []*Call[K, V]
	running    int            // places taken
	sentAt     time.Time      // start of the latest statement
	background sync.WaitGroup // goroutines of shared statements
}

// Wait waits for the shared statements in the background, whether their callers are still there or
// not. It is for shutdown: no Get may be called concurrently or afterwards.
func (g *Group[K, V]) Wait() { g.background.Wait() }

// Load returns how many statements are running and how many calls wait for one.
func (g *Group[K, V]) Load() (running, waiting int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.running, len(g.queue)
}

// Get returns the answer for key. Concurrent calls share statements, but equal keys are not merged.
// If ctx ends first, Get returns ctx.Err(); a call still queued at that moment never reaches Ask.
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
			g.startHedge()
		}
	}
}

// startHedge takes an extra place for the queued calls when the latest statement is late.
func (g *Group[K, V]) startHedge() {
	g.mu.Lock()
	start := len(g.queue) > 0 && g.mayHedge()
	if start {
		g.running++
	}
	g.mu.Unlock()
	if start {
		g.leave()
	}
}

// mayHedge reports whether the extra place of Hedge may be taken. The caller holds g.mu.
func (g *Group[K, V]) mayHedge() bool {
	return g.Hedge > 0 && g.running == g.AtOnce && time.Since(g.sentAt) >= g.Hedge
}

// enter takes a place and returns true, or queues the call and returns false.
func (g *Group[K, V]) enter(call *Call[K, V]) (free bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.running < g.AtOnce || g.mayHedge() {
		g.running++
		g.sentAt = time.Now()
		return true
	}
	g.queue = append(g.queue, call)
	return false
}

// leave passes the caller's place on to the queue, in a goroutine of its own: the caller has its
// answer and need not wait for theirs. Without a queue the place becomes free.
func (g *Group[K, V]) leave() {
	if next := g.next(); next != nil {
		g.background.Go(func() {
			for ; next != nil; next = g.next() {
				g.ask(context.Background(), next)
			}
		})
	}
}

// next returns the calls of the next statement and keeps the place; with an empty queue it frees
// the place and returns nil.
func (g *Group[K, V]) next() (calls []*Call[K, V]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for len(g.queue) > 0 && len(calls) < g.Most {
		if g.queue[0].ctx.Err() == nil { // otherwise its caller has left
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

// ask runs Ask and makes sure that every call has an answer.
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
