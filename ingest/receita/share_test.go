package receita

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"razao/ingest/download"
	"razao/internal/web/fetch"
	"razao/internal/web/fetch/fetchtest"
)

func TestNewShareRefusesWhatIsNoAddress(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"", "arquivos.example/x", "ftp://host/x", "https://", "https://host/x?y=z", "https://host/#s", "http://[::1"} {
		if _, err := NewShare(base, download.Settings{}); err == nil {
			t.Errorf("%q was accepted", base)
		}
	}
	if _, err := NewShare(DefaultShare, download.Settings{}); err != nil {
		t.Error(err)
	}
}

func TestShareMonths(t *testing.T) {
	t.Parallel()
	s := newShareServer(t)
	c := s.share(t, download.Settings{})
	got, err := c.Months(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"2026-08", "2026-09"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestTokenAsUser(t *testing.T) {
	t.Parallel()
	s := newShareServer(t)
	s.list = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		if user, password, ok := r.BasicAuth(); ok && user == "TOKEN" && password == "" {
			return false
		}
		w.WriteHeader(http.StatusUnauthorized)
		return true
	}
	if c := s.share(t, download.Settings{}); c != nil {
		if _, err := c.Months(t.Context()); err == nil || !strings.Contains(err.Error(), "401") {
			t.Errorf("without token: %v", err)
		}
	}
	c, err := NewShare(strings.Replace(s.URL, "http://", "http://TOKEN:@", 1)+shareRoot+"/", download.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Months(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestListKeepsTheOrderOfTheFormat(t *testing.T) {
	t.Parallel()
	s := newShareServer(t)
	s.put("Regime.zip", []byte("not ours"))
	s.put("LEIAME.txt", []byte("not ours"))
	c := s.share(t, download.Settings{})
	listed, err := c.List(t.Context(), month, Accept{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range listed.Files {
		names = append(names, f.Name)
	}
	if diff := cmp.Diff(releaseNames(), names); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"LEIAME.txt", "Regime.zip"}, sorted(listed.Unread)); diff != "" {
		t.Error(diff)
	}
	data := s.file("Empresas0.zip")
	want := ListedFile{Name: "Empresas0.zip", Bytes: int64(len(data)), ETag: fetchtest.ETag(data)}
	if diff := cmp.Diff(want, listed.Files[0]); diff != "" {
		t.Error(diff)
	}
}

func TestIncompleteMonth(t *testing.T) {
	t.Parallel()
	s := newShareServer(t)
	s.put("Socios3.zip", nil)
	s.put("Paises.zip", []byte{}) // listed with 0 bytes: still being written
	c := s.share(t, download.Settings{})
	listed, err := c.List(t.Context(), month, Accept{})
	var incomplete *IncompleteError
	if !errors.As(err, &incomplete) {
		t.Fatalf("got %v", err)
	}
	if diff := cmp.Diff(&IncompleteError{Month: month, Missing: []string{"Socios3.zip", "Paises.zip"}}, incomplete); diff != "" {
		t.Error(diff)
	}
	if len(listed.Files) != 35 {
		t.Errorf("%d files beside the error", len(listed.Files))
	}
	if _, err := c.Fetch(t.Context(), month, t.TempDir(), Accept{}); !errors.As(err, &incomplete) || len(s.Sent(0)) != 0 {
		t.Errorf("Fetch: %v after %d downloads", err, len(s.Sent(0)))
	}
}

func TestListingErrors(t *testing.T) {
	t.Parallel()
	page := func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "text/html; charset=UTF-8")
		_, _ = w.Write([]byte("<!DOCTYPE html><html><body>Entrar</body></html>"))
	}
	cases := map[string]struct {
		answer func(w http.ResponseWriter)
		want   string
		calls  int
		moved  bool // the message says where the share may be now
	}{
		"page":         {page, "web page", 1, true},
		"page as 207":  {func(w http.ResponseWriter) { w.WriteHeader(207); _, _ = w.Write([]byte("\n<HTML>")) }, "web page", 1, true},
		"page as 404":  {func(w http.ResponseWriter) { w.WriteHeader(404); page(w) }, "404 Not Found", 1, true},
		"not found":    {func(w http.ResponseWriter) { w.WriteHeader(404) }, "404 Not Found", 1, true},
		"gone":         {func(w http.ResponseWriter) { w.WriteHeader(410) }, "410 Gone", 1, true},
		"unauthorized": {func(w http.ResponseWriter) { w.WriteHeader(401) }, "401 Unauthorized", 1, true},
		"forbidden":    {func(w http.ResponseWriter) { w.WriteHeader(403) }, "403 Forbidden", 1, true},
		"no WebDAV":    {func(w http.ResponseWriter) { w.WriteHeader(405) }, "405 Method Not Allowed", 1, true},
		"login page":   {func(w http.ResponseWriter) { w.Header().Set("Location", "/login"); w.WriteHeader(302) }, "moved to", 1, true},
		"busy":         {func(w http.ResponseWriter) { w.WriteHeader(503) }, "503 Service Unavailable", maxFailures, false},
		"broken":       {func(w http.ResponseWriter) { w.WriteHeader(500); page(w) }, "500 Internal Server Error", maxFailures, false},
		"half a list": {func(w http.ResponseWriter) {
			w.WriteHeader(207)
			_, _ = w.Write([]byte(`<d:multistatus xmlns:d="DAV:"><d:response>`))
		}, "unreadable listing", maxFailures, false},
		"endless": {func(w http.ResponseWriter) {
			w.WriteHeader(207)
			_, _ = w.Write([]byte(strings.Repeat(" ", maxListing+1)))
		}, "answers with more than", 1, false},
		"elsewhere": {func(w http.ResponseWriter) { w.Header().Set("Location", "/new/"); w.WriteHeader(301) }, "moved to", 1, true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShareServer(t)
			s.list = func(w http.ResponseWriter, _ *http.Request, _ int) bool { tc.answer(w); return true }
			c := s.share(t, download.Settings{})
			_, err := c.List(t.Context(), month, Accept{})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("got %v, want %q", err, tc.want)
			}
			if s.lists() != tc.calls {
				t.Errorf("%d requests, want %d", s.lists(), tc.calls)
			}
			checkSaysWhere(t, err, tc.moved)
			_, err = c.Months(t.Context())
			checkSaysWhere(t, err, tc.moved)
		})
	}
}

