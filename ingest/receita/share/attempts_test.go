package share

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 9, 12, 10, 0, 0, 0, time.UTC)
	cases := map[string]time.Duration{
		"": 0, "7": 7 * time.Second, "-7": 0, "soon": 0, "99999999999": maxRetryAfter,
		"Sat, 12 Sep 2026 10:01:30 GMT": 90 * time.Second, "Sat, 12 Sep 2026 09:00:00 GMT": 0,
	}
	for value, want := range cases {
		if got := retryAfter(http.Header{"Retry-After": {value}}, now); got != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
	}
}

func TestBackoffGrowsAndIsBounded(t *testing.T) {
	t.Parallel()
	c, err := New(DefaultBase, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, most := range []time.Duration{1, 2, 4, 8, 16, 30, 30, 30} {
		most *= time.Second
		for range 20 {
			if got := c.backoffAfter(i + 1); got < most/2 || got > most {
				t.Errorf("after failure %d: %s, want %s to %s", i+1, got, most/2, most)
			}
		}
	}
}

func TestPauseEndsWithContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := sleep(ctx, 30*time.Second); err != nil {
			t.Errorf("half the time: %v", err)
		}
		if err := sleep(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("longer than the context: %v", err)
		}
	})
}

func TestOneLaneAfterStrain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLanes(3)
		for i := 1; i < maxStrain; i++ {
			l.strained(errStalled)
		}
		l.relax()
		enter := func() func() {
			leave, err := l.enter(t.Context())
			if err != nil {
				t.Error(err)
			}
			return leave
		}
		first, second := enter(), enter() // two at once: the strain was forgiven
		for i := 1; i <= maxStrain; i++ {
			if got := l.strained(errStalled); got != (i == maxStrain) {
				t.Errorf("stall %d: %v", i, got)
			}
		}
		l.relax()
		entered := make(chan func(), 2)
		for range 2 {
			go func() { entered <- enter() }()
		}
		first()
		synctest.Wait()
		if len(entered) != 0 {
			t.Error("a second download runs beside one from before")
		}
		second()
		synctest.Wait()
		if len(entered) != 1 {
			t.Errorf("%d downloads at once, want 1", len(entered))
		}
		(<-entered)()
		(<-entered)()
		if l.strained(errors.New("status 500")) {
			t.Error("a status is not a stall")
		}
	})
}
