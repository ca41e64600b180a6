package download

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"razao/ingest/fetch"
)

const (
	maxFailures = 8 // requests in a row that may bring nothing
	firstPause  = time.Second
	// generating is how long to wait for a file that a publisher is still putting together.
	generating = 30 * time.Second
	// agent looks enough like a browser's for servers that refuse everything else, and says what it is.
	agent = "Mozilla/5.0 (compatible; razao)"
)

func isMissing(err error) bool {
	var t *fetch.Trouble
	return errors.As(err, &t) && t.Missing
}

// httpClient returns a copy of h that bounds silence instead of duration and does not leave https.
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

func checkRedirect(req *http.Request, via []*http.Request) error {
	switch {
	case len(via) >= 10:
		return fmt.Errorf("%w: more than 10 redirects", fetch.ErrRedirect)
	case via[len(via)-1].URL.Scheme == "https" && req.URL.Scheme != "https":
		return fmt.Errorf("%w: %s is not https", fetch.ErrRedirect, req.URL.Redacted())
	}
	return nil
}

// get asks for an address and returns the head of the answer, whatever its status. Close the answer.
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

// refusal is the error of an answer whose status is not one that was asked for.
func (r *run) refusal(a *fetch.Answer) error {
	t := &fetch.Trouble{
		Err:   fmt.Errorf("%s answered %s", a.Request.URL.Redacted(), a.Status),
		Again: fetch.MayPass(a.StatusCode), After: fetch.RetryAfter(a.Header, r.Now(), fetch.Patience),
	}
	switch status := a.StatusCode; {
	case a.Header.Get("X-Amzn-Waf-Action") != "": // 202 with a riddle for a script, or 405 with one for a person
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

func pageError(address string) error {
	return &fetch.Trouble{Err: fmt.Errorf("%s answers with a web page, not with a file: open it in a browser to see why", address)}
}