func TestMonthIsNoPath(t *testing.T) {
	t.Parallel()
	s := newShareServer(t)
	c := s.share(t, download.Settings{})
	for _, m := range []string{"", "..", "2026-13", "2026-09/..", "../2026-09"} {
		if _, err := c.List(t.Context(), m, Accept{}); err == nil || s.lists() != 0 {
			t.Errorf("%q: %v after %d requests", m, err, s.lists())
		}
	}
}

func TestNoMonths(t *testing.T) {
	t.Parallel()
	s := newShareServer(t)
	s.list = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		fetchtest.WriteListing(w, fetchtest.FolderXML(r.URL.Path)+fetchtest.FolderXML(r.URL.Path+"temp/")+fetchtest.FileXML(r.URL.Path+"2026-07", 3, `"x"`))
		return true
	}
	c := s.share(t, download.Settings{})
	months, err := c.Months(t.Context())
	if err == nil {
		t.Fatalf("got %v", months)
	}
	checkSaysWhere(t, err, true)
}

// checkSaysWhere checks whether an error names the setting of the address, and where to find the present
// one, once.
func checkSaysWhere(t *testing.T, err error, want bool) {
	t.Helper()
	for _, text := range []string{"RAZAO_RECEITA_URL", "https://dados.gov.br/", "index.php/s/TOKEN"} {
		if n := strings.Count(err.Error(), text); n != map[bool]int{true: 1}[want] {
			t.Errorf("%s is %d times in: %v", text, n, err)
		}
	}
}

// TestAnUnknownHostMayHaveMoved: the publisher has changed its host, too.
func TestAnUnknownHostMayHaveMoved(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why   error
		moved bool
	}{
		{&net.DNSError{Err: "no such host", Name: "arquivos.exemplo", IsNotFound: true}, true},
		{&net.DNSError{Err: "server misbehaving", Name: "arquivos.exemplo", IsTemporary: true}, false},
		{syscall.ECONNREFUSED, false},
	} {
		client := &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) { return nil, c.why })}
		share, err := NewShare("https://arquivos.exemplo/", download.Settings{Client: client, Sleep: func(context.Context, time.Duration) error { return nil }})
		if err != nil {
			t.Fatal(err)
		}
		_, err = share.Months(t.Context())
		if !errors.Is(err, c.why) || !strings.Contains(err.Error(), "try again later") {
			t.Errorf("got %v", err)
		}
		checkSaysWhere(t, err, c.moved)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestShareRedirects(t *testing.T) {
	t.Parallel()
	cases := []struct {
		from, to string
		allowed  bool
	}{
		{"https://a/x", "https://a/y", true},
		{"https://a/x", "https://b/x", true},
		{"http://a/x", "https://b/x", true},
		{"http://a/x", "http://a/y", true},
		{"http://a/x", "http://b/x", false},
		{"http://a/x", "http://a:81/x", false},
		{"https://a/x", "http://a/x", false},
		{"https://a/x", "file:///etc/passwd", false},
	}
	for _, tc := range cases {
		first, next := httptest.NewRequest(http.MethodGet, tc.from, nil), httptest.NewRequest(http.MethodGet, tc.from, nil)
		var err error
		if next.URL, err = url.Parse(tc.to); err != nil {
			t.Fatal(err)
		}
		err = checkRedirect(next, []*http.Request{first})
		if (err == nil) != tc.allowed {
			t.Errorf("%s to %s: %v", tc.from, tc.to, err)
		}
		if err := checkRedirect(next, slices.Repeat([]*http.Request{first}, 10)); !errors.Is(err, fetch.ErrRedirect) {
			t.Errorf("the eleventh redirect: %v", err)
		}
	}
}
