package download

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"razao/internal/web/fetch"
)

// Settings of requests.
const (
	maxFailures = 8           // failures in a row before a file is given up
	firstPause  = time.Second // of the backoff
	// generating is the pause before asking again for a file that the publisher is still generating
	// (202).
	generating = 30 * time.Second
	// agent resembles a browser's User-Agent, for servers that refuse everything else, and still
	// says what this is.
	agent = "Mozilla/5.0 (compatible; razao)"
)

// isMissing reports whether the server says that a file does not exist.
func isMissing(err error) bool {
	var t *fetch.Trouble
	return errors.As(err, &t) && t.Missing
}

// httpClient returns a copy of h with our redirect policy and without an overall timeout: silence
// is bounded instead, because a large file may take an hour. nil is a client of its own.
func httpClient(h *http.Client) *http.Client {
	if h == nil {
		h = &http.Client{Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, TLSHandshakeTimeout: 30 * time.Second, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true,
		}}
	}
	own := *h
	own.Timeout = 0 // a file may take an hour
	own.CheckRedirect = checkRedirect
	return &own
}

// checkRedirect follows up to 10 redirects and refuses the step from https to http (downgrade).
func checkRedirect(req *http.Request, via []*http.Request) error {
	switch {
	case len(via) >= 10:
		return fmt.Errorf("%w: more than 10 redirects", fetch.ErrRedirect)
	case via[len(via)-1].URL.Scheme == "https" && req.URL.Scheme != "https":
		return fmt.Errorf("%w: %s is not https", fetch.ErrRedirect, req.URL.Redacted())
	}
	return nil
}

// get sends a GET and returns the head of the answer, whatever its status. Close the answer.
func (r *run) get(ctx context.Context, address string, header http.Header) (*fetch.Answer, error) {
	req, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	if header != nil {
		req.Header = header
	}
	req.Header.Set("User-Agent", agent)
	return fetch.Send(ctx, r.http, req, r.Stall)
}

// refusal returns the error for a status that is no success: a *fetch.Trouble that says whether a
// retry can help.
func (r *run) refusal(a *fetch.Answer) error {
	t := &fetch.Trouble{
		Err:   fmt.Errorf("%s answered %s", a.Request.URL.Redacted(), a.Status),
		Again: fetch.MayPass(a.StatusCode), After: fetch.RetryAfter(a.Header, r.Now(), fetch.Patience),
	}
	switch status := a.StatusCode; {
	case a.Header.Get("X-Amzn-Waf-Action") != "": // AWS WAF: challenge (202) or captcha (405)
		t.Again = false
		t.Err = fmt.Errorf("%w: a firewall wants to see a browser", t.Err)
	case status == http.StatusAccepted:
		t.Err = fmt.Errorf("%w: the file is still being generated", t.Err)
		t.Again, t.After = true, max(t.After, generating)
	case status == http.StatusNotFound, status == http.StatusGone:
		t.Err = fmt.Errorf("%w: it is not published there", t.Err)
		t.Missing = true
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusMethodNotAllowed:
		t.Err = fmt.Errorf("%w: the server does not let this program or this network in, or has no such file", t.Err)
	}
	return t
}

// pageError is the error of an HTML page in place of a file.
func pageError(address string) error {
	return &fetch.Trouble{Err: fmt.Errorf("%s answers with a web page, not with a file: open it in a browser to see why", address)}
}
