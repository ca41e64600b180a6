package edge

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
)

// cache is a cache on loopback that refuses the first purges.
type cache struct {
	*httptest.Server
	purged chan string // methods and keys, as they are asked for
}

func newCache(t *testing.T, refusals int) *cache {
	t.Helper()
	c := &cache{purged: make(chan string, 16)}
	left := make(chan struct{}, refusals)
	for range refusals {
		left <- struct{}{}
	}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-left:
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			c.purged <- r.Method + " " + r.Header.Get("Surrogate-Key")
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// TestFormerSnapshotsArePurged retires a snapshot with two caches, one that refuses at first and
// one that is down.
func TestFormerSnapshotsArePurged(t *testing.T) {
	t.Parallel()
	well, refusing, gone := newCache(t, 0), newCache(t, 2), newCache(t, 0)
	gone.Close()
	p, err := New([]string{gone.URL, well.URL, refusing.URL}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); p.Run(ctx) }()
	unused := make(chan struct{})
	p.Retire(17, unused)
	for _, c := range []*cache{well, refusing} {
		if got := <-c.purged; got != "PURGE razao-17" {
			t.Errorf("asked to %s", got)
		}
	}
	if len(well.purged) > 0 {
		t.Error("purged twice while the snapshot is in use")
	}
	close(unused)
	for _, c := range []*cache{well, refusing} {
		if got := <-c.purged; got != "PURGE razao-17" {
			t.Errorf("asked again to %s", got)
		}
	}
	stop()
	<-ended
}

// TestRetireNeverBlocks retires more snapshots than the queue holds while Run does not run.
func TestRetireNeverBlocks(t *testing.T) {
	t.Parallel()
	p, err := New(nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for id := range int64(10 * waiting) {
		p.Retire(id, nil)
	}
}

// TestPurgeWaitsForCaches checks that PurgeAll waits and returns the errors.
func TestPurgeWaitsForCaches(t *testing.T) {
	t.Parallel()
	refusing, gone := newCache(t, 1), newCache(t, 0)
	gone.Close()
	p, err := New([]string{refusing.URL}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.PurgeAll(t.Context()); err != nil {
		t.Error(err)
	} else if got := <-refusing.purged; got != "PURGE razao" {
		t.Errorf("asked to %s", got)
	}
	if p, err = New([]string{gone.URL}, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.PurgeAll(ctx); err == nil {
		t.Error("a cache that is not there was purged")
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for address, valid := range map[string]bool{
		"http://127.0.0.1:6081": true, "https://user:word@cache.example/x": true, "cache.example:6081": false, "ftp://cache.example": false, "http://": false, "": false,
	} {
		if _, err := New([]string{address}, nil); (err == nil) != valid {
			t.Errorf("%q: %v", address, err)
		}
	}
}
