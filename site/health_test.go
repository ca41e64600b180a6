package site

import (
	"net/http"
	"testing"

	"razao/internal/fixture"
	"razao/internal/web"
)

// TestHealthIsOutsideLimits asks more often than an address may open pages. Behind a proxy all probes are one address, and a balancer
// takes a server that answers 429 for a broken one.
func TestHealthIsOutsideLimits(t *testing.T) {
	t.Parallel()
	s := newSite(t, fixture.Load(t), t.TempDir())
	s.Requests = web.NewThrottle(1, 1)
	h := served(s)
	get(t, h, "/")
	if w := get(t, h, "/"); w.Code != http.StatusTooManyRequests {
		t.Errorf("the second page: %d", w.Code)
	}
	for range 3 {
		if w := get(t, h, "/health"); w.Code != http.StatusOK {
			t.Fatalf("health: %d %s", w.Code, w.Body)
		}
	}
}
