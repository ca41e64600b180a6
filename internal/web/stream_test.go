package web

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
)

// streaming serves one stream under a deadline of a class that it outlasts.
func streaming(t *testing.T, downloads *Downloads, log io.Writer, make func(ctx context.Context, w io.Writer) error) *httptest.Server {
	t.Helper()
	engine := NewEngine(Options{Log: slog.New(slog.NewJSONHandler(log, nil))})
	shed := NewRequestSlots(1, 1)
	Get(engine, "/", Deadline(50*time.Millisecond), Shed(shed, unavailable), func(c *gin.Context) {
		done, err := Prolong(c, downloads, time.Minute)
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
	s := streaming(t, NewDownloads(1, Share{Network: 1}, 1, 0), io.Discard, func(ctx context.Context, w io.Writer) error {
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
		s := streaming(t, NewDownloads(1, Share{Network: 1}, 1, 0), &log, func(_ context.Context, w io.Writer) error {
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
	downloads, ended := NewDownloads(1, Share{Network: 1}, 1, 0), make(chan error, 1)
	part := bytes.Repeat([]byte("x"), streamBuffer)
	s := streaming(t, downloads, &log, func(ctx context.Context, w io.Writer) error {
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
	if slots, turns := downloads.underWay.Stats(), downloads.turns.Stats(); slots.Taken+turns.Taken != 0 {
		t.Errorf("still taken: %+v, %+v", slots, turns)
	}
}

// signedIn gives a request the account in its header.
func signedIn(c *gin.Context) {
	e := EventOf(c.Request.Context())
	e.Account, _ = strconv.ParseInt(c.GetHeader("X-Account"), 10, 64)
}

// unread is a client that reads nothing of what is sent to it until it is told to.
type unread struct {
	*httptest.ResponseRecorder
	once    sync.Once
	writing chan struct{}
	reads   <-chan struct{}
}

func (u *unread) Write(b []byte) (int, error) {
	u.once.Do(func() { close(u.writing) })
	<-u.reads
	return u.ResponseRecorder.Write(b)
}

// TestSlowDownloadsHoldUpNobody has one client start as many downloads as an account and a network may, and read
// none of them: a colleague's in its network, and those of others, are made and sent meanwhile, though
// only one computes at a time.
func TestSlowDownloadsHoldUpNobody(t *testing.T) {
	t.Parallel()
	downloads := NewDownloads(6, Share{Account: 2, Network: 3}, 1, 0)
	engine := NewEngine(Options{Log: slog.New(slog.DiscardHandler)})
	Get(engine, "/", signedIn, func(c *gin.Context) {
		done, err := Prolong(c, downloads, time.Hour)
		if err != nil {
			c.String(http.StatusTooManyRequests, err.Error())
			return
		}
		defer done()
		ctx := c.Request.Context()
		_ = Stream(c, Reply{ContentType: "application/octet-stream"}, func(w io.Writer) error {
			for range 10 {
				if err := GiveWay(ctx); err != nil {
					return err
				}
				if taken := downloads.turns.Stats().Taken; taken != 1 {
					t.Errorf("%d downloads compute", taken)
				}
				if _, err := w.Write(make([]byte, streamBuffer)); err != nil {
					return err
				}
			}
			return nil
		})
	})
	ask := func(w http.ResponseWriter, client, account string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.RemoteAddr = client + ":1234"
		r.Header.Set("X-Account", account)
		engine.ServeHTTP(w, r)
	}
	served := func(client, account string, want int) {
		t.Helper()
		w := httptest.NewRecorder()
		if ask(w, client, account); w.Code != want || want == http.StatusOK && w.Body.Len() != 10*streamBuffer {
			t.Errorf("account %s at %s: %d, %d bytes, want %d", account, client, w.Code, w.Body.Len(), want)
		}
	}
	reads := make(chan struct{})
	var slow sync.WaitGroup
	hold := func(client, account string) {
		w := &unread{ResponseRecorder: httptest.NewRecorder(), writing: make(chan struct{}), reads: reads}
		slow.Go(func() { ask(w, client, account) })
		<-w.writing
	}
	hold("192.0.2.1", "1")
	hold("192.0.2.1", "1")
	served("192.0.2.1", "1", http.StatusTooManyRequests)
	served("203.0.113.1", "1", http.StatusTooManyRequests)
	served("192.0.2.1", "2", http.StatusOK)
	hold("192.0.2.1", "2")
	served("192.0.2.1", "3", http.StatusTooManyRequests)
	served("203.0.113.1", "3", http.StatusOK)
	if stats := downloads.underWay.Stats(); stats.Taken != 3 {
		t.Errorf("under way: %+v", stats)
	}
	close(reads)
	slow.Wait()
	if slots, turns := downloads.underWay.Stats(), downloads.turns.Stats(); slots.Taken+turns.Taken != 0 {
		t.Errorf("still taken: %+v, %+v", slots, turns)
	}
}
