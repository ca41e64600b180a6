package download

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"razao/internal/web/fetch"
)

const (
	// generating is the pause before asking again for a file that the publisher is still generating
	// (202).
	generating = 30 * time.Second
	// agent resembles a browser's User-Agent, for servers that refuse everything else, and still
	// says what this is.
	agent = "Mozilla/5.0 (compatible; razao)"
)

// Settings are what every download may be given; the zero value is ready for use.
type Settings struct {
	// Client sends the requests; nil: a client of its own. Its Timeout and CheckRedirect are
	// replaced.
	Client   *http.Client
	Streams  int           // files downloaded at once; 0: 1
	MaxBytes int64         // of a file; 0: 16 GiB, ten times the largest
	Stall    time.Duration // how long a server may send nothing; 0: 1 min
	Log      *slog.Logger  // nil: silent

	// Progress, if set, is called with how many bytes of a file have arrived. total is 0 if the server
	// does not say; done falls when a file starts again. Checking is called with how many bytes of a zip were
	// unpacked, to check it. Calls never overlap.
	Progress, Checking func(file string, done, total int64)

	// Now and Sleep are the clock; nil: the real one. Sleep returns an error when its context ends
	// first.
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error
}

// Downloader sends the requests of one publisher. It is safe for concurrent use.
type Downloader struct {
	Settings
	Retry fetch.Retry

	http     *http.Client
	streams  *streams
	reporter sync.Mutex                      // guards calls of Progress and Checking
	answered func(*fetch.Answer)             // called with each answer that brings a file
	free     func(dir string) (int64, error) // fetch.FreeBytes; replaced by tests
}

// New returns a downloader that gives up after so many failures in a row. redirect is its policy as
// in http.Client, for example [FollowRedirect].
func New(s Settings, failures int, redirect func(req *http.Request, via []*http.Request) error) *Downloader {
	d := &Downloader{Settings: s, answered: func(*fetch.Answer) {}, free: fetch.FreeBytes}
	d.Streams = max(s.Streams, 1)
	d.streams = newStreams(d.Streams)
	d.Stall, d.MaxBytes = cmp.Or(s.Stall, time.Minute), cmp.Or(s.MaxBytes, maxBytes)
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	nobody := func(string, int64, int64) {}
	if d.Progress == nil {
		d.Progress = nobody
	}
	if d.Checking == nil {
		d.Checking = nobody
	}
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Sleep == nil {
		d.Sleep = fetch.Sleep
	}
	d.Retry = fetch.Retry{First: time.Second, Failures: failures, Stop: fetch.Resumable, Log: d.Log, Sleep: d.Sleep}
	own := http.Client{Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, TLSHandshakeTimeout: 30 * time.Second, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true,
	}}
	if s.Client != nil {
		own = *s.Client
	}
	own.Timeout = 0 // a file may take an hour: silence is bounded instead
	own.CheckRedirect = redirect
	d.http = &own
	return d
}

// FollowRedirect follows up to 10 redirects and refuses the step from https to http (downgrade).
func FollowRedirect(req *http.Request, via []*http.Request) error {
	switch {
	case len(via) >= 10:
		return fmt.Errorf("%w: more than 10 redirects", fetch.ErrRedirect)
	case via[len(via)-1].URL.Scheme == "https" && req.URL.Scheme != "https":
		return fmt.Errorf("%w: %s is not https", fetch.ErrRedirect, req.URL.Redacted())
	}
	return nil
}

// Send sends a request and returns the head of the answer, whatever its status. Close the answer.
func (d *Downloader) Send(ctx context.Context, req *http.Request) (*fetch.Answer, error) {
	req.Header.Set("User-Agent", agent)
	// Ranges and lengths count the bytes of the file, not those of a compressed transfer.
	req.Header.Set("Accept-Encoding", "identity")
	return fetch.Send(ctx, d.http, req, d.Stall)
}

// get is Send of a GET.
func (d *Downloader) get(ctx context.Context, address string, header http.Header) (*fetch.Answer, error) {
	req, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	if header != nil {
		req.Header = header
	}
	return d.Send(ctx, req)
}

// Read sends a request once and returns the body, up to most bytes, of a short answer, such as a page
// or a listing. A status other than want is an error.
func (d *Downloader) Read(ctx context.Context, req *http.Request, want int, most int64) ([]byte, error) {
	a, err := d.Send(ctx, req)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	if a.StatusCode != want {
		return nil, d.refusal(a)
	}
	body, err := io.ReadAll(io.LimitReader(a, most+1))
	if err == nil && int64(len(body)) > most {
		return nil, &fetch.Trouble{Err: fmt.Errorf("%s answers with more than %d bytes", req.URL.Redacted(), most)}
	}
	return body, err
}

// exists reports whether a file is published at an address. It asks by GET for the first byte,
// because some servers refuse HEAD. An HTML page does not count.
func (d *Downloader) exists(ctx context.Context, address string) (found bool, err error) {
	err = d.Retry.Do(ctx, address, func() (bool, error) {
		a, err := d.get(ctx, address, http.Header{"Range": {"bytes=0-0"}})
		if err != nil {
			return false, err
		}
		defer a.Close()
		switch a.StatusCode {
		case http.StatusOK, http.StatusPartialContent:
			found = !a.IsPage()
			return false, nil
		}
		return false, d.refusal(a)
	})
	if isMissing(err) {
		return false, nil
	}
	return found, err
}

// refusal returns the error for a status that is no success: a *fetch.Trouble that says whether a
// retry can help.
func (d *Downloader) refusal(a *fetch.Answer) error {
	t := &fetch.Trouble{
		Err:   fmt.Errorf("%s answered %s", a.Request.URL.Redacted(), a.Status),
		Again: fetch.MayPass(a.StatusCode), After: fetch.RetryAfter(a.Header, d.Now(), fetch.Patience),
	}
	switch status := a.StatusCode; {
	case a.Header.Get("X-Amzn-Waf-Action") != "": // AWS WAF: challenge (202) or captcha (405)
		t.Again = false
		t.Err = fmt.Errorf("%w: a firewall wants to see a browser", t.Err)
	case status == http.StatusAccepted:
		t.Err = fmt.Errorf("%w: the file is still being generated", t.Err)
		t.Again, t.After = true, max(t.After, generating)
	case status < 300 && a.IsPage():
		return PageError(a.Request.URL.Redacted())
	case status == http.StatusNotFound, status == http.StatusGone:
		t.Err = fmt.Errorf("%w: it is not published there", t.Err)
		t.Missing, t.Moved = true, true
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusMethodNotAllowed:
		t.Err = fmt.Errorf("%w: the server does not let this program or this network in, or has no such file", t.Err)
		t.Moved = true
	}
	return t
}

// isMissing reports whether the server says that a file does not exist.
func isMissing(err error) bool {
	var t *fetch.Trouble
	return errors.As(err, &t) && t.Missing
}

// PageError is the error of an HTML page in place of data.
func PageError(address string) error {
	return &fetch.Trouble{Err: fmt.Errorf("%s answers with a web page, not with a file: open it in a browser to see why", address), Moved: true}
}

// report calls Progress or Checking, one call at a time.
func (d *Downloader) report(to func(file string, done, total int64), file string, done, total int64) {
	d.reporter.Lock()
	defer d.reporter.Unlock()
	to(file, done, total)
}
