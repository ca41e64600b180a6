package indexstore

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"razao/index/folder"
	"razao/internal/web/fetch"
)

// open returns the store at an address that can be written to.
func open(t *testing.T, address string) Writable {
	t.Helper()
	s, err := Open(address)
	if err != nil {
		t.Fatal(err)
	}
	return s.(Writable)
}

// inFolder returns a store in a folder.
func inFolder(t *testing.T) Writable {
	t.Helper()
	return open(t, "file://"+filepath.Join(t.TempDir(), "store"))
}

// serve returns a store that reads a folder by HTTP; handler misbehaves, if set.
func serve(t *testing.T, dir string, handler func(files http.Handler) http.HandlerFunc) Store {
	t.Helper()
	files := http.StripPrefix("/data", http.FileServer(http.Dir(dir)))
	if handler != nil {
		files = handler(files)
	}
	server := httptest.NewServer(files)
	t.Cleanup(server.Close)
	s, err := Open(server.URL + "/data")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func put(t *testing.T, s Writable, name, content string) {
	t.Helper()
	if err := s.Put(t.Context(), name, int64(len(content)), strings.NewReader(content)); err != nil {
		t.Fatal(err)
	}
}

// get returns what is in a store from a byte on.
func get(s Store, name string, from int64) (string, error) {
	r, err := s.Open(context.Background(), name, from)
	if err != nil {
		return "", err
	}
	defer func() { _ = r.Close() }()
	body, err := io.ReadAll(r)
	return string(body), err
}

func names(t *testing.T, s Writable, prefix string) (names []string) {
	t.Helper()
	for o, err := range s.List(t.Context(), prefix) {
		if err != nil {
			t.Fatal(err)
		}
		if o.Written.IsZero() {
			t.Errorf("%s has no time", o.Name)
		}
		names = append(names, o.Name)
	}
	slices.Sort(names)
	return names
}

// TestOnlyWholeFilesAreStored sends a file that does not match its checksum. What a store does with one
// that breaks off, also in its second part of S3, package storetest checks.
func TestOnlyWholeFilesAreStored(t *testing.T) {
	t.Parallel()
	s := inFolder(t)
	f := folder.File{Bytes: 1000, SHA256: strings.Repeat("0", 64)}
	err := s.Put(t.Context(), contentName(f.SHA256), f.Bytes, &verifyingReader{bytes.NewReader(make([]byte, 1000)), f, newDigest(), func() {}})
	if got := names(t, s, ""); !errors.As(err, new(*contentError)) || len(got) > 0 {
		t.Errorf("%v, %v is stored", err, got)
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"/srv/razao": "/srv/razao", "file:///srv/razao/": "/srv/razao",
		"https://who:secret@files.example/razao": "https://who:xxxxx@files.example/razao",
		"s3://bucket":                            "s3://bucket/ at s3.amazonaws.com",
		"s3://bucket/a/b/?region=sa-east-1&endpoint=http://127.0.0.1:9000": "s3://bucket/a/b/ at 127.0.0.1:9000",
	} {
		if s, err := Open(address); err != nil || s.String() != want {
			t.Errorf("%s: %v, %v", address, s, err)
		}
	}
	for _, address := range []string{
		"razao", "ftp://files.example", "file://host/srv", "https://", "https://files.example?key=secret", "s3://", "s3://b?endpoint=127.0.0.1:9000",
		"s3://b?secret=secret", "http://who:secret@files.example:port/",
	} {
		if s, err := Open(address); err == nil || strings.Contains(err.Error(), ":secret") {
			t.Errorf("%s: %v, %v", address, s, err)
		}
	}
	if s, err := Open(""); s != nil || err != nil {
		t.Errorf("none: %v, %v", s, err)
	}
}

// TestStandstill reads from a peer that falls silent, while our side writes slowly.
func TestStandstill(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, begin, end, stop := watchdog(t.Context(), silence)
		defer stop()
		from, to := io.Pipe()
		defer context.AfterFunc(ctx, func() { _ = from.CloseWithError(ctx.Err()) })()
		go func() {
			for range 3 {
				_, _ = to.Write(make([]byte, fetch.LeastBytes))
				time.Sleep(silence - time.Second)
			}
		}()
		r := newWatched(from, begin, end)
		buf := make([]byte, fetch.LeastBytes)
		for range 3 {
			if _, err := io.ReadFull(r, buf); err != nil {
				t.Fatalf("who sends slowly: %v", err)
			}
			time.Sleep(2 * silence) // a disk of ours that is slow
		}
		_, err := io.ReadFull(r, buf)
		var trouble *fetch.Trouble
		if err = caused(ctx, err); !errors.Is(err, errSilent) || !errors.As(err, &trouble) || !trouble.Again {
			t.Errorf("who sends nothing: %v", err)
		}
	})
}

// trickle answers every request for a file of 10 MB with a byte every 20 s: without end, or with one per request.
type trickle struct{ one bool }

// RoundTrip implements http.RoundTripper.
func (tr trickle) RoundTrip(req *http.Request) (*http.Response, error) {
	header := http.Header{"Content-Range": {strings.ReplaceAll(req.Header.Get("Range"), "=", " ") + "/*"}}
	status := http.StatusPartialContent
	if req.Header.Get("Range") == "" {
		status = http.StatusOK
	}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(&drops{one: tr.one})}, nil
}

type drops struct{ one, sent bool }

// Read implements io.Reader.
func (d *drops) Read(p []byte) (int, error) {
	if d.one && d.sent {
		return 0, io.ErrUnexpectedEOF
	}
	time.Sleep(20 * time.Second)
	d.sent = true
	return copy(p, "x"), nil
}

// TestAStoreThatTricklesIsGivenUp: a byte now and then is no silence, and one for each request no progress.
func TestAStoreThatTricklesIsGivenUp(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]bool{"a byte now and then": false, "a byte for each request": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithTimeout(t.Context(), 24*time.Hour)
				defer stop()
				began := time.Now()
				store := &web{&url.URL{Scheme: "http", Host: "indices.example"}, &http.Client{Transport: trickle{one}}}
				d := download{node: NewNode(store, dir, nil, nil, slog.New(slog.DiscardHandler)), index: "000001", dir: dir}
				err := d.fetchFile(ctx, folder.File{Path: "a", Bytes: 10 << 20, SHA256: strings.Repeat("0", 64)})
				if took := time.Since(began); !errors.As(err, new(*fetch.Trouble)) || took > time.Hour {
					t.Errorf("%v after %s", err, took)
				}
			})
		})
	}
}
