package share

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"razao/internal/web/fetch"
)

// send sends a request and returns the head of its answer, whatever the status.
func (c *Client) send(ctx context.Context, req *http.Request) (*fetch.Answer, error) {
	return fetch.Send(ctx, c.http, req, c.stall)
}

// refusal returns the error for a status that is no success: a *fetch.Trouble if a retry can help,
// else one that tells the operator what to check.
func refusal(a *fetch.Answer) error {
	where := a.Request.URL.Redacted()
	switch {
	case fetch.MayPass(a.StatusCode):
		return &fetch.Trouble{
			Err: fmt.Errorf("%s answered %s", where, a.Status), Again: true, After: fetch.RetryAfter(a.Header, time.Now(), fetch.Patience),
		}
	case a.StatusCode < 300 && a.IsPage():
		return pageError(a)
	}
	return fmt.Errorf("%s answered %s: it is not published there or the share has a new address: check month and base URL", where, a.Status)
}

// pageError is the error of an HTML page in place of data.
func pageError(a *fetch.Answer) error {
	return fmt.Errorf("%s answered with a web page, not with data: the share is closed or has a new address: open it in a browser and check the base URL",
		a.Request.URL.Redacted())
}
