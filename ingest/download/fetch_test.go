package download

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"razao/internal/web/fetch/fetchtest"
)

// What the servers of these tests misbehave with: a zip of CGU.
const (
	badPath = "ceis/20260930"
	badName = "20260930_CEIS.zip"
)

// fetchBad downloads the zip from a site into dir.
func (s *site) fetchBad(t *testing.T, dir string, o Options) error {
	t.Helper()
	o.Period = "2026-09-30"
	files, err := Fetch(t.Context(), "ceis", dir, o)
	if err == nil {
		if diff := cmp.Diff([]string{filepath.Join(dir, badName)}, files); diff != "" {
			t.Error(diff)
		}
	}
	return err
}

func TestFetchSurvivesBadServers(t *testing.T) {
	t.Parallel()
	content := zipOf(t, "content")
	newer := zipOf(t, "newer")
	size := len(content)
	mid := fmt.Sprintf("bytes=%d-", size/2)
	cases := map[string]struct {
		hook func(w http.ResponseWriter, r *http.Request, nth int) bool
		want []string // Range of each request
	}{
		"good": {func(http.ResponseWriter, *http.Request, int) bool { return false }, []string{""}},
		"cut once": {func(w http.ResponseWriter, r *http.Request, nth int) bool {
			if nth == 1 {
				fetchtest.Half(w, r, content)
			}
			return false
		}, []string{"", mid}},
		"busy, then cut, then busy": {func(w http.ResponseWriter, r *http.Request, nth int) bool {
			switch nth {
			case 1, 3:
				w.WriteHeader(http.StatusServiceUnavailable)
				return true
			case 2:
				fetchtest.Half(w, r, content)
			}
			return false
		}, []string{"", "", mid, mid}},
		"being generated": {func(w http.ResponseWriter, _ *http.Request, nth int) bool {
			if nth <= 3 {
				w.WriteHeader(http.StatusAccepted)
			}
			return nth <= 3
		}, []string{"", "", "", ""}},
		"ignores Range": {func(w http.ResponseWriter, r *http.Request, nth int) bool {
			r.Header.Del("Range")
			if nth == 1 {
				fetchtest.Half(w, r, content)
			}
			return false
		}, []string{"", mid}},
		"other range than asked": {func(w http.ResponseWriter, r *http.Request, nth int) bool {
			switch nth {
			case 1:
				fetchtest.Half(w, r, content)
			case 2:
				r.Header.Set("Range", "bytes=1-")
			}
			return false
		}, []string{"", mid, ""}},
		"range that was not asked": {func(w http.ResponseWriter, r *http.Request, nth int) bool {
			if nth == 1 {
				r.Header.Set("Range", "bytes=1-")
			}
			return false
		}, []string{"", ""}},
		"does not know the range": {func(w http.ResponseWriter, r *http.Request, nth int) bool {
			switch nth {
			case 1:
				fetchtest.Half(w, r, content)
			case 2:
				w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
				return true
			}
			return false
		}, []string{"", mid, ""}},
		"another version's tail": {func(w http.ResponseWriter, r *http.Request, nth int) bool {
			switch nth {
			case 1:
				fetchtest.Half(w, r, content)
			case 2:
				w.Header().Set("ETag", fetchtest.ETag(newer))
				fetchtest.SendSome(w, r, content, size-size/2)
				return true
			}
			return false
		}, []string{"", mid, ""}},
		"another version when asked again": {func(w http.ResponseWriter, r *http.Request, nth int) bool {
			if nth == 1 {
				w.Header().Set("ETag", fetchtest.ETag(newer))
				fetchtest.Half(w, r, newer)
			}
			return false
		}, []string{"", fmt.Sprintf("bytes=%d-", len(newer)/2)}},
		"too short without saying so": {func(w http.ResponseWriter, _ *http.Request, nth int) bool {
			if nth == 1 {
				_ = http.NewResponseController(w).Flush()
				_, _ = w.Write(content[:size/2])
			}
			return nth == 1
		}, []string{"", ""}},
		"damaged once": {func(w http.ResponseWriter, _ *http.Request, nth int) bool {
			if nth == 1 {
				damaged := bytes.Clone(content)
				damaged[size/2] ^= 1
				_, _ = w.Write(damaged)
			}
			return nth == 1
		}, []string{"", ""}},
		"empty once": {func(_ http.ResponseWriter, _ *http.Request, nth int) bool { return nth == 1 }, []string{"", ""}},
		"no name for its versions": {func(w http.ResponseWriter, r *http.Request, nth int) bool {
			w.Header().Del("ETag")
			if nth == 1 {
				fetchtest.Half(w, r, content)
			}
			return false
		}, []string{"", ""}},
		"weak name only": {func(w http.ResponseWriter, r *http.Request, nth int) bool {
			w.Header().Set("ETag", "W/"+w.Header().Get("ETag"))
			if nth == 1 {
				fetchtest.Half(w, r, content)
			}
			return false
		}, []string{"", ""}},
		"only a date": {func(w http.ResponseWriter, r *http.Request, nth int) bool {
			const date = "Wed, 30 Sep 2026 10:00:00 GMT"
			w.Header().Del("ETag")
			w.Header().Set("Last-Modified", date)
			if nth == 1 {
				fetchtest.Half(w, r, content)
			}
			if r.Header.Get("If-Range") == date {
				fetchtest.SendSome(w, r, content, size-size/2)
				return true
			}
			return false
		}, []string{"", mid}},
		"a byte each time": {func(w http.ResponseWriter, r *http.Request, nth int) bool {
			if nth <= 2*maxFailures {
				fetchtest.SendSome(w, r, content, 1)
				panic(http.ErrAbortHandler)
			}
			return false
		}, append([]string{""}, rangesFrom(1, 2*maxFailures)...)},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, map[string][]byte{badPath: content})
			s.hook = tc.hook
			o, _ := s.options()
			dir := t.TempDir()
			if err := s.fetchBad(t, dir, o); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(map[string]string{badName: string(content)}, filesIn(t, dir)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tc.want, s.Ranges(badPath)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func rangesFrom(first, last int) (all []string) {
	for i := first; i <= last; i++ {
		all = append(all, fmt.Sprintf("bytes=%d-", i))
	}
	return all
}

func TestFetchGivesUp(t *testing.T) {
	t.Parallel()
	content := zipOf(t, "content")
	cases := map[string]struct {
		hook  func(w http.ResponseWriter, r *http.Request, nth int) bool
		want  string
		calls int
	}{
		"always busy":     {answer503, "503 Service Unavailable", maxFailures},
		"gone":            {func(w http.ResponseWriter, _ *http.Request, _ int) bool { w.WriteHeader(410); return true }, "410 Gone", 1},
		"bad request":     {func(w http.ResponseWriter, _ *http.Request, _ int) bool { w.WriteHeader(400); return true }, "400 Bad Request", 1},
		"nothing changed": {func(w http.ResponseWriter, _ *http.Request, _ int) bool { w.WriteHeader(304); return true }, "304 Not Modified", 1},
		"firewall": {func(w http.ResponseWriter, _ *http.Request, _ int) bool {
			w.Header().Set("X-Amzn-Waf-Action", "challenge")
			w.WriteHeader(http.StatusAccepted)
			return true
		}, "wants to see a browser", 1},
		"always damaged": {func(w http.ResponseWriter, _ *http.Request, _ int) bool {
			_, _ = w.Write(make([]byte, len(content)))
			return true
		}, "published file is broken", maxDamaged},
		"zip of nothing": {func(w http.ResponseWriter, _ *http.Request, _ int) bool {
			_, _ = w.Write(append([]byte("PK\x05\x06"), make([]byte, 18)...))
			return true
		}, "no members", maxDamaged},
		"always empty": {func(http.ResponseWriter, *http.Request, int) bool { return true }, "empty file", maxFailures},
		"never further": {func(w http.ResponseWriter, r *http.Request, _ int) bool {
			r.Header.Del("Range")
			fetchtest.Half(w, r, content)
			return true
		}, "brought nothing", maxFailures},
		"page": {func(w http.ResponseWriter, _ *http.Request, _ int) bool {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte("blocked"))
			return true
		}, "web page", 1},
		"page that does not say so": {func(w http.ResponseWriter, _ *http.Request, _ int) bool {
			w.Header().Set("Content-Type", "application/zip")
			_, _ = w.Write([]byte("\n<!DOCTYPE html><title>Request Rejected</title>"))
			return true
		}, "web page", 1},
		"larger than anything": {func(w http.ResponseWriter, _ *http.Request, _ int) bool {
			w.Header().Set("Content-Length", fmt.Sprint(int64(maxBytes)+1))
			return true
		}, "more than 17179869184 bytes", 1},
		"redirects in a circle": {func(w http.ResponseWriter, r *http.Request, _ int) bool {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
			return true
		}, "more than 10 redirects", 10},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, map[string][]byte{badPath: content})
			s.hook = tc.hook
			o, _ := s.options()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, badName), []byte("of before"), 0o600); err != nil {
				t.Fatal(err)
			}
			err := s.fetchBad(t, dir, o)
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), badName) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
			if got := s.times(badPath); got != tc.calls {
				t.Errorf("%d requests, want %d", got, tc.calls)
			}
			if got := filesIn(t, dir)[badName]; got != "of before" {
				t.Errorf("the file has become %q", got)
			}
		})
	}
}

