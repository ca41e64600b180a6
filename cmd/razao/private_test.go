package main

import (
	"context"
	"net/http"
	"net/http/httptrace"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"razao/internal/testing/fixture"
)

// postmaster returns the process id of the private PostgreSQL of a place.
func (p *place) postmaster() int {
	p.t.Helper()
	pid, err := p.runningPostmaster()
	if err != nil {
		p.t.Fatal(err)
	}
	return pid
}

// runningPostmaster is postmaster while there may be none.
func (p *place) runningPostmaster() (pid int, err error) {
	text, err := os.ReadFile(filepath.Join(p.data, "postgres/cluster/postmaster.pid"))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.SplitN(string(text), "\n", 2)[0])
}

// freeze stops a process and its children, so that they do not react any more, and returns them. At the end of the test they get a
// signal, SIGCONT or SIGKILL.
func freeze(t *testing.T, pid int, end syscall.Signal) []int {
	t.Helper()
	frozen := []int{pid}
	list, err := exec.Command("pgrep", "-P", strconv.Itoa(pid)).Output()
	if err != nil {
		t.Fatalf("children of PostgreSQL: %v", err)
	}
	for _, child := range strings.Fields(string(list)) {
		n, err := strconv.Atoi(child)
		if err != nil {
			t.Fatal(err)
		}
		frozen = append(frozen, n)
	}
	for _, n := range frozen {
		_ = syscall.Kill(n, syscall.SIGSTOP) // one may have just ended
		t.Cleanup(func() { _ = syscall.Kill(n, end) })
	}
	return frozen
}

// A server of the site gets its private PostgreSQL back when that is killed, and ends in time when it is frozen.
func TestPrivatePostgresFails(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.must("migrate")
	p.must("ingest", "receita", "--from", writeSample(t, t.TempDir(), "2026-09", 100))
	s := p.start("serve")
	healthy := func() bool { status, _ := p.get("/health", ""); return status == 200 }
	fixture.Wait(t, "the server to be healthy", healthy)

	killed := p.postmaster()
	if err := syscall.Kill(killed, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	fixture.Wait(t, "PostgreSQL to come back", func() bool {
		text, err := os.ReadFile(filepath.Join(p.data, "postgres/cluster/postmaster.pid"))
		return err == nil && !strings.HasPrefix(string(text), strconv.Itoa(killed)+"\n") && healthy()
	})

	p.must("loads") // waits for PostgreSQL itself: what health says may be a second old

	outside := p.beside() // to which the same PostgreSQL is one from outside
	outside.more = []string{"RAZAO_DATABASE_URL=host=" + filepath.Join(p.data, "postgres/cluster") + " user=razao dbname=razao"}
	servers := []*server{outside.start("serve"), s}
	fixture.Wait(t, "the other server to be healthy", func() bool { status, _ := outside.get("/health", ""); return status == 200 })
	key := strings.TrimSpace(p.must("keys", "create", "--account", "ana@exemplo.com.br", "--name", "teste"))
	freeze(t, p.postmaster(), syscall.SIGKILL)
	outside.ask(key)
	p.ask(key)
	for _, s := range servers {
		s.endsInTime(syscall.SIGTERM)
	}
	p.must("loads") // nothing frozen is in the way
}

// TestFrozenPostgresHoldsNobody ends a server beside a PostgreSQL that was frozen while the history of calls, mails and the snapshot in
// service were asked of it.
func TestFrozenPostgresHoldsNobody(t *testing.T) {
	t.Parallel()
	p := newPlace(t)

	p.must("migrate")
	p.must("ingest", "receita", "--from", writeSample(t, t.TempDir(), "2026-09", 100))
	s := p.start("serve")
	key := strings.TrimSpace(p.must("keys", "create", "--account", "ana@exemplo.com.br", "--name", "teste"))
	if status, body := p.get("/v1/cnpj/abc", key); status != 400 { // which counts, and is written within half a second
		t.Fatalf("a call: %d %s", status, body)
	}
	freeze(t, p.postmaster(), syscall.SIGKILL)
	for range 4 {
		p.ask(key)
	}
	s.endsInTime(syscall.SIGTERM)
}

// TestDrain stops a server behind a balancer: it is not ready at once, and goes on answering. A second signal ends it.
func TestDrain(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "RAZAO_DRAIN=1h")
	p.must("migrate")
	p.must("ingest", "receita", "--from", writeSample(t, t.TempDir(), "2026-09", 100))
	s := p.start("serve")
	if status, body := p.get("/health/ready", ""); status != 200 {
		t.Errorf("before: %d %s", status, body)
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	fixture.Wait(t, "the server to say that it stops", func() bool { status, _ := p.get("/health/ready", ""); return status == 503 })
	if status, _ := p.get("/busca?q=ltda", ""); status != 200 {
		t.Errorf("meanwhile: %d", status)
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Wait(); err == nil || s.cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
		t.Errorf("after a second signal: %v", err)
	}
}

// ask sends a call that waits for the database, and returns when it is on its way.
func (p *place) ask(key string) {
	p.t.Helper()
	sent := make(chan error, 2)
	trace := &httptrace.ClientTrace{WroteRequest: func(info httptrace.WroteRequestInfo) { sent <- info.Err }}
	ctx, cancel := context.WithCancel(httptrace.WithClientTrace(context.Background(), trace))
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.addr+"/v1/cnpj/abc", nil)
	if err != nil {
		p.t.Fatal(err)
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
	p.t.Cleanup(func() { cancel(); <-done })
	if err := <-sent; err != nil {
		p.t.Fatal(err)
	}
}

// endsInTime sends a signal that shall end the server, and bounds its end by what service managers grant.
func (s *server) endsInTime(sig os.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
	late := time.AfterFunc(25*time.Second, func() { _ = s.cmd.Process.Signal(syscall.SIGQUIT) })
	defer late.Stop()
	if err := s.cmd.Wait(); err != nil {
		s.t.Errorf("it does not end well beside a frozen PostgreSQL: %v\n%s", err, s.log.String())
	}
}
