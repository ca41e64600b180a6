// Package recovery turns panics into errors where nobody else does: in goroutines beside a request, whose panics would end the
// program, and in readers of files that somebody may have damaged.
package recovery

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// Error is a panic.
type Error struct {
	Cause any    // what panic was called with
	Stack []byte // of the goroutine, from the panic on
}

// panics is process-wide, because panics are recovered where nothing else is shared, in readers of files among others.
var panics atomic.Int64

// Count returns how many panics this process has recovered.
func Count() int64 { return panics.Load() }

// Of returns the error of what recover has returned, to be called by the function that called recover, and counts it.
func Of(cause any) *Error {
	panics.Add(1)
	return &Error{cause, debug.Stack()}
}

// Error implements error, without the stack.
func (e *Error) Error() string { return fmt.Sprintf("panic: %v", e.Cause) }

// Unwrap returns the error that panic was called with, nil when that was none.
func (e *Error) Unwrap() error {
	err, _ := e.Cause.(error)
	return err
}

// Do calls f. When f panics, the error is an *Error.
func Do(f func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = Of(cause)
		}
	}()
	return f()
}

// Attrs returns what a log line says of an error: its text and, of a panic, the stack.
func Attrs(err error) []any {
	attrs := []any{"error", err}
	if p := (*Error)(nil); errors.As(err, &p) {
		attrs = append(attrs, "stack", string(p.Stack))
	}
	return attrs
}

// The pauses of Keep, doubled from the first to the longest.
const (
	firstPause   = time.Second
	longestPause = time.Minute
)

// Keep runs what goes on in the background until it returns. After a panic, which is logged as an error, it runs again when a
// pause is over, until ctx ends.
func Keep(ctx context.Context, log *slog.Logger, what string, run func(context.Context)) {
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := Do(func() error {
			run(ctx)
			return nil
		})
		if err == nil {
			return
		}
		log.Error("background work panicked", append(Attrs(err), "work", what, "again", pause)...)
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}
