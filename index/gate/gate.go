// Package gate stands in front of the index: so many questions run at a time that each makes progress (backpressure), identical
// ones are asked once at a time (singleflight), counts that take long are finished for those who ask again, and each has a budget.
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

// Gate is in front of what several sets of questions, each with its own Flights, read.
type Gate struct {
	running  *semaphore.Weighted
	detached sync.WaitGroup // questions that nobody may be waiting for, but Wait

	entered, waited, shared, counted atomic.Uint64
	waiting                          atomic.Int64 // nanoseconds
}

// Stats are the counts of a gate since New.
type Stats struct {
	Entered uint64        // questions that were let in
	Waited  uint64        // of those that came, how many had to wait, in vain too
	Waiting time.Duration // for all of them together
	Shared  uint64        // answered with what another of the same moment had asked for
	Counted uint64        // of those that entered, how many Finish let in
}

// Stats returns the counts of this moment.
func (g *Gate) Stats() Stats {
	return Stats{
		Entered: g.entered.Load(), Waited: g.waited.Load(), Waiting: time.Duration(g.waiting.Load()),
		Shared: g.shared.Load(), Counted: g.counted.Load(),
	}
}

// Flights are the questions that are being asked. The zero value is ready.
type Flights = singleflight.Group

// What a question weighs. A search ends early; counts and exports go through whatever matches.
const (
	Search = 1
	Count  = 2
)

// New returns a gate that lets two searches in for each processor.
func New() *Gate {
	return &Gate{running: semaphore.NewWeighted(int64(max(2*runtime.GOMAXPROCS(0), Count)))}
}

// Enter waits for a place and returns how to leave it. The error is that of ctx.
func (g *Gate) Enter(ctx context.Context, weight int64) (leave func(), err error) {
	if !g.running.TryAcquire(weight) { // also when others wait
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

// Wait returns when nothing runs that Finish has begun. Nobody may ask meanwhile.
func (g *Gate) Wait() { g.detached.Wait() }

// Once asks a search that others may be asking at the same moment: one of them runs it, with its own context.
// When that one gives up, the others begin again. The answer is shared, and must not be changed.
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

// Finish asks for counts that are worth keeping: who asks waits until their context ends, the work goes on to its end, and who
// asks again meanwhile waits for the same.
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
