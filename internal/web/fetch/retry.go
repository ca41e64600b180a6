package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"time"
)

// Trouble is a failure of a server or of the network. Every other error is local, and neither
// another attempt nor another address helps.
type Trouble struct {
	Err     error
	Again   bool          // another attempt may succeed
	Missing bool          // the server says that the file does not exist
	Moved   bool          // what is at the address says that it may be the wrong one: nothing, no access, a page for people
	After   time.Duration // pause that the server asked for; 0: none
	Kind    *Kind         // how failures of its kind are retried; nil: as the [Retry] says
}

// Kind says how one kind of failure is retried: with exponential backoff, and how often.
type Kind struct {
	First    time.Duration // pause after the first failure
	Most     time.Duration // to which it doubles; 0: 30 times First
	Exact    bool          // without jitter, and no longer than the server asks for
	Failures int           // in a row, then [Retry.Do] gives up
}

// pause returns the pause after the nth failure in a row, n from 1.
func (k *Kind) pause(n int) time.Duration {
	d := k.longest(n)
	if k.Exact {
		return d
	}
	return d/2 + rand.N(d/2+1)
}

// longest returns the longest pause after the nth failure in a row.
func (k *Kind) longest(n int) time.Duration {
	most := cmp.Or(k.Most, 30*k.First)
	d := k.First
	for range n - 1 {
		d = min(2*d, most)
	}
	return d
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

// Resumable is the Stop of downloads that people start.
const Resumable = "Ctrl-C stops it; what has arrived is kept, and the next run goes on from there"

// Retry is a policy for retrying [*Trouble]. First and Failures are those of the [Kind] of a Trouble
// without one, Sleep the package's function or a test's clock.
type Retry struct {
	First    time.Duration
	Failures int
	Stop     string       // how people end it, for the log; "": they do not
	Log      *slog.Logger // is warned before each pause, from the second in a row on with what is to come
	Sleep    func(ctx context.Context, d time.Duration) error
}

// Do calls attempt until it succeeds, fails with an error that is not worth a retry, or has failed
// too often in a row; kinds of failures are counted apart. It waits between attempts, at least as
// long as the server asked for. further reports that the attempt made progress, which resets the counts: a
// resumed transfer may break off any number of times. what names the target in the log.
func (r *Retry) Do(ctx context.Context, what string, attempt func() (further bool, err error)) error {
	usual, failures := &Kind{First: r.First, Failures: r.Failures}, map[*Kind]int{}
	for {
		further, err := attempt()
		var t *Trouble
		if !errors.As(err, &t) || !t.Again {
			return err
		}
		if further {
			clear(failures)
		}
		kind := cmp.Or(t.Kind, usual)
		failures[kind]++
		n := failures[kind]
		if n == kind.Failures {
			return &Trouble{Err: fmt.Errorf("%w: %d requests brought nothing, or far too little: try again later", err, n)}
		}
		pause := kind.pause(n)
		if t.After > pause || kind.Exact && t.After > 0 {
			pause = t.After
		}
		attrs := []any{"what", what, "failures", n, "pause", pause, "error", err}
		if n > 1 {
			attrs = append(attrs, "outlook", r.outlook(kind, n, pause))
		}
		r.Log.Warn("trying again", attrs...)
		if err := r.Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// outlook says, before the pause after the nth failure in a row, until when attempts go on if all fail
// at once, and how to stop them.
func (r *Retry) outlook(kind *Kind, n int, pause time.Duration) string {
	until := "it goes on until it succeeds"
	if kind.Failures > 0 {
		for i := n + 1; i < kind.Failures; i++ {
			pause += kind.longest(i)
		}
		until = "it goes on until about " + time.Now().Add(pause).Format(time.DateTime)
	}
	if r.Stop == "" {
		return until
	}
	return until + "; " + r.Stop
}
