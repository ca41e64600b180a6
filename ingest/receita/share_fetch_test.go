package receita

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"razao/ingest/download"
	"razao/internal/data/record"
	"razao/internal/web/fetch/fetchtest"
)

// badFile is the file with which the servers of these tests misbehave.
const badFile = "Socios1.zip"

func TestFetchBadServers(t *testing.T) {
	t.Parallel()
	size := len(zipOf(t, badFile, "content of "+badFile))
	mid := fmt.Sprintf("bytes=%d-", size/2)
	cases := map[string]struct {
		hook func(w http.ResponseWriter, r *http.Request, data []byte, nth int) bool
		want []string // Range of each request for badFile
	}{
		"good": {func(http.ResponseWriter, *http.Request, []byte, int) bool { return false }, []string{""}},
		"cut once": {func(w http.ResponseWriter, r *http.Request, data []byte, nth int) bool {
			if nth == 1 {
				fetchtest.Half(w, r, data)
			}
			return false
		}, []string{"", mid}},
		"busy, then cut, then busy": {func(w http.ResponseWriter, r *http.Request, data []byte, nth int) bool {
			switch nth {
			case 1, 3:
				w.WriteHeader(http.StatusServiceUnavailable)
				return true
			case 2:
				fetchtest.Half(w, r, data)
			}
			return false
		}, []string{"", "", mid, mid}},
		"ignores Range": {func(w http.ResponseWriter, r *http.Request, data []byte, nth int) bool {
			r.Header.Del("Range")
			if nth == 1 {
				fetchtest.Half(w, r, data)
			}
			return false
		}, []string{"", mid}},
		"other range than asked": {func(w http.ResponseWriter, r *http.Request, data []byte, nth int) bool {
			switch nth {
			case 1:
				fetchtest.Half(w, r, data)
			case 2:
				r.Header.Set("Range", "bytes=1-")
			}
			return false
		}, []string{"", mid, ""}},
		"does not know the range": {func(w http.ResponseWriter, r *http.Request, data []byte, nth int) bool {
			switch nth {
			case 1:
				fetchtest.Half(w, r, data)
			case 2:
				w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
				return true
			}
			return false
		}, []string{"", mid, ""}},
		"too short without saying so": {func(w http.ResponseWriter, _ *http.Request, data []byte, nth int) bool {
			if nth == 1 {
				_ = http.NewResponseController(w).Flush()
				_, _ = w.Write(data[:size/2])
			}
			return nth == 1
		}, []string{"", mid}},
		"too long without saying so": {func(w http.ResponseWriter, _ *http.Request, data []byte, nth int) bool {
			if nth == 1 {
				_ = http.NewResponseController(w).Flush()
				_, _ = w.Write(append(bytes.Clone(data), "more"...))
			}
			return nth == 1
		}, []string{"", ""}},
		"wrong length": {func(w http.ResponseWriter, _ *http.Request, _ []byte, nth int) bool {
			if nth == 1 {
				_, _ = w.Write([]byte("PK"))
			}
			return nth == 1
		}, []string{"", ""}},
		"damaged once": {func(w http.ResponseWriter, _ *http.Request, data []byte, nth int) bool {
			if nth == 1 {
				data = bytes.Clone(data)
				data[size/2] ^= 1
				_, _ = w.Write(data)
			}
			return nth == 1
		}, []string{"", ""}},
		"no ETag, then a weak one": {func(w http.ResponseWriter, r *http.Request, data []byte, nth int) bool {
			if nth == 1 {
				w.Header().Del("ETag")
				fetchtest.Half(w, r, data)
			}
			r.Header.Del("If-Range")
			w.Header().Set("ETag", "W/"+w.Header().Get("ETag"))
			return false
		}, []string{"", mid}},
		"a byte each time": {func(w http.ResponseWriter, r *http.Request, data []byte, nth int) bool {
			if nth <= 2*maxFailures {
				fetchtest.SendSome(w, r, data, 1)
				panic(http.ErrAbortHandler)
			}
			return false
		}, append([]string{""}, rangesFrom(1, 2*maxFailures)...)},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShareServer(t)
			s.get = func(w http.ResponseWriter, r *http.Request, name string, nth int) bool {
				return name == badFile && tc.hook(w, r, s.file(badFile), nth)
			}
			c, _ := s.share(t, download.Settings{Progress: func(file string, done, total int64) {
				if done > total {
					t.Errorf("%s: %d of %d bytes", file, done, total)
				}
			}})
			dir := filepath.Join(t.TempDir(), "made", month)
			if err := c.Fetch(t.Context(), month, dir); err != nil {
				t.Fatal(err)
			}
			s.checkComplete(t, dir)
			if diff := cmp.Diff(tc.want, s.ranges(badFile)); diff != "" {
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
	cases := map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request, data []byte)
		want   string
		calls  int
	}{
		"always busy":    {func(w http.ResponseWriter, _ *http.Request, _ []byte) { w.WriteHeader(503) }, "503 Service Unavailable", maxFailures},
		"gone":           {func(w http.ResponseWriter, _ *http.Request, _ []byte) { w.WriteHeader(404) }, "404 Not Found", 1},
		"always damaged": {func(w http.ResponseWriter, _ *http.Request, data []byte) { _, _ = w.Write(make([]byte, len(data))) }, "published file is broken", 3},
		"never further": {func(w http.ResponseWriter, r *http.Request, data []byte) {
			r.Header.Del("Range")
			fetchtest.Half(w, r, data)
		}, "brought nothing", maxFailures},
		"wrong length": {func(w http.ResponseWriter, _ *http.Request, _ []byte) { _, _ = w.Write([]byte("PK")) }, "wants to send 2 bytes", maxFailures},
		"page": {func(w http.ResponseWriter, _ *http.Request, _ []byte) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<html>"))
		}, "web page", 1},
		"redirect to plain http": {func(w http.ResponseWriter, _ *http.Request, _ []byte) {
			w.Header().Set("Location", "http://elsewhere.invalid/x")
			w.WriteHeader(302)
		}, "not https", 1},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShareServer(t)
			s.get = func(w http.ResponseWriter, r *http.Request, name string, _ int) bool {
				if name == badFile {
					tc.answer(w, r, s.file(badFile))
				}
				return name == badFile
			}
			c, _ := s.share(t, download.Settings{})
			dir := t.TempDir()
			err := c.Fetch(t.Context(), month, dir)
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), badFile) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
			if got := len(s.ranges(badFile)); got != tc.calls {
				t.Errorf("%d requests, want %d", got, tc.calls)
			}
			if _, err := os.Stat(filepath.Join(dir, badFile)); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("an unverified file has its name: %v", err)
			}
		})
	}
}

