// Package recovery turns panics into errors where net/http does not: in goroutines beside a
// request, in which a panic would end the program, and in readers of mapped files that may be
// damaged. Every panic is counted (Count) and carries its stack.
//
// Use [Do] around a function, [Of] in a deferred function that calls recover itself, and [Keep] for
// work that goes on in the background. An [Outage] reports errors of work that is repeated.
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

// Error is a recovered panic.
type Error struct {
	Cause any    // value that panic was called with
	Stack []byte // stack of the goroutine, as debug.Stack formats it
}

// panics is process-wide state, the exception to the rule: panics are recovered in places that
// share nothing else.
var panics atomic.Int64

// Count returns how many panics this process has turned into errors.
func Count() int64 { return panics.Load() }

// Of returns the Error for a non-nil value returned by recover, and counts it. Call it from the
// deferred function that called recover, where the stack of the panic is still there.
func Of(cause any) *Error {
	panics.Add(1)
	return &Error{cause, debug.Stack()}
}

// Error implements error, without the stack.
func (e *Error) Error() string { return fmt.Sprintf("panic: %v", e.Cause) }

// Unwrap returns the error that panic was called with, or nil if it was called with something else.
func (e *Error) Unwrap() error {
	err, _ := e.Cause.(error)
	return err
}

// Do calls f and returns its error, or an *Error if f panics. Goroutines that f starts are not
// covered.
func Do(f func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = Of(cause)
		}
	}()
	return f()
}

// Attrs returns the slog attributes of an error: its text and, if it wraps an *Error, the stack.
func Attrs(err error) []any {
	attrs := []any{"error", err}
	if p := (*Error)(nil); errors.As(err, &p) {
		attrs = append(attrs, "stack", string(p.Stack))
	}
	return attrs
}

// Pauses of Keep: exponential backoff from the first to the longest.
const (
	firstPause   = time.Second
	longestPause = time.Minute
)

// Keep supervises background work: it calls run until it returns. If run panics, Keep logs the
// panic under the name what, waits, and calls run again; the pause doubles from one second to a
// minute. It returns when run returns or, during a pause, when ctx ends.
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
