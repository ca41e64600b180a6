package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"razao/ingest"
	"razao/internal/sample"
	"razao/internal/testing/fixture"
	"razao/internal/testing/freeport"
)

// asProgram makes the test binary run as razao itself, so that tests can start it, signal it and kill it.
const asProgram = "TEST_AS_RAZAO"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(run())
	}
	code := m.Run()
	_ = os.RemoveAll(buildDir())
	os.Exit(code)
}

// place is a data folder with the settings that use it.
type place struct {
	t       *testing.T
	data    string
	addr    string
	more    []string // further settings
	serving []string // and those of servers alone
	program string   // a built one; "": this test binary takes its place
}

func newPlace(t *testing.T, more ...string) *place {
	t.Helper()
	return &place{t: t, data: filepath.Join(t.TempDir(), "data"), addr: freeAddress(t), more: more}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	address, err := freeport.Address()
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// withoutSettings returns an environment without settings of whoever runs the tests, and without those
// of the tests themselves, such as RAZAO_SEED.
func withoutSettings(environment []string) []string {
	return slices.DeleteFunc(environment, func(entry string) bool { return strings.HasPrefix(entry, settingPrefix) })
}

func (p *place) command(args ...string) *exec.Cmd {
	cmd := exec.Command(cmp.Or(p.program, os.Args[0]), args...)
	cmd.Env = append(withoutSettings(os.Environ()), asProgram+"=1", "RAZAO_DATA="+p.data, "RAZAO_ADDR="+p.addr, "RAZAO_PRIVATE_ADDR=")
	cmd.Env = append(cmd.Env, p.more...)
	if args[0] == "serve" {
		cmd.Env = append(cmd.Env, p.serving...)
	}
	return cmd
}

// run runs a command to its end and returns its exit code, stdout and stderr.
func (p *place) run(args ...string) (code int, stdout, stderr string) {
	p.t.Helper()
	var out, log bytes.Buffer
	cmd := p.command(args...)
	cmd.Stdout, cmd.Stderr = &out, &log
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), log.String()
}

// must runs a command that has to succeed and returns its stdout.
func (p *place) must(args ...string) string {
	p.t.Helper()
	code, stdout, stderr := p.run(args...)
	if code != 0 {
		p.t.Fatalf("razao %s: exit code %d\n%s", strings.Join(args, " "), code, stderr)
	}
	return stdout
}

// server is a running `razao serve` or `razao up`.
type server struct {
	t   *testing.T
	cmd *exec.Cmd
	log logged
}

// logged is what a process writes, which may be read meanwhile.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// start starts a server and returns when it answers; it is stopped with the test at the latest.
func (p *place) start(args ...string) *server {
	p.t.Helper()
	s := &server{t: p.t, cmd: p.command(args...)}
	s.cmd.Stderr = &s.log
	if err := s.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(s.stop)
	fixture.Wait(p.t, "razao "+strings.Join(args, " ")+" to answer", func() bool {
		resp, err := http.Get("http://" + p.addr + "/robots.txt")
		if err != nil {
			return false
		}
		_ = resp.Body.Close()
		return true
	})
	return s
}

// stop ends the server as Ctrl-C does; it must end well. Stopping again does nothing.
func (s *server) stop() {
	if s.cmd.ProcessState != nil {
		return
	}
	_ = s.cmd.Process.Signal(os.Interrupt)
	if err := s.cmd.Wait(); err != nil {
		s.t.Errorf("razao %s: %v\n%s", strings.Join(s.cmd.Args[1:], " "), err, s.log.String())
	}
}

// get returns status and body of a call with a key, which may be empty.
func (p *place) get(path, key string) (int, string) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, "http://"+p.addr+path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	resp, body := p.do(req)
	return resp.StatusCode, body
}

// do sends a request, without following redirects, and returns the answer with its body.
func (p *place) do(req *http.Request) (*http.Response, string) {
	p.t.Helper()
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return resp, string(body)
}

func writeSample(t *testing.T, dir, month string, roots int) string {
	t.Helper()
	if _, err := sample.Write(t.Context(), dir, sample.Options{Roots: roots, Seed: 7, Month: month, OnlyReceita: true}); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "receita")
}

