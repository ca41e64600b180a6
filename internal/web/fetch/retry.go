package fetch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"
)

// Trouble is a failure of a server or of the network. Every other error is local, and neither
// another attempt nor another address helps.
type Trouble struct {
	Err     error
	Again   bool          // another attempt may succeed
	Missing bool          // the server says that the file does not exist
	After   time.Duration // pause that the server asked for; 0: none
}

// Error returns the message of the cause.
func (t *Trouble) Error() string { return t.Err.Error() }

// Unwrap returns the cause.
func (t *Trouble) Unwrap() error { return t.Err }

// Passing returns a [*Trouble] that another attempt may cure. format may wrap a cause with %w.
func Passing(format string, args ...any) error {
	return &Trouble{Err: fmt.Errorf(format, args...), Again: true}
}

// MayPass reports whether a request answered with this status may succeed later: 408, 423, 425, 429
// and 5xx.
func MayPass(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusLocked, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return status >= http.StatusInternalServerError
}

// Retry is a policy for retrying [*Trouble]. First is the pause after the first failure (see
// [Backoff]), Sleep the package's function or a test's clock.
type Retry struct {
	First    time.Duration
	Failures int          // in a row, then Do gives up
	Log      *slog.Logger // is warned before each pause
	Sleep    func(ctx context.Context, d time.Duration) error
}

// Do calls attempt until it succeeds, fails with an error that is not worth a retry, or has failed
// r.Failures times in a row. It waits between attempts, at least as long as the server asked for.
// further reports that the attempt made progress, which resets the count: a resumed transfer may
// break off any number of times. what names the target in the log.
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
