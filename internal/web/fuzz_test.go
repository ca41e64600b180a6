package web

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
)

// FuzzForm checks that a form is parsed, or refused with one of the two errors that have a status.
func FuzzForm(f *testing.F) {
	f.Add("application/x-www-form-urlencoded", "a=1&b=%zz;&&=")
	f.Add("application/x-www-form-urlencoded; charset=\"", strings.Repeat("a", 2000))
	f.Fuzz(func(t *testing.T, media, body string) {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		r.Body = http.MaxBytesReader(httptest.NewRecorder(), r.Body, 1000)
		r.Header.Set("Content-Type", media)
		if err := readForm(r); err != nil && !errors.Is(err, ErrForm) && !errors.Is(err, ErrFormTooLarge) {
			t.Errorf("%q %q: %v", media, body, err)
		}
	})
}

// FuzzForwardedFor checks that a client cannot spoof its address: only what the trusted proxy
// appended counts, in each form in which proxies write an address.
func FuzzForwardedFor(f *testing.F) {
	f.Add("198.51.100.7, 10.0.0.1", true)
	f.Add("::ffff:1.2.3.4%eth0,", false)
	f.Add(`"[2001:db8::1]:4711", "`, true)
	var seen netip.Addr
	engine := NewEngine(Options{Log: slog.New(slog.DiscardHandler), TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}})
	engine.GET("/", func(c *gin.Context) { seen = ClientOf(c) })
	f.Fuzz(func(t *testing.T, forwarded string, proxied bool) {
		peer, written, want := "203.0.113.9:1234", []string{""}, netip.MustParseAddr("203.0.113.9")
		if proxied {
			peer, want = "10.1.2.3:1234", netip.MustParseAddr("198.51.100.1")
			written = []string{", 198.51.100.1", ", 198.51.100.1:4711", `, "198.51.100.1:4711"`, ", [::ffff:198.51.100.1]:80"}
		}
		for _, suffix := range written {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Header.Set("X-Forwarded-For", forwarded+suffix)
			r.RemoteAddr = peer
			engine.ServeHTTP(httptest.NewRecorder(), r)
			if seen != want {
				t.Errorf("X-Forwarded-For: %s%s from %s: %v, want %v", forwarded, suffix, peer, seen, want)
			}
		}
	})
}

// FuzzConditional sends arbitrary conditional and range headers: the response is the whole page or
// a
// 304.
func FuzzConditional(f *testing.F) {
	f.Add("Sat, 12 Sep 2026 10:30:15 GMT", `"x"`, "bytes=0-1,2-", "br;q=0")
	f.Add("0", "*", "bytes=-9223372036854775809", "gzip;q=99999999999")
	engine := quiet()
	var s Sender
	body := []byte(strings.Repeat("página ", 400))
	tag := ETag(body)
	Get(engine, "/", func(c *gin.Context) {
		c.Header("Last-Modified", "Sat, 12 Sep 2026 10:30:15 GMT")
		s.Send(c, Reply{200, "text/plain", tag, Caching{}, body})
	})
	f.Fuzz(func(t *testing.T, since, noneMatch, ranges, encoding string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		for name, value := range map[string]string{
			"If-Modified-Since": since, "If-None-Match": noneMatch, "Range": ranges, "If-Range": since, "Accept-Encoding": encoding, "Accept": noneMatch,
		} {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		engine.ServeHTTP(w, r)
		switch whole := w.Body.Len() > 0; {
		case w.Code == http.StatusOK && whole, w.Code == http.StatusNotModified && !whole:
		default:
			t.Errorf("%d with %d bytes", w.Code, w.Body.Len())
		}
	})
}
