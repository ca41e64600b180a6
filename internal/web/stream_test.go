package web

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
)

// streaming serves one stream under a deadline of a class that it outlasts.
func streaming(t *testing.T, slots *SharedSlots, log io.Writer, make func(ctx context.Context, w io.Writer) error) *httptest.Server {
	t.Helper()
	engine := NewEngine(Options{Log: slog.New(slog.NewJSONHandler(log, nil))})
	shed := NewRequestSlots(1, 1)
	Get(engine, "/", Deadline(50*time.Millisecond), Shed(shed, unavailable), func(c *gin.Context) {
		done, err := Prolong(c, slots, time.Minute)
		if err != nil {
			c.String(http.StatusTooManyRequests, err.Error())
			return
		}
		defer done()
		if shed.Stats().Taken != 0 {
			t.Error("the stream holds a slot of its class")
		}
		ctx := c.Request.Context()
		err = Stream(c, Reply{ContentType: "text/csv"}, func(w io.Writer) error { return make(ctx, w) })
		if err != nil {
			c.String(http.StatusServiceUnavailable, "%v", err)
		}
	})
	s := httptest.NewServer(engine)
	t.Cleanup(s.Close)
	return s
}

func fetch(t *testing.T, method, url string) (*http.Response, string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return res, string(body), err
}

func TestStreamOutlastsTheDeadlineOfItsClass(t *testing.T) {
	t.Parallel()
	part := strings.Repeat("linha\n", 30_000)
	s := streaming(t, NewSharedSlots(1, 1, 0), io.Discard, func(ctx context.Context, w io.Writer) error {
		for range 3 {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(60 * time.Millisecond):
			}
			if _, err := io.WriteString(w, part); err != nil {
				return err
			}
		}
		return nil
	})
	res, body, err := fetch(t, http.MethodGet, s.URL)
	if err != nil || res.StatusCode != http.StatusOK || body != part+part+part || !res.Uncompressed || res.Header.Get("Vary") != "Accept-Encoding" {
		t.Errorf("%v, %d, %d bytes, %v", err, res.StatusCode, len(body), res.Header)
	}
	res, body, err = fetch(t, http.MethodHead, s.URL)
	if err != nil || res.StatusCode != http.StatusOK || body != "" || res.Header.Get("Content-Type") != "text/csv" {
		t.Errorf("HEAD: %v, %d, %q, %v", err, res.StatusCode, body, res.Header)
	}
}

// TestStreamFails: an error before the first part becomes a response, a later one cuts the connection,
// so that nobody takes half a body for a complete one, and is an error in the log.
func TestStreamFails(t *testing.T) {
	t.Parallel()
	for _, before := range []int{0, 10, 10_000_000} {
		var log bytes.Buffer
		s := streaming(t, NewSharedSlots(1, 1, 0), &log, func(_ context.Context, w io.Writer) error {
			noise := make([]byte, before) // which gzip cannot make small
			for i, x := 0, uint32(1); i < before; i++ {
				x = x*1664525 + 1013904223
				noise[i] = byte(x >> 24)
			}
			if _, err := w.Write(noise); err != nil {
				return err
			}
			return errors.New("the database is away")
		})
		res, body, err := fetch(t, http.MethodGet, s.URL)
		s.Close() // the log is complete
		if early := before < streamBuffer; early {
			if err != nil || res.StatusCode != http.StatusServiceUnavailable || body != "the database is away" || res.Header.Get("Content-Encoding") != "" {
				t.Errorf("after %d bytes: %v, %d, %.100q, %v", before, err, res.StatusCode, body, res.Header)
			}
		} else if err == nil {
			t.Errorf("after %d bytes the body seems complete", before)
		} else if !strings.Contains(log.String(), `"level":"ERROR"`) || !strings.Contains(log.String(), "the database is away") {
			t.Errorf("the log has %s", log.String())
		}
	}
}

// TestStreamEndsWhenTheClientLeaves: reading for it stops, its slot is free again, and the log has no
// error.
func TestStreamEndsWhenTheClientLeaves(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	slots, ended := NewSharedSlots(1, 1, 0), make(chan error, 1)
	part := bytes.Repeat([]byte("x"), streamBuffer)
	s := streaming(t, slots, &log, func(ctx context.Context, w io.Writer) error {
		for {
			_, err := w.Write(part)
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				ended <- err
				return err
			}
		}
	})
	ctx, leave := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept-Encoding", "identity")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if refused, _, _ := fetch(t, http.MethodGet, s.URL); refused.StatusCode != http.StatusTooManyRequests {
		t.Errorf("a second stream of a network: %d", refused.StatusCode)
	}
	leave()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("ended by %v", err)
	}
	s.Close()
	if strings.Contains(log.String(), `"level":"ERROR"`) {
		t.Errorf("the log has %s", log.String())
	}
	if stats := slots.slots.Stats(); stats.Taken != 0 {
		t.Errorf("%d slots are taken", stats.Taken)
	}
}
