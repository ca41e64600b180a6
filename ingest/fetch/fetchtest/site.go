// Package fetchtest is a publisher on loopback for the tests of downloads: files at paths, their folders by WebDAV, and
// hooks that misbehave.
package fetchtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Site is a publisher. It refuses what a careful client never sends.
type Site struct {
	*httptest.Server

	// Answer misbehaves, if set: it is told which request of its method and path it is, from 1 on, and returns true when it has
	// answered it. The ETag of the file is set already.
	Answer func(w http.ResponseWriter, r *http.Request, nth int) bool

	mu    sync.Mutex
	files map[string][]byte
	asked []Request
}

// Request is one that the site was asked.
type Request struct {
	Method string
	Path   string // with the query, without the first slash
	Range  string
	Status int // 0 until it is answered
}

// NewSite starts a site with files at paths without a first slash.
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

// Put publishes a file, nil to take it away.
func (s *Site) Put(path string, content []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files[path] = content; content == nil {
		delete(s.files, path)
	}
}

// File returns what lies at a path.
func (s *Site) File(path string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files[path]
}

// Asked returns the requests so far, in order.
func (s *Site) Asked() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// Ranges returns the Range header of each request to get a path.
func (s *Site) Ranges(path string) (ranges []string) {
	for _, r := range s.Asked() {
		if r.Path == path && r.Method == http.MethodGet {
			ranges = append(ranges, r.Range)
		}
	}
	return ranges
}

// Sent returns the paths of the files that were sent, whole or in part, since the first so many requests.
func (s *Site) Sent(since int) (paths []string) {
	for _, r := range s.Asked()[since:] {
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
	out := &watched{ResponseWriter: w, status: func(status int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked[this].Status = status
	}}
	s.answer(out, r, content, nth)
}

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

// list answers PROPFIND: a folder, and the files and folders right below it.
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

// watched notes the status of an answer.
type watched struct {
	http.ResponseWriter
	status func(int)
}

// WriteHeader implements http.ResponseWriter.
func (w *watched) WriteHeader(status int) {
	w.status(status)
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *watched) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// ETag returns the tag of a file.
func ETag(content []byte) string {
	sum := sha256.Sum256(content)
	return fmt.Sprintf("%q", hex.EncodeToString(sum[:8]))
}

// WriteListing answers PROPFIND with entries that FolderXML and FileXML make.
func WriteListing(w http.ResponseWriter, entries string) {
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	w.WriteHeader(http.StatusMultiStatus)
	_, _ = w.Write([]byte(ListingXML(entries)))
}

// ListingXML is the document around entries.
func ListingXML(entries string) string {
	return `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns" xmlns:oc="http://owncloud.org/ns">` + entries + `</d:multistatus>`
}

// FolderXML is the entry of a folder.
func FolderXML(href string) string {
	return `<d:response><d:href>` + href + `</d:href><d:propstat><d:prop><d:resourcetype><d:collection/></d:resourcetype>` +
		`<d:getetag>&quot;f&quot;</d:getetag><d:getlastmodified>Sat, 12 Sep 2026 13:00:00 GMT</d:getlastmodified></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>` +
		`<d:propstat><d:prop><d:getcontentlength/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat></d:response>`
}

// FileXML is the entry of a file.
func FileXML(href string, size int, etag string) string {
	return fmt.Sprintf(`<d:response><d:href>%s</d:href><d:propstat><d:prop><d:resourcetype/><d:getcontentlength>%d</d:getcontentlength>`+
		`<d:getetag>%s</d:getetag><d:getlastmodified>Sat, 12 Sep 2026 13:14:15 GMT</d:getlastmodified></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`,
		href, size, strings.ReplaceAll(etag, `"`, "&quot;"))
}

// Half sends half of a file and then cuts the connection.
func Half(w http.ResponseWriter, r *http.Request, content []byte) {
	SendSome(w, r, content, len(content)/2)
	panic(http.ErrAbortHandler)
}

// SendSome sends the head of the right answer and the first n bytes of its body.
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
