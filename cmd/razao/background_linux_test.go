package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/store/pglocal"
	"razao/internal/testing/fixture"
	"razao/internal/testing/program"
)

// nicenessOf reads proc_pid_stat(5) of all threads of a process.
func nicenessOf(t *testing.T, pid int) (all []int) {
	t.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	if err != nil || len(threads) == 0 {
		t.Fatalf("threads of process %d: %v", pid, err)
	}
	for _, path := range threads {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		behindName := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		n, err := strconv.Atoi(behindName[16]) // field 19
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, n)
	}
	return all
}

// TestALoadYieldsToServers looks at a load that waits to be registered, at its connections, and at those who do not load.
func TestALoadYieldsToServers(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	p.Must("migrate")
	server, err := pglocal.Open(t.Context(), filepath.Join(p.Data, "postgres"), pglocal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	pool, err := pgxpool.New(t.Context(), server.DSN("razao"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	hold, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := hold.Exec(t.Context(), `LOCK TABLE load IN EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	cmd := p.Command("ingest", "receita", "--from", program.Sample(t, t.TempDir(), "2026-09", 100))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // as a service manager, a timer or cron starts it
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	var loading []int
	fixture.Wait(t, "the load to wait for the table", func() bool {
		err := pool.QueryRow(t.Context(), `
			SELECT coalesce(array_agg(pid), '{}') FROM pg_stat_activity
			WHERE application_name LIKE '%ingest receita%' AND EXISTS (SELECT FROM pg_locks WHERE NOT granted)`).Scan(&loading)
		return err == nil && len(loading) > 0
	})
	for _, n := range nicenessOf(t, cmd.Process.Pid) {
		if n != loadNiceness {
			t.Errorf("a thread of the load has niceness %d, want %d", n, loadNiceness)
		}
	}
	// An empty file is that of a kernel without groups of sessions, or of a session within a control group.
	session, err := os.ReadFile(fmt.Sprintf("/proc/%d/autogroup", cmd.Process.Pid))
	if want := fmt.Sprintf("nice %d\n", loadNiceness); err == nil && len(session) > 0 && !strings.HasSuffix(string(session), want) {
		t.Errorf("the session of the load: %q, want %q", session, want)
	}
	if n := len(loading); n > loadConns {
		t.Errorf("the load has %d connections", n)
	}
	for _, pid := range append(loading, server.PID(), int(hold.Conn().PgConn().PID())) {
		if n := nicenessOf(t, pid)[0]; n != 0 {
			t.Errorf("a process of PostgreSQL has niceness %d", n)
		}
	}
	if err := hold.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the load: %v", err)
	}
}
