package extsort

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRemoveClosesSplitBuckets: when Run ends early, the files of a bucket that was split are
// closed and deleted too.
func TestRemoveClosesSplitBuckets(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	for name, c := range map[string]struct {
		work func(cancel func()) error
		sink error
		want error
	}{
		"work fails": {func(func()) error { return boom }, nil, boom},
		"sink fails": {func(func()) error { return nil }, boom, boom},
		"cancelled":  {func(cancel func()) error { cancel(); return nil }, nil, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "sort")
			s, err := New(dir, Options{BucketBytes: 64 << 10})
			if err != nil {
				t.Fatal(err)
			}
			w := s.Writer()
			for _, r := range randomRecords(50000, 1<<50) {
				if err := w.Add(r.hi, r.lo, []byte(r.payload)); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			err = Run(ctx, s, 2, func(*Bucket) (int, error) { return 0, c.work(cancel) }, func(int) error { return c.sink })
			if !errors.Is(err, c.want) {
				t.Errorf("Run: %v, want %v", err, c.want)
			}
			if err := s.Remove(); err != nil {
				t.Fatal(err)
			}
			if open := openBelow(t, dir); len(open) > 0 {
				t.Errorf("Remove left %d files open: %s, ...", len(open), open[0])
			}
			if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("Remove left %s: %v", dir, err)
			}
		})
	}
}

// openBelow returns the files below dir, deleted ones included, that this process has open.
func openBelow(t *testing.T, dir string) (open []string) {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if path, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && strings.HasPrefix(path, dir+"/") {
			open = append(open, path)
		}
	}
	return open
}
