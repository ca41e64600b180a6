package fetch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 9, 12, 10, 0, 0, 0, time.UTC)
	cases := map[string]time.Duration{
		"": 0, "7": 7 * time.Second, "-7": 0, "soon": 0, "99999999999": Patience,
		"Sat, 12 Sep 2026 10:01:30 GMT": 90 * time.Second, "Sat, 12 Sep 2026 09:00:00 GMT": 0,
		"Sat, 12 Sep 2027 10:00:00 GMT": Patience,
	}
	for value, want := range cases {
		if got := RetryAfter(http.Header{"Retry-After": {value}}, now, Patience); got != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
	}
}

func TestBackoffGrowsAndIsBounded(t *testing.T) {
	t.Parallel()
	for i, most := range []time.Duration{1, 2, 4, 8, 16, 30, 30, 30} {
		most *= time.Second
		for range 20 {
			if got := Backoff(time.Second, i+1); got < most/2 || got > most {
				t.Errorf("after failure %d: %s, want %s to %s", i+1, got, most/2, most)
			}
		}
	}
}

func TestSleepEndsWithContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := Sleep(ctx, 30*time.Second); err != nil {
			t.Errorf("half the time: %v", err)
		}
		if err := Sleep(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("longer than the context: %v", err)
		}
	})
}

func TestReaderEndsWithContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	r := Reader(ctx, strings.NewReader("ab"))
	one := make([]byte, 1)
	if _, err := io.ReadFull(r, one); err != nil || one[0] != 'a' {
		t.Fatalf("first byte %q, %v", one, err)
	}
	cancel()
	if _, err := r.Read(one); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context: %v", err)
	}
}

// TestWhyAnAnswerFails checks the error for each way in which a server misbehaves.
func TestWhyAnAnswerFails(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/mute":
			<-release
		case "/half":
			w.Header().Set("Content-Length", "10")
			_, _ = w.Write([]byte("half"))
			w.(http.Flusher).Flush()
			<-release
		case "/cut":
			w.Header().Set("Content-Length", "10")
			_, _ = w.Write([]byte("half"))
		case "/away":
			http.Redirect(w, r, "/elsewhere", http.StatusFound)
		}
	}))
	defer server.Close()
	defer close(release)
	client := server.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return ErrRedirect }
	const silence = 20 * time.Millisecond
	for path, want := range map[string]error{"/mute": ErrSilent, "/half": ErrSilent, "/cut": io.ErrUnexpectedEOF, "/away": ErrRedirect} {
		wait := silence
		if want != ErrSilent {
			wait = time.Hour
		}
		req, err := http.NewRequest(http.MethodGet, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		a, err := Send(t.Context(), client, req, wait)
		if err == nil {
			_, err = io.Copy(new(bytes.Buffer), a)
			a.Close()
		}
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	req, err := http.NewRequest(http.MethodGet, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Send(ctx, client, req, time.Hour); err != context.Canceled {
		t.Errorf("after its context: %v", err)
	}
}

// dribble is a body of which a byte or more comes after each pause.
type dribble struct {
	pause time.Duration
	each  int
	left  int
}

// Read implements io.Reader.
func (d *dribble) Read(p []byte) (int, error) {
	if d.left == 0 {
		return 0, io.EOF
	}
	time.Sleep(d.pause)
	n := min(d.each, d.left, len(p))
	d.left -= n
	return n, nil
}

// answering is a transport whose answers have a body.
type answering struct{ io.Reader }

// RoundTrip implements http.RoundTripper.
func (a answering) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(a), Request: req}, nil
}

// TestAServerThatSendsTooSlowly is given up, though it is never silent: a byte every two seconds would take for ever.
func TestAServerThatSendsTooSlowly(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		body    dribble
		silence time.Duration
		slow    bool
	}{
		"a byte every two seconds":          {dribble{2 * time.Second, 1, 1 << 30}, time.Minute, true},
		"just too slow":                     {dribble{time.Second, LeastBytes/60 - 1, 1 << 30}, time.Minute, true},
		"just fast enough":                  {dribble{time.Second, LeastBytes/60 + 1, 20*LeastBytes - LeastBytes/2}, time.Minute, false},
		"a short text, within a minute":     {dribble{2 * time.Second, 1, 25}, time.Minute, false},
		"where more silence is allowed":     {dribble{80 * time.Second, LeastBytes/2 + 1, 20 * LeastBytes}, 3 * time.Minute, false},
		"too slow even for that":            {dribble{80 * time.Second, LeastBytes/3 - 1, 20 * LeastBytes}, 3 * time.Minute, true},
		"fast at first, then byte for byte": {dribble{time.Second, LeastBytes, 1 << 30}, time.Minute, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				body, began := io.Reader(&c.body), time.Now()
				if strings.HasPrefix(name, "fast at first") {
					body = io.MultiReader(io.LimitReader(body, 90*LeastBytes), &dribble{2 * time.Second, 1, 1 << 30})
				}
				req, err := http.NewRequest(http.MethodGet, "https://a.example/", nil)
				if err != nil {
					t.Fatal(err)
				}
				a, err := Send(t.Context(), &http.Client{Transport: answering{body}}, req, c.silence)
				if err != nil {
					t.Fatal(err)
				}
				defer a.Close()
				_, err = io.CopyBuffer(struct{ io.Writer }{io.Discard}, a, make([]byte, 2*LeastBytes))
				var trouble *Trouble
				if errors.Is(err, ErrSlow) != c.slow || err != nil && (!errors.As(err, &trouble) || !trouble.Again) {
					t.Errorf("%v after %s", err, time.Since(began))
				}
				if time.Since(began) > day/24 {
					t.Errorf("it took %s", time.Since(began))
				}
			})
		})
	}
}
