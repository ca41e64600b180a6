package pglocal

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"
)

// TestProcessesOfAKilledServer starts a server while a process of a killed one, stopped so that it cannot notice, still holds
// the shared memory.
func TestProcessesOfAKilledServer(t *testing.T) {
	t.Parallel()
	needPostgres(t)
	dir := t.TempDir()
	s := openServer(t, dir)
	var held []int
	release := func() {
		for _, child := range held {
			_ = syscall.Kill(child, syscall.SIGKILL)
		}
	}
	t.Cleanup(release)
	for _, child := range children(s.PID()) {
		switch err := syscall.Kill(child, syscall.SIGSTOP); {
		case err == nil:
			held = append(held, child)
		case !errors.Is(err, syscall.ESRCH): // an autovacuum worker, for instance, may have just ended
			t.Fatal(err)
		}
	}
	if len(held) == 0 {
		t.Fatal("the server has no children")
	}
	if err := syscall.Kill(s.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if s, err := Open(ctx, dir, Options{Volatile: true}); err == nil {
		_ = s.Close()
		t.Fatal("a server was started beside the processes of a killed one")
	} else if !strings.Contains(err.Error(), "wait for PostgreSQL") {
		t.Errorf("it does not wait for them: %v", err)
	}
	release()
	again := openServer(t, dir)
	if got := query[int](t, again, "SELECT 1"); got != 1 {
		t.Errorf("after the processes were gone: %d", got)
	}
}
