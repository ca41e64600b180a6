package share

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	root  = "/public.php/dav/files/TOKEN"
	month = "2026-09"
)

// server is a share on loopback with one month. Its hooks misbehave: they are told which request of its kind it is, from
// 1 on, and return true when they have answered it.
type server struct {
	*httptest.Server
	get  func(w http.ResponseWriter, r *http.Request, name string, nth int) bool
	list func(w http.ResponseWriter, r *http.Request, nth int) bool

	mu    sync.Mutex
	files map[string][]byte
	lists int
	gets  map[string][]string // name: Range of each request
}

func newServer(t *testing.T) *server {
	t.Helper()
	s := &server{files: map[string][]byte{}, gets: map[string][]string{}}
	for _, name := range releaseNames() {
		s.files[name] = zipOf(t, name, "content of "+name)
	}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
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

func etagOf(data []byte) string {
	h := fnv.New64a()
	_, _ = h.Write(data)
	return fmt.Sprintf("%q", hex.EncodeToString(h.Sum(nil)))
}

func (s *server) file(name string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files[name]
}

func (s *server) put(name string, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[name] = data
}

// ranges returns the Range header of every request for a file.
func (s *server) ranges(name string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gets[name]
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Accept-Encoding") != "identity" {
		http.Error(w, "asked for a compressed transfer", http.StatusNotAcceptable)
		return
	}
	if r.Header.Get("Range") != "" && r.Header.Get("If-Range") == "" {
		http.Error(w, "might continue with bytes of another file", http.StatusPreconditionRequired)
		return
	}
	if r.Method == "PROPFIND" {
		s.serveList(w, r)
		return
	}
	name := path.Base(r.URL.Path)
	s.mu.Lock()
	data, ok := s.files[name]
	s.gets[name] = append(s.gets[name], r.Header.Get("Range"))
	nth := len(s.gets[name])
	s.mu.Unlock()
	if !ok || path.Dir(r.URL.Path) != root+"/"+month {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("ETag", etagOf(data))
	w.Header().Set("Content-Type", "application/zip")
	if s.get == nil || !s.get(w, r, name, nth) {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	}
}

func (s *server) serveList(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.lists++
	nth := s.lists
	s.mu.Unlock()
	if s.list != nil && s.list(w, r, nth) {
		return
	}
	s.mu.Lock()
	files := maps.Clone(s.files)
	s.mu.Unlock()
	var b strings.Builder
	switch {
	case r.Header.Get("Depth") != "1":
		http.Error(w, "depth", http.StatusForbidden)
		return
	case r.URL.Path == root+"/":
		b.WriteString(folderXML(root+"/") + folderXML(root+"/2026-09/") + folderXML(root+"/2026-08/") + folderXML(root+"/temp/"))
	case r.URL.Path == root+"/"+month+"/":
		b.WriteString(folderXML(r.URL.Path))
		for name, data := range files {
			b.WriteString(fileXML(r.URL.Path+name, len(data), etagOf(data)))
		}
	default:
		http.NotFound(w, r)
		return
	}
	writeListing(w, b.String())
}

func writeListing(w http.ResponseWriter, responses string) {
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	w.WriteHeader(http.StatusMultiStatus)
	_, _ = w.Write([]byte(listingXML(responses)))
}

func listingXML(responses string) string {
	return `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns" xmlns:oc="http://owncloud.org/ns">` + responses + `</d:multistatus>`
}

func folderXML(href string) string {
	return `<d:response><d:href>` + href + `</d:href><d:propstat><d:prop><d:resourcetype><d:collection/></d:resourcetype>` +
		`<d:getetag>&quot;f&quot;</d:getetag><d:getlastmodified>Sat, 12 Sep 2026 13:00:00 GMT</d:getlastmodified></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>` +
		`<d:propstat><d:prop><d:getcontentlength/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat></d:response>`
}

func fileXML(href string, size int, etag string) string {
	return fmt.Sprintf(`<d:response><d:href>%s</d:href><d:propstat><d:prop><d:resourcetype/><d:getcontentlength>%d</d:getcontentlength>`+
		`<d:getetag>%s</d:getetag><d:getlastmodified>Sat, 12 Sep 2026 13:14:15 GMT</d:getlastmodified></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`,
		href, size, strings.ReplaceAll(etag, `"`, "&quot;"))
}

// client returns a client of s that notes its pauses instead of taking them.
func (s *server) client(t *testing.T, o Options) (*Client, *pauses) {
	t.Helper()
	c, err := New(s.URL+root, o)
	if err != nil {
		t.Fatal(err)
	}
	p := &pauses{}
	c.pause = p.take
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

// half sends half of a file and then cuts the connection.
func half(w http.ResponseWriter, r *http.Request, data []byte) {
	sendSome(w, r, data, len(data)/2)
	panic(http.ErrAbortHandler)
}

// sendSome sends the head of the right answer and the first n bytes of its body.
func sendSome(w http.ResponseWriter, r *http.Request, data []byte, n int) {
	status, from := http.StatusOK, 0
	if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err == nil {
		status = http.StatusPartialContent
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(data)-1, len(data)))
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(data)-from))
	w.WriteHeader(status)
	_, _ = w.Write(data[from : from+n])
	_ = http.NewResponseController(w).Flush()
}

// checkComplete compares dir with the share: every file, every checksum, and nothing else.
func (s *server) checkComplete(t *testing.T, dir string) {
	t.Helper()
	m := readManifest(t, dir)
	if m.Month != month {
		t.Errorf("manifest is of %q", m.Month)
	}
	for _, name := range releaseNames() {
		want := s.file(name)
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes that differ from the %d published (%v)", name, len(got), len(want), err)
		}
		sum := sha256.Sum256(want)
		r := m.Files[name]
		if r.SHA256 != hex.EncodeToString(sum[:]) || r.Bytes != int64(len(want)) || r.ETag != etagOf(want) {
			t.Errorf("%s: manifest says %+v", name, r)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(releaseNames())+1 {
		t.Errorf("the folder has %d entries (%v): %v", len(entries), err, entries)
	}
}

func readManifest(t *testing.T, dir string) manifest {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		t.Fatal(err)
	}
	var m manifest
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	return m
}
