package web

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/klauspost/compress/gzip"
)

// replying returns an engine that answers every request to / with r.
func replying(r Reply) *gin.Engine {
	engine := quiet()
	var s Sender
	Get(engine, "/", func(c *gin.Context) {
		s.Send(c, r)
	})
	return engine
}

var forCaller = Caching{For: Caller}

const typeJSON = "application/json; charset=utf-8"

func TestSend(t *testing.T) {
	t.Parallel()
	large, small := []byte(strings.Repeat("razão ", 1000)), []byte("razão")
	tag := ETag(large)
	zipped := strings.TrimSuffix(tag, `"`) + `-gzip"`
	tests := []struct {
		name     string
		reply    Reply
		header   []string
		status   int
		encoding string
		etag     string
	}{
		{"plain", Reply{200, typeJSON, tag, forCaller, large}, nil, 200, "", tag},
		{"gzip", Reply{200, typeJSON, tag, forCaller, large}, []string{"Accept-Encoding", "br, gzip"}, 200, "gzip", zipped},
		{"small", Reply{200, typeJSON, tag, forCaller, small}, []string{"Accept-Encoding", "gzip"}, 200, "", tag},
		{"not compressible", Reply{200, "font/woff2", tag, forCaller, large}, []string{"Accept-Encoding", "gzip"}, 200, "", tag},
		{"without a tag", Reply{200, typeJSON, "", forCaller, large}, []string{"If-None-Match", "*"}, 200, "", ""},
		{"error compressed", Reply{404, "text/html", "", forCaller, large}, []string{"Accept-Encoding", "gzip"}, 404, "gzip", ""},
		{"current", Reply{200, typeJSON, tag, forCaller, large}, []string{"If-None-Match", tag}, 304, "", tag},
		{"current, compressed", Reply{200, typeJSON, tag, forCaller, large}, []string{"If-None-Match", zipped, "Accept-Encoding", "gzip"}, 304, "", zipped},
		{"other", Reply{200, typeJSON, tag, forCaller, large}, []string{"If-None-Match", `"outro"`}, 200, "", tag},
		{"an error is never current", Reply{404, typeJSON, tag, forCaller, large}, []string{"If-None-Match", tag}, 404, "", tag},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			engine := replying(tt.reply)
			resp := do(engine, "GET", "/", tt.header...)
			if resp.StatusCode != tt.status || resp.Header.Get("Content-Encoding") != tt.encoding || resp.Header.Get("ETag") != tt.etag {
				t.Errorf("status %d, headers %v", resp.StatusCode, resp.Header)
			}
			if vary := resp.Header.Get("Vary"); (vary == "Accept-Encoding") != (tt.reply.ContentType != "font/woff2") {
				t.Errorf("Vary %q", vary)
			}
			if resp.Header.Get("Cache-Control") != "private, no-cache" {
				t.Errorf("Cache-Control %q", resp.Header.Get("Cache-Control"))
			}
			checkBody(t, resp, tt.reply)
			head := do(engine, "HEAD", "/", tt.header...)
			if body := bodyOf(t, head); body != "" || head.StatusCode != tt.status {
				t.Errorf("HEAD: status %d, body %q", head.StatusCode, body)
			}
			for _, name := range []string{"Content-Length", "Content-Type", "Content-Encoding", "ETag", "Vary"} {
				if got, want := head.Header.Get(name), resp.Header.Get(name); got != want {
					t.Errorf("HEAD: %s %q, GET has %q", name, got, want)
				}
			}
		})
	}
}

func checkBody(t *testing.T, resp *http.Response, r Reply) {
	t.Helper()
	sent := bodyOf(t, resp)
	if resp.StatusCode == http.StatusNotModified {
		if sent != "" || resp.Header.Get("Content-Length") != "" || resp.Header.Get("Content-Type") != "" {
			t.Errorf("304 with body %q, headers %v", sent, resp.Header)
		}
		return
	}
	if got := resp.Header.Get("Content-Length"); got != strconv.Itoa(len(sent)) {
		t.Errorf("Content-Length %s for %d bytes", got, len(sent))
	}
	if resp.Header.Get("Content-Encoding") == "gzip" {
		sent = unzip(t, sent)
	}
	if sent != string(r.Body) || resp.Header.Get("Content-Type") != r.ContentType {
		t.Errorf("body of %d bytes as %s, want %d as %s", len(sent), resp.Header.Get("Content-Type"), len(r.Body), r.ContentType)
	}
}

