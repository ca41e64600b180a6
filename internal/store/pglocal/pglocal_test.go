package pglocal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// helperDir asks the test binary to run a server in that folder instead of the tests.
const (
	helperDir   = "PGLOCAL_TEST_HELPER_DIR"
	helperLasts = "PGLOCAL_TEST_HELPER_LASTS" // not volatile
	lasts       = helperLasts + "=1"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(helperDir); dir != "" {
		os.Exit(helper(dir))
	}
	os.Exit(m.Run())
}

// helper runs a server, says its process id, and waits to be killed. A lasting one leaves the server when its stdin is closed.
func helper(dir string) int {
	lasting := os.Getenv(helperLasts) != ""
	s, err := Open(context.Background(), dir, Options{Volatile: !lasting})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println(s.PID())
	if !lasting {
		select {}
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := s.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// needPostgres skips the test where PostgreSQL is not installed, and under -short, unless it must run.
func needPostgres(t *testing.T) {
	t.Helper()
	if testing.Short() && os.Getenv("REQUIRE_POSTGRES") != "1" {
		t.Skip("it needs PostgreSQL")
	}
	if _, err := FindBinaries(""); err != nil {
		if os.Getenv("REQUIRE_POSTGRES") == "1" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
}

func openServer(t *testing.T, dir string) *Server {
	t.Helper()
	s, err := Open(t.Context(), dir, Options{Volatile: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// query runs one statement and returns its one value.
func query[T any](t *testing.T, s *Server, sql string) T {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.DSN(User))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	rows, err := conn.Query(t.Context(), sql)
	if err != nil {
		t.Fatal(err)
	}
	value, err := pgx.CollectOneRow(rows, pgx.RowTo[T])
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return value
}

func TestOpenKeepsData(t *testing.T) {
	t.Parallel()
	needPostgres(t)
	dir := filepath.Join(t.TempDir(), "made/on the way")

	first := openServer(t, dir)
	if first.Joined() {
		t.Error("the first server is joined")
	}
	if err := execute(t.Context(), first.DSN(User), "CREATE TABLE kept AS SELECT 42 AS n"); err != nil {
		t.Fatal(err)
	}
	pid := first.PID()
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
	if serves(pid, filepath.Join(dir, "cluster")) {
		t.Errorf("process %d runs after Close", pid)
	}

	second := openServer(t, dir)
	if got := query[int](t, second, "SELECT n FROM kept"); got != 42 {
		t.Errorf("kept value: got %d, want 42", got)
	}
}

func TestServerIsPrivate(t *testing.T) {
	t.Parallel()
	needPostgres(t)
	s := openServer(t, t.TempDir())
	for sql, want := range map[string]string{
		"SHOW listen_addresses":        "",
		"SHOW unix_socket_permissions": "0700",
		"SHOW data_directory_mode":     "0700",
		"SHOW server_encoding":         "UTF8",
		"SELECT current_user::text":    User,
		"SELECT datcollate::text FROM pg_database WHERE datname = current_database()": "C",
	} {
		if got := query[string](t, s, sql); got != want {
			t.Errorf("%s: got %q, want %q", sql, got, want)
		}
	}
}

func TestOpenAtTheSameMoment(t *testing.T) {
	t.Parallel()
	needPostgres(t)
	dir := t.TempDir()
	servers := make([]*Server, 4)
	var wg sync.WaitGroup
	for i := range servers {
		wg.Go(func() {
			s, err := Open(t.Context(), dir, Options{Volatile: true})
			if err != nil {
				t.Error(err)
				return
			}
			servers[i] = s
			t.Cleanup(func() { _ = s.Close() })
		})
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	owners := 0
	for _, s := range servers {
		if s.PID() != servers[0].PID() {
			t.Errorf("two servers: %d and %d", s.PID(), servers[0].PID())
		}
		if !s.Joined() {
			owners++
		}
	}
	if owners != 1 {
		t.Errorf("got %d owners, want 1", owners)
	}
}

func TestSocketInShortFolder(t *testing.T) {
	t.Parallel()
	needPostgres(t)
	for name, folder := range map[string]string{
		"long path":         strings.Repeat("x", maxSocket),
		"comma in the path": "a,b",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), folder)
			s := openServer(t, dir)
			short := string(s.address)
			if !strings.HasPrefix(short, shortFolder) {
				t.Fatalf("socket in %s, want a folder %s*", short, shortFolder)
			}
			guest := openServer(t, dir)
			if guest.PID() != s.PID() || query[int](t, guest, "SELECT 1") != 1 {
				t.Error("another process does not find the socket")
			}
			if err := errors.Join(s.Close(), guest.Close()); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Lstat(short); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the folder of the socket is left: %v", err)
			}
		})
	}
}

// The cluster is below a folder that only root can enter, such as /root.
func TestFolderClosedToOthers(t *testing.T) {
	t.Parallel()
	needPostgres(t)
	home := filepath.Join(t.TempDir(), "home")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	s := openServer(t, filepath.Join(home, "data"))
	if got := query[int](t, s, "SELECT 1"); got != 1 {
		t.Errorf("got %d, want 1", got)
	}
	// Backends and reloads find their files too.
	if got := query[bool](t, s, "SELECT pg_reload_conf()"); !got {
		t.Error("the configuration cannot be read again")
	}
	info, err := os.Stat(filepath.Join(home, "data/cluster"))
	if err != nil {
		t.Fatal(err)
	}
	if uid, _ := owner(info); uid == 0 {
		t.Error("the cluster belongs to root")
	}
}

// kill ends a volatile server so that it cannot tidy up, and waits for its end.
func kill(t *testing.T, s *Server) {
	t.Helper()
	if err := syscall.Kill(s.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if !within(deadline, func() bool { return !s.cluster.alive() }) {
		t.Fatal("the server does not end")
	}
}

// deadline of what has to happen; it only bounds failing tests.
const deadline = 60 * time.Second

func TestStalePIDFile(t *testing.T) {
	t.Parallel()
	needPostgres(t)
	dir := t.TempDir()
	s := openServer(t, dir)
	for _, statement := range []string{"CREATE TABLE kept AS SELECT 42 AS n", "CHECKPOINT"} {
		if err := execute(t.Context(), s.DSN(User), statement); err != nil {
			t.Fatal(err)
		}
	}
	kill(t, s)

	// The process id is reused by another program of the same user.
	c, err := newCluster(dir)
	if err != nil {
		t.Fatal(err)
	}
	as, err := c.account()
	if err != nil {
		t.Fatal(err)
	}
	other := exec.Command("sleep", "60")
	other.Dir = "/"
	other.SysProcAttr = as.attributes()
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = other.Process.Kill(), other.Wait() }()
	for _, name := range []string{pidFile, socketName + ".lock"} {
		path := filepath.Join(c.data, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(text), "\n")
		if err := os.WriteFile(path, []byte(strconv.Itoa(other.Process.Pid)+"\n"+rest), 0o600); err != nil {
			t.Fatal(err)
		}
	}

	again := openServer(t, dir)
	if again.Joined() {
		t.Error("joined a program that is not PostgreSQL")
	}
	if got := query[int](t, again, "SELECT n FROM kept"); got != 42 {
		t.Errorf("after recovery: got %d, want 42", got)
	}
}

// TestInterruptedInitdb cancels Open, and opens a folder in which initdb was killed.
func TestInterruptedInitdb(t *testing.T) {
	t.Parallel()
	needPostgres(t)
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, dir, Options{Volatile: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	for _, name := range []string{"cluster", "cluster.new"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left: %v", name, err)
		}
	}
	unfinished := filepath.Join(dir, "cluster.new") // as a killed initdb leaves it
	if err := os.MkdirAll(filepath.Join(unfinished, "base"), 0o700); err != nil {
		t.Fatal(err)
	}
	openServer(t, dir)
	if _, err := os.Lstat(unfinished); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the unfinished folder is left: %v", err)
	}
}

