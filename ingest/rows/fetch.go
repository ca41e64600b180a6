package rows

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"razao/internal/web/fetch"
)

// fetcher downloads one file from an address that an operator named. Downloads of known publishers,
// which resume and check for changes, are in package download.
type fetcher struct {
	client   *http.Client
	maxBytes int64
	log      *slog.Logger
	pause    time.Duration // before the second attempt; grows with each further one
	silence  time.Duration // how long a server may send nothing
}

// attempts to download the file, each from its beginning.
const attempts = 3

// newFetcher applies the defaults: 16 GiB, two minutes of silence, a client without an overall
// timeout.
func newFetcher(o FindOptions) *fetcher {
	const maxBytes = 16 << 30
	f := &fetcher{
		client: o.Client, maxBytes: cmp.Or(o.MaxBytes, maxBytes), log: o.Log,
		pause: 2 * time.Second, silence: 2 * time.Minute,
	}
	if f.client == nil {
		f.client = &http.Client{Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: 30 * time.Second}).DialContext,
			TLSHandshakeTimeout:   30 * time.Second,
			ResponseHeaderTimeout: 2 * time.Minute,
			ForceAttemptHTTP2:     true,
		}}
	}
	if f.log == nil {
		f.log = slog.New(slog.DiscardHandler)
	}
	return f
}

func isAddress(from string) bool {
	return strings.HasPrefix(from, "http://") || strings.HasPrefix(from, "https://")
}

// fetch downloads address into folder and returns the path of the file. Passing failures are
// retried from the beginning.
func (f *fetcher) fetch(ctx context.Context, address, folder string) (file string, err error) {
	f.log.Info("fetching", "address", address)
	retry := fetch.Retry{First: f.pause, Failures: attempts, Log: f.log, Sleep: fetch.Sleep}
	err = retry.Do(ctx, address, func() (bool, error) {
		file, err = f.attempt(ctx, address, folder)
		return false, err
	})
	return file, err
}

// attempt makes one request and saves its body.
func (f *fetcher) attempt(ctx context.Context, address, folder string) (string, error) {
	req, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	req.Header.Set("User-Agent", "razao")
	req.Header.Set("Accept-Encoding", "identity")
	answer, err := fetch.Send(ctx, f.client, req, f.silence)
	if err != nil {
		return "", err
	}
	defer answer.Close()
	if err := f.check(answer); err != nil {
		return "", err
	}
	file := filepath.Join(folder, fileName(answer.Response))
	return file, f.save(answer, file)
}

// check refuses answers that cannot be the file. Statuses that may pass are retried.
func (f *fetcher) check(answer *fetch.Answer) error {
	switch code := answer.StatusCode; {
	case fetch.MayPass(code):
		return fetch.Passing("the server answers %s", answer.Status)
	case code != http.StatusOK:
		return fmt.Errorf("the server answers %s: is the address right?", answer.Status)
	}
	if answer.IsPage() {
		return errPage
	}
	if answer.ContentLength > f.maxBytes {
		return f.tooLarge()
	}
	return nil
}

var errPage = errors.New("the address answers with a page, not with a file")

func (f *fetcher) tooLarge() error { return fmt.Errorf("the file has more than %d bytes", f.maxBytes) }

// save writes a body to a new file. It reads one byte more than allowed, so that a server which
// states no length cannot fill the disk. After an error the file holds what arrived.
func (f *fetcher) save(body io.Reader, file string) error {
	w, err := os.Create(file)
	if err != nil {
		return err
	}
	n, err := io.Copy(w, io.LimitReader(body, f.maxBytes+1))
	if closed := w.Close(); err == nil {
		err = closed
	}
	switch {
	case err != nil:
		return err
	case n > f.maxBytes:
		return f.tooLarge()
	case n == 0:
		return fetch.Passing("the file is empty")
	}
	return refusePage(file)
}

// refusePage returns errPage if the contents are HTML, whatever Content-Type said.
func refusePage(file string) error {
	r, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	head := make([]byte, 512)
	n, _ := io.ReadFull(r, head)
	if strings.HasPrefix(http.DetectContentType(head[:n]), "text/html") {
		return errPage
	}
	return nil
}

// fileName returns the base name under which the server offers the file (Content-Disposition), else
// the last part of the address after redirects. It never contains a separator or begins with a dot,
// so the server cannot choose where the file is written.
func fileName(res *http.Response) string {
	name := path.Base(res.Request.URL.Path)
	if _, params, err := mime.ParseMediaType(res.Header.Get("Content-Disposition")); err == nil && params["filename"] != "" {
		name = path.Base(strings.ReplaceAll(params["filename"], `\`, "/"))
	}
	if strings.HasPrefix(name, ".") || name == "/" {
		return "arquivo"
	}
	return name
}
