package download

import (
	"context"
	"errors"
	"fmt"
	"io"
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

// trouble is a failure of the server or of the way to it; every other error is ours, and no other address cures it.
type trouble struct {
	err     error
	again   bool          // another request may bring more
	missing bool          // there is no such file
	after   time.Duration // what the server asked to wait, 0 when it did not
}

func (t *trouble) Error() string { return t.err.Error() }
func (t *trouble) Unwrap() error { return t.err }

func isMissing(err error) bool {
	var t *trouble
	return errors.As(err, &t) && t.missing
}

// retry calls attempt until it succeeds, or until another one is not worth it. attempt says whether it got further than
// those before it.
func (r *run) retry(ctx context.Context, what string, attempt func() (further bool, err error)) error {
	for failures := 0; ; {
		further, err := attempt()
		var t *trouble
		if !errors.As(err, &t) || !t.again {
			return err
		}
		if further {
			failures = 0
		}
		if failures++; failures == maxFailures {
			return &trouble{err: fmt.Errorf("%w: %d requests brought nothing: try again later", err, failures)}
		}
		pause := max(fetch.Backoff(firstPause, failures), t.after)
		r.Log.Warn("trying again", "what", what, "failures", failures, "pause", pause, "error", err)
		if err := r.Sleep(ctx, pause); err != nil {
			return err
		}
	}
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

// answer is what a server answered.
type answer struct {
	*fetch.Answer
	ctx context.Context // of the one who asked
}

// get asks for an address and returns the head of the answer, whatever its status. Close the answer.
func (r *run) get(ctx context.Context, address string, header http.Header) (*answer, error) {
	req, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	if header != nil {
		req.Header = header
	}
	req.Header.Set("User-Agent", agent)
	a, err := fetch.Send(ctx, r.http, req, r.Stall)
	if err != nil {
		return nil, troubleOf(ctx, err)
	}
	return &answer{a, ctx}, nil
}

// Read reads the body.
func (a *answer) Read(p []byte) (int, error) {
	n, err := a.Answer.Read(p)
	if err != nil && err != io.EOF {
		err = troubleOf(a.ctx, err)
	}
	return n, err
}

// troubleOf is the trouble that an error of an answer is, unless ctx ended.
func troubleOf(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return &trouble{err: err, again: !errors.Is(err, fetch.ErrRedirect)}
}

// refusal is the error of an answer whose status is not one that was asked for.
func (r *run) refusal(a *answer) error {
	t := &trouble{err: fmt.Errorf("%s answered %s", a.Request.URL.Redacted(), a.Status), after: fetch.RetryAfter(a.Header, r.Now(), fetch.Patience)}
	switch status := a.StatusCode; {
	case a.Header.Get("X-Amzn-Waf-Action") != "": // 202 with a riddle for a script, or 405 with one for a person
		t.err = fmt.Errorf("%w: a firewall wants to see a browser", t.err)
	case status == http.StatusAccepted:
		t.err = fmt.Errorf("%w: the file is still being generated", t.err)
		t.again, t.after = true, max(t.after, generating)
	case status == http.StatusNotFound, status == http.StatusGone:
		t.err = fmt.Errorf("%w: it is not published there", t.err)
		t.missing = true
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusMethodNotAllowed:
		t.err = fmt.Errorf("%w: the server does not let this program or this network in, or has no such file", t.err)
	case status == http.StatusRequestTimeout, status == http.StatusLocked, status == http.StatusTooEarly,
		status == http.StatusTooManyRequests, status >= http.StatusInternalServerError:
		t.again = true
	}
	return t
}

func pageError(address string) error {
	return &trouble{err: fmt.Errorf("%s answers with a web page, not with a file: open it in a browser to see why", address)}
}