func TestKilledParentLeavesNoServer(t *testing.T) {
	t.Parallel()
	needPostgres(t)
	dir := t.TempDir()
	parent, data := newGuest(t, dir), filepath.Join(dir, "cluster")
	if !serves(parent.server, data) {
		t.Fatalf("process %d does not run", parent.server)
	}
	_, _ = parent.Process.Kill(), parent.Wait()
	if !within(10*time.Second, func() bool { return !serves(parent.server, data) }) {
		t.Fatalf("process %d runs without its parent", parent.server)
	}
}

func TestEndIsLogged(t *testing.T) {
	t.Parallel()
	needPostgres(t)
	lines := make(chan string, 8)
	log := slog.New(slog.NewTextHandler(lineWriter(lines), nil))
	dir := t.TempDir()
	s, err := Open(t.Context(), dir, Options{Volatile: true, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	kill(t, s)
	defer openServer(t, dir) // takes back the shared memory of the killed one
	for line := range lines {
		if strings.Contains(line, "ended by itself") {
			if !strings.Contains(line, "was killed, probably for lack of memory") {
				t.Errorf("the log does not say why: %s", line)
			}
			break
		}
	}
	if err := s.Close(); err == nil || !strings.Contains(err.Error(), "was killed") {
		t.Errorf("Close of a server that was killed: %v", err)
	}
}

// TestKilledSessionIsExplained kills processes of a server as the kernel does for lack of memory. What their clients see are lost
// connections; a session beside the killed one loses its own, and with it its lock.
func TestKilledSessionIsExplained(t *testing.T) {
	t.Parallel()
	needPostgres(t)
	for name, victim := range map[string]func(s *Server, backend int) int{
		"session":    func(_ *Server, backend int) int { return backend },
		"postmaster": func(s *Server, _ int) int { return s.PID() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s, err := Open(t.Context(), dir, Options{Volatile: true})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = s.Close() })
			var backend int
			sessions := make([]*pgx.Conn, 2)
			for i := range sessions {
				if sessions[i], err = pgx.Connect(t.Context(), s.DSN(User)); err != nil {
					t.Fatal(err)
				}
				if err := sessions[i].QueryRow(t.Context(), "SELECT pg_backend_pid()").Scan(&backend); err != nil {
					t.Fatal(err)
				}
			}
			_, refused := sessions[0].Exec(t.Context(), "SELECT 1/0")
			if got := s.Explain(refused); got != refused {
				t.Errorf("another error became %v", got)
			}
			if err := syscall.Kill(victim(s, backend), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			recovering := &pgconn.PgError{Code: "57P03", Message: "the database system is in recovery mode"} // what follows in the same command
			for i, conn := range sessions {
				var lost error
				if !within(deadline, func() bool { _, lost = conn.Exec(t.Context(), "SELECT"); return lost != nil }) {
					t.Fatalf("session %d goes on", i)
				}
				got := s.Explain(errors.Join(fmt.Errorf("the lock was lost: %w", lost), recovering))
				if text := got.Error(); !errors.Is(got, lost) || !strings.Contains(text, "was killed, probably for lack of memory") || !strings.Contains(text, " MB") {
					t.Errorf("session %d: %v", i, got)
				}
			}
		})
	}
}

