// Package program starts the built program in tests: its commands, and servers that are asked over
// HTTP, signalled and killed.
package program

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/sample"
	"razao/internal/testing/fixture"
	"razao/internal/testing/freeport"
	"razao/internal/testing/pgtest"
	"razao/migrations"
)

// AsProgram is the environment variable that is set for all commands: a test binary that finds it
// has to act as the program.
const AsProgram = "TEST_AS_RAZAO"

// settingPrefix begins the names of all settings.
const settingPrefix = "RAZAO_"

// Program is a data folder with the settings that use it.
type Program struct {
	T        *testing.T
	Binary   string
	Data     string   // folder
	Addr     string   // where it serves
	Settings []string // further ones, NAME=value
	Serving  []string // and those of servers alone
}

// New returns the program that a file holds, with an empty data folder and, unless the settings say
// otherwise, its private PostgreSQL. It skips the test under -short.
func New(t *testing.T, binary string, settings ...string) *Program {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts the program")
	}
	return &Program{T: t, Binary: binary, Data: filepath.Join(t.TempDir(), "data"), Addr: Address(t), Settings: settings}
}

// On is New on a database, in which the program has its two roles and the pool all rights.
func On(t *testing.T, binary, dsn string, settings ...string) (*Program, *pgxpool.Pool) {
	t.Helper()
	pool, err := pgxpool.New(context.Background(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	p := New(t, binary, append(settings, "RAZAO_DATABASE_URL="+pgtest.As(t, dsn, migrations.Serve),
		"RAZAO_DATABASE_INGEST_URL="+pgtest.As(t, dsn, migrations.Ingest))...)
	if err := os.MkdirAll(p.Data, 0o700); err != nil {
		t.Fatal(err)
	}
	return p, pool
}

// OnItsOwn is On with a database of the test's own.
func OnItsOwn(t *testing.T, binary string, settings ...string) (*Program, *pgxpool.Pool) {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts the program")
	}
	return On(t, binary, pgtest.DSN(t), settings...)
}

// Beside returns the program for another server on the same database and data.
func (p *Program) Beside() *Program {
	other := *p
	other.Addr = Address(p.T)
	return &other
}

// In returns the program for a subtest.
func (p *Program) In(t *testing.T) *Program {
	other := *p
	other.T = t
	return &other
}

// Command prepares a command. Settings of whoever runs the tests do not reach it, nor do variables of
// the tests themselves, such as RAZAO_SEED.
func (p *Program) Command(args ...string) *exec.Cmd {
	cmd := exec.Command(p.Binary, args...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(entry string) bool { return strings.HasPrefix(entry, settingPrefix) })
	cmd.Env = append(cmd.Env, AsProgram+"=1", "RAZAO_DATA="+p.Data, "RAZAO_ADDR="+p.Addr, "RAZAO_PRIVATE_ADDR=")
	cmd.Env = append(cmd.Env, p.Settings...)
	if args[0] == "serve" {
		cmd.Env = append(cmd.Env, p.Serving...)
	}
	return cmd
}

// Run runs a command to its end and returns its exit code, stdout and stderr.
func (p *Program) Run(args ...string) (code int, stdout, stderr string) {
	p.T.Helper()
	var out, log bytes.Buffer
	cmd := p.Command(args...)
	cmd.Stdout, cmd.Stderr = &out, &log
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		p.T.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), log.String()
}

// Must runs a command that has to succeed and returns its stdout.
func (p *Program) Must(args ...string) string {
	p.T.Helper()
	code, stdout, stderr := p.Run(args...)
	if code != 0 {
		p.T.Fatalf("razao %s: exit code %d\n%s", strings.Join(args, " "), code, stderr)
	}
	return stdout
}

// Server is a process of `razao serve` or `razao up`.
type Server struct {
	Log *Log

	t      *testing.T
	cmd    *exec.Cmd
	ended  chan struct{} // closed when err is known
	err    error
	waited bool // the test knows how it has ended
}

// Log is what a process has written so far. It is safe for concurrent use.
type Log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String returns all of it.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// complaints returns the lines that are not of level INFO, such as every request is.
func (l *Log) complaints() string {
	lines := slices.Collect(strings.Lines(l.String()))
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return strings.Contains(line, `"level":"INFO"`) }), "")
}

// Launch starts a server that writes to log, without waiting for it. The test has to end it.
func (p *Program) Launch(log *Log, args ...string) *Server {
	p.T.Helper()
	s := &Server{Log: log, t: p.T, cmd: p.Command(args...), ended: make(chan struct{})}
	s.cmd.Stderr = log
	if err := s.cmd.Start(); err != nil {
		p.T.Fatal(err)
	}
	go func() { s.err = s.cmd.Wait(); close(s.ended) }()
	return s
}