func unzip(t *testing.T, s string) string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(s))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestSendConcurrently(t *testing.T) {
	t.Parallel()
	engine := quiet()
	var s Sender
	Get(engine, "/:n", func(c *gin.Context) {
		s.Send(c, Reply{200, typeJSON, "", Caching{}, bytes.Repeat([]byte(c.Param("n")), 2000)})
	})
	server := httptest.NewServer(engine)
	defer server.Close()
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			n := strconv.Itoa(i)
			resp, err := http.Get(server.URL + "/" + n) // the client asks for gzip and undoes it
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = resp.Body.Close() }()
			if b, err := io.ReadAll(resp.Body); err != nil || !resp.Uncompressed || string(b) != strings.Repeat(n, 2000) {
				t.Errorf("answer %s: %d bytes, %v", n, len(b), err)
			}
		})
	}
	all.Wait()
}

func TestETag(t *testing.T) {
	t.Parallel()
	const want = `"RLws9a13CZk"` // XXH64("abc") = 44bc2cf5ad770999
	if got := ETag([]byte("abc")); got != want {
		t.Errorf("ETag = %s, want %s", got, want)
	}
	if ETag(nil) == want || ETag(nil) != ETag([]byte{}) {
		t.Errorf("ETag of nothing = %s", ETag(nil))
	}
}

func TestAcceptsGzip(t *testing.T) {
	t.Parallel()
	tests := []struct {
		header string
		want   bool
	}{
		{"", false},
		{"gzip", true},
		{"GZip", true},
		{"br;q=1.0, gzip;q=0.8, *;q=0.1", true},
		{"deflate, br", false},
		{"*", true},
		{"*;q=0", false},
		{"gzip;q=0", false},
		{"gzip; q=0.000", false},
		{"gzip;q=0, *", false},
		{"*;q=0, gzip", true},
		{"gzip;q=abc", false},
		{"identity", false},
		{"xgzip", false},
		{",,;,gzip", true},
	}
	accepts := func(header ...string) bool {
		return AcceptsGzip(&http.Request{Header: http.Header{"Accept-Encoding": header}})
	}
	for _, tt := range tests {
		if got := accepts(tt.header); got != tt.want {
			t.Errorf("AcceptsGzip(%q) = %v", tt.header, got)
		}
	}
	if !accepts("br", "gzip") || accepts() {
		t.Error("several headers are one list")
	}
}

func TestMatches(t *testing.T) {
	t.Parallel()
	tests := []struct {
		header string
		want   bool
	}{
		{"", false},
		{"*", true},
		{`"a"`, true},
		{`"a-gzip"`, true},
		{`W/"a"`, true},
		{`"b"`, false},
		{`"b", "a"`, true},
		{`"b,\"a"`, false},
		{`"b",W/"c" , W/"a"`, true},
		{`a`, false},
		{`"a`, false},
		{`"`, false},
		{`W/`, false},
		{`"b" a "a"`, false},
		{`,,"a"`, true},
	}
	for _, tt := range tests {
		if got := matches([]string{tt.header}, `"a"`); got != tt.want {
			t.Errorf("matches(%q) = %v", tt.header, got)
		}
	}
	if !matches([]string{`"b"`, `"a"`}, `"a"`) {
		t.Error("several headers are one list")
	}
}

func FuzzConditionalHeaders(f *testing.F) {
	f.Add(`W/"a", "b"`, "gzip;q=0.5, *")
	f.Add(`"`, ";=,")
	f.Fuzz(func(t *testing.T, ifNoneMatch, acceptEncoding string) {
		AcceptsGzip(&http.Request{Header: http.Header{"Accept-Encoding": {acceptEncoding}}})
		if matches([]string{ifNoneMatch}, `"a"`) && !strings.Contains(ifNoneMatch, `"a`) && !strings.Contains(ifNoneMatch, "*") {
			t.Errorf("%q matches", ifNoneMatch)
		}
	})
}

