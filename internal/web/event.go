package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
)

// Event is what the log line of a request will say, filled in while it is served. It never holds what a person typed or who
// they are, apart from the number of an account. Fail and Err are safe for concurrent use.
type Event struct {
	RequestID string // a UUID
	Account   int64  // 0: no account was recognised

	client netip.Addr // see ClientOf; not logged
	mu     sync.Mutex
	errs   []error
}

// Fail adds a reason why the answer is not, or not all of, what was asked for. Nil is ignored, and so is an error that was
// already told.
func (e *Event) Fail(err error) {
	if err == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	told := func(earlier error) bool { return errors.Is(earlier, err) || earlier.Error() == err.Error() }
	if !slices.ContainsFunc(e.errs, told) {
		e.errs = append(e.errs, err)
	}
}

// Err joins the errors given to Fail, in their order; nil when there were none.
func (e *Event) Err() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return errors.Join(e.errs...)
}

// clientLeft reports whether the only thing that failed is that the client did not wait for the answer.
func (e *Event) clientLeft() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	failed := func(err error) bool { return !errors.Is(err, context.Canceled) }
	return len(e.errs) > 0 && !slices.ContainsFunc(e.errs, failed)
}

type eventKey struct{}

// EventOf returns the event of the request that ctx belongs to. Outside a request it returns an event that nobody logs.
func EventOf(ctx context.Context) *Event {
	if e, ok := ctx.Value(eventKey{}).(*Event); ok {
		return e
	}
	return &Event{}
}

// observe gives a request its id and event, and writes the event to the log when the answer is complete.
func observe(o Options) gin.HandlerFunc {
	return func(c *gin.Context) {
		start := time.Now()
		e := &Event{RequestID: requestID(c.GetHeader("X-Request-ID")), client: clientAddress(c.Request, o.TrustedProxies)}
		c.Header("X-Request-ID", e.RequestID)
		c.Request = c.Request.WithContext(context.WithValue(c.Request.Context(), eventKey{}, e))
		defer func() { // also when a connection is given up by a panic
			writeEvent(o.Log, c, e, time.Since(start))
		}()
		c.Next()
	}
}

// requestID keeps the id that a caller or proxy gave when it is a UUID in the usual form.
func requestID(incoming string) string {
	const canonicalLength = 36 // uuid.Parse also takes braces, prefixes and the form without hyphens
	if len(incoming) == canonicalLength && uuid.Validate(incoming) == nil {
		return incoming
	}
	return uuid.NewString()
}

func writeEvent(log *slog.Logger, c *gin.Context, e *Event, took time.Duration) {
	status := c.Writer.Status()
	attrs := make([]slog.Attr, 0, 8)
	attrs = append(
		attrs,
		slog.String("id", e.RequestID),
		slog.String("method", c.Request.Method),
		slog.String("route", c.FullPath()),
		slog.Int("status", status),
		slog.Int("bytes", max(c.Writer.Size(), 0)),
		slog.Duration("latency", took),
	)
	if e.Account != 0 {
		attrs = append(attrs, slog.Int64("account", e.Account))
	}
	level := slog.LevelInfo
	if err := e.Err(); err != nil {
		attrs = append(attrs, slog.String("error", err.Error()))
	}
	if status >= http.StatusInternalServerError && !e.clientLeft() {
		level = slog.LevelError
	}
	log.LogAttrs(c.Request.Context(), level, "request", attrs...)
}

// Recover turns a panic further down into an error, records it with its stack, and lets fail answer. Each room uses it
// with its own form of answer. A connection whose answer had already begun is broken off instead of ended as if it were
// complete.
func Recover(fail func(c *gin.Context, err error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		defer func() {
			cause := recover()
			if cause == nil {
				return
			}
			if cause == http.ErrAbortHandler {
				panic(cause)
			}
			c.Abort()
			err := fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
			EventOf(c.Request.Context()).Fail(err)
			if c.Writer.Written() {
				panic(http.ErrAbortHandler)
			}
			fail(c, err)
		}()
		c.Next()
	}
}

// Deadline gives the work for a request at most d.
func Deadline(d time.Duration) gin.HandlerFunc {
	return func(c *gin.Context) {
		ctx, cancel := context.WithTimeout(c.Request.Context(), d)
		defer cancel()
		c.Request = c.Request.WithContext(ctx)
		c.Next()
	}
}
