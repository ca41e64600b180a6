// Package operators holds to what operators are told: it types the blocks of their pages, and reads their alert rules and compose.yaml.
package operators

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"filippo.io/age"

	"razao/internal/testing/program"
	"razao/internal/web/fetch"
	"razao/internal/web/fetch/fetchtest"
	"razao/lab/internal/built"
)

func TestMain(m *testing.M) { built.Main(m) }

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// shownOnly are the blocks of the operators' pages that are not run, by their first line, each with the reason.
var shownOnly = map[string]string{
	"make deb": "needs systemd and root; make deb-test installs the package",
	"make build && install bin/razao /usr/local/bin/": "needs systemd and root, and changes the machine",
	"sha256sum --check --ignore-missing SHA256SUMS":   "needs a published release; make release compares two builds",
	"mkdir -m 700 secrets":                            "lab/nightly types it",
	"docker compose exec -u postgres database sh -c \"psql -c \\\"ALTER ROLE postgres PASSWORD '\\$(cat /run/secrets/postgres.password)'\\\"\"": "needs a container engine",
	"docker compose up -d": "needs a container engine and a registry",
	"RAZAO_DATABASE_URL=postgres://razao_serve:…@127.0.0.1:6432/razao?default_query_exec_mode=cache_describe": "settings; TestFailover of lab/nightly runs with them",
	"server {": "settings of nginx",
}

// operatorsPages are the operators' pages in the order in which they are read.
var operatorsPages = []string{"operations.md", "postgresql.md", "loads.md", "serving.md"}

// block is a fenced block of a page.
type block struct {
	page  string
	line  int    // of its first line, from 1
	kind  string // what follows the fence
	lines []string
}

// first returns the first line without its comment.
func (b *block) first() string {
	text, _, _ := strings.Cut(b.lines[0], "  #")
	return strings.TrimSpace(text)
}

// blocks returns the fenced blocks of a page, and fails if code is marked in another way.
func blocks(t *testing.T, page string) (found []*block) {
	t.Helper()
	var open *block
	for i, line := range strings.Split(readFile(t, "../../docs/"+page), "\n") {
		kind, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && open == nil:
			open = &block{page: page, line: i + 2, kind: kind}
		case fence && len(open.lines) == 0:
			t.Fatalf("%s:%d: the block is empty", page, i)
		case fence:
			found, open = append(found, open), nil
		case open != nil:
			open.lines = append(open.lines, line)
		case strings.HasPrefix(line, "    "):
			t.Errorf("%s:%d: fence the block and say what it is: sh is run, console and text are shown", page, i+1)
		}
	}
	if open != nil || len(found) == 0 {
		t.Fatalf("%s has %d blocks and an open one: %v", page, len(found), open)
	}
	return found
}

// TestBlocksAreRunOrShown finds for every block of the operators' pages who runs it, or why nobody does.
func TestBlocksAreRunOrShown(t *testing.T) {
	t.Parallel()
	var seen []string
	for _, b := range allBlocks(t, append([]string{"install.md"}, operatorsPages...)) {
		switch {
		case b.page != "install.md" && (b.kind == "sh" || b.kind == "crontab"):
		case b.kind != "console" && b.kind != "text":
			t.Errorf("%s:%d: no test runs blocks of the kind %q", b.page, b.line, b.kind)
		case shownOnly[b.first()] == "":
			t.Errorf("%s:%d: the block is not run, and no reason is given", b.page, b.line)
		default:
			seen = append(seen, b.first())
		}
	}
	for first := range shownOnly {
		if !slices.Contains(seen, first) {
			t.Errorf("no page shows %q", first)
		}
	}
}

// allBlocks returns the fenced blocks of several pages.
func allBlocks(t *testing.T, pages []string) (found []*block) {
	t.Helper()
	for _, page := range pages {
		found = append(found, blocks(t, page)...)
	}
	return found
}

// TestShellBlocksParse pastes every sh block of the documents into a shell that only parses.
func TestShellBlocksParse(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("documents: %d, %v", len(pages), err)
	}
	parsed := 0
	for _, page := range append(pages, "../../README.md", "../../CONTRIBUTING.md", "../../SECURITY.md") {
		for _, m := range regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(readFile(t, page), -1) {
			cmd := exec.Command("sh", "-n")
			cmd.Stdin = strings.NewReader(m[1])
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v: %s%s", filepath.Base(page), err, out, m[1])
			}
			parsed++
		}
	}
	if parsed == 0 {
		t.Error("no document has a block for the shell")
	}
}

// session returns the sh blocks of the operators' pages as one script, which ends at the first command whose exit code is not what the page says.
func session(t *testing.T) (script string, commands int) {
	t.Helper()
	var b strings.Builder
	b.WriteString("is() { [ \"$1\" = \"$2\" ] || { echo \"exit code $1, the page says $2\"; exit 1; }; }\n")
	for _, block := range allBlocks(t, operatorsPages) {
		if block.kind != "sh" {
			continue
		}
		for i, line := range block.lines {
			code := "0"
			if m := regexp.MustCompile(`# exit code (\d+)`).FindStringSubmatch(line); m != nil {
				code = m[1]
			}
			commands++
			fmt.Fprintf(&b, "printf '%%s\\n' %s\n{ %s\n} </dev/null\nis $? %s\n", quoted(fmt.Sprintf("%s:%d: %s", block.page, block.line+i, line)), line, code)
		}
	}
	return b.String(), commands
}

