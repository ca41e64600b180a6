package bndes

import (
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCutArchive cuts an archive at every byte: only a cut between two blobs may look like the end.
func TestCutArchive(t *testing.T) {
	t.Parallel()
	blobs := []string{"first", "", "third"}
	ends := map[int64]int{0: 0, 9: 1, 13: 2, 22: 3} // bytes of the file and the blobs in them
	for size := range int64(23) {
		got, err := readCut(t, blobs, size)
		whole, between := ends[size]
		switch {
		case between && !errors.Is(err, io.EOF):
			t.Errorf("cut at %d: %v, want the end", size, err)
		case between:
			if diff := cmp.Diff(blobs[:whole], got); diff != "" {
				t.Errorf("cut at %d: %s", size, diff)
			}
		case !errors.Is(err, io.ErrUnexpectedEOF):
			t.Errorf("cut at %d: %v, want an unexpected end", size, err)
		}
	}
}

// readCut keeps blobs in an archive, cuts its file to size and returns the blobs that are read until
// the first error, and the error.
func readCut(t *testing.T, blobs []string, size int64) (got []string, err error) {
	t.Helper()
	a, err := NewArchive(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.Close() }()
	for _, blob := range blobs {
		if err := a.Keep([]byte(blob)); err != nil {
			t.Fatal(err)
		}
	}
	next, err := a.Reader()
	if err != nil {
		t.Fatal(err)
	}
	if err := a.file.Truncate(size); err != nil {
		t.Fatal(err)
	}
	got = []string{}
	for {
		blob, err := next()
		if err != nil {
			return got, err
		}
		got = append(got, string(blob))
	}
}
