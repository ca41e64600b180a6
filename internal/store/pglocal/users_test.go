package pglocal

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

// guest is another process that has the server open.
type guest struct {
	*exec.Cmd
	leave  io.Closer
	server int // the postmaster's process id
}

// newGuest starts a process that opens the server of dir, and returns when it has. env are further
// variables, such as that of a lasting server.
func newGuest(t *testing.T, dir string, env ...string) *guest {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	g := &guest{Cmd: exec.Command(self)}
	g.Env = append(append(os.Environ(), helperDir+"="+dir), env...)
	g.Stderr = os.Stderr
	out, err := g.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if g.leave, err = g.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := g.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = g.Process.Kill(), g.Wait() })
	if _, err := fmt.Fscan(out, &g.server); err != nil {
		t.Fatal(err)
	}
	return g
}

// end lets the process leave the server, and returns when it has ended.
func (g *guest) end(t *testing.T) {
	t.Helper()
	if err := g.leave.Close(); err != nil {
		t.Fatal(err)
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
}

// lastingCluster returns a folder with a cluster in it.
func lastingCluster(t *testing.T) string {
	t.Helper()
	needPostgres(t)
	dir := t.TempDir()
	if err := openServer(t, dir).Close(); err != nil { // a volatile one is made faster
		t.Fatal(err)
	}
	t.Cleanup(func() { // what a failed test left
		s, err := Open(context.Background(), dir, Options{Volatile: true})
		if err == nil {
			_ = s.Close()
		}
	})
	return dir
}

func openLasting(t *testing.T, dir string) *Server {
	t.Helper()
	s, err := Open(t.Context(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// starts returns how often the server was started.
func starts(t *testing.T, dir string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "postgres.log"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(text), "starting PostgreSQL ")
}

// The process that started the server may end in any way without breaking another user's connection.
func TestStarterEndsFirst(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*testing.T, *guest){
		"leaves": func(t *testing.T, g *guest) { g.end(t) },
		"is killed": func(_ *testing.T, g *guest) {
			_, _ = g.Process.Kill(), g.Wait()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := lastingCluster(t)
			starter := newGuest(t, dir, lasts)
			s := openLasting(t, dir)
			if !s.Joined() || s.PID() != starter.server {
				t.Fatalf("joined %t, process %d; want true, %d", s.Joined(), s.PID(), starter.server)
			}
			conn, err := pgx.Connect(t.Context(), s.DSN(User))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close(context.Background()) }()
			end(t, starter)
			if err := conn.Ping(t.Context()); err != nil {
				t.Errorf("a connection from before: %v", err)
			}
			if got := query[int](t, s, "SELECT 1"); got != 1 || s.PID() != starter.server {
				t.Errorf("got %d from process %d", got, s.PID())
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if s.cluster.alive() {
				t.Error("the server runs though its last user has left")
			}
		})
	}
}

// A server whose users were all killed keeps running. The next one joins it and stops it on leaving.
func TestKilledUsersServerIsStoppedByTheNext(t *testing.T) {
	t.Parallel()
	dir := lastingCluster(t)
	killed := newGuest(t, dir, lasts)
	_, _ = killed.Process.Kill(), killed.Wait()
	s := openLasting(t, dir)
	if !s.Joined() || s.PID() != killed.server {
		t.Errorf("joined %t, process %d; want true, %d", s.Joined(), s.PID(), killed.server)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if serves(killed.server, filepath.Join(dir, "cluster")) {
		t.Error("the server runs though nobody uses it")
	}
}

// awaitAnswer returns when the server answers at its address.
func awaitAnswer(t *testing.T, s *Server) {
	t.Helper()
	if !within(deadline, func() bool { return execute(t.Context(), s.DSN(User), "SELECT 1") == nil }) {
		t.Fatal("the server does not come back")
	}
}

// Several users notice the end of the server at the same time, and one of them restarts it.
func TestKilledServerComesBack(t *testing.T) {
	t.Parallel()
	for name, folder := range map[string]string{"usual path": "", "long path": strings.Repeat("x", maxSocket)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(lastingCluster(t), folder)
			others := []*guest{newGuest(t, dir, lasts), newGuest(t, dir, lasts)}
			s := openLasting(t, dir)
			if err := execute(t.Context(), s.DSN(User), "CREATE TABLE kept AS SELECT 42 AS n"); err != nil {
				t.Fatal(err)
			}
			before := starts(t, dir)
			if err := syscall.Kill(s.PID(), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			if !within(deadline, func() bool { return starts(t, dir) > before }) {
				t.Fatal("the server is not started again")
			}
			awaitAnswer(t, s)
			if got := query[int](t, s, "SELECT n FROM kept"); got != 42 {
				t.Errorf("after recovery: got %d, want 42", got)
			}
			for _, g := range others {
				g.end(t)
			}
			if got := query[int](t, s, "SELECT 1"); got != 1 {
				t.Errorf("after the others left: %d", got)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if got := starts(t, dir) - before; got != 1 {
				t.Errorf("the server was started %d times after its end, want once", got)
			}
		})
	}
}

// A frozen postmaster does not keep its last user from exiting.
func TestFrozenServerIsKilled(t *testing.T) {
	t.Parallel()
	dir := lastingCluster(t)
	s := openLasting(t, dir)
	if err := syscall.Kill(s.PID(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s.cluster.alive() {
		t.Error("the frozen server is left")
	}
}
