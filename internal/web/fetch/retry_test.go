package fetch

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"
)

func TestRetryBearsWhatMayPass(t *testing.T) {
	t.Parallel()
	ours := errors.New("ours")
	passing := Passing("busy")
	for name, c := range map[string]struct {
		outcomes []error // the last one for ever
		further  int     // the attempt that gets further
		attempts int
		is       error
	}{
		"success":                   {[]error{nil}, 0, 1, nil},
		"trouble that passes":       {[]error{passing, passing, nil}, 0, 3, nil},
		"trouble that stays":        {[]error{&Trouble{Err: ours}}, 0, 1, ours},
		"our own error":             {[]error{passing, ours}, 0, 2, ours},
		"nothing but trouble":       {[]error{passing}, 0, 4, passing},
		"progress forgives failure": {[]error{passing}, 3, 6, passing},
	} {
		var pauses []time.Duration
		r := Retry{First: time.Second, Failures: 4, Log: slog.New(slog.DiscardHandler), Sleep: func(_ context.Context, d time.Duration) error {
			pauses = append(pauses, d)
			return nil
		}}
		attempts := 0
		err := r.Do(t.Context(), name, func() (bool, error) {
			attempts++
			return attempts == c.further, c.outcomes[min(attempts, len(c.outcomes))-1]
		})
		if attempts != c.attempts || len(pauses) != attempts-1 || !errors.Is(err, c.is) {
			t.Errorf("%s: %d attempts, %d pauses, %v", name, attempts, len(pauses), err)
		}
	}
}

func TestRetryWaitsAsAskedAndStops(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var paused time.Duration
	r := Retry{First: time.Second, Failures: 4, Log: slog.New(slog.DiscardHandler), Sleep: func(ctx context.Context, d time.Duration) error {
		paused = d
		cancel()
		return ctx.Err()
	}}
	err := r.Do(ctx, "a file", func() (bool, error) {
		return false, &Trouble{Err: errors.New("later"), Again: true, After: time.Hour}
	})
	if !errors.Is(err, context.Canceled) || paused != time.Hour {
		t.Errorf("%v after a pause of %v", err, paused)
	}
}
