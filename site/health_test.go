package site_test

import (
	"net/http"
	"testing"

	"razao/internal/testing/fixture"
	"razao/internal/web"
	"razao/site/sitetest"
)

// TestHealthIsOutsideLimits probes /health more often than the throttle allows. Behind a proxy all
// probes share one address, and a load balancer treats 429 as unhealthy.
func TestHealthIsOutsideLimits(t *testing.T) {
	t.Parallel()
	h := sitetest.New(t, fixture.Load(t), func(s *sitetest.Setup) { s.Requests = web.NewThrottle(1, 1) })
	h.Get(t, "/")
	h.Status(t, http.StatusTooManyRequests, "/")
	for range 3 {
		if w := h.Get(t, "/health"); w.Code != http.StatusOK {
			t.Fatalf("health: %d %s", w.Code, w.Body)
		}
	}
}
