package share

import (
	"context"
	"errors"
	"fmt"
	"time"

	"razao/ingest/fetch"
)

// maxFailures is how many repetitions in a row may bring nothing. The share has had days on which every second request
// failed; with 12 repetitions such a day stops fewer than one download of 37 files in 200.
const maxFailures = 12

// transient is a failure that another attempt may cure; every other error is final.
type transient struct {
	err   error
	after time.Duration // what the server asked for with Retry-After; 0 when it did not
}

func (t *transient) Error() string { return t.err.Error() }
func (t *transient) Unwrap() error { return t.err }

// attempts counts the failures of one request since it last made progress.
type attempts struct {
	c        *Client
	what     string
	failures int
}

func (c *Client) newAttempts(what string) *attempts { return &attempts{c: c, what: what} }

// progress forgives the failures so far.
func (a *attempts) progress() { a.failures = 0 }

// failed pauses before the next attempt and returns nil, or returns why there should be none.
func (a *attempts) failed(ctx context.Context, err error) error {
	var t *transient
	if !errors.As(err, &t) {
		return err
	}
	if a.failures++; a.failures > maxFailures {
		return fmt.Errorf("%w: %d repetitions brought nothing: try again later, what has arrived is kept", err, maxFailures)
	}
	pause := max(fetch.Backoff(a.c.backoff, a.failures), t.after)
	a.c.log.Warn("trying again", "what", a.what, "failures", a.failures, "pause", pause, "error", err)
	return a.c.pause(ctx, pause)
}
