package receita

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"razao/ingest/download"
	"razao/internal/web/fetch/fetchtest"
)

const shareRoot = "/public.php/dav/files/TOKEN"

// shareServer is a share on loopback with one month, and the folder of the month before. Its hooks misbehave: they are
// told which request of its kind it is, from 1 on, and return true when they have answered it.
type shareServer struct {
	*fetchtest.Site
	get  func(w http.ResponseWriter, r *http.Request, name string, nth int) bool
	list func(w http.ResponseWriter, r *http.Request, nth int) bool
}

func newShareServer(t *testing.T) *shareServer {
	t.Helper()
	files := map[string][]byte{}
	for _, folder := range []string{"/2026-08/", "/temp/"} {
		files[shareRoot[1:]+folder+"LEIAME.txt"] = []byte("of another month")
	}
	s := &shareServer{Site: fetchtest.NewSite(t, files)}
	for _, name := range releaseNames() {
		s.put(name, zipOf(t, name, "content of "+name))
	}
	s.Answer = func(w http.ResponseWriter, r *http.Request, nth int) bool {
		if r.Method == "PROPFIND" {
			return s.list != nil && s.list(w, r, s.lists())
		}
		return s.get != nil && s.get(w, r, path.Base(r.URL.Path), nth)
	}
	return s
}

func pathOf(name string) string { return shareRoot[1:] + "/" + month + "/" + name }

func (s *shareServer) file(name string) []byte         { return s.File(pathOf(name)) }
func (s *shareServer) put(name string, content []byte) { s.Put(pathOf(name), content) }
func (s *shareServer) ranges(name string) []string     { return s.Ranges(pathOf(name)) }

// lists returns how often a folder was listed.
func (s *shareServer) lists() (n int) {
	for _, r := range s.Asked() {
		if r.Method == "PROPFIND" {
			n++
		}
	}
	return n
}

// zipOf returns a zip whose content does not compress, so that it is a few kilobytes long.
func zipOf(t *testing.T, member, seed string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	m, err := w.Create(member + ".CSV")
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

// share returns the share on s that notes its pauses instead of taking them.
func (s *shareServer) share(t *testing.T, o download.Settings) (*Share, *pauses) {
	t.Helper()
	p := &pauses{}
	o.Sleep = p.take
	c, err := NewShare(s.URL+shareRoot, o)
	if err != nil {
		t.Fatal(err)
	}
	return c, p
}

type pauses struct {
	mu    sync.Mutex
	taken []time.Duration
}

func (p *pauses) take(ctx context.Context, d time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken = append(p.taken, d)
	return ctx.Err()
}

// checkComplete compares dir with the share: every file, every checksum, and nothing else.
func (s *shareServer) checkComplete(t *testing.T, dir string) {
	t.Helper()
	m := readManifest(t, dir)
	if m.Source != source(month) {
		t.Errorf("manifest is of %q", m.Source)
	}
	for _, name := range releaseNames() {
		want := s.file(name)
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes that differ from the %d published (%v)", name, len(got), len(want), err)
		}
		sum := sha256.Sum256(want)
		r := m.Files[name]
		if r.SHA256 != hex.EncodeToString(sum[:]) || r.Bytes != int64(len(want)) || r.ETag != fetchtest.ETag(want) {
			t.Errorf("%s: manifest says %+v", name, r)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(releaseNames())+1 {
		t.Errorf("the folder has %d entries (%v): %v", len(entries), err, entries)
	}
}

func readManifest(t *testing.T, dir string) download.Manifest {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, ".download.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m download.Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	return m
}
