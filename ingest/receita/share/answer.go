package share

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"razao/ingest/fetch"
)

// answer is what the share answered.
type answer struct {
	*fetch.Answer
	ctx context.Context // of the one who asked
}

// send sends a request and waits for the head of its answer, whatever the status.
func (c *Client) send(ctx context.Context, req *http.Request) (*answer, error) {
	a, err := fetch.Send(ctx, c.http, req, c.stall)
	if err != nil {
		return nil, passing(ctx, err)
	}
	return &answer{a, ctx}, nil
}

// Read reads the body.
func (a *answer) Read(p []byte) (int, error) {
	n, err := a.Answer.Read(p)
	if err != nil && err != io.EOF {
		err = passing(a.ctx, err)
	}
	return n, err
}

// passing marks an error of an answer as transient, unless ctx ended or a redirect was refused.
func passing(ctx context.Context, err error) error {
	if ctx.Err() != nil || errors.Is(err, fetch.ErrRedirect) {
		return err
	}
	return &transient{err: err}
}

// refusal is the error of an answer whose status is not one that was asked for.
func (a *answer) refusal() error {
	where := a.Request.URL.Redacted()
	switch a.StatusCode {
	case http.StatusRequestTimeout, http.StatusLocked, http.StatusTooEarly, http.StatusTooManyRequests:
	default:
		switch {
		case a.StatusCode < 300 && a.IsPage():
			return a.pageError()
		case a.StatusCode < 500:
			return fmt.Errorf("%s answered %s: it is not published there or the share has a new address: check month and base URL", where, a.Status)
		}
	}
	return &transient{err: fmt.Errorf("%s answered %s", where, a.Status), after: fetch.RetryAfter(a.Header, time.Now(), fetch.Patience)}
}

func (a *answer) pageError() error {
	return fmt.Errorf("%s answered with a web page, not with data: the share is closed or has a new address: open it in a browser and check the base URL",
		a.Request.URL.Redacted())
}
