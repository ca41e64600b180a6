package nightly

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"razao/internal/store/pglocal"
	"razao/internal/testing/fixture"
	"razao/internal/testing/program"
)

// postgres is a PostgreSQL of the test's own on a loopback address, with durable settings, that can
// be killed, frozen and given another clock.
type postgres struct {
	t    *testing.T
	bin  string
	dir  string
	port string
	as   *syscall.Credential // the user it runs as; nil: that of the test
	fake string              // path of libfaketime; "": not installed

	cmd   *exec.Cmd
	ended chan struct{}
}

// sharedFolder returns a folder that other users may enter, unlike that of t.TempDir, and whose path leaves room for that of a socket. It
// is deleted at the end of the test.
func sharedFolder(t *testing.T) string {
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

// newPostgres creates a cluster below dir, which the user postgres must be able to enter, starts it
// and creates the database razao. It is stopped at the end of the test.
func newPostgres(t *testing.T, dir string) *postgres {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts PostgreSQL")
	}
	p := &postgres{t: t}
	p.settle(filepath.Join(dir, "pg"))
	for _, pattern := range []string{"/usr/lib/*/faketime/libfaketimeMT.so.1", "/usr/lib/faketime/libfaketimeMT.so.1", "/usr/lib64/faketime/libfaketimeMT.so.1"} {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			p.fake = found[0]
			break
		}
	}
	p.run(p.command("initdb", "-U", "razao", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"))
	p.setClock(0)
	p.start()
	p.run(exec.Command(filepath.Join(p.bin, "createdb"), "-h", "127.0.0.1", "-p", p.port, "-U", "razao", "razao"))
	return p
}

// replica makes a streaming replica of p beside it, and starts it. It is stopped at the end of the test.
func (p *postgres) replica(name string) *postgres {
	p.t.Helper()
	r := &postgres{t: p.t}
	r.settle(p.dir + "-" + name)
	r.run(r.command("pg_basebackup", "-d", "host=127.0.0.1 user=razao application_name="+name+" port="+p.port, "-R", "-c", "fast", "--no-sync"))
	r.start()
	return r
}

// settle makes the folder of a cluster, for the user that it runs as, and finds a port.
func (p *postgres) settle(dir string) {
	p.t.Helper()
	var err error
	if p.bin, err = pglocal.FindBinaries(""); err != nil {
		p.t.Fatal(err)
	}
	p.dir = dir
	if err := os.Mkdir(dir, 0o700); err != nil {
		p.t.Fatal(err)
	}
	p.as = giveToPostgres(p.t, dir)
	_, p.port, _ = net.SplitHostPort(program.Address(p.t))
	p.t.Cleanup(func() { p.signal(syscall.SIGCONT); p.stop(syscall.SIGQUIT) })
}

// giveToPostgres makes the user postgres the owner of a folder, and returns the user, as which programs are then started: PostgreSQL does
// not run as root. Of others than root it returns nil and leaves the folder theirs.
func giveToPostgres(t *testing.T, dir string) *syscall.Credential {
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

func (p *postgres) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(p.bin, program), append([]string{"-D", filepath.Join(p.dir, "data")}, args...)...)
	cmd.Dir = "/"
	cmd.Env = []string{"LC_ALL=C", "PATH=/usr/bin:/bin"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: p.as, Setsid: true}
	return cmd
}

func (p *postgres) run(cmd *exec.Cmd) {
	p.t.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("%s: %v\n%s", cmd.Path, err, out)
	}
}

// addr returns its host and port.
func (p *postgres) addr() string { return "127.0.0.1:" + p.port }

// dsnAt returns the connection string of the database at an address: its own, or that of a link to it.
func dsnAt(address string) string { return "postgres://razao@" + address + "/razao?sslmode=disable" }

// log returns everything that it has logged.
func (p *postgres) log() string {
	p.t.Helper()
	return readFile(p.t, filepath.Join(p.dir, "log"))
}

// start starts it, unless it runs, and returns when it accepts connections.
func (p *postgres) start() {
	p.t.Helper()
	if p.running() {
		return
	}
	log, err := os.OpenFile(filepath.Join(p.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	cmd := p.command("postgres", "-p", p.port, "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=",
		"-c", "shared_buffers=32MB", "-c", "min_wal_size=32MB", "-c", "max_connections=80")
	if p.fake != "" {
		cmd.Env = append(cmd.Env, "LD_PRELOAD="+p.fake, "FAKETIME_TIMESTAMP_FILE="+p.clock(), "FAKETIME_CACHE_DURATION=1",
			"FAKETIME_DONT_FAKE_MONOTONIC=1", "FAKETIME_DISABLE_SHM=1", "NO_FAKE_STAT=1")
	}
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	ended := make(chan struct{})
	p.cmd, p.ended = cmd, ended
	go func() { _ = cmd.Wait(); close(ended) }()
	fixture.Wait(p.t, "PostgreSQL to start", func() bool {
		if !p.running() {
			p.t.Fatalf("PostgreSQL does not start:\n%s", tail(p.log()))
		}
		return exec.Command(filepath.Join(p.bin, "pg_isready"), "-q", "-h", "127.0.0.1", "-p", p.port).Run() == nil
	})
}

// running reports whether the postmaster runs.
func (p *postgres) running() bool {
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

// stop signals the postmaster and waits for it: SIGINT is a fast shutdown, which rolls back
// transactions; SIGQUIT an immediate one, which leaves recovery to the next start.
func (p *postgres) stop(how syscall.Signal) {
	if p.running() {
		_ = p.cmd.Process.Signal(how) // it may have just ended
		<-p.ended
	}
}

// signal sends a signal to all of its processes, such as SIGSTOP and SIGCONT.
func (p *postgres) signal(sig syscall.Signal) {
	if p.running() {
		signalAll(p.cmd.Process.Pid, sig)
	}
}

// signalAll sends a signal to a process, first, so that it forks no more, and to its children, and returns them.
func signalAll(pid int, sig syscall.Signal) []int {
	all := []int{pid}
	_ = syscall.Kill(pid, sig)
	list, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	for child := range strings.FieldsSeq(string(list)) {
		if n, err := strconv.Atoi(child); err == nil {
			all = append(all, n)
			_ = syscall.Kill(n, sig) // it may have just ended
		}
	}
	return all
}

// freeze stops a process and its children, so that they do not react any more. thaw, and the end of the test, sends them another signal.
func freeze(t *testing.T, pid int, end syscall.Signal) (thaw func()) {
	t.Helper()
	frozen := signalAll(pid, syscall.SIGSTOP)
	thaw = func() {
		for _, n := range frozen {
			_ = syscall.Kill(n, end) // one may have ended
		}
	}
	t.Cleanup(thaw)
	return thaw
}

// clock is the file from which libfaketime reads the offset, once a second.
func (p *postgres) clock() string { return filepath.Join(p.dir, "clock") }

// hasClock reports whether its clock can be set, which needs libfaketime.
func (p *postgres) hasClock() bool { return p.fake != "" }

// setClock makes its clock run ahead of the machine's, or behind for a negative duration, in whole
// seconds. It takes effect within a second, also in running backends.
func (p *postgres) setClock(ahead time.Duration) {
	p.t.Helper()
	next := p.clock() + ".next"
	writeFile(p.t, next, fmt.Sprintf("%+d\n", int(ahead.Seconds())))
	if err := os.Rename(next, p.clock()); err != nil {
		p.t.Fatal(err)
	}
}

func tail(log string) string { return log[max(0, len(log)-3000):] }

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
