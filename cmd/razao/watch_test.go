package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"razao/internal/ops/metrics"
	"razao/internal/testing/fixture"
)

// TestPrivateAddress reads the setting, whose empty value is not its default.
func TestPrivateAddress(t *testing.T) {
	t.Parallel()
	for environment, want := range map[string]string{
		"": metrics.DefaultAddr, "RAZAO_PRIVATE_ADDR=": "", "RAZAO_PRIVATE_ADDR=127.0.0.1:9191": "127.0.0.1:9191",
	} {
		s, err := readSettings(strings.Fields(environment))
		if err != nil {
			t.Fatal(err)
		}
		if s.PrivateAddr != want {
			t.Errorf("%q: %q, want %q", environment, s.PrivateAddr, want)
		}
	}
}

// TestPrivateAddressIsTaken starts a server whose private address another process has: it does not start.
func TestPrivateAddressIsTaken(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	p, _ := onDatabase(t, "RAZAO_PRIVATE_ADDR="+taken.Addr().String())
	if code, _, stderr := p.Run("serve"); code != 1 || !strings.Contains(stderr, "RAZAO_PRIVATE_ADDR") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}

// TestTracesAreSentWhenAsked lets a server send its spans, the last of them when it stops.
func TestTracesAreSentWhenAsked(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var got []byte
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.URL.Path != "/v1/traces" {
			t.Errorf("%s: %v", r.URL.Path, err)
		}
		mu.Lock()
		defer mu.Unlock()
		got = append(got, body...)
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	defer collector.Close()
	has := func(text string) bool {
		mu.Lock()
		defer mu.Unlock()
		return bytes.Contains(got, []byte(text))
	}
	p, _ := onDatabase(t, "OTEL_EXPORTER_OTLP_ENDPOINT="+collector.URL, "OTEL_BSP_SCHEDULE_DELAY=100")
	s := p.Start("serve")
	fixture.Wait(t, "the first span", func() bool { return has("GET /robots.txt") })
	p.Get("/health", "")
	s.Stop()
	if !has("GET /health") || !has("wait for a connection") || !has("service.name") {
		t.Error("the last spans were not sent")
	}
}
