package share

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

const (
	// maxFailures is how many repetitions in a row may bring nothing. The share has had days on which every second
	// request failed; with 12 repetitions such a day stops fewer than one download of 37 files in 200.
	maxFailures = 12
	// maxBackoff bounds the pause between attempts, in multiples of the first one.
	maxBackoff = 30
	// maxRetryAfter bounds what the server may ask for with Retry-After.
	maxRetryAfter = 10 * time.Minute
)

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
	pause := max(a.c.backoffAfter(a.failures), min(t.after, maxRetryAfter))
	a.c.log.Warn("trying again", "what", a.what, "failures", a.failures, "pause", pause, "error", err)
	return a.c.pause(ctx, pause)
}

// backoffAfter returns the pause after the nth failure in a row: exponential, with jitter so that streams that failed
// together do not come back together.
func (c *Client) backoffAfter(n int) time.Duration {
	d := c.backoff * maxBackoff
	if n <= 5 {
		d = min(d, c.backoff<<(n-1))
	}
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
