package snapshot_test

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"razao/index"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
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

// TestAcquireSaysWhyNothingIsServed publishes records that cannot be read.
// TestIndexIsWarmBeforeItServes: the first visitor does not wait for what is read from the disk.
func TestIndexIsWarmBeforeItServes(t *testing.T) {
	t.Parallel()
	l := fixture.Shared(t)
	var log bytes.Buffer
	live := snapshot.Open(t.Context(), l.Store, l.IndexDir, fixture.Atlas(t), slog.New(slog.NewTextHandler(&log, nil)))
	t.Cleanup(live.Close)
	if s, err := live.Acquire(); err != nil || !s.Searchable() {
		t.Fatal(err)
	} else {
		s.Release()
	}
	if !strings.Contains(log.String(), `msg="index warm"`) || !strings.Contains(log.String(), "queries_seconds=") {
		t.Error(log.String())
	}
}

func TestAcquireSaysWhyNothingIsServed(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	if err := l.Store.DropRecords(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, l).Acquire(); err == nil || errors.Is(err, registry.ErrNoSnapshot) {
		t.Errorf("got %v", err)
	}
}

func TestRunNoticesAPublication(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	live := open(t, l)
	run(t, live)
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
