// Package storetest checks that a store of indexes keeps what [indexstore.Writable] promises.
package storetest

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"razao/internal/store/indexstore"
)

const prefix = "files/"

// Check writes to an empty store, reads it back, also through readers, which read the same files by
// other means and are named for messages, and empties it.
func Check(t *testing.T, s indexstore.Writable, readers map[string]indexstore.Store) {
	t.Helper()
	if got := names(t, s, prefix); len(got) > 0 {
		t.Errorf("an empty store has %v", got)
	}
	large := strings.Repeat("0123456789abcdef", 20<<16) // 20 MB: more than one part of S3
	for name, content := range map[string]string{"files/a": "first", "files/large": large, "indexes/000001": "one"} {
		put(t, s, name, content)
	}
	put(t, s, "files/a", "second")
	all := map[string]indexstore.Store{"": s}
	for how, r := range readers {
		all[how+" "] = r
	}
	for how, r := range all {
		for name, want := range map[string]string{"files/a": "second", "files/large": large, "indexes/000001": "one"} {
			if got, err := get(t, r, name, 0); got != want || err != nil {
				t.Errorf("%s%s: %d bytes, %v", how, name, len(got), err)
			}
		}
		if got, err := get(t, r, "files/large", 1<<20+3); got != large[1<<20+3:] || err != nil {
			t.Errorf("%sfrom a byte on: %d bytes, %v", how, len(got), err)
		}
		if _, err := get(t, r, "files/none", 0); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%snot there: %v", how, err)
		}
	}
	if got, want := names(t, s, prefix), []string{"files/a", "files/large"}; !slices.Equal(got, want) {
		t.Errorf("list: %v, want %v", got, want)
	}
	for range 2 {
		if err := s.Remove(t.Context(), "files/a"); err != nil {
			t.Error(err)
		}
	}
	if got, want := names(t, s, prefix), []string{"files/large"}; !slices.Equal(got, want) {
		t.Errorf("after removing: %v, want %v", got, want)
	}
	checkWhole(t, s)
}

// checkWhole breaks off files, smaller and larger than a part of S3, at their end: nothing is stored.
func checkWhole(t *testing.T, s indexstore.Writable) {
	t.Helper()
	broken := errors.New("the sum is another")
	for _, size := range []int{1000, 17 << 20} {
		content := &breaking{bytes.NewReader(make([]byte, size)), broken}
		if err := s.Put(t.Context(), "files/broken", int64(size), content); !errors.Is(err, broken) {
			t.Errorf("broken off, of %d bytes: %v", size, err)
		}
		if got := names(t, s, "files/broken"); len(got) > 0 {
			t.Errorf("broken off, of %d bytes: %v is stored", size, got)
		}
	}
}

// breaking is a reader of zeros that fails with the read that reaches its end.
type breaking struct {
	zeros *bytes.Reader
	err   error
}

func (b *breaking) Read(p []byte) (int, error) {
	n, err := b.zeros.Read(p)
	if b.zeros.Len() == 0 {
		return 0, b.err
	}
	return n, err
}

func (b *breaking) Seek(offset int64, whence int) (int64, error) { return b.zeros.Seek(offset, whence) }

func put(t *testing.T, s indexstore.Writable, name, content string) {
	t.Helper()
	if err := s.Put(t.Context(), name, int64(len(content)), strings.NewReader(content)); err != nil {
		t.Fatal(err)
	}
}

// get returns what is in a store from a byte on.
func get(t *testing.T, s indexstore.Store, name string, from int64) (string, error) {
	t.Helper()
	r, err := s.Open(t.Context(), name, from)
	if err != nil {
		return "", err
	}
	defer func() { _ = r.Close() }()
	body, err := io.ReadAll(r)
	return string(body), err
}

func names(t *testing.T, s indexstore.Writable, prefix string) (names []string) {
	t.Helper()
	for o, err := range s.List(t.Context(), prefix) {
		if err != nil {
			t.Fatal(err)
		}
		if o.Written.IsZero() {
			t.Errorf("%s has no time", o.Name)
		}
		names = append(names, o.Name)
	}
	slices.Sort(names)
	return names
}
