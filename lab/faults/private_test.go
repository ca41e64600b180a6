package faults

import (
	"context"
	"net/http"
	"net/http/httptrace"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"razao/internal/testing/fixture"
	"razao/internal/testing/program"
	"razao/lab/internal/built"
	"razao/lab/internal/chaos"
)

// private returns a server with a few companies and a private PostgreSQL.
func private(t *testing.T, settings ...string) (*program.Program, *program.Server) {
	t.Helper()
	p := built.New(t, settings...)
	p.Must("migrate")
	p.Must("ingest", "receita", "--from", program.Sample(t, t.TempDir(), "2026-09", 100))
	return p, p.Start("serve")
}

// A server of the site gets its private PostgreSQL back when that is killed, and ends in time when it is frozen.
func TestPrivatePostgresFails(t *testing.T) {
	t.Parallel()
	p, s := private(t)
	healthy := func() bool { status, _ := p.Get("/health", ""); return status == 200 }
	fixture.Wait(t, "the server to be healthy", healthy)

	killed := p.Postmaster()
	if err := syscall.Kill(killed, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	fixture.Wait(t, "PostgreSQL to come back", func() bool {
		pid, err := p.RunningPostmaster()
		return err == nil && pid != killed && healthy()
	})

	p.Must("loads") // waits for PostgreSQL itself: what health says may be a second old

	outside := p.Beside() // to which the same PostgreSQL is one from outside
	outside.Settings = []string{"RAZAO_DATABASE_URL=host=" + filepath.Join(p.Data, "postgres/cluster") + " user=razao dbname=razao"}
	servers := []*program.Server{outside.Start("serve"), s}
	fixture.Wait(t, "the other server to be healthy", func() bool { status, _ := outside.Get("/health", ""); return status == 200 })
	key := p.NewKey("ana@exemplo.com.br", "teste")
	chaos.Freeze(t, p.Postmaster(), syscall.SIGKILL)
	sendCall(outside, key)
	sendCall(p, key)
	for _, s := range servers {
		endsInTime(t, s)
	}
	p.Must("loads") // nothing frozen is in the way
}

// TestFrozenPostgresHoldsNobody ends a server beside a PostgreSQL that was frozen while the history of calls, mails and the snapshot in
// service were asked of it.
func TestFrozenPostgresHoldsNobody(t *testing.T) {
	t.Parallel()
	p, s := private(t)
	key := p.NewKey("ana@exemplo.com.br", "teste")
	if status, body := p.Get("/v1/cnpj/abc", key); status != 400 { // which counts, and is written within half a second
		t.Fatalf("a call: %d %s", status, body)
	}
	chaos.Freeze(t, p.Postmaster(), syscall.SIGKILL)
	for range 4 {
		sendCall(p, key)
	}
	endsInTime(t, s)
}

// TestFrozenPostgresKeepsNobodyWaiting freezes PostgreSQL under a server. Once the health probe knows, pages and calls wait for nothing:
// a hundred of them, one after the other, take no longer than a client waits for one. A page says what it lacks, a call when to come back,
// and contacts hidden on request stay hidden.
func TestFrozenPostgresKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	p, _ := private(t)
	key := p.NewKey("ana@exemplo.com.br", "teste")
	number := p.Suggestions()[0]
	const hidden = "foram ocultados a pedido"
	p.Must("contacts", "hide", number)
	fixture.Wait(t, "the contact to be hidden", func() bool { _, page := p.Get("/"+number, ""); return strings.Contains(page, hidden) })
	chaos.Freeze(t, p.Postmaster(), syscall.SIGKILL)
	fixture.Wait(t, "the probe to know", func() bool {
		_, health := p.Get("/health/ready", "")
		status, _ := p.Get("/v1/cnpj/"+number, key)
		return strings.Contains(health, `"banco":"indisponivel"`) && status == http.StatusServiceUnavailable
	})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for range 20 {
		for path, want := range map[string]int{"/" + number: 200, "/busca?q=ltda": 200, "/conta": 303, "/v1/cnpj/" + number: 503, "/v2/empresas/" + number[:8] + "/full": 503} {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.Addr+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(path, "/v") {
				req.Header.Set("Authorization", "Bearer "+key)
			}
			resp, body := p.Do(req)
			if resp.StatusCode != want || want == 503 && resp.Header.Get("Retry-After") == "" {
				t.Errorf("%s: %d %v, want %d", path, resp.StatusCode, resp.Header, want)
			}
			if path == "/"+number && (!strings.Contains(body, sectionMissing) || !strings.Contains(body, hidden)) {
				t.Errorf("the page does not say what it lacks, or shows a hidden contact: %s", body)
			}
		}
	}
}

// TestDrain stops a server behind a balancer: it is not ready at once, and goes on answering. A second signal ends it.
func TestDrain(t *testing.T) {
	t.Parallel()
	p, s := private(t, "RAZAO_DRAIN=1h")
	if status, body := p.Get("/health/ready", ""); status != 200 {
		t.Errorf("before: %d %s", status, body)
	}
	s.Signal(syscall.SIGTERM)
	fixture.Wait(t, "the server to say that it stops", func() bool { status, _ := p.Get("/health/ready", ""); return status == 503 })
	if status, _ := p.Get("/busca?q=ltda", ""); status != 200 {
		t.Errorf("meanwhile: %d", status)
	}
	s.Signal(syscall.SIGTERM)
	if err := s.Wait(); err == nil || err.Error() != "signal: terminated" {
		t.Errorf("after a second signal: %v", err)
	}
	p.Must("loads") // takes over the PostgreSQL that was left, and as its last user stops it
}

// ask sends a call that waits for the database, and returns when it is on its way.
func sendCall(p *program.Program, key string) {
	p.T.Helper()
	sent := make(chan error, 2)
	trace := &httptrace.ClientTrace{WroteRequest: func(info httptrace.WroteRequestInfo) { sent <- info.Err }}
	ctx, cancel := context.WithCancel(httptrace.WithClientTrace(context.Background(), trace))
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.Addr+"/v1/cnpj/abc", nil)
	if err != nil {
		p.T.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	done := make(chan struct{})
	go func() {
		defer close(done)
		resp, err := new(http.Transport).RoundTrip(req)
		if err != nil {
			sent <- err // of no interest if it was on its way
			return
		}
		_ = resp.Body.Close()
	}()
	p.T.Cleanup(func() { cancel(); <-done })
	if err := <-sent; err != nil {
		p.T.Fatal(err)
	}
}

// endsInTime asks the server to end, and bounds its end by what service managers grant.
func endsInTime(t *testing.T, s *program.Server) {
	t.Helper()
	s.Signal(syscall.SIGTERM)
	late := time.AfterFunc(25*time.Second, func() { _ = syscall.Kill(s.PID(), syscall.SIGQUIT) })
	defer late.Stop()
	if err := s.Wait(); err != nil {
		t.Errorf("it does not end well beside a frozen PostgreSQL: %v\n%s", err, s.Log)
	}
}
