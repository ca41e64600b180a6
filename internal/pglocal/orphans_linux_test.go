package pglocal

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
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
	children := childrenOf(t, s.PID())
	for _, child := range children {
		if err := syscall.Kill(child, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
	}
	release := func() {
		for _, child := range children {
			_ = syscall.Kill(child, syscall.SIGKILL)
		}
	}
	t.Cleanup(release)
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

// childrenOf returns the processes that a process has started.
func childrenOf(t *testing.T, pid int) []int {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	var children []int
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if len(fields) > 1 && fields[1] == strconv.Itoa(pid) {
			child, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			if err != nil {
				t.Fatal(err)
			}
			children = append(children, child)
		}
	}
	if len(children) == 0 {
		t.Fatal("the server has no children")
	}
	return children
}