func TestFetchSurvivesStalls(t *testing.T) {
	t.Parallel()
	s := newShareServer(t)
	s.get = func(w http.ResponseWriter, r *http.Request, name string, nth int) bool {
		if name != badFile || nth > 2 {
			return false
		}
		if nth == 2 {
			fetchtest.SendSome(w, r, s.file(badFile), len(s.file(badFile))/2)
		}
		<-r.Context().Done() // until the client hangs up: once before the head, once in the body
		return true
	}
	c, _ := s.share(t, download.Settings{Stall: 250 * time.Millisecond})
	dir := t.TempDir()
	if err := c.Fetch(t.Context(), month, dir); err != nil {
		t.Fatal(err)
	}
	s.checkComplete(t, dir)
	last := s.ranges(badFile)[len(s.ranges(badFile))-1]
	if want := fmt.Sprintf("bytes=%d-", len(s.file(badFile))/2); last != want {
		t.Errorf("after the stall %q was asked for, want %q", last, want)
	}
}

func TestFetchHonoursRetryAfter(t *testing.T) {
	t.Parallel()
	s := newShareServer(t)
	s.get = func(w http.ResponseWriter, _ *http.Request, name string, nth int) bool {
		if name == badFile && nth == 1 {
			w.Header().Set("Retry-After", "77")
			w.WriteHeader(http.StatusTooManyRequests)
			return true
		}
		return false
	}
	c, p := s.share(t, download.Settings{})
	if err := c.Fetch(t.Context(), month, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]time.Duration{77 * time.Second}, p.taken); diff != "" {
		t.Error(diff)
	}
}

