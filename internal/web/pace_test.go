package web

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gin-gonic/gin"
)

// pipes is a listener whose connections are in memory and keep nothing: what one side writes the other has
// read. With them, time is synthetic.
type pipes struct {
	net.Listener // of nothing: only Addr is missing
	accepted     chan net.Conn
	closed       context.Context
	close        context.CancelFunc
}

func (l *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-l.accepted:
		return conn, nil
	case <-l.closed.Done():
		return nil, net.ErrClosed
	}
}

func (l *pipes) Close() error { l.close(); return nil }

func (l *pipes) Addr() net.Addr { return &net.TCPAddr{} }

// dial connects to what Serve serves.
func (l *pipes) dial(t *testing.T) net.Conn {
	t.Helper()
	client, server := net.Pipe()
	l.accepted <- server
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// atPace serves engine, as the program does, until run returns.
func atPace(t *testing.T, engine http.Handler, run func(l *pipes)) {
	t.Helper()
	l := &pipes{accepted: make(chan net.Conn)}
	l.closed, l.close = context.WithCancel(t.Context())
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, l, engine, slog.New(slog.DiscardHandler)) }()
	run(l)
	stop()
	if err := <-served; err != nil {
		t.Errorf("a request did not end: %v", err)
	}
}

const megabyte = 1 << 20

// uploading reads forms of up to 4 MB, and says what became of them.
func uploading() *gin.Engine {
	engine := NewEngine(Options{Log: slog.New(slog.DiscardHandler)})
	fail := func(c *gin.Context, err error) {
		status := http.StatusBadRequest
		if errors.Is(err, ErrSlow) {
			status = http.StatusRequestTimeout
		}
		c.String(status, err.Error())
	}
	engine.POST("/upload", func(c *gin.Context) {
		form, err := ReadUpload(c, 4*megabyte)
		if err != nil {
			fail(c, err)
			return
		}
		c.String(http.StatusOK, "%d", len(form.File))
	})
	engine.POST("/receive", Receive(4*megabyte, fail), func(c *gin.Context) { c.String(http.StatusOK, "received") })
	engine.POST("/form", Form(fail), func(c *gin.Context) { c.String(http.StatusOK, "read") })
	engine.POST("/unread", func(c *gin.Context) { c.String(http.StatusOK, "unread") })
	return engine
}

// a step of a client: it waits, and sends or reads bytes.
type step struct {
	wait time.Duration
	n    int
}

// steps repeats a step until it has done with n bytes, the last one with what remains.
func steps(s step, n int) (all []step) {
	for ; n > 0; n -= s.n {
		all = append(all, step{s.wait, min(s.n, n)})
	}
	return all
}

// TestPaceOfBodies sends bodies as slow clients and attackers do: all that come at 16 KB a second, on average,
// are read, and the others are told and cut off, within the 15 seconds that are documented and those that
// they have earned.
func TestPaceOfBodies(t *testing.T) {
	t.Parallel()
	const size = 3 * megabyte
	forever := steps(step{time.Second, 20}, 40_000)
	for name, tt := range map[string]struct {
		path   string
		steps  []step
		status int
		within time.Duration // 0: the body is read
	}{
		"a telephone at 20 KB/s":         {"/upload", steps(step{time.Second, 20 << 10}, size), 200, 0},
		"a line that stalls":             {"/upload", append(steps(step{14 * time.Second, size - 10}, size-10), step{14 * time.Second, 10}), 200, 0},
		"bursts of 200 KB in 10 s":       {"/upload", steps(step{10 * time.Second, 200 << 10}, size), 200, 0},
		"20 bytes a second":              {"/upload", forever, 408, 16 * time.Second},
		"20 bytes a second, before":      {"/receive", forever, 408, 16 * time.Second},
		"20 bytes a second, a form":      {"/form", forever, 408, 16 * time.Second},
		"20 bytes a second, unread":      {"/unread", forever, 200, 16 * time.Second},
		"one byte":                       {"/upload", steps(step{100 * time.Millisecond, 1}, 40_000), 408, 16 * time.Second},
		"nothing at all":                 {"/upload", []step{{time.Hour, 1}}, 408, 16 * time.Second},
		"a megabyte, then nothing":       {"/upload", []step{{0, megabyte}, {time.Hour, 1}}, 408, 16 * time.Second},
		"a megabyte, then 20 B/s":        {"/upload", append([]step{{0, megabyte}}, forever...), 408, 16 * time.Second},
		"bursts of 100 KB in 10 s":       {"/upload", steps(step{10 * time.Second, 100 << 10}, size), 408, 45 * time.Second},
		"fast and slow by turns, 8 KB/s": {"/upload", steps(step{14 * time.Second, 112 << 10}, size), 408, 45 * time.Second},
	} {
		for _, chunked := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, chunked: %v", name, chunked), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					atPace(t, uploading(), func(l *pipes) {
						status, closed, took := upload(t, l.dial(t), tt.path, tt.steps, size, chunked)
						if status != tt.status || tt.within > 0 && (!closed || took > tt.within) {
							t.Errorf("status %d, the connection is closed: %v, after %s", status, closed, took)
						}
					})
				})
			})
		}
	}
}

