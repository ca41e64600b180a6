package download

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
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
		if err := FollowRedirect(requests[1], requests[:1]); (err == nil) != want {
			t.Errorf("%s: %v", step, err)
		}
	}
}

// TestStopsWhilePausing cancels the context during the first pause of each kind of request.
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
		if !errors.Is(err, context.Canceled) || len(s.Requests()) != 1 {
			t.Errorf("%s: %v after %v", id, err, s.Requests())
		}
	}
}