// TestSettingsFitTheMemory holds the parts of PostgreSQL's memory that are the same however few are connected to half of what there is.
func TestSettingsFitTheMemory(t *testing.T) {
	t.Parallel()
	for mb, want := range map[int64][]string{
		0:    {"shared_buffers=16MB", "maintenance_work_mem=16MB"},
		512:  {"shared_buffers=128MB", "maintenance_work_mem=64MB"},
		2048: {"shared_buffers=512MB", "maintenance_work_mem=256MB"},
		1e6:  {"shared_buffers=512MB", "maintenance_work_mem=256MB"},
	} {
		for _, setting := range want {
			if got := settings(false, mb<<20); !slices.Contains(got, setting) {
				t.Errorf("%d MB: %v lacks %s", mb, got, setting)
			}
		}
	}
}

// TestAForkedProcessHoldsNoLock: what is forked while a lock is held has it, too, until it calls execve. A
// server that was left is nobody's all the same.
func TestAForkedProcessHoldsNoLock(t *testing.T) {
	t.Parallel()
	needPostgres(t)
	dir := t.TempDir()
	s := openServer(t, dir)
	child := exec.Command("sleep", "60")
	child.ExtraFiles = []*os.File{s.users}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = child.Process.Kill(), child.Wait() }()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(t.Context(), dir, Options{Volatile: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

type lineWriter chan<- string

func (w lineWriter) Write(p []byte) (int, error) {
	w <- string(p)
	return len(p), nil
}
