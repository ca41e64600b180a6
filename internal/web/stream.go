package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/klauspost/compress/gzip"
)

// streamBuffer is what a stream collects before it sends it. An error before the first part is sent
// can still become an error page.
const streamBuffer = 64 << 10

type unhurriedKey struct{}

// Move moves a request, once its body has been read, from the slots of its class to others, and replaces
// the deadline of [Deadline] by d from now; the request is still cancelled when the client leaves. Like
// that of the class, the slot is released when the response is handed over for sending. The caller calls
// done at the end. A client that has used up its share gets a *TooManyError; other errors are those of Slots.Take.
func Move(c *gin.Context, to *SharedSlots, d time.Duration) (done func(), err error) {
	e := EventOf(c.Request.Context())
	e.releaseSlot()
	cancel := extend(c, d)
	release, err := to.take(c.Request.Context(), e, 1)
	if err != nil {
		cancel()
		return nil, err
	}
	e.release = release
	return func() { cancel(); e.releaseSlot() }, nil
}

// Downloads bounds what is sent while it is made: how much of it is under way, of which a client has a
// share, and how much of this computes at once. While its client reads, a download does not compute,
// so one that reads slowly costs others nothing but memory.
type Downloads struct {
	underWay *SharedSlots
	turns    *Slots
}

// NewDownloads returns downloads of which computing compute at once. A client waits up to wait for one to end.
func NewDownloads(size int64, share Share, computing int64, wait time.Duration) *Downloads {
	return &Downloads{NewSharedSlots(size, share, wait), NewSlots(computing, math.MaxInt64)}
}

// Prolong is Move for a download, which takes turns with the others.
func Prolong(c *gin.Context, downloads *Downloads, d time.Duration) (done func(), err error) {
	e := EventOf(c.Request.Context())
	e.releaseSlot()
	cancel := extend(c, d)
	end, err := downloads.underWay.take(c.Request.Context(), e, 1)
	if err != nil {
		cancel()
		return nil, err
	}
	e.turns = downloads.turns
	done = func() { cancel(); e.releaseSlot(); e.turns = nil; end() }
	if err := e.takeTurn(c.Request.Context()); err != nil {
		done()
		return nil, err
	}
	return done, nil
}

// extend replaces the deadline of a request by d from now.
func extend(c *gin.Context, d time.Duration) (cancel func()) {
	ctx := c.Request.Context()
	if unhurried, ok := ctx.Value(unhurriedKey{}).(context.Context); ok {
		ctx = unhurried
	}
	ctx, cancel = context.WithTimeout(ctx, d)
	c.Request = c.Request.WithContext(ctx)
	return cancel
}

// GiveWay lets other downloads compute before that of ctx goes on. It does nothing in a request that is none. The error is that of ctx.
func GiveWay(ctx context.Context) error {
	e := EventOf(ctx)
	if e.turns == nil {
		return nil
	}
	e.releaseSlot()
	return e.takeTurn(ctx)
}

// takeTurn waits until a download may compute.
func (e *Event) takeTurn(ctx context.Context) error {
	if e.turns == nil {
		return nil
	}
	if err := e.turns.Take(ctx, 1); err != nil {
		return err
	}
	turns := e.turns
	e.release = func() { turns.Release(1) }
	return nil
}

// Stream sends a 200 while make writes its body, compressed if the client accepts gzip and the type
// is text. r has no Body and no ETag. If make fails before anything was sent, Stream returns its error, and the caller responds;
// later, the connection is aborted (http.ErrAbortHandler), so that the client does not take half a body
// for a complete one.
func Stream(c *gin.Context, r Reply, make func(w io.Writer) error) error {
	out := &stream{c: c, reply: r}
	out.gzipped = compressible(r.ContentType) && AcceptsGzip(c.Request)
	if c.Request.Method == http.MethodHead {
		out.begin()
		return nil
	}
	err := out.fill(make)
	if err == nil || !out.begun {
		return err
	}
	event := EventOf(c.Request.Context())
	event.Fail(err)
	event.cut = true
	panic(http.ErrAbortHandler)
}

// stream writes the parts of a response.
type stream struct {
	c       *gin.Context
	reply   Reply
	gzipped bool
	begun   bool
}

// fill runs make and sends what it writes.
func (s *stream) fill(make func(w io.Writer) error) error {
	buffer := bufio.NewWriterSize(s, streamBuffer)
	if !s.gzipped {
		if err := make(buffer); err != nil {
			return err
		}
		return buffer.Flush()
	}
	z, err := gzip.NewWriterLevel(buffer, gzip.BestSpeed)
	if err != nil {
		return fmt.Errorf("compress: %w", err)
	}
	if err := make(z); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("compress: %w", err)
	}
	return buffer.Flush()
}

// begin sends status and headers.
func (s *stream) begin() {
	s.begun = true
	header := s.c.Writer.Header()
	s.reply.Caching.Set(s.c, http.StatusOK)
	header.Set("Content-Type", s.reply.ContentType)
	if compressible(s.reply.ContentType) {
		vary(header, "Accept-Encoding")
	}
	if s.gzipped {
		header.Set("Content-Encoding", "gzip")
	}
	s.c.Status(http.StatusOK)
	s.c.Writer.WriteHeaderNow()
}

// Write sends a part. Meanwhile others compute.
func (s *stream) Write(p []byte) (int, error) {
	if !s.begun {
		s.begin()
	}
	event := EventOf(s.c.Request.Context())
	event.releaseSlot()
	n, err := s.c.Writer.Write(p)
	if err != nil { // its text has addresses, which the log has not
		return n, fmt.Errorf("the client left or reads too slowly: %w", context.Canceled)
	}
	return n, event.takeTurn(s.c.Request.Context())
}