func TestUnchanged(t *testing.T) {
	t.Parallel()
	engine := quiet()
	var s Sender
	const changed = "Sat, 12 Sep 2026 10:30:15 GMT"
	tag := ETag([]byte("file"))
	Get(engine, "/", func(c *gin.Context) {
		c.Header("Last-Modified", changed)
		s.Send(c, Reply{200, "application/gzip", tag, Caching{}, []byte("file")})
	})
	Get(engine, "/costly", func(c *gin.Context) {
		c.Header("Last-Modified", changed)
		if !s.Current(c, tag) {
			s.Send(c, Reply{200, "application/gzip", tag, Caching{}, []byte("file")})
		}
	})
	for name, c := range map[string]struct {
		header []string
		status int
	}{
		"first":                {nil, 200},
		"same tag":             {[]string{"If-None-Match", tag}, 304},
		"weak tag":             {[]string{"If-None-Match", `"other", W/` + tag}, 304},
		"other tag":            {[]string{"If-None-Match", `"other"`}, 200},
		"same time":            {[]string{"If-Modified-Since", changed}, 304},
		"later":                {[]string{"If-Modified-Since", "Sun, 13 Sep 2026 00:00:00 GMT"}, 304},
		"earlier":              {[]string{"If-Modified-Since", "Sat, 12 Sep 2026 10:30:14 GMT"}, 200},
		"no time":              {[]string{"If-Modified-Since", "ontem"}, 200},
		"other tag, same time": {[]string{"If-None-Match", `"other"`, "If-Modified-Since", changed}, 200},
	} {
		for _, path := range []string{"/", "/costly"} {
			resp := do(engine, "GET", path, c.header...)
			body := bodyOf(t, resp)
			if resp.StatusCode != c.status || resp.Header.Get("ETag") != tag || resp.Header.Get("Last-Modified") != changed ||
				(body == "file") != (c.status == 200) {
				t.Errorf("%s, %s: status %d, headers %v, body %q", path, name, resp.StatusCode, resp.Header, body)
			}
		}
	}
}

// TestDocuments compares documents, which are compressed once, with replies of the same body.
func TestDocuments(t *testing.T) {
	t.Parallel()
	large := []byte(strings.Repeat("razão ", 1000))
	for _, body := range [][]byte{large, []byte("razão"), nil} {
		for _, kind := range []string{typeJSON, "font/woff2"} {
			engine := replying(Reply{200, kind, ETag(body), forCaller, body})
			Get(engine, "/document", NewDocument(kind, forCaller, body, nil).Send)
			Get(engine, "/packed", NewDocument(kind, forCaller, body, Compress(body)).Send)
			for _, header := range [][]string{
				nil, {"Accept-Encoding", "gzip"}, {"If-None-Match", ETag(body)}, {"If-None-Match", tagOf(ETag(body), true), "Accept-Encoding", "gzip"},
			} {
				want := do(engine, "GET", "/", header...)
				for _, path := range []string{"/document", "/packed"} {
					got := do(engine, "GET", path, header...)
					for _, name := range []string{"Content-Type", "Content-Encoding", "ETag", "Vary", "Cache-Control"} {
						if g, w := got.Header.Get(name), want.Header.Get(name); g != w {
							t.Errorf("%s of %d bytes as %s, %v: %s %q, want %q", path, len(body), kind, header, name, g, w)
						}
					}
					if got.StatusCode != want.StatusCode {
						t.Errorf("%s: status %d, want %d", path, got.StatusCode, want.StatusCode)
					}
					checkBody(t, got, Reply{Body: body, ContentType: kind})
				}
			}
		}
	}
}

// TestDocumentsHoldNothing sends a document while all of Options.Bodies is held: all requests share its
// bytes.
func TestDocumentsHoldNothing(t *testing.T) {
	t.Parallel()
	engine := NewEngine(Options{Log: slog.New(slog.DiscardHandler), Bodies: NewSharedSlots(heldSize, Share{}, 0)})
	large := bytes.Repeat([]byte{' '}, heldSize)
	document := NewDocument(typeJSON, forCaller, large, nil)
	engine.GET("/", func(c *gin.Context) {
		if err := EventOf(c.Request.Context()).Hold(heldSize); err != nil {
			t.Error(err)
		}
		for path, want := range map[string]int{"/document": 200, "/reply": 503} {
			if got := do(engine, "GET", path); got.StatusCode != want {
				t.Errorf("%s: status %d, want %d", path, got.StatusCode, want)
			}
		}
	})
	var s Sender
	engine.GET("/document", document.Send)
	engine.GET("/reply", func(c *gin.Context) { s.Send(c, Reply{200, typeJSON, "", forCaller, large}) })
	do(engine, "GET", "/")
}
