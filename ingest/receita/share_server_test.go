package receita

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"
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
		s.put(name, shareZip(t, name, "content of "+name))
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
	for _, r := range s.Requests() {
		if r.Method == "PROPFIND" {
			n++
		}
	}
	return n
}

// shareZip returns a zip whose content does not compress, so that it is a few kilobytes long.
func shareZip(t *testing.T, member, seed string) []byte {
	t.Helper()
	var content []byte
	for i := range 64 {
		sum := sha256.Sum256(fmt.Append(nil, seed, i))
		content = append(content, sum[:]...)
	}
	return zipOf(t, member+".CSV", string(content))
}

// share returns the share on s. It takes no pauses.
func (s *shareServer) share(t *testing.T, o download.Settings) *Share {
	t.Helper()
	o.Sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	c, err := NewShare(s.URL+shareRoot, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// checkComplete compares dir with the share: every file, every checksum, and nothing else.
func (s *shareServer) checkComplete(t *testing.T, dir string) {
	t.Helper()
	m := readManifest(t, dir)
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
	m, err := download.ReadManifest(dir, source(month))
	if err != nil {
		t.Fatal(err)
	}
	return m
}
