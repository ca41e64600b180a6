package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/ingest"
	"razao/internal/sample"
	"razao/internal/testing/fixture"
	"razao/internal/testing/program"
)

// TestMain makes the test binary act as razao itself for the commands that tests start.
func TestMain(m *testing.M) {
	if os.Getenv(program.AsProgram) != "" {
		os.Exit(run())
	}
	os.Exit(m.Run())
}

// newProgram returns the program with a private PostgreSQL.
func newProgram(t *testing.T, settings ...string) *program.Program {
	t.Helper()
	return program.New(t, os.Args[0], settings...)
}

// onDatabase returns the program on a database of the test's own.
func onDatabase(t *testing.T, settings ...string) (*program.Program, *pgxpool.Pool) {
	t.Helper()
	return program.OnItsOwn(t, os.Args[0], settings...)
}

// refused runs a command that ends with an exit code and says why on stderr.
func refused(p *program.Program, code int, says string, args ...string) {
	p.T.Helper()
	if got, _, stderr := p.Run(args...); got != code || !strings.Contains(stderr, says) {
		p.T.Errorf("razao %v: exit code %d, want %d with %q\n%s", args, got, code, says, stderr)
	}
}

func TestVersionForPrograms(t *testing.T) {
	t.Parallel()
	var b struct{ Version, Go, OS, Arch string }
	if err := json.Unmarshal([]byte(newProgram(t).Must("version", "--json")), &b); err != nil {
		t.Fatal(err)
	}
	if b.Version == "" || b.Go != runtime.Version() || b.OS != runtime.GOOS || b.Arch != runtime.GOARCH {
		t.Errorf("got %+v", b)
	}
}

func TestUsageAndExitCodes(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
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
		q.Settings = []string{c.env}
		refused(&q, c.code, c.says, strings.Fields(c.args)...)
	}
}

func TestFromFilesToAnAnswer(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	refused(p, 1, "razao migrate", "serve")
	p.Must("migrate")
	empty := p.Start("serve")
	p.Must("health", "--live")
	if code, out, stderr := p.Run("health"); code != 1 || !strings.Contains(out, `"registros":"indisponivel"`) || !strings.Contains(stderr, "503") {
		t.Errorf("health without a load: %d %s%s", code, out, stderr)
	}
	empty.Stop()
	files := program.Sample(t, t.TempDir(), "2026-09", 3000)
	refused(p, 1, "nowhere", "ingest", "receita", "--from", filepath.Join(files, "nowhere"))
	if out := p.Must("ingest", "receita", "--from", files); !strings.Contains(out, "load 1: receita 2026-09 is being served") {
		t.Errorf("ingest said %q", out)
	}
	p.Start("serve")
	key := strings.TrimSpace(p.Must("keys", "create", "--account", "ana@exemplo.com.br", "--name", "teste")) // beside a running server
	if out := p.Must("health"); !strings.Contains(out, `"registros":"ok"`) {
		t.Errorf("health: %s", out)
	}
	if status, body := p.Get("/health", ""); status != 200 || !strings.Contains(body, `"competencia":"2026-09"`) {
		t.Errorf("health: %d %s", status, body)
	}
	number := p.Suggestions()[0]
	for _, path := range []string{"/v1/cnpj/" + number, "/v1/cnpj/" + number[:8]} {
		status, body := p.Get(path, key)
		if status != 200 || !json.Valid([]byte(body)) || !strings.Contains(body, number) {
			t.Errorf("%s: %d %.300s", path, status, body)
		}
	}
	if status, body := p.Get("/"+number, ""); status != 200 || !strings.Contains(body, "Dados fictícios") {
		t.Errorf("page: %d %.300s", status, body)
	}
	other := newProgram(t)
	other.Addr, other.Data = p.Addr, p.Data
	refused(other, 1, "RAZAO_ADDR", "serve")
	if out := p.Must("keys", "list"); !strings.Contains(out, "ana@exemplo.com.br") || strings.Contains(out, key) {
		t.Errorf("keys list said %q", out)
	}
	p.Must("keys", "revoke", "1")
	if status, _ := p.Get("/v1/cnpj/"+number, key); status != 401 {
		t.Errorf("a revoked key: %d", status)
	}
}

