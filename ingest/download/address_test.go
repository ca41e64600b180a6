package download

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// patient are settings with which retries take no time.
func patient(s Settings) Settings {
	s.Sleep = (&pauses{}).take
	return s
}

func TestAddress(t *testing.T) {
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
		{"/2026/a.csv", "a.csv=" + agent},
		{"/download", "20260930_CEIS.csv=named by the server"},
		{"/moved", "a.csv=" + agent},
		{"/flaky.csv", "flaky.csv=whole"},
	}
	for _, c := range cases {
		t.Run(c.path, func(t *testing.T) {
			t.Parallel()
			file, err := Address(t.Context(), server.URL+c.path, t.TempDir(), patient(Settings{}))
			if err != nil {
				t.Fatal(err)
			}
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, filepath.Base(file)+"="+string(content)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAddressRefuses(t *testing.T) {
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
		"/missing":   "answered 404 Not Found",
		"/broken":    "answered 502 Bad Gateway",
		"/page":      "answers with a web page",
		"/disguised": "answers with a web page",
		"/large":     "the file has more than 100 bytes",
		"/flood":     "the file has more than 100 bytes",
		"/empty":     "empty file",
	}
	for path, want := range cases {
		_, err := Address(t.Context(), server.URL+path, t.TempDir(), patient(Settings{MaxBytes: 100}))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", path, err, want)
		}
	}
	if got := asked.Load(); got != 3 {
		t.Errorf("a broken server was asked %d times, want %d", got, 3)
	}
}

func TestAddressGivesUpOnSilence(t *testing.T) {
	t.Parallel()
	done := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, "begin")
		w.(http.Flusher).Flush()
		<-done
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(done) })
	_, err := Address(t.Context(), server.URL+"/a.csv", t.TempDir(), patient(Settings{Stall: 20 * time.Millisecond}))
	if err == nil || !strings.Contains(err.Error(), "the server sent nothing for 20ms") {
		t.Errorf("got %v", err)
	}
}
