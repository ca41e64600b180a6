package rows

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func testFetcher(o FindOptions) *fetcher {
	f := newFetcher(o)
	f.pause = time.Microsecond
	return f
}

func TestFetch(t *testing.T) {
	t.Parallel()
	var flaky atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("/2026/a.csv", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.UserAgent())
	})
	mux.HandleFunc("/download", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="../20260930_CEIS.csv"`)
		_, _ = io.WriteString(w, "named by the server")
	})
	mux.Handle("/moved", http.RedirectHandler("/2026/a.csv", http.StatusFound))
	mux.HandleFunc("/flaky.csv", func(w http.ResponseWriter, _ *http.Request) {
		switch flaky.Add(1) {
		case 1:
			w.WriteHeader(http.StatusServiceUnavailable)
		case 2:
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "cut short")
		default:
			_, _ = io.WriteString(w, "whole")
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	cases := []struct{ path, want string }{
		{"/2026/a.csv", "a.csv=razao"},
		{"/download", "20260930_CEIS.csv=named by the server"},
		{"/moved", "a.csv=razao"},
		{"/flaky.csv", "flaky.csv=whole"},
	}
	for _, c := range cases {
		t.Run(c.path, func(t *testing.T) {
			t.Parallel()
			file, err := testFetcher(FindOptions{}).fetch(context.Background(), server.URL+c.path, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{c.want}, contents(t, find(t, file, FindOptions{}))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFindAddress(t *testing.T) {
	t.Parallel()
	archive := zipOf(t, "c.csv", "member")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, archive)
	}))
	t.Cleanup(server.Close)
	address := server.URL + "/2026_trimestre_02/dados"
	in := find(t, address, FindOptions{Client: server.Client()})
	if diff := cmp.Diff([]string{"c.csv=member"}, contents(t, in)); diff != "" {
		t.Error(diff)
	}
	if got, want := in.Files[0].Path, address+"/c.csv"; got != want {
		t.Errorf("path %s, want %s", got, want)
	}
}

func TestFetchRefuses(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("/broken", func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusBadGateway)
	})
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, "<p>acesso negado")
	})
	mux.HandleFunc("/disguised", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/csv")
		_, _ = io.WriteString(w, "\n<!DOCTYPE html><p>acesso negado")
	})
	mux.HandleFunc("/large", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, strings.Repeat("x", 101)) })
	mux.HandleFunc("/flood", func(w http.ResponseWriter, _ *http.Request) {
		for i := range 200 {
			_, _ = io.WriteString(w, strconv.Itoa(i))
			w.(http.Flusher).Flush() // so that no length is announced
		}
	})
	mux.HandleFunc("/empty", func(http.ResponseWriter, *http.Request) {})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	cases := map[string]string{
		"/missing":   "the server answers 404 Not Found",
		"/broken":    "the server answers 502 Bad Gateway",
		"/page":      errPage.Error(),
		"/disguised": errPage.Error(),
		"/large":     "the file has more than 100 bytes",
		"/flood":     "the file has more than 100 bytes",
		"/empty":     "the file is empty",
	}
	for path, want := range cases {
		_, err := testFetcher(FindOptions{MaxBytes: 100}).fetch(context.Background(), server.URL+path, t.TempDir())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", path, err, want)
		}
	}
	if got := asked.Load(); got != attempts {
		t.Errorf("a broken server was asked %d times, want %d", got, attempts)
	}
}

func TestFetchGivesUpOnSilence(t *testing.T) {
	t.Parallel()
	done := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, "begin")
		w.(http.Flusher).Flush()
		<-done
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(done) })
	f := testFetcher(FindOptions{})
	f.silence = 20 * time.Millisecond
	_, err := f.fetch(context.Background(), server.URL+"/a.csv", t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "the server sent nothing for 20ms") {
		t.Errorf("got %v", err)
	}
}
