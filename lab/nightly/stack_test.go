//go:build linux

package nightly

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"razao/internal/store/pglocal"
	"razao/internal/testing/fixture"
	"razao/internal/testing/program"
	"razao/migrations"
)

// stack runs the files of deploy/ha on loopback: three etcds, two PostgreSQL servers under Patroni,
// PgBouncer and HAProxy. Where a file has an address of its example network, the stack has one of
// 127.0.0.1; everything else but folders and passwords is as shipped.
type stack struct {
	t       *testing.T
	dir     string // of the user postgres
	as      *syscall.Credential
	home    map[string]string // loopback address by the address in the files
	running map[string]*exec.Cmd
}

// shipped matches the addresses in the files, with their ports.
var shipped = regexp.MustCompile(`10\.0\.0\.\d+:\d+|127\.0\.0\.1:\d+`)

// own matches those of the first machine that the others replace by theirs: in lists of all machines
// it is not the last.
var own = regexp.MustCompile(`(?m)^(.*)10\.0\.0\.1(:\d+)$`)

func newStack(t *testing.T) *stack {
	t.Helper()
	dir := sharedFolder(t)
	s := &stack{t: t, dir: dir, as: giveToPostgres(t, dir), home: map[string]string{}, running: map[string]*exec.Cmd{}}
	t.Cleanup(s.stop)
	return s
}

// at returns the loopback address that stands for one of the files'.
func (s *stack) at(address string) string {
	if s.home[address] == "" {
		s.home[address] = program.Address(s.t)
	}
	return s.home[address]
}

func (s *stack) port(address string) string {
	_, port, _ := net.SplitHostPort(s.at(address))
	return port
}

// file writes a file of deploy/ha as the machine with this number has it, with further
// replacements, and returns its path.
func (s *stack) file(name, machine string, replace ...string) string {
	s.t.Helper()
	member := string('a' + machine[0] - '1')
	edited := strings.Replace(readFile(s.t, "../../deploy/ha/"+name), "name: a\n", "name: "+member+"\n", 1)
	edited = own.ReplaceAllString(edited, "${1}10.0.0."+machine+"${2}")
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(edited, replace[i]) {
			s.t.Fatalf("%s does not contain %q", name, replace[i])
		}
		edited = strings.ReplaceAll(edited, replace[i], replace[i+1])
	}
	edited = shipped.ReplaceAllStringFunc(edited, func(address string) string {
		if host, _, _ := net.SplitHostPort(address); host == "127.0.0.1" && s.home[address] == "" {
			return address // a replacement from above
		}
		return s.at(address)
	})
	path := filepath.Join(s.dir, machine+"-"+name)
	writeFile(s.t, path, edited)
	return path
}

