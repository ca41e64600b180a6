package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// ErrSlow means that a client sent the body of its request more slowly than it must (slow POST): 408.
var ErrSlow = errors.New("body sent too slowly")

// pace is how long a client may keep the server waiting while it sends a body or reads an answer: for
// patience in all, of which every rate bytes that pass give a second back. So what is sent or read at
// less than rate, on average, is cut off, whether it comes slowly or stands still, and a slow line that
// keeps the rate goes on for as long as it takes. What the server itself takes does not count.
type pace struct {
	patience time.Duration
	rate     int // bytes a second
}

// leastRate is far below what a telephone on a poor line has.
const leastRate = 16 << 10 // bytes a second

var (
	ofBodies  = pace{15 * time.Second, leastRate}
	ofAnswers = pace{30 * time.Second, leastRate} // longer, because a tunnel must not cut a download
)

// waited returns what is left of the patience after the server waited for n bytes.
func (p pace) waited(left, d time.Duration, n int) time.Duration {
	return min(p.patience, left-d+time.Duration(n)*time.Second/time.Duration(p.rate))
}

// pacedBody is the body of a request that must come at its pace. The connection's read deadline is
// its own until the body has ended; from then on it is that of net/http, which notices there that the
// client leaves.
type pacedBody struct {
	io.ReadCloser
	pace
	left    time.Duration
	control *http.ResponseController
	ended   bool
}

// pacing returns a handler that gives the bodies of requests to h at a pace.
func pacing(h http.Handler, p pace) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			r.Body = &pacedBody{ReadCloser: r.Body, pace: p, left: p.patience, control: http.NewResponseController(w)}
		}
		h.ServeHTTP(w, r)
	})
}

// Read implements io.Reader. The error is ErrSlow if the client was too slow, and wraps context.Canceled if it left:
// those of the connection have addresses, which the log has not.
func (b *pacedBody) Read(p []byte) (int, error) {
	if b.ended {
		return b.ReadCloser.Read(p)
	}
	began := time.Now()
	if err := b.control.SetReadDeadline(began.Add(b.left)); err != nil {
		return 0, fmt.Errorf("pace of a body: %w", err)
	}
	n, err := b.ReadCloser.Read(p)
	b.left, b.ended = b.waited(b.left, time.Since(began), n), err != nil
	switch _, broken := errors.AsType[*net.OpError](err); {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return n, ErrSlow
	case broken:
		return n, fmt.Errorf("the client left: %w", context.Canceled)
	}
	return n, err
}

const (
	// sendBuffer is what the system keeps for a client that reads slowly. It is small, so that progress shows soon.
	sendBuffer = 256 << 10
	sendPart   = 32 << 10 // of an answer, for which the server waits at once
)

// pacedListener accepts connections on which answers are read at a pace.
type pacedListener struct {
	net.Listener
	pace
	log *slog.Logger
}

// Accept implements net.Listener.
func (l pacedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(sendBuffer) // fails only for a connection that has ended
	}
	return &pacedConn{Conn: conn, pace: l.pace, left: l.patience, log: l.log}, nil
}

// pacedConn is a connection whose client must read at a pace (slow read). It is not an io.ReaderFrom, whose
// bytes nobody would see.
type pacedConn struct {
	net.Conn
	pace

	log *slog.Logger

	mu   sync.Mutex // of Write
	left time.Duration
}

// CloseWrite is for net/http, which so tells a client that nothing more will be read.
func (c *pacedConn) CloseWrite() error {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		return tcp.CloseWrite()
	}
	return nil
}

// Write implements io.Writer. The error is os.ErrDeadlineExceeded if the client reads too slowly.
func (c *pacedConn) Write(p []byte) (written int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	asked := len(p)
	p = inOurForm(p, c.log)
	for err == nil && written < len(p) {
		began, n := time.Now(), 0
		if err = c.SetWriteDeadline(began.Add(c.left)); err != nil {
			break
		}
		n, err = c.Conn.Write(p[written:min(len(p), written+sendPart)])
		c.left = c.waited(c.left, time.Since(began), n)
		written += n
	}
	return min(written, asked), err
}