func answer503(w http.ResponseWriter, _ *http.Request, _ int) bool {
	w.WriteHeader(http.StatusServiceUnavailable)
	return true
}

func TestFetchFollowsTheFileToAnotherHost(t *testing.T) {
	t.Parallel()
	content := zipOf(t, "content")
	store := newSite(t, map[string][]byte{"saida/ceis/x.zip": content})
	store.hook = func(w http.ResponseWriter, r *http.Request, nth int) bool {
		if nth == 1 {
			fetchtest.Half(w, r, content)
		}
		return false
	}
	s := newSite(t, nil)
	s.hook = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		http.Redirect(w, r, store.URL+"/saida/ceis/x.zip", http.StatusFound)
		return true
	}
	o, _ := s.options()
	dir := t.TempDir()
	if err := s.fetchBad(t, dir, o); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{badName: string(content)}, filesIn(t, dir)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"", fmt.Sprintf("bytes=%d-", len(content)/2)}, store.Ranges("saida/ceis/x.zip")); diff != "" {
		t.Error(diff)
	}
}

func TestFetchSurvivesStalls(t *testing.T) {
	t.Parallel()
	content := zipOf(t, "content")
	s := newSite(t, map[string][]byte{badPath: content})
	s.hook = func(w http.ResponseWriter, r *http.Request, nth int) bool {
		if nth > 2 {
			return false
		}
		if nth == 2 {
			fetchtest.SendSome(w, r, content, len(content)/2)
		}
		<-r.Context().Done() // until the client hangs up: once before the head, once in the body
		return true
	}
	o, _ := s.options()
	o.Stall = 250 * time.Millisecond
	dir := t.TempDir()
	if err := s.fetchBad(t, dir, o); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{badName: string(content)}, filesIn(t, dir)); diff != "" {
		t.Error(diff)
	}
	last := s.Ranges(badPath)[s.times(badPath)-1]
	if want := fmt.Sprintf("bytes=%d-", len(content)/2); last != want {
		t.Errorf("after the stall %q was asked for, want %q", last, want)
	}
}

