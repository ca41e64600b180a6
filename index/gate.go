package index

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"golang.org/x/sync/semaphore"
)

// gate stands in front of the files of an index: so many questions run at a time that each makes progress (backpressure), and
// the others wait until their context ends.
type gate struct {
	running  *semaphore.Weighted
	detached sync.WaitGroup // questions that nobody may be waiting for, but Close
}

// What a question weighs. A search ends early; counts and exports go through whatever matches.
const (
	searchWeight = 1
	countWeight  = 2
)

func newGate() gate {
	return gate{running: semaphore.NewWeighted(int64(max(2*runtime.GOMAXPROCS(0), countWeight)))}
}

// enter waits for a place and returns how to leave it.
func (g *gate) enter(ctx context.Context, weight int64) (leave func(), err error) {
	if err := g.running.Acquire(ctx, weight); err != nil {
		return nil, fmt.Errorf("waiting for the index: %w", err)
	}
	return func() { g.running.Release(weight) }, nil
}

// once asks a search that others may be asking at the same moment (singleflight): one of them runs it, with its own context.
// When that one gives up, the others begin again. The answer is shared, and must not be changed.
func once[T any](ctx context.Context, ix *Index, question any, run func() (T, error)) (T, error) {
	key := fmt.Sprintf("%T%+v", question, question)
	for {
		answer, err, shared := ix.flights.Do(key, func() (any, error) {
			leave, err := ix.gate.enter(ctx, searchWeight)
			if err != nil {
				return nil, err
			}
			defer leave()
			return run()
		})
		if gaveUp := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded); gaveUp && shared && ctx.Err() == nil {
			continue
		}
		result, _ := answer.(T)
		return result, err
	}
}

// finish asks for counts that are worth keeping: who asks waits until their context ends, the work goes on to its end, and who
// asks again meanwhile waits for the same.
func finish[T any](ctx context.Context, ix *Index, question any, run func(context.Context) (T, error)) (result T, err error) {
	type outcome struct {
		result T
		err    error
	}
	detached, done := context.WithoutCancel(ctx), make(chan outcome, 1)
	ix.gate.detached.Go(func() {
		answer, err, _ := ix.flights.Do(fmt.Sprintf("%T%+v", question, question), func() (any, error) {
			leave, err := ix.gate.enter(detached, countWeight)
			if err != nil {
				return nil, err
			}
			defer leave()
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
