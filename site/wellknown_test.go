package site_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"razao/internal/testing/fixture"
	"razao/site"
	"razao/site/sitetest"
)

func TestSecurityText(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	now := time.Date(2026, 11, 28, 15, 30, 0, 0, time.UTC)
	h := sitetest.Serve(t, site.Config{Live: l.Live, Ping: l.Pool.Ping, BaseURL: sitetest.URL, Operator: "ana@razao.exemplo", Now: func() time.Time { return now }})
	const want = "Contact: mailto:ana@razao.exemplo\nExpires: 2027-05-27T00:00:00Z\nPreferred-Languages: pt, en\n" +
		"Canonical: https://razao.exemplo/.well-known/security.txt\n"
	if got := h.Body(t, "/.well-known/security.txt"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	sitetest.Serve(t, site.Config{Live: l.Live, Ping: l.Pool.Ping}).Status(t, 404, "/.well-known/security.txt")
}

// TestAPICatalog follows every link of the catalog to something that is served.
func TestAPICatalog(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	w := h.Get(t, "/.well-known/api-catalog")
	if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "application/linkset+json; profile=") || !strings.Contains(w.Header().Get("Link"), `rel="api-catalog"`) {
		t.Fatalf("status %d, %v", w.Code, w.Header())
	}
	var catalog struct {
		Linkset []map[string]json.RawMessage `json:"linkset"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &catalog); err != nil || len(catalog.Linkset) != 4 {
		t.Fatalf("%v: %s", err, w.Body)
	}
	served := 0
	for _, m := range regexp.MustCompile(`"href":"https://razao\.exemplo(/[^"]*)","type":"([^"]+)"`).FindAllStringSubmatch(w.Body.String(), -1) {
		if strings.HasPrefix(m[1], "/v") { // the API's own, which this server of pages lacks
			continue
		}
		if got := h.Get(t, m[1]); got.Code != 200 || !strings.HasPrefix(got.Header().Get("Content-Type"), m[2]) {
			t.Errorf("%s: %d, %s, want %s", m[1], got.Code, got.Header().Get("Content-Type"), m[2])
		}
		served++
	}
	if served < 5 {
		t.Errorf("only %d links were followed", served)
	}
}
