package main

import (
	"net"
	"strings"
	"testing"

	"razao/internal/ops/metrics"
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
