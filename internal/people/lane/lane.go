// Package lane runs the workers that empty an outbox. A lane has so many workers at most, and what is
// taken next is decided by who they work for already, so that work which hangs for one owner leaves
// room for others. Work that may hang has a lane of its own, and never holds up what is in another.
package lane

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"razao/internal/recovery"
)

const pollEvery = time.Second

// Lane is a bounded number of workers of one outbox. Make one with New.
type Lane[T any] struct {
	take func(ctx context.Context, held []T) (T, error)
	do   func(ctx context.Context, work T) error
	down *recovery.Outage

	slots   chan struct{} // held by workers
	workers sync.WaitGroup

	mu   sync.Mutex
	held map[*T]bool // work in progress
	err  error       // the last that a worker ended with
}

// New returns a lane of so many workers. take leases the next work, given what is in progress in this
// lane; it is not called twice at once, and returns pgx.ErrNoRows if there is none. do does it. Neither
// is stopped by the end of a context: what was taken is done, or it would rest until its lease ends. The
// log is told of errors under the name what.
func New[T any](workers int, take func(ctx context.Context, held []T) (T, error), do func(ctx context.Context, work T) error, log *slog.Logger, what string) *Lane[T] {
	return &Lane[T]{take: take, do: do, down: recovery.NewOutage(log, what), slots: make(chan struct{}, workers), held: map[*T]bool{}}
}

// Run does what is due, polling every second, until ctx is done. Work in progress is finished first.
// Errors are logged, and the work is tried again when its lease ends.
func (l *Lane[T]) Run(ctx context.Context) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		l.startWorker(ctx)
		select {
		case <-ctx.Done():
			l.workers.Wait()
			return
		case <-tick.C:
		}
	}
}

// Once does what is due now, and returns an error of one of the workers.
func (l *Lane[T]) Once(ctx context.Context) error {
	l.startWorker(ctx)
	l.workers.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.err
	l.err = nil
	return err
}

// startWorker starts a worker if a slot is free.
func (l *Lane[T]) startWorker(ctx context.Context) {
	select {
	case l.slots <- struct{}{}:
	default:
		return
	}
	l.workers.Go(func() {
		defer func() { <-l.slots }()
		err := recovery.Do(func() error { return l.work(ctx) })
		if ctx.Err() != nil {
			return
		}
		l.down.Note(err)
		if err != nil {
			l.mu.Lock()
			l.err = err
			l.mu.Unlock()
		}
	})
}

// work does what is due, one after the other, until there is nothing. While it does one, another worker
// looks for more, so there are as many as there is work.
func (l *Lane[T]) work(ctx context.Context) error {
	for ctx.Err() == nil {
		work, err := l.next(context.WithoutCancel(ctx))
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		l.startWorker(ctx)
		if err := l.finish(context.WithoutCancel(ctx), work); err != nil {
			return err
		}
	}
	return nil
}

// next takes work and notes that it is in progress.
func (l *Lane[T]) next(ctx context.Context) (*T, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var held []T
	for work := range l.held {
		held = append(held, *work)
	}
	work, err := l.take(ctx, held)
	if err != nil {
		return nil, err
	}
	l.held[&work] = true
	return &work, nil
}

func (l *Lane[T]) finish(ctx context.Context, work *T) error {
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.held, work)
	}()
	return l.do(ctx, *work)
}
