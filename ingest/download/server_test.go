package download

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"razao/internal/web/fetch/fetchtest"
)

// site is a publisher on loopback whose server refuses what does not look like a browser. Its hook misbehaves: it is told
// which request of a path it is, from 1 on, and returns true when it has answered.
type site struct {
	*fetchtest.Site
	hook func(w http.ResponseWriter, r *http.Request, nth int) bool
}

func newSite(t *testing.T, files map[string][]byte) *site {
	t.Helper()
	s := &site{Site: fetchtest.NewSite(t, files)}
	s.Answer = func(w http.ResponseWriter, r *http.Request, nth int) bool {
		if !strings.HasPrefix(r.Header.Get("User-Agent"), "Mozilla/") || r.Method != http.MethodGet {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return true
		}
		return s.hook != nil && s.hook(w, r, nth)
	}
	return s
}

// times returns how often a path was asked for.
func (s *site) times(path string) int { return len(s.Ranges(path)) }

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
	return Options{Base: s.URL, Settings: Settings{Now: func() time.Time { return now }, Sleep: p.take}}, p
}

type pauses struct{ taken []time.Duration }

func (p *pauses) take(ctx context.Context, d time.Duration) error {
	p.taken = append(p.taken, d)
	return ctx.Err()
}

// filesIn returns the files of a folder, without the manifest.
func filesIn(t *testing.T, dir string) map[string]string {
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