// start starts a program as the user postgres; its output goes to a file.
func (s *stack) start(name string, argv ...string) {
	s.t.Helper()
	log, err := os.OpenFile(filepath.Join(s.dir, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, log, log
	cmd.Env = []string{"LC_ALL=C.UTF-8", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=" + s.dir}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.as, Setsid: true}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.running[name] = cmd
}

// kill ends a program that start has started at once.
func (s *stack) kill(name string) {
	if cmd := s.running[name]; cmd != nil {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
		delete(s.running, name)
	}
}

// killPostgres ends the postmaster of a machine at once.
func (s *stack) killPostgres(machine string) {
	pid, err := os.ReadFile(filepath.Join(s.dir, "data-"+machine, "postmaster.pid"))
	first, _, _ := strings.Cut(string(pid), "\n")
	if n, bad := strconv.Atoi(first); err == nil && bad == nil {
		_ = syscall.Kill(n, syscall.SIGKILL) // it may have ended
	}
}

// stop ends everything, Patroni before the servers that it would start again.
func (s *stack) stop() {
	for name := range s.running {
		s.kill(name)
	}
	for _, machine := range []string{"1", "2"} {
		s.killPostgres(machine)
	}
	if s.t.Failed() {
		logs, _ := filepath.Glob(filepath.Join(s.dir, "*.log"))
		for _, path := range logs {
			text, _ := os.ReadFile(path)
			s.t.Logf("%s:\n%s", filepath.Base(path), tail(string(text)))
		}
	}
}

// up starts the stack and returns when both servers of PostgreSQL are what they should be.
func (s *stack) up() {
	s.t.Helper()
	for _, machine := range []string{"1", "2", "3"} {
		s.start("etcd-"+machine, "etcd", "--config-file", s.file("etcd.yml", machine, "/var/lib/etcd/razao", filepath.Join(s.dir, "etcd-"+machine)))
	}
	s.startPatroni("1")
	s.await("1", "primary")
	s.startPatroni("2")
	s.await("2", "sync") // a standby that commits wait for
	for _, local := range []string{"127.0.0.1:5000", "127.0.0.1:5001", "127.0.0.1:6432"} {
		s.at(local)
	}
	var checks []string
	for _, machine := range []string{"1", "2"} {
		host := "10.0.0." + machine
		checks = append(checks, "addr "+host+" port 8008", "addr 127.0.0.1 port "+s.port(host+":8008"))
	}
	s.start("haproxy", "haproxy", "-db", "-f", s.file("haproxy.cfg", "1", checks...))
	users := filepath.Join(s.dir, "userlist.txt")
	writeFile(s.t, users, fmt.Sprintf("%q %q\n", migrations.Serve, password))
	s.start("pgbouncer", "pgbouncer", s.file("pgbouncer.ini", "1", "/etc/pgbouncer/userlist.txt", users,
		"port=5000", "port="+s.port("127.0.0.1:5000"), "listen_port = 6432", "listen_port = "+s.port("127.0.0.1:6432")))
}

// password is that of the two roles of the program.
const password = "senha"

func (s *stack) startPatroni(machine string) {
	s.t.Helper()
	bin, err := pglocal.FindBinaries("")
	if err != nil {
		s.t.Fatal(err)
	}
	file := s.file("patroni.yml", machine, "/usr/lib/postgresql/15/bin", bin, "/var/lib/postgresql/15/razao", filepath.Join(s.dir, "data-"+machine),
		"/var/lib/postgresql/.pgpass-patroni", filepath.Join(s.dir, "pgpass-"+machine), "/var/run/postgresql", s.dir, "10.0.0.0/24", "127.0.0.0/8")
	s.start("patroni-"+machine, "patroni", file)
}

// is reports whether Patroni says that a machine has a role.
func (s *stack) is(machine, role string) bool {
	resp, err := http.Get("http://" + s.at("10.0.0."+machine+":8008") + "/" + role)
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

func (s *stack) await(machine, role string) {
	s.t.Helper()
	fixture.Wait(s.t, "machine "+machine+" to be "+role, func() bool { return s.is(machine, role) })
}

// dsn returns the connection string of a role through a local port of the files.
func (s *stack) dsn(role, word, database string, ports ...string) string {
	var hosts []string
	for _, port := range ports {
		hosts = append(hosts, s.at("127.0.0.1:"+port))
	}
	return fmt.Sprintf("postgres://%s:%s@%s/%s?sslmode=disable", role, word, strings.Join(hosts, ","), database)
}

// database creates the database with its roles and returns the settings of the program.
func (s *stack) database(p *program.Program) []string {
	s.t.Helper()
	run := func(database, statement string) (ran bool) {
		conn, err := pgx.Connect(context.Background(), s.dsn("postgres", "change-me-1", database, "5000"))
		if err != nil {
			return false
		}
		defer func() { _ = conn.Close(context.Background()) }()
		_, err = conn.Exec(context.Background(), statement)
		return err == nil
	}
	// HAProxy takes servers in turn, and an unchecked one for up: two in a row say that only the primary is left.
	const onPrimary = `CREATE TEMPORARY TABLE writable (n int)`
	inARow := 0
	fixture.Wait(s.t, "HAProxy to know the primary", func() bool {
		if inARow++; !run("postgres", onPrimary) {
			inARow = 0
		}
		return inARow == 2
	})
	must := func(database, statement string) {
		if !run(database, statement) {
			s.t.Fatalf("%s: failed", statement)
		}
	}
	must("postgres", `CREATE DATABASE razao`)
	p.Settings = append(p.Settings, "RAZAO_DATABASE_URL="+s.dsn("postgres", "change-me-1", "razao", "5000"))
	p.Must("migrate")
	for _, role := range []string{migrations.Serve, migrations.Ingest} {
		must("razao", `ALTER ROLE `+role+` PASSWORD '`+password+`'`)
	}
	return []string{
		"RAZAO_DATABASE_URL=" + s.dsn(migrations.Serve, password, "razao", "6432") + "&default_query_exec_mode=cache_describe",
		"RAZAO_DATABASE_INGEST_URL=" + s.dsn(migrations.Ingest, password, "razao", "5000"),
		"RAZAO_DATABASE_READ_URL=" + s.dsn(migrations.Serve, password, "razao", "5001", "5000"),
	}
}
