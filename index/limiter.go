package index

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"
)

// limiter bounds the concurrent queries of an index: a weighted semaphore admits a few per processor,
// the others wait in FIFO order until their context ends. With more at a time each would only take
// longer. Identical queries that are asked at the same moment run once (singleflight, see [once]).
// Counts are worth keeping, so they run to their end even when whoever asked has left ([finish]); as each
// of them holds back the queries behind it, one caller ([By]) runs half of those that there is room for.
//
// A limiter belongs to the files of an index, flights to one view of it: snapshots that share the
// files but know different loads of the sources must not share answers. Safe for concurrent use.
type limiter struct {
	running  *semaphore.Weighted
	detached sync.WaitGroup // runs of finish, which may outlive their callers; see wait

	share   int64 // counts of one caller at once
	mu      sync.Mutex
	callers map[any]*caller // that count, or wait for their turn

	entered, waited, shared, counted atomic.Uint64
	waiting                          atomic.Int64 // nanoseconds, of all that waited
}

// Stats are the counters of the limit on concurrent queries, cumulative since the index was opened.
type Stats struct {
	Entered uint64        // queries admitted
	Waited  uint64        // queries that had to wait, including those that gave up
	Waiting time.Duration // total waiting time of these
	Shared  uint64        // queries answered by the run of an identical one
	Counted uint64        // of Entered, the runs of finish
}

// stats returns the current counters. They are read one by one, so they may disagree by a query
// that is just being admitted.
func (l *limiter) stats() Stats {
	return Stats{
		Entered: l.entered.Load(), Waited: l.waited.Load(), Waiting: time.Duration(l.waiting.Load()),
		Shared: l.shared.Load(), Counted: l.counted.Load(),
	}
}

// flights are the queries in progress by key, for [once] and [finish]. The zero value is ready.
type flights = singleflight.Group

// Weights of a query in the semaphore. A search stops at the first matches that fill its page;
// counts and exports go through everything that matches.
const (
	searchWeight = 1
	countWeight  = 2
)

// newLimiter returns a limiter that admits two searches, or one count, at a time for each processor
// (GOMAXPROCS).
func newLimiter() *limiter {
	procs := int64(runtime.GOMAXPROCS(0))
	return &limiter{running: semaphore.NewWeighted(countWeight * procs), share: max(1, procs/2), callers: map[any]*caller{}}
}

type callerKey struct{}

// By returns a context for the queries of a caller, any value that tells it from others, such as a network. Those of a context
// without one have no bound of their own.
func By(ctx context.Context, who any) context.Context {
	return context.WithValue(ctx, callerKey{}, who)
}

// caller is who counts, or waits to.
type caller struct {
	free  *semaphore.Weighted
	users int
}

// enterShare waits until the caller of ctx may count once more and returns the function that ends that. If ctx
// ends first, the error wraps that of ctx, and nothing was begun.
func (l *limiter) enterShare(ctx context.Context) (leave func(), err error) {
	who := ctx.Value(callerKey{})
	if who == nil {
		return func() {}, nil
	}
	c := l.caller(who)
	if err := c.free.Acquire(ctx, 1); err != nil {
		l.forget(who, c)
		return nil, fmt.Errorf("waiting for counts of the same caller: %w", err)
	}
	return func() { c.free.Release(1); l.forget(who, c) }, nil
}

// caller returns a caller, for one who forgets it afterwards.
func (l *limiter) caller(who any) *caller {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.callers[who]
	if c == nil {
		c = &caller{free: semaphore.NewWeighted(l.share)}
		l.callers[who] = c
	}
	c.users++
	return c
}

func (l *limiter) forget(who any, c *caller) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.users--; c.users == 0 {
		delete(l.callers, who)
	}
}

// enter waits for admission and returns the function that ends it, which must be called exactly
// once. If ctx ends first, the error wraps that of ctx.
func (l *limiter) enter(ctx context.Context, weight int64) (leave func(), err error) {
	if !l.running.TryAcquire(weight) { // also fails while others wait: nobody overtakes the queue
		since := time.Now()
		err := l.running.Acquire(ctx, weight)
		l.waited.Add(1)
		l.waiting.Add(int64(time.Since(since)))
		if err != nil {
			return nil, fmt.Errorf("waiting for the index: %w", err)
		}
	}
	l.entered.Add(1)
	return func() { l.running.Release(weight) }, nil
}

// wait returns when all runs of [finish] have ended, including those whose callers have left. No
// query may begin while it waits.
func (l *limiter) wait() { l.detached.Wait() }

// once runs a search, or waits for an identical one in progress and shares its result, which
// therefore must not be changed. Queries are identical when they have the same type and print
// alike with %+v.
//
// The caller that runs it does so under its own ctx. If that ctx ends, waiting callers start over
// with one of them in the lead: one client that hangs up cannot fail the others. A waiting caller
// does not watch its own ctx: it returns with the one in the lead.
func once[T any](ctx context.Context, l *limiter, f *flights, query any, run func() (T, error)) (T, error) {
	key := fmt.Sprintf("%T%+v", query, query)
	for {
		asked := false
		answer, err, shared := f.Do(key, func() (any, error) {
			asked = true
			leave, err := l.enter(ctx, searchWeight)
			if err != nil {
				return nil, err
			}
			defer leave()
			return run()
		})
		if gaveUp := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded); gaveUp && shared && ctx.Err() == nil {
			continue
		}
		if !asked {
			l.shared.Add(1)
		}
		result, _ := answer.(T)
		return result, err
	}
}

// finish runs a count that is worth finishing, or joins an identical one in progress, once its caller may. run gets a
// context that is never cancelled. If ctx ends first, finish returns ctx.Err() while the work goes
// on in the background, and a caller that asks again joins it. The result is shared and must not be
// changed.
func finish[T any](ctx context.Context, l *limiter, f *flights, query any, run func(context.Context) (T, error)) (result T, err error) {
	type outcome struct {
		result T
		err    error
	}
	leaveShare, err := l.enterShare(ctx)
	if err != nil {
		return result, err
	}
	detached, done := context.WithoutCancel(ctx), make(chan outcome, 1)
	l.detached.Go(func() {
		defer leaveShare()
		answer, err, _ := f.Do(fmt.Sprintf("%T%+v", query, query), func() (any, error) {
			leave, err := l.enter(detached, countWeight)
			if err != nil {
				return nil, err
			}
			defer leave()
			l.counted.Add(1)
			return run(detached)
		})
		result, _ := answer.(T)
		done <- outcome{result, err}
	})
	select {
	case <-ctx.Done():
		return result, ctx.Err()
	case o := <-done:
		return o.result, o.err
	}
}

// Stats returns the counters of the limit on concurrent queries, which indexes of several snapshots
// share.
func (ix *Index) Stats() Stats { return ix.limiter.stats() }
