package snapshot_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"razao/index"
	"razao/index/folder"
	"razao/internal/fixture"
	"razao/internal/registry"
	"razao/internal/snapshot"
)

func TestNothingIsServedBeforeTheFirstLoad(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	if _, err := l.Live.Acquire(); !errors.Is(err, registry.ErrNoSnapshot) {
		t.Errorf("got %v", err)
	}
	if err := l.Live.Refresh(t.Context()); !errors.Is(err, registry.ErrNoSnapshot) {
		t.Errorf("refresh: %v", err)
	}
}

// TestABrokenSnapshotLeavesTheFormer publishes snapshots whose index cannot be served.
func TestABrokenSnapshotLeavesTheFormer(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		spoil func(t *testing.T, dir string)
		says  string
	}{
		"missing": {func(t *testing.T, dir string) {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}, "razao index build"},
		"truncated": {func(t *testing.T, dir string) {
			segments, err := filepath.Glob(filepath.Join(dir, "*", "store", "*.zap"))
			if err != nil || len(segments) == 0 {
				t.Fatalf("segments %v, %v", segments, err)
			}
			if err := os.Truncate(segments[0], 100); err != nil {
				t.Fatal(err)
			}
		}, "razao index build"},
		"of another format": {func(t *testing.T, dir string) {
			edit(t, dir, fmt.Sprintf(`"format": %d`, folder.Format), `"format": 99`)
		}, "razao index build"},
		"of another load": {func(t *testing.T, dir string) {
			edit(t, dir, `"load": 2`, `"load": 7`)
		}, "built from load 7, not 2"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := fixture.Load(t)
			l.Ingest(t)
			c.spoil(t, filepath.Join(l.Ingester.IndexDir, "000002"))
			if err := l.Live.Refresh(t.Context()); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
			s, err := l.Live.Acquire()
			if err != nil {
				t.Fatal(err)
			}
			defer s.Release()
			if s.Load.ID != 1 {
				t.Errorf("load %d is served", s.Load.ID)
			}
			if _, err := s.Find(t.Context(), index.Query{Text: "padaria", Limit: 1}); err != nil {
				t.Error(err)
			}
		})
	}
}

// edit replaces a part of the manifest in dir.
func edit(t *testing.T, dir, old, replacement string) {
	t.Helper()
	path := filepath.Join(dir, "manifest.json")
	body, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(body), old) {
		t.Fatalf("%s in %s, %v", old, body, err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(body), old, replacement, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAcquireSaysWhyNothingIsServed(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	if err := os.RemoveAll(l.Ingester.IndexDir); err != nil {
		t.Fatal(err)
	}
	live := snapshot.Open(t.Context(), l.Store, l.Ingester.IndexDir, fixture.Atlas(t), slog.New(slog.DiscardHandler))
	defer live.Close()
	if _, err := live.Acquire(); !errors.Is(err, folder.ErrDamaged) || errors.Is(err, registry.ErrNoSnapshot) {
		t.Errorf("got %v", err)
	}
}

func TestRunNoticesAPublication(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	live := snapshot.Open(t.Context(), l.Store, l.Ingester.IndexDir, fixture.Atlas(t), slog.New(slog.DiscardHandler))
	defer live.Close()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		live.Run(ctx)
	}()
	l.Ingest(t)
	fixture.Wait(t, "the publication to be noticed", func() bool {
		s, err := live.Acquire()
		if err == nil {
			s.Release()
			return true
		}
		if !errors.Is(err, registry.ErrNoSnapshot) {
			t.Fatal(err)
		}
		return false
	})
	stop()
	<-ended
}

func TestCloseWaitsForUsers(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	s, err := l.Live.Acquire()
	if err != nil {
		t.Fatal(err)
	}
	closed := make(chan struct{})
	go func() {
		l.Live.Close()
		close(closed)
	}()
	fixture.Wait(t, "the snapshot to be taken out of service", func() bool {
		other, err := l.Live.Acquire()
		if err == nil {
			other.Release()
		}
		return err != nil
	})
	select {
	case <-closed:
		t.Fatal("closed under a user")
	default:
	}
	if _, err := s.Find(t.Context(), index.Query{Text: "padaria", Limit: 1}); err != nil {
		t.Error(err)
	}
	s.Release()
	<-closed
}
