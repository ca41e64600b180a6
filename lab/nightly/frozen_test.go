package nightly

import (
	"context"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"razao/internal/testing/fixture"
	"razao/internal/testing/program"
	"razao/lab/internal/built"
)

// TestFrozenPostgresKeepsNobodyWaiting freezes PostgreSQL under a server. Once the health probe knows, pages and calls wait for nothing:
// a hundred of them, one after the other, take no longer than a client waits for one. A page says what it lacks, a call when to come back,
// and contacts hidden on request stay hidden. The server ends within what service managers grant, and leaves nothing frozen.
func TestFrozenPostgresKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	p := built.New(t)
	p.Must("migrate")
	p.Must("ingest", "receita", "--from", program.Sample(t, t.TempDir(), "2026-09", 100))
	server := p.Start("serve")
	key := p.NewKey("ana@exemplo.com.br", "teste")
	number := p.Suggestions()[0]
	const hidden = "foram ocultados a pedido"
	p.Must("contacts", "hide", number)
	fixture.Wait(t, "the contact to be hidden", func() bool { _, page := p.Get("/"+number, ""); return strings.Contains(page, hidden) })
	freeze(t, p.Postmaster(), syscall.SIGKILL)
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
	server.Signal(syscall.SIGTERM)
	late := time.AfterFunc(25*time.Second, func() { _ = syscall.Kill(server.PID(), syscall.SIGQUIT) })
	defer late.Stop()
	if err := server.Wait(); err != nil {
		t.Errorf("it does not end well beside a frozen PostgreSQL: %v\n%s", err, server.Log)
	}
	p.Must("loads") // nothing frozen is in the way
}