// slowly is a publisher that sends a file byte by byte, with a pause before each, and after some of them breaks off.
type slowly struct {
	content []byte
	pause   time.Duration
	breaks  int // bytes of an answer
	asked   int
}

// RoundTrip implements http.RoundTripper.
func (s *slowly) RoundTrip(req *http.Request) (*http.Response, error) {
	s.asked++
	from, status := 0, http.StatusOK
	header := http.Header{"Etag": {fetchtest.ETag(s.content)}}
	if _, err := fmt.Sscanf(req.Header.Get("Range"), "bytes=%d-", &from); err == nil {
		status = http.StatusPartialContent
		header.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(s.content)-1, len(s.content)))
	}
	rest := s.content[from:min(from+s.breaks, len(s.content))]
	return &http.Response{
		StatusCode: status, Header: header, ContentLength: int64(len(s.content) - from), Request: req,
		Body: io.NopCloser(&dribble{s, rest}),
	}, nil
}

type dribble struct {
	*slowly
	rest []byte
}

// Read implements io.Reader.
func (d *dribble) Read(p []byte) (int, error) {
	if len(d.rest) == 0 {
		return 0, io.ErrUnexpectedEOF
	}
	time.Sleep(d.pause)
	p[0], d.rest = d.rest[0], d.rest[1:]
	return 1, nil
}

