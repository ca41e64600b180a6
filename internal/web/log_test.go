package web

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
)

// TestLogHasTheNetworkAlone sends requests with addresses, documents and typed text, none of which
// may be in the log.
func TestLogHasTheNetworkAlone(t *testing.T) {
	t.Parallel()
	proxies := []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}
	for _, tt := range []struct{ name, peer, forwarded, network string }{
		{"IPv4", "198.51.100.77:4711", "", "198.51.100.0/24"},
		{"IPv6", "[2001:db8:aaaa:bbbb:cccc::77]:4711", "", "2001:db8:aaaa::/48"},
		{"IPv4 in IPv6", "[::ffff:198.51.100.77]:4711", "", "198.51.100.0/24"},
		{"behind a proxy", "192.0.2.1:80", "203.0.113.77", "203.0.113.0/24"},
		{"no address", "@", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			engine := NewEngine(Options{Log: slog.New(slog.NewJSONHandler(&out, nil)), TrustedProxies: proxies})
			Get(engine, "/v1/cnpj/:cnpj", func(c *gin.Context) { c.Status(http.StatusOK) })
			for _, path := range []string{"/v1/cnpj/00077700000191?q=maria+das+dores", "/maria.das.dores/77777777777"} {
				r := httptest.NewRequest("GET", path, nil)
				r.RemoteAddr = tt.peer
				r.Header.Set("X-Forwarded-For", tt.forwarded)
				r.Header.Set("Authorization", "Bearer rz_77abc")
				r.Header.Set("User-Agent", "maria/77")
				r.Header.Set("Referer", "https://maria.example/77")
				engine.ServeHTTP(httptest.NewRecorder(), r)
			}
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			if len(lines) != 2 {
				t.Fatalf("%d lines", len(lines))
			}
			for _, text := range lines {
				var line map[string]any
				if err := json.Unmarshal([]byte(text), &line); err != nil {
					t.Fatal(err)
				}
				if network, _ := line["network"].(string); network != tt.network {
					t.Errorf("network %q, want %q", network, tt.network)
				}
				for _, ours := range []string{"id", "time", "latency"} { // digits of our own
					delete(line, ours)
				}
				rest, err := json.Marshal(line)
				if err != nil {
					t.Fatal(err)
				}
				for _, secret := range []string{"77", "maria", "dores", "cccc", "bbbb"} {
					if bytes.Contains(rest, []byte(secret)) {
						t.Errorf("the log has %q: %s", secret, text)
					}
				}
			}
		})
	}
}
