// Package fetchtest is a publisher on loopback for tests of downloads. A [Site] serves files with
// ETags and byte ranges and lists folders by WebDAV (PROPFIND); hooks make it misbehave. It rejects
// requests that a careful client never sends: a range without If-Range, a compressed transfer of a
// file.
package fetchtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Site is a publisher. It is safe for concurrent use.
type Site struct {
	*httptest.Server

	// Answer makes the site misbehave. It is called with the number of requests of this method and
	// path so far, from 1, and returns true if it has answered this one. The file's ETag is in the
	// header already. nil: the site behaves. Set it before the first request.
	Answer func(w http.ResponseWriter, r *http.Request, nth int) bool

	mu    sync.Mutex
	files map[string][]byte
	asked []Request
}

// Request is a request that the site received.
type Request struct {
	Method string
	Path   string // with the query, without the leading slash
	Range  string // the header of that name
	Status int    // of the answer; 0 before it
}

// NewSite starts a site with files at paths without a leading slash. It stops when the test ends.
func NewSite(t testing.TB, files map[string][]byte) *Site {
	t.Helper()
	s := &Site{files: map[string][]byte{}}
	for path, content := range files {
		s.files[path] = content
	}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// Put publishes or replaces a file; nil content removes it.
func (s *Site) Put(path string, content []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files[path] = content; content == nil {
		delete(s.files, path)
	}
}

// PutZips publishes the ZIP files below a folder at their paths in it, below a prefix.
func (s *Site) PutZips(t testing.TB, prefix, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".zip" {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		s.Put(prefix+filepath.ToSlash(name), content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// File returns the content at a path, nil if there is none.
func (s *Site) File(path string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files[path]
}

// Requests returns the requests so far in the order of their arrival.
func (s *Site) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// Ranges returns the Range header of each GET of a path, "" for a whole file.
func (s *Site) Ranges(path string) (ranges []string) {
	for _, r := range s.Requests() {
		if r.Path == path && r.Method == http.MethodGet {
			ranges = append(ranges, r.Range)
		}
	}
	return ranges
}

// Sent returns the paths of the files that were sent, whole or in part, leaving out the first since
// requests.
func (s *Site) Sent(since int) (paths []string) {
	for _, r := range s.Requests()[since:] {
		if r.Method == http.MethodGet && (r.Status == http.StatusOK || r.Status == http.StatusPartialContent) {
			paths = append(paths, r.Path)
		}
	}
	return paths
}

// ServeHTTP implements http.Handler.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimPrefix(r.URL.RequestURI(), "/")
	s.mu.Lock()
	nth := 1
	for _, before := range s.asked {
		if before.Method == r.Method && before.Path == path {
			nth++
		}
	}
	this := len(s.asked)
	s.asked = append(s.asked, Request{Method: r.Method, Path: path, Range: r.Header.Get("Range")})
	content := s.files[path]
	s.mu.Unlock()
	out := &statusRecorder{ResponseWriter: w, status: func(status int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked[this].Status = status
	}}
	s.answer(out, r, content, nth)
}

// answer checks a request and answers it. nth is its number among those of its method and path.
func (s *Site) answer(w http.ResponseWriter, r *http.Request, content []byte, nth int) {
	asked := r.Header.Get("Range")
	switch {
	case content != nil && r.Header.Get("Accept-Encoding") != "identity":
		http.Error(w, "ranges count bytes of the file, not of a compressed transfer", http.StatusNotAcceptable)
		return
	case r.Method == http.MethodGet && asked != "" && asked != "bytes=0-0" && r.Header.Get("If-Range") == "":
		http.Error(w, "might continue with bytes of another file", http.StatusPreconditionRequired)
		return
	case content != nil:
		w.Header().Set("ETag", ETag(content))
	}
	switch {
	case s.Answer != nil && s.Answer(w, r, nth):
	case r.Method == "PROPFIND":
		s.list(w, r)
	case r.Method != http.MethodGet:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case content == nil:
		http.NotFound(w, r)
	default:
		w.Header().Set("Content-Type", "application/octet-stream")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	}
}

// list answers PROPFIND with Depth 1: a folder and its direct children.
func (s *Site) list(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Depth") != "1" {
		http.Error(w, "depth", http.StatusForbidden)
		return
	}
	s.mu.Lock()
	files := maps.Clone(s.files)
	s.mu.Unlock()
	entries := map[string]string{}
	for name, content := range files {
		rest, below := strings.CutPrefix("/"+name, r.URL.Path)
		folder, _, deeper := strings.Cut(rest, "/")
		switch {
		case !below:
		case deeper:
			entries[folder] = FolderXML(path.Join(r.URL.Path, folder) + "/")
		default:
			entries[rest] = FileXML(path.Join(r.URL.Path, rest), len(content), ETag(content))
		}
	}
	if len(entries) == 0 {
		http.NotFound(w, r)
		return
	}
	b := FolderXML(r.URL.Path)
	for _, entry := range entries {
		b += entry
	}
	WriteListing(w, b)
}

// statusRecorder records the status of an answer.
type statusRecorder struct {
	http.ResponseWriter
	status func(int)
}

// WriteHeader implements http.ResponseWriter.
func (w *statusRecorder) WriteHeader(status int) {
	w.status(status)
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *statusRecorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// ETag returns the strong entity tag of a content, with its quotes.
func ETag(content []byte) string {
	sum := sha256.Sum256(content)
	return fmt.Sprintf("%q", hex.EncodeToString(sum[:8]))
}

// WriteListing answers PROPFIND with entries made by FolderXML and FileXML.
func WriteListing(w http.ResponseWriter, entries string) {
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	w.WriteHeader(http.StatusMultiStatus)
	_, _ = w.Write([]byte(ListingXML(entries)))
}

// ListingXML returns the multistatus document around entries.
func ListingXML(entries string) string {
	return `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns" xmlns:oc="http://owncloud.org/ns">` + entries + `</d:multistatus>`
}

// FolderXML returns the entry of a folder, as Nextcloud sends it.
func FolderXML(href string) string {
	return `<d:response><d:href>` + href + `</d:href><d:propstat><d:prop><d:resourcetype><d:collection/></d:resourcetype>` +
		`<d:getetag>&quot;f&quot;</d:getetag><d:getlastmodified>Sat, 12 Sep 2026 13:00:00 GMT</d:getlastmodified></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>` +
		`<d:propstat><d:prop><d:getcontentlength/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat></d:response>`
}

// FileXML returns the entry of a file, as Nextcloud sends it.
func FileXML(href string, size int, etag string) string {
	return fmt.Sprintf(`<d:response><d:href>%s</d:href><d:propstat><d:prop><d:resourcetype/><d:getcontentlength>%d</d:getcontentlength>`+
		`<d:getetag>%s</d:getetag><d:getlastmodified>Sat, 12 Sep 2026 13:14:15 GMT</d:getlastmodified></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`,
		href, size, strings.ReplaceAll(etag, `"`, "&quot;"))
}

// Half sends the head and the first half of a file, then cuts the connection.
func Half(w http.ResponseWriter, r *http.Request, content []byte) {
	SendSome(w, r, content, len(content)/2)
	panic(http.ErrAbortHandler)
}

// SendSome sends the head of the right answer (200 or 206, with the full Content-Length) and the
// first n bytes of its body.
func SendSome(w http.ResponseWriter, r *http.Request, content []byte, n int) {
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