// quoted returns a text as a word of the shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// byHand returns a folder, and a shell in it that finds the program, which is in bin. The publishers that the settings do not name
// are on loopback, and have nothing.
func byHand(t *testing.T) (folder string, shell func(script string, env ...string) (string, error)) {
	t.Helper()
	for _, tool := range []string{"curl", "psql"} {
		built.Installed(t, tool)
	}
	binary := built.Path(t)
	folder = t.TempDir()
	bin := filepath.Join(folder, "bin")
	if err := errors.Join(os.Mkdir(bin, 0o755), os.Symlink(binary, filepath.Join(bin, "razao"))); err != nil {
		t.Fatal(err)
	}
	empty := fetchtest.NewSite(t, nil)
	return folder, func(script string, env ...string) (string, error) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, "/bin/sh", "-c", script)
		cmd.Dir = folder
		cmd.Env = append([]string{"HOME=" + folder, "PATH=" + bin + ":" + os.Getenv("PATH"), "RAZAO_RECEITA_URL=" + empty.URL + "/"}, env...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // to be ended with what it left in the background
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		cmd.WaitDelay = time.Minute
		err := cmd.Run()
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) // ESRCH: it left nothing
		if state := cmd.ProcessState; state != nil {
			t.Logf("%.1f s of CPU without PostgreSQL", (state.UserTime() + state.SystemTime()).Seconds())
		}
		return out.String(), errors.Join(err, ctx.Err())
	}
}

// TestOperationsByHand types the sh blocks of the operators' pages from top to bottom, as they ask their reader to.
func TestOperationsByHand(t *testing.T) {
	t.Parallel()
	folder, shell := byHand(t)
	script, commands := session(t)
	began := time.Now()
	out, err := shell(script, "RAZAO_ADDR="+program.Address(t), "RAZAO_PRIVATE_ADDR="+program.Address(t))
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for path, want := range map[string]os.FileMode{"passphrase": 0o600, "razao.age": 0o600, "data": 0o700, "data/secret": 0o600} {
		if info, err := os.Stat(filepath.Join(folder, path)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v, want mode %o", path, info, err, want)
		}
	}
	t.Logf("%d commands in %.1f s\n%s", commands, time.Since(began).Seconds(), out)
}

// crontab returns the settings and the commands of all crontabs of the operators' pages, as cron understands them: the fields of the time and the
// user come first, an escaped % is one, and a bare one would end the command.
func crontab(t *testing.T) (env, commands []string) {
	t.Helper()
	line := regexp.MustCompile(`^(?:\S+ ){5}razao +((?:[^%\\]|\\%)+)$`)
	for _, b := range allBlocks(t, operatorsPages) {
		if b.kind != "crontab" {
			continue
		}
		for i, text := range b.lines {
			switch m := line.FindStringSubmatch(text); {
			case m != nil:
				commands = append(commands, strings.ReplaceAll(m[1], `\%`, "%"))
			case regexp.MustCompile(`^[A-Z_]+=\S+$`).MatchString(text):
				env = append(env, text)
			default:
				t.Errorf("%s:%d: cron does not understand %q", b.page, b.line+i, text)
			}
		}
	}
	return env, commands
}

// TestCrontabs runs the lines for cron, with nothing in the environment but what stands above them: cron mails what they print, so
// that is nothing unless somebody has to know.
func TestCrontabs(t *testing.T) {
	t.Parallel()
	folder, shell := byHand(t)
	p := built.New(t)
	site := p.Publishers()
	p.ContractsOfYesterday(site)
	p.Must("migrate")
	p.Must("ingest", "receita", "--force") // as large as the country, else it is refused
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	env, commands := crontab(t)
	here := strings.NewReplacer("/usr/local/bin", filepath.Join(folder, "bin"), "/var/lib/razao", p.Data, "/backup/", folder+"/",
		"age1…", identity.Recipient().String())
	for i := range env {
		env[i] = here.Replace(env[i])
	}
	env = append(env, p.Settings...)
	run := func(want int, says string) {
		t.Helper()
		var out []byte
		code := 0
		for _, command := range commands {
			text, err := shell(here.Replace(command), env...)
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if err != nil {
				code = exit.ExitCode()
			}
			out = append(out, text...)
		}
		if code != want || (says == "") != (len(out) == 0) || !bytes.Contains(out, []byte(says)) {
			t.Errorf("cron: exit code %d, want %d and %q\n%s", code, want, says, out)
		}
	}
	run(0, "")
	if out := p.Must("loads"); !regexp.MustCompile(`ceis .* active `).MatchString(out) {
		t.Errorf("nothing was updated:\n%s", out)
	}
	backups, err := filepath.Glob(filepath.Join(folder, "razao-[0-3][0-9].age"))
	if err != nil || len(backups) != 1 || !strings.HasPrefix(readFile(t, backups[0]), "age-encryption.org") {
		t.Errorf("backups: %v, %v", backups, err)
	}
	unlock, err := fetch.Lock(filepath.Join(p.Data, "download")) // another run is at work
	if err != nil {
		t.Fatal(err)
	}
	run(0, "")
	unlock()
	site.Put("ceis/ceis", nil)
	run(1, "unreachable")
}
