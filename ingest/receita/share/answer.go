package share

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"time"
)

var errStalled = errors.New("the server stopped sending")

// answer is a response under a stall timer: its reads fail once the server has sent nothing for too long.
type answer struct {
	*http.Response
	outer, inner context.Context // inner ends with outer or by a stall
	cancel       context.CancelCauseFunc
	timer        *time.Timer
	stall        time.Duration
}

// send sends a request and waits for the head of its answer, whatever the status.
func (c *Client) send(ctx context.Context, req *http.Request) (*answer, error) {
	// Ranges and lengths count the bytes of the file, not those of a compressed transfer.
	req.Header.Set("Accept-Encoding", "identity")
	a := &answer{outer: ctx, stall: c.stall}
	a.inner, a.cancel = context.WithCancelCause(ctx)
	a.timer = time.AfterFunc(c.stall, func() { a.cancel(errStalled) })
	var err error
	a.Response, err = c.http.Do(req.WithContext(a.inner))
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
		return &transient{err: fmt.Errorf("%w for %s", errStalled, a.stall)}
	case errors.Is(err, errRedirect):
		return err
	}
	return &transient{err: fmt.Errorf("connection failed: %w", err)}
}

// refusal is the error of an answer whose status is not one that was asked for.
func (a *answer) refusal() error {
	where := a.Request.URL.Redacted()
	switch a.StatusCode {
	case http.StatusRequestTimeout, http.StatusLocked, http.StatusTooEarly, http.StatusTooManyRequests:
	default:
		switch {
		case a.StatusCode < 300 && a.isPage():
			return a.pageError()
		case a.StatusCode < 500:
			return fmt.Errorf("%s answered %s: it is not published there or the share has a new address: check month and base URL", where, a.Status)
		}
	}
	return &transient{err: fmt.Errorf("%s answered %s", where, a.Status), after: retryAfter(a.Header, time.Now())}
}

// isPage says whether the answer is a page for people.
func (a *answer) isPage() bool {
	kind, _, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	return err == nil && (kind == "text/html" || kind == "application/xhtml+xml")
}

func (a *answer) pageError() error {
	return fmt.Errorf("%s answered with a web page, not with data: the share is closed or has a new address: open it in a browser and check the base URL",
		a.Request.URL.Redacted())
}