// TestFetchGivesUpTricklesToo: neither a byte now and then nor a byte for each request counts as progress for long.
func TestFetchGivesUpTricklesToo(t *testing.T) {
	t.Parallel()
	content := bytes.Repeat([]byte("0123456789"), 100_000)
	for name, server := range map[string]*slowly{
		"a byte every two seconds":    {content: content, pause: 2 * time.Second, breaks: len(content)},
		"a byte for each request":     {content: content, breaks: 1},
		"a byte in time, then broken": {content: content, pause: 20 * time.Second, breaks: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				s := Settings{Client: &http.Client{Transport: server}}
				_, err := Fetch(t.Context(), "ceis", dir, Options{Period: "2026-09-30", Settings: s})
				if err == nil || !strings.Contains(err.Error(), "brought nothing") {
					t.Errorf("got %v", err)
				}
				if took := time.Since(began); took > 20*time.Minute || server.asked > 150 {
					t.Errorf("given up after %s and %d requests", took, server.asked)
				}
			})
		})
	}
}

func TestFetchWaitsAsAsked(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string][]byte{badPath: zipOf(t, "content")})
	s.hook = func(w http.ResponseWriter, _ *http.Request, nth int) bool {
		switch nth {
		case 1:
			w.Header().Set("Retry-After", "77")
			w.WriteHeader(http.StatusTooManyRequests)
		case 2:
			w.WriteHeader(http.StatusAccepted)
		}
		return nth <= 2
	}
	o, p := s.options()
	if err := s.fetchBad(t, t.TempDir(), o); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]time.Duration{77 * time.Second, generating}, p.taken); diff != "" {
		t.Error(diff)
	}
}

func TestFetchTellsProgress(t *testing.T) {
	t.Parallel()
	content := zipOf(t, "content")
	s := newSite(t, map[string][]byte{badPath: content})
	s.hook = func(w http.ResponseWriter, r *http.Request, nth int) bool {
		if nth == 1 {
			fetchtest.Half(w, r, content)
		}
		return false
	}
	o, _ := s.options()
	var last int64
	o.Progress = func(file string, done, total int64) {
		if file != badName || done < last || total != int64(len(content)) {
			t.Errorf("%s: %d of %d after %d", file, done, total, last)
		}
		last = done
	}
	var checked, unpacked int64
	o.Checking = func(_ string, done, total int64) { checked, unpacked = done, total }
	if err := s.fetchBad(t, t.TempDir(), o); err != nil {
		t.Fatal(err)
	}
	if last != int64(len(content)) || checked == 0 || checked != unpacked {
		t.Errorf("%d bytes reported, %d of %d checked", last, checked, unpacked)
	}
}

func TestFetchNeedsSpace(t *testing.T) {
	t.Parallel()
	content := zipOf(t, "content")
	s := newSite(t, map[string][]byte{badPath: content})
	o, p := s.options()
	o.Period = "2026-09-30"
	for free, enough := range map[int]bool{len(content) - 1: false, len(content): true} {
		r, err := newRun("ceis", o)
		if err != nil {
			t.Fatal(err)
		}
		r.free = func(string) (int64, error) { return int64(free), nil }
		_, err = r.fetch(t.Context(), t.TempDir())
		if (err == nil) != enough || err != nil && !strings.Contains(err.Error(), "free space") {
			t.Errorf("%d bytes free: %v", free, err)
		}
	}
	if len(p.taken) > 0 {
		t.Error("a full disk was waited for")
	}
}

func TestFetchGoesOnAfterItWasStopped(t *testing.T) {
	t.Parallel()
	content := zipOf(t, "content")
	s := newSite(t, map[string][]byte{badPath: content})
	ctx, cancel := context.WithCancel(t.Context())
	s.hook = func(w http.ResponseWriter, r *http.Request, nth int) bool {
		if nth > 1 {
			return false
		}
		fetchtest.SendSome(w, r, content, len(content)/2)
		<-r.Context().Done()
		return true
	}
	o, _ := s.options()
	o.Period = "2026-09-30"
	o.Progress = func(_ string, done, _ int64) {
		if done == int64(len(content)/2) {
			cancel()
		}
	}
	dir := t.TempDir()
	_, err := Fetch(ctx, "ceis", dir, o)
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "start it again") {
		t.Fatalf("got %v", err)
	}
	if err := s.fetchBad(t, dir, o); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{badName: string(content)}, filesIn(t, dir)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"", fmt.Sprintf("bytes=%d-", len(content)/2)}, s.Ranges(badPath)); diff != "" {
		t.Error(diff)
	}
}
