package site

import (
	"net/http"
	"testing"

	"razao/internal/testing/fixture"
	"razao/internal/web"
)

// TestHealthIsOutsideLimits probes /health more often than the throttle allows. Behind a proxy all
// probes share one address, and a load balancer treats 429 as unhealthy.
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