// Start starts a server and returns when it answers; it is stopped with the test at the latest. Of a test that has failed, what it
// complained about is logged.
func (p *Program) Start(args ...string) *Server {
	p.T.Helper()
	s := p.Launch(&Log{}, args...)
	p.T.Cleanup(func() {
		s.Stop()
		if p.T.Failed() {
			p.T.Logf("razao %s:\n%s", strings.Join(args, " "), s.Log.complaints())
		}
	})
	fixture.Wait(p.T, "razao "+strings.Join(args, " ")+" to answer", func() bool {
		if !s.Alive() {
			p.T.Fatalf("razao %s: %v\n%s", strings.Join(args, " "), s.Wait(), s.Log)
		}
		resp, err := http.Get("http://" + p.Addr + "/robots.txt")
		if err != nil {
			return false
		}
		_ = resp.Body.Close()
		return true
	})
	return s
}

// PID returns the process id.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// Alive reports whether the server runs.
func (s *Server) Alive() bool {
	select {
	case <-s.ended:
		return false
	default:
		return true
	}
}

// Signal sends a signal to the server, which must run.
func (s *Server) Signal(signal os.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(signal); err != nil {
		s.t.Error(err)
	}
}

// Wait waits until the server has ended, and returns what os/exec says of that.
func (s *Server) Wait() error {
	<-s.ended
	s.waited = true
	return s.err
}

// Kill ends the server at once, unless it has ended.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill()
	_ = s.Wait()
}

// Stop ends the server as Ctrl-C does; it must end well, within a minute. Stopping again does nothing.
func (s *Server) Stop() {
	if s.waited {
		return
	}
	_ = s.cmd.Process.Signal(os.Interrupt)
	late := time.AfterFunc(time.Minute, func() { _ = s.cmd.Process.Kill() })
	defer late.Stop()
	if err := s.Wait(); err != nil {
		s.t.Errorf("razao %s: %v\n%s", strings.Join(s.cmd.Args[1:], " "), err, s.Log)
	}
}

// Get returns status and body of a call with a key, which may be empty.
func (p *Program) Get(path, key string) (int, string) {
	p.T.Helper()
	req, err := http.NewRequestWithContext(p.T.Context(), http.MethodGet, "http://"+p.Addr+path, nil)
	if err != nil {
		p.T.Fatal(err)
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	resp, body := p.Do(req)
	return resp.StatusCode, body
}

// Do sends a request, without following redirects, and returns the answer with its body.
func (p *Program) Do(req *http.Request) (*http.Response, string) {
	p.T.Helper()
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		p.T.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		p.T.Fatal(err)
	}
	return resp, string(body)
}

// Call makes a call that is let in and answered without any records, since its number is none. It
// returns 0 when there was no answer.
func (p *Program) Call(key string) (status int, header http.Header) {
	req, err := http.NewRequestWithContext(p.T.Context(), http.MethodGet, "http://"+p.Addr+"/v1/cnpj/abc", nil)
	if err != nil {
		return 0, nil
	}
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return 0, nil
	}
	defer func() { _ = resp.Body.Close() }()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return 0, nil
	}
	return resp.StatusCode, resp.Header
}

// NewKey makes a key of an account.
func (p *Program) NewKey(email, name string) string {
	p.T.Helper()
	return strings.TrimSpace(p.Must("keys", "create", "--account", email, "--name", name))
}

// Secret returns what is in the file of the secret.
func (p *Program) Secret() string {
	p.T.Helper()
	raw, err := os.ReadFile(filepath.Join(p.Data, "secret"))
	if err != nil {
		p.T.Fatal(err)
	}
	return string(raw)
}

// Postmaster returns the process id of the private PostgreSQL.
func (p *Program) Postmaster() int {
	p.T.Helper()
	pid, err := p.RunningPostmaster()
	if err != nil {
		p.T.Fatal(err)
	}
	return pid
}

// RunningPostmaster is Postmaster while there may be none.
func (p *Program) RunningPostmaster() (pid int, err error) {
	text, err := os.ReadFile(filepath.Join(p.Data, "postgres/cluster/postmaster.pid"))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.SplitN(string(text), "\n", 2)[0])
}

// Suggestions returns the numbers of what the server suggests, at least one.
func (p *Program) Suggestions() (numbers []string) {
	p.T.Helper()
	var answer struct {
		Itens []struct{ CNPJ string }
	}
	_, body := p.Get("/sugestoes?q=s", "")
	if err := json.Unmarshal([]byte(body), &answer); err != nil || len(answer.Itens) == 0 {
		p.T.Fatalf("suggestions: %s, %v", body, err)
	}
	for _, item := range answer.Itens {
		numbers = append(numbers, item.CNPJ)
	}
	return numbers
}

// Address returns an address of loopback that nobody listens on.
func Address(t *testing.T) string {
	t.Helper()
	address, err := freeport.Address()
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// Sample writes invented companies of a month, without other sources, and returns the folder to
// ingest. Months of as many roots follow from each other, from 2026-08 on.
func Sample(t *testing.T, dir, month string, roots int) string {
	t.Helper()
	if _, err := sample.Write(t.Context(), dir, sample.Options{Roots: roots, Seed: 7, First: "2026-08", Month: month, OnlyReceita: true}); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "receita")
}