func TestUsageAndExitCodes(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		args string
		env  string
		code int
		says string
	}{
		{"version", "", 0, ""},
		{"version --json", "", 0, ""},
		{"health", "RAZAO_ADDR=127.0.0.1:1", 1, "the server does not answer"},
		{"help", "", 0, ""},
		{"nonsense", "", 2, "unknown command"},
		{"serve extra", "", 2, "unknown command"},
		{"serve --nonsense", "", 2, "unknown flag"},
		{"keys create --account a@exemplo.com.br", "", 2, "--account and --name are required"},
		{"keys revoke seven", "", 2, "not the id of a key"},
		{"oauth clients create --name x", "", 2, "--name and --redirect are required"},
		{"oauth clients delete", "", 2, "accepts 1 arg"},
		{"loads activate seven", "", 2, "not the id of a load"},
		{"sample", "", 2, "--out is required"},
		{"sample --out x --previous y --roots 5", "", 2, "--roots and --seed are those of --previous"},
		{"sample --out x --previous y", "", 1, "has no release with the file amostra.json"},
		{"sample --out x --roots 0", "", 2, "at least 1"},
		{"sample --out x --month banana", "", 2, "--month \"banana\" is no period of the form AAAA-MM, such as 2026-09"},
		{"sample --out x --month 2026-13", "", 2, "AAAA-MM"},
		{"sample --out x --month 2101-01", "", 2, "has not begun"},
		{"sample --out x --day 30/09/2026", "", 2, "AAAA-MM-DD, such as"},
		{"ingest receita --month banana", "", 2, "--month \"banana\" is no period of the form AAAA-MM, such as 2026-09"},
		{"ingest receita --month 2026-09-30", "", 2, "AAAA-MM"},
		{"ingest receita --month 2099-01 --from x", "", 2, "has not begun"},
		{"ingest ceis --period banana --from x", "", 2, "--period \"banana\" is no period of the form AAAA-MM-DD, such as 2026-09-30"},
		{"ingest ceis --period 30/09/2026", "", 2, "AAAA-MM-DD, such as 2026-09-30"},
		{"ingest ceis --period 2026-02-30 --force", "", 2, "AAAA-MM-DD"},
		{"ingest pgfn --period 2026-05", "", 2, "2026_trimestre_02"},
		{"ingest pncp --period 30/09/2026 --from x", "", 2, "AAAA-MM, such as 2026-09"},
		{"ingest pncp --period 2026-13", "", 2, "AAAA-MM..AAAA-MM"},
		{"ingest mte_ceac --period 2026-09", "", 2, "AAAA_NNNN"},
		{"loads", "RAZAO_DATABASE_URL=postgres://nobody@127.0.0.1:1/nothing", 1, "RAZAO_DATABASE_URL"},
		{"loads", "RAZAO_DATABASE_URL=not a dsn", 1, "RAZAO_DATABASE_URL"},
		{"loads", "RAZAO_DATABASE_INGEST_URL=postgres://razao_ingest@127.0.0.1:1/razao", 1, "without RAZAO_DATABASE_URL"},
		{"migrate --roles", "RAZAO_DATABASE_URL=postgres://app@127.0.0.1:1/razao", 0, ""},
		{"migrate --roles", "", 1, "by itself"},
		{"loads", "RAZAO_DATA=" + filepath.Join(blocked, "data"), 1, "not a directory"},
		{"loads", "RAZAO_POSTGRES_BIN=/nowhere", 1, "/nowhere"},
		{"loads", "RAZAO_CONTACT=nobody", 1, "RAZAO_CONTACT"},
	}
	for _, c := range cases {
		q := *p
		q.more = []string{c.env}
		code, _, stderr := q.run(strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(stderr, c.says) {
			t.Errorf("razao %s (%s): exit code %d, want %d with %q\n%s", c.args, c.env, code, c.code, c.says, stderr)
		}
	}
}

