package download

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"net/http"
	"strconv"
	"time"
)

const (
	maxFailures   = 8 // requests in a row that may bring nothing
	firstPause    = time.Second
	maxPause      = 30 * time.Second
	maxRetryAfter = 10 * time.Minute // of what a server may ask for
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
		pause := max(backoff(failures), min(t.after, maxRetryAfter))
		r.Log.Warn("trying again", "what", what, "failures", failures, "pause", pause, "error", err)
		if err := r.Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// backoff returns the pause after the nth failure in a row, with jitter.
func backoff(n int) time.Duration {
	d := min(firstPause<<(n-1), maxPause)
	return d/2 + rand.N(d/2+1)
}

// sleep waits for d or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
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

var errRedirect = errors.New("the server redirects where it is not safe to follow")

func checkRedirect(req *http.Request, via []*http.Request) error {
	switch {
	case len(via) >= 10:
		return fmt.Errorf("%w: more than 10 redirects", errRedirect)
	case via[len(via)-1].URL.Scheme == "https" && req.URL.Scheme != "https":
		return fmt.Errorf("%w: %s is not https", errRedirect, req.URL.Redacted())
	}
	return nil
}

// answer is a response under a stall timer: its reads fail once the server has sent nothing for too long.
type answer struct {
	*http.Response
	outer, inner context.Context // inner ends with outer or by a stall
	cancel       context.CancelCauseFunc
	timer        *time.Timer
	stall        time.Duration
}

var errStalled = errors.New("the server sends nothing")

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
	req.Header.Set("Accept-Encoding", "identity") // ranges and lengths count the bytes of the file
	a := &answer{outer: ctx, stall: r.Stall}
	a.inner, a.cancel = context.WithCancelCause(ctx)
	a.timer = time.AfterFunc(r.Stall, func() { a.cancel(errStalled) })
	a.Response, err = r.http.Do(req.WithContext(a.inner))
	a.timer.Stop()
	if err != nil {
		err = a.explain(err)
		a.cancel(nil)
		return nil, err
	}
	return a, nil
}

// Read reads the body. Only the time spent waiting for the server counts as a stall, not that of a slow disk.
func (a *answer) Read(p []byte) (int, error) {
	a.timer.Reset(a.stall)
	n, err := a.Body.Read(p)
	a.timer.Stop()
	if err != nil && err != io.EOF {
		err = a.explain(err)
	}
	return n, err
}

func (a *answer) close() {
	a.timer.Stop()
	a.cancel(nil)
	_ = a.Body.Close()
}

// explain tells apart our own end, a stall, a redirect that is refused and the many ways a connection fails.
func (a *answer) explain(err error) error {
	switch {
	case a.outer.Err() != nil:
		return a.outer.Err()
	case errors.Is(context.Cause(a.inner), errStalled):
		return &trouble{err: fmt.Errorf("%w for %s", errStalled, a.stall), again: true}
	case errors.Is(err, errRedirect):
		return &trouble{err: err}
	}
	return &trouble{err: fmt.Errorf("connection failed: %w", err), again: true}
}

// refusal is the error of an answer whose status is not one that was asked for.
func (r *run) refusal(a *answer) error {
	t := &trouble{err: fmt.Errorf("%s answered %s", a.Request.URL.Redacted(), a.Status), after: retryAfter(a.Header, r.Now())}
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

// isPage says whether the answer is a page for people.
func (a *answer) isPage() bool {
	kind, _, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	return err == nil && (kind == "text/html" || kind == "application/xhtml+xml")
}

func pageError(address string) error {
	return &trouble{err: fmt.Errorf("%s answers with a web page, not with a file: open it in a browser to see why", address)}
}

// retryAfter reads the header of that name, seconds or a date; 0 when it is absent, unreadable or past.
func retryAfter(h http.Header, now time.Time) time.Duration {
	value := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(min(max(seconds, 0), int(maxRetryAfter/time.Second))) * time.Second
	}
	if t, err := http.ParseTime(value); err == nil {
		return max(t.Sub(now), 0)
	}
	return 0
}
