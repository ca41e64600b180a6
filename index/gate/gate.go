// Package gate protects an index from overload. It combines three measures:
//
//   - Backpressure. A weighted semaphore admits a few questions per processor; the others wait in
//     FIFO order until their context ends. With more at a time each would only take longer.
//   - Singleflight. Identical questions that are asked at the same moment run once ([Once]). Counts
//     are worth keeping, so they run to their end even when whoever asked has left ([Finish]).
//   - A [Budget] for each question, spent across all its tiers and shards. A question that exhausts
//     it is answered with what it has found.
//
// A [Gate] belongs to the files of an index. [Flights] belong to one view of it: snapshots that
// share the files but know different loads of the sources must not share answers.
package gate

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

// Gate admits questions to an index. Safe for concurrent use.
type Gate struct {
	running  *semaphore.Weighted
	detached sync.WaitGroup // runs of Finish, which may outlive their callers; see Wait

	entered, waited, shared, counted atomic.Uint64
	waiting                          atomic.Int64 // nanoseconds, of all that waited
}

// Stats are the counters of a gate, cumulative since [New].
type Stats struct {
	Entered uint64        // questions admitted
	Waited  uint64        // questions that had to wait, including those that gave up
	Waiting time.Duration // total waiting time of these
	Shared  uint64        // questions answered by the run of an identical one
	Counted uint64        // of Entered, the runs of Finish
}

// Stats returns the current counters. They are read one by one, so they may disagree by a question
// that is just being admitted.
func (g *Gate) Stats() Stats {
	return Stats{
		Entered: g.entered.Load(), Waited: g.waited.Load(), Waiting: time.Duration(g.waiting.Load()),
		Shared: g.shared.Load(), Counted: g.counted.Load(),
	}
}

// Flights are the questions in progress by key, for [Once] and [Finish]. The zero value is ready.
type Flights = singleflight.Group

// Weights of a question in the semaphore. A search stops at the first matches that fill its page;
// counts and exports go through everything that matches.
const (
	Search = 1
	Count  = 2
)

// New returns a gate that admits two searches, or one count, at a time for each processor
// (GOMAXPROCS).
func New() *Gate {
	return &Gate{running: semaphore.NewWeighted(int64(max(2*runtime.GOMAXPROCS(0), Count)))}
}

// Enter waits for admission and returns the function that ends it, which must be called exactly
// once. If ctx ends first, the error wraps that of ctx.
func (g *Gate) Enter(ctx context.Context, weight int64) (leave func(), err error) {
	if !g.running.TryAcquire(weight) { // also fails while others wait: nobody overtakes the queue
		since := time.Now()
		err := g.running.Acquire(ctx, weight)
		g.waited.Add(1)
		g.waiting.Add(int64(time.Since(since)))
		if err != nil {
			return nil, fmt.Errorf("waiting for the index: %w", err)
		}
	}
	g.entered.Add(1)
	return func() { g.running.Release(weight) }, nil
}

// Wait returns when all runs of [Finish] have ended, including those whose callers have left. No
// question may begin while it waits.
func (g *Gate) Wait() { g.detached.Wait() }

// Once runs a search, or waits for an identical one in progress and shares its result, which
// therefore must not be changed. Questions are identical when they have the same type and print
// alike with %+v.
//
// The caller that runs it does so under its own ctx. If that ctx ends, waiting callers start over
// with one of them in the lead: one client that hangs up cannot fail the others. A waiting caller
// does not watch its own ctx: it returns with the one in the lead.
func Once[T any](ctx context.Context, g *Gate, flights *Flights, question any, run func() (T, error)) (T, error) {
	key := fmt.Sprintf("%T%+v", question, question)
	for {
		asked := false
		answer, err, shared := flights.Do(key, func() (any, error) {
			asked = true
			leave, err := g.Enter(ctx, Search)
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
			g.shared.Add(1)
		}
		result, _ := answer.(T)
		return result, err
	}
}

// Finish runs a count that is worth finishing, or joins an identical one in progress. run gets a
// context that is never cancelled. If ctx ends first, Finish returns ctx.Err() while the work goes
// on in the background, and a caller that asks again joins it. The result is shared and must not be
// changed.
func Finish[T any](ctx context.Context, g *Gate, flights *Flights, question any, run func(context.Context) (T, error)) (result T, err error) {
	type outcome struct {
		result T
		err    error
	}
	detached, done := context.WithoutCancel(ctx), make(chan outcome, 1)
	g.detached.Go(func() {
		answer, err, _ := flights.Do(fmt.Sprintf("%T%+v", question, question), func() (any, error) {
			leave, err := g.Enter(detached, Count)
			if err != nil {
				return nil, err
			}
			defer leave()
			g.counted.Add(1)
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
