package chaos

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"razao/internal/store/pglocal"
	"razao/internal/testing/freeport"
)

// MaxConns is max_connections of a Postgres.
const MaxConns = 80

// Postgres is a PostgreSQL of the test's own on a loopback address, with durable settings, that can
// be killed, frozen and given another clock.
type Postgres struct {
	test *testing.T
	bin  string
	dir  string
	port string
	as   *syscall.Credential // the user it runs as; nil: that of the test
	fake string              // path of libfaketime; "": not installed

	cmd   *exec.Cmd
	ended chan struct{}
}

// clockLibraries are where Debian and others install libfaketime.
var clockLibraries = []string{
	"/usr/lib/*/faketime/libfaketimeMT.so.1", "/usr/lib/faketime/libfaketimeMT.so.1", "/usr/lib64/faketime/libfaketimeMT.so.1",
}

// SharedFolder returns a folder that other users may enter, unlike that of t.TempDir, and whose path leaves room for that of a socket. It
// is deleted at the end of the test.
func SharedFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "razao-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// NewPostgres creates a cluster below dir, which the user postgres must be able to enter, starts it
// and creates the database razao. It is stopped at the end of the test.
func NewPostgres(t *testing.T, dir string) *Postgres {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts PostgreSQL")
	}
	bin, err := pglocal.FindBinaries("")
	if err != nil {
		t.Fatal(err)
	}
	p := &Postgres{test: t, bin: bin}
	p.settle(filepath.Join(dir, "pg"))
	for _, pattern := range clockLibraries {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			p.fake = found[0]
			break
		}
	}
	if out, err := p.command("initdb", "-U", "razao", "-A", "trust", "-E", "UTF8", "--locale=C", "-N").CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	p.SetClock(0)
	p.Start()
	t.Cleanup(func() { p.Signal(syscall.SIGCONT); p.Stop(syscall.SIGQUIT) })
	createdb := exec.Command(filepath.Join(bin, "createdb"), "-h", "127.0.0.1", "-p", p.port, "-U", "razao", "razao")
	if out, err := createdb.CombinedOutput(); err != nil {
		t.Fatalf("createdb: %v\n%s", err, out)
	}
	return p
}

// settle makes the folder of a cluster, for the user that it runs as, and finds a port.
func (p *Postgres) settle(dir string) {
	t := p.test
	t.Helper()
	p.dir = dir
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	p.as = GiveToPostgres(t, dir)
	address, err := freeport.Address()
	if err != nil {
		t.Fatal(err)
	}
	_, p.port, _ = net.SplitHostPort(address)
}

// Replica makes a streaming replica of p beside it, starts it and returns it. It is stopped at the end
// of the test.
func (p *Postgres) Replica(name string) *Postgres {
	t := p.test
	t.Helper()
	r := &Postgres{test: t, bin: p.bin}
	r.settle(p.dir + "-" + name)
	out, err := r.command("pg_basebackup", "-d", "host=127.0.0.1 user=razao application_name="+name+" port="+p.port, "-R", "-c", "fast", "--no-sync").CombinedOutput()
	if err != nil {
		t.Fatalf("pg_basebackup: %v\n%s", err, out)
	}
	r.Start()
	t.Cleanup(func() { r.Signal(syscall.SIGCONT); r.Stop(syscall.SIGQUIT) })
	return r
}

// GiveToPostgres makes the user postgres the owner of a folder, and returns the user, as which programs are then started: PostgreSQL does
// not run as root. Of others than root it returns nil and leaves the folder theirs.
func GiveToPostgres(t *testing.T, dir string) *syscall.Credential {
	t.Helper()
	if os.Geteuid() != 0 {
		return nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		t.Fatal(err)
	}
	uid, _ := strconv.Atoi(u.Uid) // a number on Unix
	gid, _ := strconv.Atoi(u.Gid)
	if err := os.Chown(dir, uid, gid); err != nil {
		t.Fatal(err)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

func (p *Postgres) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(p.bin, program), append([]string{"-D", filepath.Join(p.dir, "data")}, args...)...)
	cmd.Dir = "/"
	cmd.Env = []string{"LC_ALL=C", "PATH=/usr/bin:/bin"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: p.as, Setsid: true}
	return cmd
}

// Addr returns its host and port.
func (p *Postgres) Addr() string { return "127.0.0.1:" + p.port }

// DSN returns the connection string of the database at an address: its own, or that of a link to
// it.
func DSN(address string) string { return "postgres://razao@" + address + "/razao?sslmode=disable" }

// Log returns everything that it has logged.
func (p *Postgres) Log() string {
	text, err := os.ReadFile(filepath.Join(p.dir, "log"))
	if err != nil {
		p.test.Fatal(err)
	}
	return string(text)
}

// Start starts it, unless it runs, and returns when it accepts connections.
func (p *Postgres) Start() {
	p.test.Helper()
	if p.Running() {
		return
	}
	log, err := os.OpenFile(filepath.Join(p.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		p.test.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	cmd := p.command("postgres", "-p", p.port, "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=",
		"-c", "shared_buffers=32MB", "-c", "min_wal_size=32MB", "-c", "max_connections="+strconv.Itoa(MaxConns))
	if p.fake != "" {
		cmd.Env = append(cmd.Env, "LD_PRELOAD="+p.fake, "FAKETIME_TIMESTAMP_FILE="+p.clock(), "FAKETIME_CACHE_DURATION=1",
			"FAKETIME_DONT_FAKE_MONOTONIC=1", "FAKETIME_DISABLE_SHM=1", "NO_FAKE_STAT=1")
	}
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		p.test.Fatal(err)
	}
	ended := make(chan struct{})
	p.cmd, p.ended = cmd, ended
	go func() { _ = cmd.Wait(); close(ended) }()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if exec.Command(filepath.Join(p.bin, "pg_isready"), "-q", "-h", "127.0.0.1", "-p", p.port).Run() == nil {
			return
		}
		if !p.Running() || time.Now().After(deadline) {
			text := p.Log()
			p.test.Fatalf("PostgreSQL does not start:\n%s", text[max(0, len(text)-2000):])
		}
	}
}

// Running reports whether the postmaster runs.
func (p *Postgres) Running() bool {
	if p.cmd == nil {
		return false
	}
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// Stop signals the postmaster and waits for it: SIGINT is a fast shutdown, which rolls back
// transactions; SIGQUIT an immediate one, which leaves recovery to the next start.
func (p *Postgres) Stop(how syscall.Signal) {
	if p.Running() {
		_ = p.cmd.Process.Signal(how) // it may have just ended
		<-p.ended
	}
}

// Signal sends a signal to all of its processes, such as SIGSTOP and SIGCONT.
func (p *Postgres) Signal(sig syscall.Signal) {
	if p.Running() {
		signalAll(p.cmd.Process.Pid, sig)
	}
}

// clock is the file from which libfaketime reads the offset, once a second.
func (p *Postgres) clock() string { return filepath.Join(p.dir, "clock") }

// HasClock reports whether its clock can be set, which needs libfaketime.
func (p *Postgres) HasClock() bool { return p.fake != "" }

// SetClock makes its clock run ahead of the machine's, or behind for a negative duration, in whole
// seconds. It takes effect within a second, also in running backends.
func (p *Postgres) SetClock(ahead time.Duration) {
	p.test.Helper()
	next := p.clock() + ".next"
	if err := os.WriteFile(next, fmt.Appendf(nil, "%+d\n", int(ahead.Seconds())), 0o644); err != nil {
		p.test.Fatal(err)
	}
	if err := os.Rename(next, p.clock()); err != nil {
		p.test.Fatal(err)
	}
}