func TestFetchAgainAsksOnlyForWhatIsMissing(t *testing.T) {
	t.Parallel()
	s := newShareServer(t)
	dir := t.TempDir()
	c, _ := s.share(t, download.Settings{Streams: 9})
	if err := c.Fetch(t.Context(), month, dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Cnaes.zip", "Paises.zip"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	// A crash before the renames leaves a whole part: it is not fetched again.
	m := readManifest(t, dir)
	m.Parts = map[string]download.Version{"Cnaes.zip": m.Files["Cnaes.zip"]}
	delete(m.Files, "Cnaes.zip")
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".download.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".Cnaes.zip.incomplete"), s.file("Cnaes.zip"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "Simples.zip"), []byte("cut"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.put("Motivos.zip", zipOf(t, "Motivos", "published again"))
	if err := c.Fetch(t.Context(), month, dir); err != nil {
		t.Fatal(err)
	}
	s.checkComplete(t, dir)
	for _, name := range releaseNames() {
		want := 1
		if name == "Paises.zip" || name == "Simples.zip" || name == "Motivos.zip" {
			want = 2
		}
		if got := len(s.ranges(name)); got != want {
			t.Errorf("%s: %d requests, want %d", name, got, want)
		}
	}
}

func TestFetchNeverMixesPublications(t *testing.T) {
	t.Parallel()
	s := newShareServer(t)
	again := zipOf(t, badFile, "published again, with the same size")
	mid := fmt.Sprintf("bytes=%d-", len(again)/2)
	s.get = func(w http.ResponseWriter, r *http.Request, file string, nth int) bool {
		if file == badFile && nth == 1 {
			old := s.file(badFile)
			s.put(badFile, again)
			fetchtest.Half(w, r, old)
		}
		return false
	}
	c, _ := s.share(t, download.Settings{})
	dir := t.TempDir()
	if err := c.Fetch(t.Context(), month, dir); err != nil {
		t.Fatal(err)
	}
	s.checkComplete(t, dir)
	// The old half is asked to go on, is refused by its ETag, and the new file starts at its beginning.
	if diff := cmp.Diff([]string{"", mid, ""}, s.ranges(badFile)); diff != "" {
		t.Error(diff)
	}
}

func TestFetchNoticesWhatChangedAfterItsDownload(t *testing.T) {
	t.Parallel()
	s := newShareServer(t)
	s.list = func(_ http.ResponseWriter, _ *http.Request, nth int) bool {
		if nth == 2 { // the listing after everything has been verified
			s.put(badFile, zipOf(t, badFile, "published again"))
		}
		return false
	}
	c, _ := s.share(t, download.Settings{})
	dir := t.TempDir()
	if err := c.Fetch(t.Context(), month, dir); err != nil {
		t.Fatal(err)
	}
	s.checkComplete(t, dir)
}

func TestFetchEndsWhenTheReleaseKeepsChanging(t *testing.T) {
	t.Parallel()
	s := newShareServer(t)
	s.get = func(w http.ResponseWriter, _ *http.Request, name string, _ int) bool {
		if name == badFile {
			w.Header().Set("ETag", `"never the listed one"`)
		}
		return false
	}
	c, _ := s.share(t, download.Settings{})
	err := c.Fetch(t.Context(), month, t.TempDir())
	if !errors.Is(err, download.ErrChanged) || s.lists() != maxListings {
		t.Errorf("%v after %d listings", err, s.lists())
	}
}

func TestFetchCancelledGoesOnLater(t *testing.T) {
	t.Parallel()
	s := newShareServer(t)
	ctx, cancel := context.WithCancel(t.Context())
	s.get = func(w http.ResponseWriter, r *http.Request, name string, nth int) bool {
		if name != badFile || nth > 1 {
			return false
		}
		fetchtest.SendSome(w, r, s.file(badFile), len(s.file(badFile))/2)
		<-r.Context().Done()
		return true
	}
	held := int64(len(s.file(badFile)) / 2)
	c, _ := s.share(t, download.Settings{Progress: func(file string, done, total int64) {
		if file == badFile && done == held {
			cancel()
		}
	}})
	dir := t.TempDir()
	if err := c.Fetch(ctx, month, dir); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if info, err := os.Stat(filepath.Join(dir, "."+badFile+".incomplete")); err != nil || info.Size() != held {
		t.Fatalf("the part has not %d bytes: %v %v", held, info, err)
	}
	if err := c.Fetch(t.Context(), month, dir); err != nil {
		t.Fatal(err)
	}
	s.checkComplete(t, dir)
	if diff := cmp.Diff([]string{"", fmt.Sprintf("bytes=%d-", held)}, s.ranges(badFile)); diff != "" {
		t.Error(diff)
	}
}

func TestFetchRefusesTheFolderOfAnotherMonth(t *testing.T) {
	t.Parallel()
	s := newShareServer(t)
	c, _ := s.share(t, download.Settings{})
	for content, want := range map[string]string{`{"source":"receita 2026-08"}`: "folder of its own", `{"source":`: "delete it"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, ".download.json"), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := c.Fetch(t.Context(), month, dir); err == nil || !strings.Contains(err.Error(), want) || len(s.Sent(0)) != 0 {
			t.Errorf("%s: %v", content, err)
		}
	}
}

