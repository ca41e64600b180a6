// Package batching lets concurrent calls share statements, as a database's log lets concurrent
// transactions share one write (group commit). Unlike singleflight it batches different keys. Counting
// calls would otherwise cost as much as answering them.
//
// There is no timer. One statement runs at a time: a call that finds none running is sent at once and
// alone; calls that arrive meanwhile queue, and up to Most of them share the next statement. So batches
// grow with the load: an idle server adds no latency, and a busy one pays one round trip for many calls
// (backpressure).
//
//	Get ── nothing runs ──► Ask with the caller's context, then run the queue in the background
//	   └── queue ─────────► Ask with up to Most calls, without a deadline of its own
//
// A call that is alone runs in its caller's goroutine. Batches run in background goroutines with a
// context that never ends, since no single caller may cancel the others; Ask sets the deadline. A
// caller that leaves the queue is dropped before the statement starts.
//
// A statement that hangs, on a row lock or a lost connection, must not hold up everybody: when the
// latest one is older than Hedge, one more may start beside it. A panic in Ask becomes the error of all
// its calls, and a call that Ask forgets gets ErrUnanswered, so no caller waits for ever.
package batching

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"razao/internal/recovery"
)

// ErrUnanswered is the error of a call that Ask returned without answering.
var ErrUnanswered = errors.New("the statement of a batch has no answer")

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

// Batcher batches calls of Get. Set its exported fields before the first use and leave them alone;
// then it is safe for concurrent use.
type Batcher[K, V any] struct {
	// Ask answers all calls with one statement. For a single call that found none running, ctx is its
	// caller's; otherwise ctx never ends and Ask must set a deadline. A panic becomes the error of all
	// its calls.
	Ask func(ctx context.Context, calls []*Call[K, V])
	// Most is the number of calls that share a statement. It must be positive.
	Most int
	// Hedge is the age of the latest statement from which one more may run. 0: 10 ms.
	Hedge time.Duration

	mu         sync.Mutex
	queue      []*Call[K, V]
	running    int            // statements: one, and one more beside a late one
	sentAt     time.Time      // start of the latest statement
	background sync.WaitGroup // goroutines of batches
}

// usualHedge is far longer than any statement takes that does not hang.
const usualHedge = 10 * time.Millisecond

func (b *Batcher[K, V]) hedge() time.Duration { return cmp.Or(b.Hedge, usualHedge) }

// Wait waits for the batches in the background, whether their callers are still there or
// not. It is for shutdown: no Get may be called concurrently or afterwards.
func (b *Batcher[K, V]) Wait() { b.background.Wait() }

// Load returns how many statements are running and how many calls wait for one.
func (b *Batcher[K, V]) Load() (running, waiting int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.running, len(b.queue)
}

// Get returns the answer for key. Concurrent calls share statements; equal keys are not merged.
// If ctx ends first, Get returns ctx.Err(); a call still queued at that moment never reaches Ask.
func (b *Batcher[K, V]) Get(ctx context.Context, key K) (V, error) {
	call := &Call[K, V]{Key: key, ctx: ctx, result: make(chan result[V], 1)}
	if b.enter(call) {
		b.ask(ctx, []*Call[K, V]{call})
		b.leave()
	}
	late := time.NewTimer(b.hedge())
	defer late.Stop()
	for {
		select {
		case r := <-call.result:
			return r.value, r.err
		case <-ctx.Done():
			var none V
			return none, ctx.Err()
		case <-late.C:
			b.startHedge()
		}
	}
}

// startHedge sends the queued calls beside the latest statement when that is late.
func (b *Batcher[K, V]) startHedge() {
	b.mu.Lock()
	start := len(b.queue) > 0 && b.mayHedge()
	if start {
		b.running++
	}
	b.mu.Unlock()
	if start {
		b.leave()
	}
}

// mayHedge reports whether a second statement may start beside a late one. The caller holds b.mu.
func (b *Batcher[K, V]) mayHedge() bool {
	return b.running == 1 && time.Since(b.sentAt) >= b.hedge()
}

// enter takes the slot for a statement and returns true, or queues the call and returns false.
func (b *Batcher[K, V]) enter(call *Call[K, V]) (free bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.running == 0 || b.mayHedge() {
		b.running++
		b.sentAt = time.Now()
		return true
	}
	b.queue = append(b.queue, call)
	return false
}

// leave passes the caller's slot on to the queue, in a goroutine of its own: the caller has its answer
// and need not wait for theirs. Without a queue the slot becomes free.
func (b *Batcher[K, V]) leave() {
	if next := b.next(); next != nil {
		b.background.Go(func() {
			for ; next != nil; next = b.next() {
				b.ask(context.Background(), next)
			}
		})
	}
}

// next returns the calls of the next statement and keeps the slot; with an empty queue it frees the
// slot and returns nil.
func (b *Batcher[K, V]) next() (calls []*Call[K, V]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.queue) > 0 && len(calls) < b.Most {
		if b.queue[0].ctx.Err() == nil { // otherwise its caller has left
			calls = append(calls, b.queue[0])
		}
		b.queue = b.queue[1:]
	}
	if len(calls) == 0 {
		b.queue = nil
		b.running--
		return nil
	}
	b.sentAt = time.Now()
	return calls
}

// ask runs Ask and makes sure that every call has an answer.
func (b *Batcher[K, V]) ask(ctx context.Context, calls []*Call[K, V]) {
	err := recovery.Do(func() error {
		b.Ask(ctx, calls)
		return ErrUnanswered
	})
	for _, c := range calls {
		var none V
		c.Answer(none, err)
	}
}
