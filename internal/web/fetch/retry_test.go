package fetch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
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

// TestRetrySaysUntilWhen: from the second failure in a row on, the log says until when attempts go on,
// which is when they end, and how to stop them.
func TestRetrySaysUntilWhen(t *testing.T) {
	t.Parallel()
	const failures = 13
	for name, c := range map[string]struct {
		kind *Kind
		stop string
	}{
		"jitter":    {nil, Resumable},
		"exact":     {&Kind{First: 30 * time.Second, Most: 10 * time.Minute, Exact: true, Failures: 20}, Resumable},
		"no end":    {&Kind{First: time.Second, Most: time.Minute, Exact: true}, Resumable},
		"by itself": {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var lines bytes.Buffer
				r := Retry{First: time.Second, Failures: failures, Stop: c.stop, Log: slog.New(slog.NewJSONHandler(&lines, nil)), Sleep: Sleep}
				attempts := 0
				_ = r.Do(t.Context(), "a share", func() (bool, error) {
					if attempts++; attempts > 30 {
						return false, nil
					}
					return false, &Trouble{Err: errors.New("no network"), Again: true, Kind: c.kind}
				})
				ended := time.Now()
				n := 0
				for line := range bytes.Lines(lines.Bytes()) {
					var logged struct {
						Failures int
						Outlook  string
					}
					if err := json.Unmarshal(line, &logged); err != nil {
						t.Fatal(err)
					}
					n++
					if logged.Failures != n || (n == 1) != (logged.Outlook == "") {
						t.Fatalf("line %d: %+v", n, logged)
					}
					if n == 1 {
						continue
					}
					until, stop, _ := strings.Cut(logged.Outlook, "; ")
					if stop != c.stop {
						t.Errorf("after %d failures: how to stop is %q", n, stop)
					}
					at, err := time.ParseInLocation("it goes on until about "+time.DateTime, until, time.Local)
					switch {
					case name == "no end" && until == "it goes on until it succeeds":
					case err != nil:
						t.Errorf("after %d failures: %q", n, logged.Outlook)
					case name == "exact" && ended.Sub(at).Abs() >= time.Second, at.Add(time.Second).Before(ended), at.Sub(ended) > 15*time.Second*failures:
						t.Errorf("after %d failures: %q, but it ended at %s", n, logged.Outlook, ended)
					}
				}
				if n < failures-1 {
					t.Errorf("%d lines", n)
				}
			})
		})
	}
}