func TestFetchProgress(t *testing.T) {
	t.Parallel()
	s := newShareServer(t)
	done := map[string]int64{}
	c, _ := s.share(t, download.Settings{Progress: func(file string, n, total int64) {
		if n < done[file] || n > total || total != int64(len(s.file(file))) {
			t.Errorf("%s: %d of %d after %d", file, n, total, done[file])
		}
		done[file] = n
	}})
	if err := c.Fetch(t.Context(), month, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	for _, name := range releaseNames() {
		if done[name] != int64(len(s.file(name))) {
			t.Errorf("%s: %d bytes reported", name, done[name])
		}
	}
}

// TestListedFilesAreThoseLoaded downloads a month, deletes the zips and decides from the listing
// alone whether it changed.
func TestListedFilesAreThoseLoaded(t *testing.T) {
	t.Parallel()
	s := newShareServer(t)
	c, _ := s.share(t, download.Settings{})
	dir := filepath.Join(t.TempDir(), month)
	if err := c.Fetch(t.Context(), month, dir); err != nil {
		t.Fatal(err)
	}
	var loaded []record.SourceFile
	for _, name := range releaseNames() {
		r := readManifest(t, dir).Files[name]
		loaded = append(loaded, record.SourceFile{Nome: name, Bytes: r.Bytes, SHA256: r.SHA256})
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(what, dir string, want bool) {
		t.Helper()
		listed, err := c.List(t.Context(), month)
		if err != nil {
			t.Fatal(err)
		}
		if same, err := AreLoaded(listed, loaded, dir, month); err != nil || same != want {
			t.Errorf("%s: %v, %v", what, same, err)
		}
	}
	ask("nothing is new", dir, true)
	ask("without a manifest, by names and sizes", t.TempDir(), true)
	other := zipOf(t, "Socios3.zip", "other content of Socios3.zip")
	if len(other) != len(s.file("Socios3.zip")) {
		t.Fatal("this test is about another file of the same size")
	}
	s.put("Socios3.zip", other)
	ask("another ETag", dir, false)
	s.put("Socios3.zip", append(other, 0))
	ask("another size", t.TempDir(), false)
	loaded = loaded[1:]
	ask("fewer were loaded", dir, false)
}
