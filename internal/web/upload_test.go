package web

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gin-gonic/gin"
)

// receiving reads bodies of up to 1 MB before they take the only slot, and lists before theirs.
func receiving(bodies *SharedSlots) *gin.Engine {
	engine := NewEngine(Options{Log: slog.New(slog.DiscardHandler), Bodies: bodies})
	fail := func(c *gin.Context, err error) {
		status := http.StatusServiceUnavailable
		if errors.As(err, new(*TooManyError)) {
			status = http.StatusTooManyRequests
		} else if errors.Is(err, ErrForm) {
			status = http.StatusBadRequest
		}
		EventOf(c.Request.Context()).Fail(err)
		c.String(status, err.Error())
	}
	engine.Use(signedIn)
	engine.POST("/call", Receive(megabyte, fail), Shed(NewRequestSlots(1, 1), fail), func(c *gin.Context) {
		body, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, megabyte))
		if err != nil {
			c.String(http.StatusRequestEntityTooLarge, err.Error())
			return
		}
		c.String(http.StatusOK, "%d", len(body))
	})
	lists := NewSharedSlots(1, Share{Account: 1, Network: 1}, 0)
	engine.POST("/list", func(c *gin.Context) {
		if _, err := ReadUpload(c, megabyte); err != nil {
			fail(c, err)
			return
		}
		done, err := Move(c, lists, time.Minute)
		if err != nil {
			fail(c, err)
			return
		}
		defer done()
		c.String(http.StatusOK, "read")
	})
	return engine
}

// post sends a body to engine and returns the status.
func post(t *testing.T, engine http.Handler, path, client, account string, body io.Reader) int {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, body)
	r.RemoteAddr = client + ":1234"
	r.Header.Set("X-Account", account)
	r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
	w := httptest.NewRecorder()
	engine.ServeHTTP(w, r)
	return w.Code
}

const formTail = "\r\n--x--\r\n"

// TestSlowBodiesHoldNoSlots has clients stop in the middle of a body: others get the only slot meanwhile.
func TestSlowBodiesHoldNoSlots(t *testing.T) {
	t.Parallel()
	engine := receiving(nil)
	for _, path := range []string{"/call", "/list"} {
		var slow sync.WaitGroup
		var rest []*io.PipeWriter
		for range 8 {
			body, send := io.Pipe()
			slow.Go(func() {
				if status := post(t, engine, path, "192.0.2.1", "1", body); status != http.StatusBadRequest {
					t.Errorf("%s, cut short: %d", path, status)
				}
			})
			if _, err := io.WriteString(send, formHead); err != nil { // which the server has read
				t.Fatal(err)
			}
			rest = append(rest, send)
		}
		if status := post(t, engine, path, "192.0.2.1", "1", bytes.NewBufferString(formHead+formTail)); status != http.StatusOK {
			t.Errorf("%s, beside slow ones: %d", path, status)
		}
		for _, send := range rest {
			_ = send.CloseWithError(io.ErrUnexpectedEOF)
		}
		slow.Wait()
	}
}

// TestSlowBodiesHoldTheirShare has one account, and then its network, hold as many bytes of bodies that
// do not end as they may: others' bodies are read.
func TestSlowBodiesHoldTheirShare(t *testing.T) {
	t.Parallel()
	bodies := NewSharedSlots(16*heldSize, Share{Account: 4 * heldSize, Network: 8 * heldSize}, 0)
	engine := receiving(bodies)
	large := func() io.Reader { return bytes.NewReader(make([]byte, 2*heldSize)) }
	var slow sync.WaitGroup
	var rest []*io.PipeWriter
	hold := func(client, account string) {
		body, send := io.Pipe()
		slow.Go(func() { post(t, engine, "/call", client, account, body) })
		if _, err := send.Write(make([]byte, 3*heldSize)); err != nil {
			t.Fatal(err)
		}
		rest = append(rest, send)
	}
	served := func(client, account string, want int) {
		t.Helper()
		if got := post(t, engine, "/call", client, account, large()); got != want {
			t.Errorf("account %s at %s: %d, want %d", account, client, got, want)
		}
	}
	hold("192.0.2.1", "1")
	served("192.0.2.1", "1", http.StatusTooManyRequests)
	served("203.0.113.1", "1", http.StatusTooManyRequests)
	served("192.0.2.1", "2", http.StatusOK)
	hold("192.0.2.1", "2")
	served("192.0.2.1", "3", http.StatusTooManyRequests)
	served("203.0.113.1", "3", http.StatusOK)
	if status := post(t, engine, "/call", "192.0.2.1", "1", bytes.NewReader(make([]byte, heldSize-1))); status != http.StatusOK {
		t.Errorf("a small body of the account: %d", status)
	}
	for _, send := range rest {
		_ = send.Close()
	}
	slow.Wait()
	served("192.0.2.1", "1", http.StatusOK)
	if stats := bodies.Stats(); stats.Taken != 0 {
		t.Errorf("still held: %+v", stats)
	}
}

// TestLateListsAreAnswered: a list that took longer to arrive than a page may take waits for its slot all the same.
func TestLateListsAreAnswered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		lists := NewSharedSlots(1, Share{}, time.Minute)
		engine := NewEngine(Options{Log: slog.New(slog.DiscardHandler)})
		engine.POST("/list", Deadline(5*time.Second), func(c *gin.Context) {
			_, err := ReadUpload(c, megabyte)
			if err != nil {
				t.Error(err)
			}
			done, err := Move(c, lists, time.Minute)
			if err != nil {
				c.Status(http.StatusServiceUnavailable)
				return
			}
			defer done()
			time.Sleep(10 * time.Second)
			if c.Request.Context().Err() != nil {
				c.Status(http.StatusServiceUnavailable)
			}
		})
		var sent sync.WaitGroup
		for range 2 {
			body, send := io.Pipe()
			sent.Go(func() {
				if status := post(t, engine, "/list", "192.0.2.1", "", body); status != http.StatusOK {
					t.Errorf("status %d", status)
				}
			})
			sent.Go(func() {
				time.Sleep(time.Minute)
				_, _ = io.WriteString(send, formHead+formTail)
				_ = send.Close()
			})
		}
		sent.Wait()
	})
}

// TestReceivedBodies: a body reaches its handler as it came, and one that is too long is for the handler to refuse.
func TestReceivedBodies(t *testing.T) {
	t.Parallel()
	engine := receiving(nil)
	for size, want := range map[int]int{0: 200, 1: 200, heldSize: 200, megabyte: 200, megabyte + 1: 413, 2 * megabyte: 413} {
		if got := post(t, engine, "/call", "192.0.2.1", "1", bytes.NewReader(make([]byte, size))); got != want {
			t.Errorf("%d bytes: %d, want %d", size, got, want)
		}
	}
}
