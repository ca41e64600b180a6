package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/klauspost/compress/gzip"
)

// streamBuffer is what a stream collects before it sends it. An error before the first part is sent
// can still become an error page.
const streamBuffer = 64 << 10

type unhurriedKey struct{}

// Prolong lets a request take longer than its class allows. It releases the request's slot, takes one
// of slots, and replaces the deadline of [Deadline] by d from now; the request is still cancelled
// when the client leaves. The caller calls done at the end. The errors are those of SharedSlots.Take.
func Prolong(c *gin.Context, slots *SharedSlots, d time.Duration) (done func(), err error) {
	ctx := c.Request.Context()
	EventOf(ctx).releaseSlot()
	release, err := slots.Take(ctx, ClientOf(c))
	if err != nil {
		return nil, err
	}
	if unhurried, ok := ctx.Value(unhurriedKey{}).(context.Context); ok {
		ctx = unhurried
	}
	ctx, cancel := context.WithTimeout(ctx, d)
	c.Request = c.Request.WithContext(ctx)
	return func() { cancel(); release() }, nil
}

// Stream sends a 200 while make writes its body, compressed if the client accepts gzip and the type
// is text. r has no Body and no ETag. The time a client has to read counts from each part that is
// sent. If make fails before anything was sent, Stream returns its error, and the caller responds;
// later, the connection is aborted (http.ErrAbortHandler), so that the client does not take half a body
// for a complete one.
func Stream(c *gin.Context, r Reply, make func(w io.Writer) error) error {
	out := &stream{c: c, control: http.NewResponseController(c.Writer), reply: r}
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
	control *http.ResponseController
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

// Write sends a part.
func (s *stream) Write(p []byte) (int, error) {
	if !s.begun {
		s.begin()
	}
	// It fails only where the connection has no deadlines, as in tests.
	_ = s.control.SetWriteDeadline(time.Now().Add(writeTimeout))
	n, err := s.c.Writer.Write(p)
	if err != nil { // its text has addresses, which the log has not
		return n, fmt.Errorf("the client left or reads too slowly: %w", context.Canceled)
	}
	return n, nil
}
