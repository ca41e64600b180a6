package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"razao/internal/fixture"
	"razao/internal/metrics"
)

// TestPrivateAddress reads the setting; it is not parallel because it changes the environment.
func TestPrivateAddress(t *testing.T) {
	const name = "RAZAO_PRIVATE_ADDR"
	t.Setenv(name, "") // and back at the end
	for _, tt := range []struct {
		set   bool
		value string
		addr  string
	}{{false, "", metrics.DefaultAddr}, {true, "", ""}, {true, "127.0.0.1:9191", "127.0.0.1:9191"}} {
		_ = os.Unsetenv(name)
		if tt.set {
			t.Setenv(name, tt.value)
		}
		s, err := readSettings()
		if err != nil {
			t.Fatal(err)
		}
		if s.PrivateAddr != tt.addr {
			t.Errorf("set %t to %q: %q", tt.set, tt.value, s.PrivateAddr)
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
	p, _ := newProgram(t, "RAZAO_PRIVATE_ADDR="+taken.Addr().String())
	if code, _, stderr := p.run("serve"); code != 1 || !strings.Contains(stderr, "RAZAO_PRIVATE_ADDR") {
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
	p, _ := newProgram(t, "OTEL_EXPORTER_OTLP_ENDPOINT="+collector.URL, "OTEL_BSP_SCHEDULE_DELAY=100")
	s := p.start("serve")
	fixture.Wait(t, "the first span", func() bool { return has("GET /robots.txt") })
	p.get("/health", "")
	s.stop()
	if !has("GET /health") || !has("wait for a connection") || !has("service.name") {
		t.Error("the last spans were not sent")
	}
}
