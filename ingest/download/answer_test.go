package download

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestRedirectsStayOnHTTPS(t *testing.T) {
	t.Parallel()
	cases := map[string]bool{
		"https://a.gov.br/ https://b.gov.br/": true,
		"http://a.gov.br/ https://b.gov.br/":  true,
		"http://a.gov.br/ http://b.gov.br/":   true,
		"https://a.gov.br/ http://a.gov.br/":  false,
	}
	for step, want := range cases {
		from, to, _ := strings.Cut(step, " ")
		var requests []*http.Request
		for _, address := range []string{from, to} {
			req, err := http.NewRequest(http.MethodGet, address, nil)
			if err != nil {
				t.Fatal(err)
			}
			requests = append(requests, req)
		}
		if err := checkRedirect(requests[1], requests[:1]); (err == nil) != want {
			t.Errorf("%s: %v", step, err)
		}
	}
}

func TestPausesGrowAndAreBounded(t *testing.T) {
	t.Parallel()
	for i, most := range []time.Duration{1, 2, 4, 8, 16, 30, 30, 30} {
		most *= time.Second
		for range 20 {
			if got := backoff(i + 1); got < most/2 || got > most {
				t.Errorf("after failure %d: %s, want %s to %s", i+1, got, most/2, most)
			}
		}
	}
	now := time.Date(2026, 9, 12, 10, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, "-7": 0, "soon": 0, "99999999999": maxRetryAfter,
		"Sat, 12 Sep 2026 10:01:30 GMT": 90 * time.Second, "Sat, 12 Sep 2026 09:00:00 GMT": 0,
	} {
		if got := retryAfter(http.Header{"Retry-After": {value}}, now); got != want {
			t.Errorf("Retry-After %q: %s, want %s", value, got, want)
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

// TestStopsWhilePausing ends the context in the first pause of each way to ask.
func TestStopsWhilePausing(t *testing.T) {
	t.Parallel()
	for id, period := range map[string]string{"pgfn": "", "ceis": "2026-09-30", "cnep": "", "mte_ceac": "", "ibama_autos": "", "rntrc": ""} {
		s := newSite(t, nil)
		s.hook = answer503
		ctx, cancel := context.WithCancel(t.Context())
		o, _ := s.options()
		o.Period = period
		o.Sleep = func(ctx context.Context, _ time.Duration) error { cancel(); return ctx.Err() }
		_, err := Fetch(ctx, id, t.TempDir(), o)
		if !errors.Is(err, context.Canceled) || len(s.asked) != 1 {
			t.Errorf("%s: %v after %v", id, err, s.asked)
		}
	}
}
