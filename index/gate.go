package index

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"
)

// gate stands in front of the index: identical questions are asked once at a time (singleflight), and so many run at a time
// that each makes progress (backpressure): the others wait until their context ends.
type gate struct {
	running *semaphore.Weighted
	flights singleflight.Group
}

// What a question weighs. A search ends early; counts and exports go through whatever matches.
const (
	searchWeight = 1
	countWeight  = 2
)

func newGate() *gate {
	return &gate{running: semaphore.NewWeighted(int64(max(2*runtime.GOMAXPROCS(0), countWeight)))}
}

// enter waits for a place and returns how to leave it.
func (g *gate) enter(ctx context.Context, weight int64) (leave func(), err error) {
	if err := g.running.Acquire(ctx, weight); err != nil {
		return nil, fmt.Errorf("waiting for the index: %w", err)
	}
	return func() { g.running.Release(weight) }, nil
}

// once asks a search that others may be asking at the same moment: one of them runs it, with its own context. When that one
// gives up, the others begin again. The answer is shared, and must not be changed.
func once[T any](ctx context.Context, g *gate, question any, run func() (T, error)) (T, error) {
	key := fmt.Sprintf("%+v", question)
	for {
		answer, err, shared := g.flights.Do(key, func() (any, error) {
			leave, err := g.enter(ctx, searchWeight)
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
func finish[T any](ctx context.Context, g *gate, question any, run func(context.Context) (T, error)) (T, error) {
	var none T
	detached := context.WithoutCancel(ctx)
	done := g.flights.DoChan(fmt.Sprintf("%T%+v", none, question), func() (any, error) {
		leave, err := g.enter(detached, countWeight)
		if err != nil {
			return nil, err
		}
		defer leave()
		return run(detached)
	})
	select {
	case <-ctx.Done():
		return none, ctx.Err()
	case r := <-done:
		result, _ := r.Val.(T)
		return result, r.Err
	}
}