func TestFromFilesToAnAnswer(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	if code, _, stderr := p.run("serve"); code != 1 || !strings.Contains(stderr, "razao migrate") {
		t.Errorf("serve on an empty database: %d\n%s", code, stderr)
	}
	p.must("migrate")
	empty := p.start("serve")
	p.must("health", "--live")
	if code, out, stderr := p.run("health"); code != 1 || !strings.Contains(out, `"registros":"indisponivel"`) || !strings.Contains(stderr, "503") {
		t.Errorf("health without a load: %d %s%s", code, out, stderr)
	}
	empty.stop()
	files := writeSample(t, t.TempDir(), "2026-09", 3000)
	if code, _, stderr := p.run("ingest", "receita", "--from", filepath.Join(files, "nowhere")); code != 1 || !strings.Contains(stderr, "nowhere") {
		t.Errorf("ingest from a folder that does not exist: %d\n%s", code, stderr)
	}
	if out := p.must("ingest", "receita", "--from", files); !strings.Contains(out, "load 1: receita 2026-09 is being served") {
		t.Errorf("ingest said %q", out)
	}
	p.start("serve")
	key := strings.TrimSpace(p.must("keys", "create", "--account", "ana@exemplo.com.br", "--name", "teste")) // beside a running server
	if out := p.must("health"); !strings.Contains(out, `"registros":"ok"`) {
		t.Errorf("health: %s", out)
	}
	if status, body := p.get("/health", ""); status != 200 || !strings.Contains(body, `"competencia":"2026-09"`) {
		t.Errorf("health: %d %s", status, body)
	}
	number := firstSuggestion(t, p)
	for _, path := range []string{"/v1/cnpj/" + number, "/v1/cnpj/" + number[:8]} {
		status, body := p.get(path, key)
		if status != 200 || !json.Valid([]byte(body)) || !strings.Contains(body, number) {
			t.Errorf("%s: %d %.300s", path, status, body)
		}
	}
	if status, body := p.get("/"+number, ""); status != 200 || !strings.Contains(body, "Dados fictícios") {
		t.Errorf("page: %d %.300s", status, body)
	}
	other := newPlace(t)
	other.addr, other.data = p.addr, p.data
	if code, _, stderr := other.run("serve"); code != 1 || !strings.Contains(stderr, "RAZAO_ADDR") {
		t.Errorf("serve on a port in use: %d\n%s", code, stderr)
	}
	if out := p.must("keys", "list"); !strings.Contains(out, "ana@exemplo.com.br") || strings.Contains(out, key) {
		t.Errorf("keys list said %q", out)
	}
	p.must("keys", "revoke", "1")
	if status, _ := p.get("/v1/cnpj/"+number, key); status != 401 {
		t.Errorf("a revoked key: %d", status)
	}
}

func firstSuggestion(t *testing.T, p *place) string {
	t.Helper()
	return suggestions(t, p)[0]
}

// suggestions returns the numbers of what is suggested, at least one.
func suggestions(t *testing.T, p *place) (numbers []string) {
	t.Helper()
	var answer struct {
		Itens []struct{ CNPJ string }
	}
	_, body := p.get("/sugestoes?q=s", "")
	if err := json.Unmarshal([]byte(body), &answer); err != nil || len(answer.Itens) == 0 {
		t.Fatalf("suggestions: %s, %v", body, err)
	}
	for _, item := range answer.Itens {
		numbers = append(numbers, item.CNPJ)
	}
	return numbers
}

// TestSwitchUnderLoad publishes and rolls back while requests run: none may fail, and all notice.
func TestSwitchUnderLoad(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "RAZAO_IP_REQUESTS=0")
	p.must("migrate")
	dir := t.TempDir()
	files := writeSample(t, dir, "2026-08", 3000)
	writeSample(t, dir, "2026-09", 3000)
	p.must("ingest", "receita", "--from", files, "--month", "2026-08")
	p.start("serve")
	number := firstSuggestion(t, p)
	served := func(month string) bool { // asks what no account limits
		t.Helper()
		if status, body := p.get("/"+number, ""); status != 200 {
			t.Fatalf("a page failed: %d %s", status, body)
		}
		status, body := p.get("/v2/fontes", "")
		if status != 200 {
			t.Fatalf("a call failed: %d %s", status, body)
		}
		return strings.Contains(body, `"competencia":"`+month+`","fotografia"`)
	}
	until := func(month string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		for !served(month) {
			if ctx.Err() != nil {
				t.Fatalf("%s is not served", month)
			}
		}
	}
	until("2026-08")
	done := make(chan struct{})
	go func() {
		defer close(done)
		if code, _, stderr := p.run("ingest", "receita", "--from", files, "--month", "2026-09"); code != 0 {
			t.Errorf("ingest: exit code %d\n%s", code, stderr)
		}
	}()
	for loading := true; loading; {
		served("2026-08")
		select {
		case <-done:
			loading = false
		default:
		}
	}
	until("2026-09")
	p.must("loads", "rollback", "receita")
	until("2026-08")
}

