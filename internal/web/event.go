package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"razao/internal/recovery"
)

// Event collects the log line of a request. It never holds a CNPJ, a name, a key or a query; of the
// caller only the account's number. Fail and Err are safe for concurrent use; the fields, Hold
// included, belong to the goroutine that serves the request.
type Event struct {
	RequestID string // a UUID
	Account   int64  // 0: anonymous

	client  netip.Addr   // see ClientOf; only its network is logged
	release func()       // releases the slot that the request holds; nil: it holds none
	turns   *Slots       // that a download holds one of while it computes; nil: it is none
	bodies  *SharedSlots // Options.Bodies
	held    int64        // of bodies
	bytes   []func()     // release them
	cut     bool         // the response ended before its body
	mu      sync.Mutex
	errs    []error
}

// Fail records why the response is an error or lacks a part; the latter also keeps it out of shared
// caches. Nil and repetitions are ignored. The error's text is logged as it is, so it must not
// contain personal data.
func (e *Event) Fail(err error) {
	if err == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	same := func(recorded error) bool { return errors.Is(recorded, err) || recorded.Error() == err.Error() }
	if !slices.ContainsFunc(e.errs, same) {
		e.errs = append(e.errs, err)
	}
}

// Err joins the recorded errors in their order (errors.Join); nil when there are none.
func (e *Event) Err() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return errors.Join(e.errs...)
}

// clientLeft reports whether every recorded error is a cancellation, which means that the client
// closed its connection. The log then has no error for the operator.
func (e *Event) clientLeft() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	failed := func(err error) bool { return !errors.Is(err, context.Canceled) }
	return len(e.errs) > 0 && !slices.ContainsFunc(e.errs, failed)
}

type eventKey struct{}

// EventOf returns the event of the request that ctx belongs to; outside a request, a new one that is never logged. It is never
// nil.
func EventOf(ctx context.Context) *Event {
	if e, ok := ctx.Value(eventKey{}).(*Event); ok {
		return e
	}
	return &Event{}
}

// observe gives each request its id and Event, and logs the Event once the response is complete.
// Shed requests are counted and logged together: under overload a line each would add to the load.
func observe(o Options) gin.HandlerFunc {
	shed := &shedLog{log: o.Log, began: time.Now()}
	return func(c *gin.Context) {
		start := time.Now()
		e := &Event{RequestID: requestID(c.GetHeader("X-Request-ID")), client: clientAddress(c.Request, o.TrustedProxies), bodies: o.Bodies}
		c.Header("X-Request-ID", e.RequestID)
		c.Request = c.Request.WithContext(context.WithValue(c.Request.Context(), eventKey{}, e))
		defer func() { // also when http.ErrAbortHandler unwinds the stack
			e.releaseBytes()
			shed.flush()
			if errors.Is(e.Err(), ErrOverload) {
				shed.add()
				return
			}
			writeEvent(o.Log, c, e, time.Since(start))
		}()
		c.Next()
	}
}

// requestID keeps the X-Request-ID of the caller or a proxy if it is a canonical UUID (RFC 9562 §4): the log takes
// no other text from outside.
func requestID(incoming string) string {
	const canonicalLength = 36 // uuid.Validate also takes braces, urn:uuid: and 32 hex digits
	if len(incoming) == canonicalLength && uuid.Validate(incoming) == nil {
		return incoming
	}
	return uuid.NewString()
}

// writeEvent logs a request: id, method, route pattern, status, bytes of the body, latency, network of the client, account and
// error. It is an error from status 500 on and when the body was cut, unless the client left.
func writeEvent(log *slog.Logger, c *gin.Context, e *Event, took time.Duration) {
	status := c.Writer.Status()
	attrs := make([]slog.Attr, 0, 9)
	attrs = append(
		attrs,
		slog.String("id", e.RequestID),
		slog.String("method", c.Request.Method),
		slog.String("route", c.FullPath()),
		slog.Int("status", status),
		slog.Int("bytes", max(c.Writer.Size(), 0)),
		slog.Duration("latency", took),
	)
	if network := wideNetwork(e.client); network.IsValid() {
		attrs = append(attrs, slog.String("network", network.String()))
	}
	if e.Account != 0 {
		attrs = append(attrs, slog.Int64("account", e.Account))
	}
	level := slog.LevelInfo
	if err := e.Err(); err != nil {
		attrs = append(attrs, slog.String("error", err.Error()))
	}
	if (e.cut || status >= http.StatusInternalServerError) && !e.clientLeft() {
		level = slog.LevelError
	}
	log.LogAttrs(c.Request.Context(), level, "request", attrs...)
}

// Recover turns a panic in a later handler into an error with its stack, records it in the Event
// and lets fail respond; api and site have their own. If the response has begun, the connection is
// aborted (http.ErrAbortHandler), so that the client does not take half a body for a complete one.
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
			p := recovery.Of(cause)
			err := fmt.Errorf("%w\n%s", p, p.Stack)
			EventOf(c.Request.Context()).Fail(err)
			if c.Writer.Written() {
				panic(http.ErrAbortHandler)
			}
			fail(c, err)
		}()
		c.Next()
	}
}

// Deadline cancels the context of a request after d, unless [Prolong] takes over. Handlers that ignore their context are not
// stopped.
func Deadline(d time.Duration) gin.HandlerFunc {
	return func(c *gin.Context) {
		unhurried := c.Request.Context()
		ctx, cancel := context.WithTimeout(context.WithValue(unhurried, unhurriedKey{}, unhurried), d)
		defer cancel()
		c.Request = c.Request.WithContext(ctx)
		c.Next()
	}
}