const formHead = "--x\r\nContent-Disposition: form-data; name=\"arquivo\"; filename=\"lista.csv\"\r\n\r\n"

// upload sends a body of about size bytes in steps, and returns the status of the answer, whether the
// connection was closed after it, and after how long.
func upload(t *testing.T, conn net.Conn, path string, all []step, size int, chunked bool) (status int, closed bool, took time.Duration) {
	t.Helper()
	began, sent := time.Now(), make(chan struct{})
	defer func() { _ = conn.Close(); <-sent }()
	const formEnd = "\r\n--x--\r\n"
	kind, length := "multipart/form-data; boundary=x", fmt.Sprintf("Content-Length: %d", len(formHead)+size+len(formEnd))
	if path == "/form" {
		kind, length = "application/x-www-form-urlencoded", "Content-Length: 16000"
	}
	if chunked {
		length = "Transfer-Encoding: chunked"
	}
	part := func(text []byte) []byte {
		if chunked {
			return fmt.Appendf(nil, "%x\r\n%s\r\n", len(text), text)
		}
		return text
	}
	go func() { // which may fail, once the server has had enough
		defer close(sent)
		_, _ = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\n%s\r\n\r\n%s", path, kind, length, part([]byte(formHead)))
		for _, s := range all {
			time.Sleep(s.wait)
			if _, err := conn.Write(part(bytes.Repeat([]byte{'a'}, s.n))); err != nil {
				return
			}
		}
		_, _ = conn.Write(part([]byte(formEnd)))
		if chunked {
			_, _ = io.WriteString(conn, "0\r\n\r\n")
		}
	}()
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if text, err := io.ReadAll(res.Body); err != nil || res.StatusCode == http.StatusOK && path == "/upload" && string(text) != fmt.Sprint(size) {
		t.Errorf("%q, %v", text, err)
	}
	if res.Close {
		_, err = io.Copy(io.Discard, conn)
	}
	return res.StatusCode, res.Close && err == nil, time.Since(began)
}

// TestContinueAndNothing asks for leave to send a body (Expect: 100-continue), gets it and sends none.
func TestContinueAndNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		atPace(t, uploading(), func(l *pipes) {
			began, conn := time.Now(), l.dial(t)
			_, err := io.WriteString(conn, "POST /receive HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1000\r\n\r\n")
			if err != nil {
				t.Fatal(err)
			}
			said, err := io.ReadAll(conn)
			if err != nil || !strings.HasPrefix(string(said), "HTTP/1.1 100 ") || !strings.Contains(string(said), "HTTP/1.1 408 ") || time.Since(began) > 16*time.Second {
				t.Errorf("after %s: %q, %v", time.Since(began), said, err)
			}
		})
	})
}

