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

	"github.com/google/go-cmp/cmp"

	"razao/ingest/download"
	"razao/internal/data/record"
	"razao/internal/web/fetch/fetchtest"
)

// badFile is the file with which the servers of these tests misbehave.
const badFile = "Socios1.zip"

func TestFetchBadServers(t *testing.T) {
	t.Parallel()
	size := len(shareZip(t, badFile, "content of "+badFile))
	mid := fmt.Sprintf("bytes=%d-", size/2)
	cases := map[string]struct {
		hook func(w http.ResponseWriter, r *http.Request, data []byte, nth int) bool
		want []string // Range of each request for badFile
	}{
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
		"no ETag, then a weak one": {func(w http.ResponseWriter, r *http.Request, data []byte, nth int) bool {
			if nth == 1 {
				w.Header().Del("ETag")
				fetchtest.Half(w, r, data)
			}
			r.Header.Del("If-Range")
			w.Header().Set("ETag", "W/"+w.Header().Get("ETag"))
			return false
		}, []string{"", mid}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShareServer(t)
			s.get = func(w http.ResponseWriter, r *http.Request, name string, nth int) bool {
				return name == badFile && tc.hook(w, r, s.file(badFile), nth)
			}
			c := s.share(t, download.Settings{Progress: func(file string, done, total int64) {
				if done > total {
					t.Errorf("%s: %d of %d bytes", file, done, total)
				}
			}})
			dir := filepath.Join(t.TempDir(), "made", month)
			if _, err := c.Fetch(t.Context(), month, dir, Accept{}); err != nil {
				t.Fatal(err)
			}
			s.checkComplete(t, dir)
			if diff := cmp.Diff(tc.want, s.ranges(badFile)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFetchGivesUp(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request, data []byte)
		want   string
		calls  int
		moved  bool // the message says where the share may be now
	}{
		"wrong length": {func(w http.ResponseWriter, _ *http.Request, _ []byte) { _, _ = w.Write([]byte("PK")) }, "wants to send 2 bytes", maxFailures, false},
		"not there":    {func(w http.ResponseWriter, _ *http.Request, _ []byte) { w.WriteHeader(404) }, "404 Not Found", 1, true},
		"token is old": {func(w http.ResponseWriter, _ *http.Request, _ []byte) { w.WriteHeader(401) }, "401 Unauthorized", 1, true},
		"page": {func(w http.ResponseWriter, _ *http.Request, _ []byte) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<html>"))
		}, "web page", 1, true},
		"redirect to plain http": {func(w http.ResponseWriter, _ *http.Request, _ []byte) {
			w.Header().Set("Location", "http://elsewhere.invalid/x")
			w.WriteHeader(302)
		}, "not https", 1, true},
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
			c := s.share(t, download.Settings{})
			dir := t.TempDir()
			_, err := c.Fetch(t.Context(), month, dir, Accept{})
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), badFile) {
				t.Fatalf("got %v, want %q", err, tc.want)
			}
			checkSaysWhere(t, err, tc.moved)
			if got := len(s.ranges(badFile)); got != tc.calls {
				t.Errorf("%d requests, want %d", got, tc.calls)
			}
			if _, err := os.Stat(filepath.Join(dir, badFile)); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("an unverified file has its name: %v", err)
			}
		})
	}
}

func TestFetchAgainAsksOnlyForWhatIsMissing(t *testing.T) {
	t.Parallel()
	s := newShareServer(t)
	dir := t.TempDir()
	done := map[string]int64{} // calls of Progress never overlap
	c := s.share(t, download.Settings{Streams: 9, Progress: func(file string, n, total int64) {
		if total != int64(len(s.file(file))) || n < done[file] {
			t.Errorf("%s: %d of %d bytes after %d", file, n, total, done[file])
		}
		done[file] = n
	}})
	if _, err := c.Fetch(t.Context(), month, dir, Accept{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range releaseNames() {
		if done[name] != int64(len(s.file(name))) {
			t.Errorf("%s: %d bytes reported", name, done[name])
		}
	}
	clear(done)
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
	s.put("Motivos.zip", shareZip(t, "Motivos", "published again"))
	if _, err := c.Fetch(t.Context(), month, dir, Accept{}); err != nil {
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
	again := shareZip(t, badFile, "published again, with the same size")
	mid := fmt.Sprintf("bytes=%d-", len(again)/2)
	s.get = func(w http.ResponseWriter, r *http.Request, file string, nth int) bool {
		if file == badFile && nth == 1 {
			old := s.file(badFile)
			s.put(badFile, again)
			fetchtest.Half(w, r, old)
		}
		return false
	}
	c := s.share(t, download.Settings{})
	dir := t.TempDir()
	if _, err := c.Fetch(t.Context(), month, dir, Accept{}); err != nil {
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
			s.put(badFile, shareZip(t, badFile, "published again"))
		}
		return false
	}
	c := s.share(t, download.Settings{})
	dir := t.TempDir()
	if _, err := c.Fetch(t.Context(), month, dir, Accept{}); err != nil {
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
	c := s.share(t, download.Settings{})
	_, err := c.Fetch(t.Context(), month, t.TempDir(), Accept{})
	if !errors.Is(err, download.ErrChanged) || s.lists() != maxListings {
		t.Errorf("%v after %d listings", err, s.lists())
	}
}

func TestFetchSaysThatItWasStopped(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	c := newShareServer(t).share(t, download.Settings{Progress: func(string, int64, int64) { cancel() }})
	if _, err := c.Fetch(ctx, month, t.TempDir(), Accept{}); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "start it again") {
		t.Errorf("got %v", err)
	}
}

func TestFetchRefusesTheFolderOfAnotherMonth(t *testing.T) {
	t.Parallel()
	s := newShareServer(t)
	c := s.share(t, download.Settings{})
	for content, want := range map[string]string{`{"source":"receita 2026-08"}`: "folder of its own", `{"source":`: "delete it"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, ".download.json"), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Fetch(t.Context(), month, dir, Accept{}); err == nil || !strings.Contains(err.Error(), want) || len(s.Sent(0)) != 0 {
			t.Errorf("%s: %v", content, err)
		}
	}
}

// TestListedFilesAreThoseLoaded downloads a month, deletes the zips and decides from the listing
// alone whether it changed.
func TestListedFilesAreThoseLoaded(t *testing.T) {
	t.Parallel()
	s := newShareServer(t)
	c := s.share(t, download.Settings{})
	dir := filepath.Join(t.TempDir(), month)
	if _, err := c.Fetch(t.Context(), month, dir, Accept{}); err != nil {
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
		listed, err := c.List(t.Context(), month, Accept{})
		if err != nil {
			t.Fatal(err)
		}
		if same, err := AreLoaded(listed.Files, loaded, dir, month); err != nil || same != want {
			t.Errorf("%s: %v, %v", what, same, err)
		}
	}
	ask("nothing is new", dir, true)
	ask("without a manifest, by names and sizes", t.TempDir(), true)
	other := shareZip(t, "Socios3.zip", "other content of Socios3.zip")
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
