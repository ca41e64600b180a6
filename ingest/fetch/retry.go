package fetch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"
)

// Trouble is a failure of a server or of the way to it. Every other error is ours, and no other attempt or address cures it.
type Trouble struct {
	Err     error
	Again   bool          // another attempt may bring more
	Missing bool          // there is no such file
	After   time.Duration // what the server asked to wait, 0 when it did not
}

func (t *Trouble) Error() string { return t.Err.Error() }

// Unwrap returns the cause.
func (t *Trouble) Unwrap() error { return t.Err }

// Passing returns the trouble that another attempt may cure.
func Passing(format string, args ...any) error {
	return &Trouble{Err: fmt.Errorf(format, args...), Again: true}
}

// MayPass says whether a status is one that the next attempt need not meet.
func MayPass(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusLocked, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return status >= http.StatusInternalServerError
}

// Retry says how long trouble is borne.
type Retry struct {
	First    time.Duration // pause after the first failure; see Backoff
	Failures int           // so many in a row end it
	Log      *slog.Logger
	Sleep    func(ctx context.Context, d time.Duration) error
}

// Do calls attempt until it succeeds or another one is not worth it. attempt says whether it got further than those before
// it, which forgives their failures.
func (r *Retry) Do(ctx context.Context, what string, attempt func() (further bool, err error)) error {
	for failures := 0; ; {
		further, err := attempt()
		var t *Trouble
		if !errors.As(err, &t) || !t.Again {
			return err
		}
		if further {
			failures = 0
		}
		if failures++; failures == r.Failures {
			return &Trouble{Err: fmt.Errorf("%w: %d requests brought nothing: try again later, what has arrived is kept", err, failures)}
		}
		pause := max(Backoff(r.First, failures), t.After)
		r.Log.Warn("trying again", "what", what, "failures", failures, "pause", pause, "error", err)
		if err := r.Sleep(ctx, pause); err != nil {
			return err
		}
	}
}
