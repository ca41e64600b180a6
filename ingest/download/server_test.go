package download

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// site is a publisher on loopback. Its hook misbehaves: it is told which request of a path it is, from 1 on, and returns
// true when it has answered.
type site struct {
	*httptest.Server
	hook func(w http.ResponseWriter, r *http.Request, nth int) bool

	mu     sync.Mutex
	files  map[string][]byte
	asked  []string            // paths, in order
	ranges map[string][]string // path: Range of each request
}

func newSite(t *testing.T, files map[string][]byte) *site {
	t.Helper()
	s := &site{files: map[string][]byte{}, ranges: map[string][]string{}}
	for path, content := range files {
		s.files[path] = content
	}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *site) put(path string, content []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[path] = content
}

func (s *site) rangesOf(path string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ranges[path]
}

// times returns how often a path was asked for.
func (s *site) times(path string) int { return len(s.rangesOf(path)) }

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimPrefix(r.URL.RequestURI(), "/")
	s.mu.Lock()
	content, ok := s.files[path]
	s.asked = append(s.asked, path)
	s.ranges[path] = append(s.ranges[path], r.Header.Get("Range"))
	nth := len(s.ranges[path])
	s.mu.Unlock()
	probe := r.Header.Get("Range") == "bytes=0-0"
	switch {
	case !strings.HasPrefix(r.Header.Get("User-Agent"), "Mozilla/"), r.Method != http.MethodGet:
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	case r.Header.Get("Accept-Encoding") != "identity":
		http.Error(w, "asked for a compressed transfer", http.StatusNotAcceptable)
		return
	case r.Header.Get("Range") != "" && !probe && r.Header.Get("If-Range") == "":
		http.Error(w, "might continue with bytes of another file", http.StatusPreconditionRequired)
		return
	}
	w.Header().Set("ETag", etagOf(content))
	if s.hook != nil && s.hook(w, r, nth) {
		return
	}
	if !ok {
		w.Header().Del("ETag")
		http.NotFound(w, r)
		return
	}
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/octet-stream")
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

func etagOf(content []byte) string {
	sum := sha256.Sum256(content)
	return fmt.Sprintf("%q", hex.EncodeToString(sum[:8]))
}

// zipOf returns a zip whose content does not compress, so that it is some kilobytes long.
func zipOf(t *testing.T, seed string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	m, err := w.Create(seed + ".csv")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 64 {
		sum := sha256.Sum256(fmt.Append(nil, seed, i))
		if _, err := m.Write(sum[:]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// options returns those of a Fetch from the site in November 2026 that notes its pauses instead of taking them.
func (s *site) options() (Options, *pauses) {
	p := &pauses{}
	now := time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)
	return Options{Base: s.URL, Now: func() time.Time { return now }, Sleep: p.take}, p
}

type pauses struct{ taken []time.Duration }

func (p *pauses) take(ctx context.Context, d time.Duration) error {
	p.taken = append(p.taken, d)
	return ctx.Err()
}

// half sends half of a file and then cuts the connection.
func half(w http.ResponseWriter, r *http.Request, content []byte) {
	sendSome(w, r, content, len(content)/2)
	panic(http.ErrAbortHandler)
}

// sendSome sends the head of the right answer and the first n bytes of its body.
func sendSome(w http.ResponseWriter, r *http.Request, content []byte, n int) {
	status, from := http.StatusOK, 0
	if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err == nil {
		status = http.StatusPartialContent
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(content)-1, len(content)))
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(content)-from))
	w.WriteHeader(status)
	_, _ = w.Write(content[from : from+n])
	_ = http.NewResponseController(w).Flush()
}

// holdings returns the files of a folder, without the manifest.
func holdings(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		if e.Name() == manifestName {
			continue
		}
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(content)
	}
	return files
}