// TestPaceOfAnswers reads answers as slow clients and attackers do, whole ones and streams: who reads 16 KB a
// second, on average, gets all, and the others are cut off, and with them whatever a request holds.
func TestPaceOfAnswers(t *testing.T) {
	t.Parallel()
	const size = 4 * megabyte
	whole, forever := steps(step{time.Second, 20 << 10}, size), steps(step{time.Second, 1}, 10_000)
	for name, tt := range map[string]struct {
		steps  []step
		within time.Duration // 0: all is read
	}{
		"20 KB a second":               {whole, 0},
		"a tunnel of 25 s":             {[]step{{0, megabyte}, {25 * time.Second, megabyte}, {25 * time.Second, 2 * megabyte}}, 0},
		"bursts of 320 KB in 19 s":     {steps(step{19 * time.Second, 320 << 10}, size), 0},
		"10 KB a second":               {steps(step{time.Second, 10 << 10}, size), 90 * time.Second},
		"nothing":                      {[]step{{time.Hour, megabyte}}, 31 * time.Second},
		"a megabyte, then nothing":     {[]step{{0, megabyte}, {time.Hour, megabyte}}, 31 * time.Second},
		"a megabyte, then 1 byte/s":    {append([]step{{0, megabyte}}, forever...), 31 * time.Second},
		"bursts of 200 KB in 25 s":     {steps(step{25 * time.Second, 200 << 10}, size), 90 * time.Second},
		"20 KB a second, then nothing": {append(whole[:50:50], step{time.Hour, megabyte}), 90 * time.Second},
	} {
		for _, path := range []string{"/whole", "/stream", "/slow-server", "/whole HTTP/1.1\r\nHost: x\r\n\r\nGET /stream"} {
			t.Run(fmt.Sprintf("%s, %q", name, path), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					ended := make(chan time.Duration, 2)
					atPace(t, sending(size, ended), func(l *pipes) {
						conn := l.dial(t)
						if _, err := fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path); err != nil {
							t.Fatal(err)
						}
						err := read(conn, tt.steps)
						took := <-ended
						if path == "/slow-server" {
							took -= size / streamBuffer * time.Minute
						}
						if (err == nil) != (tt.within == 0) || err != nil && took > tt.within {
							t.Errorf("%v, the request ended after %s", err, took)
						}
						_ = conn.Close()
					})
				})
			})
		}
	}
}

// sending answers with size bytes, whole or as streams, and says how long each request took.
func sending(size int, ended chan<- time.Duration) *gin.Engine {
	body, sender := bytes.Repeat([]byte{'a'}, size), &Sender{}
	timing := func(c *gin.Context) {
		defer func(began time.Time) { ended <- time.Since(began) }(time.Now())
		c.Next()
	}
	engine := NewEngine(Options{Log: slog.New(slog.DiscardHandler), Around: []gin.HandlerFunc{timing}})
	reply := Reply{Status: http.StatusOK, ContentType: "application/octet-stream"}
	Get(engine, "/whole", func(c *gin.Context) {
		sender.Send(c, Reply{Status: http.StatusOK, ContentType: reply.ContentType, Body: body})
	})
	Get(engine, "/stream", func(c *gin.Context) {
		_ = Stream(c, reply, func(w io.Writer) error { _, err := w.Write(body); return err })
	})
	Get(engine, "/slow-server", func(c *gin.Context) { // which is not its client's fault
		_ = Stream(c, reply, func(w io.Writer) error {
			for part := range slices.Chunk(body, streamBuffer) {
				time.Sleep(time.Minute)
				if _, err := w.Write(part); err != nil {
					return err
				}
			}
			return nil
		})
	})
	return engine
}

// read reads an answer in steps. The error is that it was cut.
func read(conn net.Conn, all []step) error {
	res, err := http.ReadResponse(bufio.NewReaderSize(conn, 16), nil)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	for _, s := range all {
		time.Sleep(s.wait)
		if _, err := io.CopyN(io.Discard, res.Body, int64(s.n)); err != nil {
			return err
		}
	}
	return nil
}