// TestInterruptedIngest ends loads at many moments, politely and not, and demands that the next one completes and that
// nothing is left of the others.
func TestInterruptedIngest(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.must("migrate")
	files := writeSample(t, t.TempDir(), "2026-09", 12_000)
	for i, signal := range []os.Signal{os.Interrupt, syscall.SIGKILL, syscall.SIGKILL, syscall.SIGTERM, syscall.SIGKILL, syscall.SIGKILL} {
		t.Run(fmt.Sprint(i, signal), func(t *testing.T) { interruptOnce(t, p, files, signal, i) })
	}
	p.must("ingest", "receita", "--from", files)
	if out := p.must("ingest", "receita", "--from", files); !strings.Contains(out, "receita 2026-09 is already current") {
		t.Errorf("the same month again: %s", out)
	}
	for dir, want := range map[string]int{"work": 0, "index": 1} {
		entries, err := os.ReadDir(filepath.Join(p.data, dir))
		if err != nil && !errors.Is(err, os.ErrNotExist) || len(entries) != want {
			t.Errorf("%s holds %v, %v", dir, entries, err)
		}
	}
	for line := range strings.Lines(p.must("loads")) {
		if strings.Contains(line, "loading") {
			t.Errorf("still listed as running: %s", line)
		}
	}
}

// interruptOnce starts a load and ends it after its i-th sign of progress on stderr.
func interruptOnce(t *testing.T, p *place, files string, signal os.Signal, i int) {
	cmd := p.command("ingest", "receita", "--from", files)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	one := make([]byte, 1)
	for lines := 0; lines <= i; {
		if _, err := stderr.Read(one); err != nil {
			break
		}
		if said.Write(one); one[0] == '\n' {
			lines++
		}
	}
	if err := cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(stderr)
	if err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	if err == nil {
		t.Fatalf("the load completed before it was interrupted:\n%s%s", said.String(), rest)
	}
	if signal == os.Interrupt && (cmd.ProcessState.ExitCode() != 1 || !bytes.Contains(rest, []byte("interrupted"))) {
		t.Errorf("exit code %d:\n%s%s", cmd.ProcessState.ExitCode(), said.String(), rest)
	}
}

func TestUp(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	first := p.start("up", "--roots", "2000")
	if status, body := p.get("/busca?q=ltda", ""); status != 200 || !strings.Contains(body, "estabelecimentos") {
		t.Errorf("search: %d %.300s", status, body)
	}
	if status, body := p.get("/v2/fontes", ""); status != 200 || strings.Contains(body, `"desatualizada":true`) || !strings.Contains(body, `"desatualizada":false`) {
		t.Errorf("a source is stale on the first day: %d %s", status, body)
	}
	first.stop()
	p.must("loads", "prune")
	if out := p.must("keys", "list"); strings.Count(out, developer) != 1 {
		t.Errorf("keys: %s", out)
	}
	p.start("up", "--roots", "2000")
	if out := p.must("loads"); strings.Count(out, "receita") != 2 || strings.Count(out, "  ready  ") != 1 {
		t.Errorf("want two releases, of which the former is kept beside the latest, and no third of the second start: %s", out)
	}
}

// TestUpGoesOn kills a first start when it has loaded the first of its two months: the next one loads the rest.
func TestUpGoesOn(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	cmd := p.command("up", "--roots", "2000")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	written := 0 // months
	for lines := bufio.NewScanner(stderr); written < 2 && lines.Scan(); {
		if strings.Contains(lines.Text(), `"stage done","stage":"sample"`) {
			written++
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || written < 2 {
		t.Fatalf("it ended by itself, %v, after %d months", err, written)
	}
	p.start("up", "--roots", "2000")
	out := p.must("loads")
	if all := len(ingest.SourceIDs()) + 2; strings.Count(out, "  active  ") != all || !regexp.MustCompile(`receita .* ready `).MatchString(out) {
		t.Errorf("want %d loads in service, and the former month beside the latest:\n%s", all, out)
	}
}