// TestSwitchUnderLoad publishes and rolls back while requests run: none may fail, and all notice.
func TestSwitchUnderLoad(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "RAZAO_IP_REQUESTS=0")
	p.Must("migrate")
	dir := t.TempDir()
	files := program.Sample(t, dir, "2026-08", 3000)
	program.Sample(t, dir, "2026-09", 3000)
	p.Must("ingest", "receita", "--from", files, "--month", "2026-08")
	p.Start("serve")
	number := p.Suggestions()[0]
	served := func(month string) bool { // asks what no account limits
		t.Helper()
		if status, body := p.Get("/"+number, ""); status != 200 {
			t.Fatalf("a page failed: %d %s", status, body)
		}
		status, body := p.Get("/v2/fontes", "")
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
		if code, _, stderr := p.Run("ingest", "receita", "--from", files, "--month", "2026-09"); code != 0 {
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
	p.Must("loads", "rollback", "receita")
	until("2026-08")
}

// TestInterruptedIngest ends loads at many moments, politely and not, and demands that the next one completes and that
// nothing is left of the others.
func TestInterruptedIngest(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	p.Must("migrate")
	files := program.Sample(t, t.TempDir(), "2026-09", 12_000)
	for i, signal := range []os.Signal{os.Interrupt, syscall.SIGKILL, syscall.SIGKILL, syscall.SIGTERM, syscall.SIGKILL, syscall.SIGKILL} {
		t.Run(fmt.Sprint(i, signal), func(t *testing.T) { interruptOnce(t, p, files, signal, i) })
	}
	p.Must("ingest", "receita", "--from", files)
	if out := p.Must("ingest", "receita", "--from", files); !strings.Contains(out, "receita 2026-09 is already current") {
		t.Errorf("the same month again: %s", out)
	}
	for dir, want := range map[string]int{"work": 0, "index": 1} {
		entries, err := os.ReadDir(filepath.Join(p.Data, dir))
		if err != nil && !errors.Is(err, os.ErrNotExist) || len(entries) != want {
			t.Errorf("%s holds %v, %v", dir, entries, err)
		}
	}
	for line := range strings.Lines(p.Must("loads")) {
		if strings.Contains(line, "loading") {
			t.Errorf("still listed as running: %s", line)
		}
	}
}

// interruptOnce starts a load and ends it after its i-th sign of progress on stderr.
func interruptOnce(t *testing.T, p *program.Program, files string, signal os.Signal, i int) {
	cmd := p.Command("ingest", "receita", "--from", files)
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
	p := newProgram(t)
	first := p.Start("up", "--roots", "2000")
	if status, body := p.Get("/busca?q=ltda", ""); status != 200 || !strings.Contains(body, "estabelecimentos") {
		t.Errorf("search: %d %.300s", status, body)
	}
	if status, body := p.Get("/v2/fontes", ""); status != 200 || strings.Contains(body, `"desatualizada":true`) || !strings.Contains(body, `"desatualizada":false`) {
		t.Errorf("a source is stale on the first day: %d %s", status, body)
	}
	first.Stop()
	p.Must("loads", "prune")
	if out := p.Must("keys", "list"); strings.Count(out, developer) != 1 {
		t.Errorf("keys: %s", out)
	}
	p.Start("up", "--roots", "2000")
	if out := p.Must("loads"); strings.Count(out, "receita") != 2 || strings.Count(out, "  ready  ") != 1 {
		t.Errorf("want two releases, of which the former is kept beside the latest, and no third of the second start: %s", out)
	}
}

// TestAnotherMonth loads the next months of a demonstration beside the server, and without it.
func TestAnotherMonth(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	refused(p, 1, "no demonstration in "+p.Data, "up", "--another-month")
	if entries, err := os.ReadDir(p.Data); err != nil && !errors.Is(err, os.ErrNotExist) || len(entries) > 0 {
		t.Errorf("the refusal leaves %v, %v", entries, err)
	}
	refused(p, 2, "--roots is that of the first month", "up", "--another-month", "--roots", "5")
	s := p.Start("up", "--roots", "500")
	number := sample.Company().String()
	changed := func() string {
		status, page := p.Get("/"+number, "")
		_, section, found := strings.Cut(page, `<h2 id="mudancas">`)
		section, _, _ = strings.Cut(section, "</section>")
		if status != 200 || !found {
			t.Fatalf("the page of %s: %d", number, status)
		}
		return section
	}
	if section := changed(); !strings.Contains(section, "Estabelecimento aberto") {
		t.Errorf("on the first day the page says %s", section)
	}
	if out := p.Must("up", "--another-month"); !strings.Contains(out, "is in service") || !strings.Contains(out, number) ||
		!strings.Contains(out, "0001 estabelecimento.contato: ") {
		t.Errorf("the next month says %s", out)
	}
	fixture.Wait(t, "the month to be served", func() bool { return strings.Contains(changed(), `<th scope="row">Contato`) })
	s.Stop()
	if out := p.Must("up", "--another-month"); !strings.Contains(out, "  socio.entrou: - > ") {
		t.Errorf("without a server the next month says %s", out)
	}
	p.Start("up")
	if section := changed(); strings.Count(section, `<th scope="row">Sócio entrou`) < 3 {
		t.Errorf("after a month without a server the page says %s", section)
	}
	if isThere(filepath.Join(p.Data, "sample")) {
		t.Error("files of the months are left")
	}
	p.Must("loads", "rollback", "receita")
	refused(p, 1, "is not in service", "up", "--another-month")
}

// TestUpGoesOn kills a first start when it has loaded the first of its two months: the next one loads the rest.
func TestUpGoesOn(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	cmd := p.Command("up", "--roots", "2000")
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
	p.Start("up", "--roots", "2000")
	out := p.Must("loads")
	if all := len(ingest.SourceIDs()) + 2; strings.Count(out, "  active  ") != all || !regexp.MustCompile(`receita .* ready `).MatchString(out) {
		t.Errorf("want %d loads in service, and the former month beside the latest:\n%s", all, out)
	}
}
