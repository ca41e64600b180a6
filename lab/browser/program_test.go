package browser

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"razao/internal/testing/freeport"
	"razao/internal/testing/mailtest"
	"razao/internal/testing/oidctest"
	"razao/internal/testing/pgtest"
	"razao/lab/internal/built"
)

// Companies of the sample, by what they are examples of. The same options of `razao sample` always
// give the same companies.
const (
	chain        = "22667159000105" // 101 establishments, records of three sources
	debtor       = "14334698000196" // 40 debts
	borrower     = "14334698000196" // 25 loans
	polluter     = "14334698000196" // 56 and 11 records of IBAMA
	closed       = "30450173000172" // deregistered, with records of three sources
	entrepreneur = "05369470000140" // one person
)

const (
	month    = "2026-09" // of the sample
	operator = "privacidade@razao.exemplo"
)

// website is the program with what surrounds it.
type website struct {
	program  string // file
	base     string // address, without a slash at the end
	empty    string // address of a server without any load
	mails    mailtest.Server
	provider *oidctest.Provider
	chromium context.Context
}

// open builds the program, loads it and starts it, with everything around it.
func open(t *testing.T) *website {
	t.Helper()
	w := &website{program: built.Path(t), provider: oidctest.Start(t), chromium: startChromium(t, false)}
	mailURL := w.mails.Start(t)
	dir := t.TempDir()
	settings := []string{"RAZAO_DATABASE_URL=" + pgtest.DSN(t), "RAZAO_DATA=" + filepath.Join(dir, "data")}
	w.run(t, settings, "sample", "--roots", "2000", "--seed", "7", "--month", month, "--out", filepath.Join(dir, "sample"))
	w.run(t, settings, "ingest", "all", "--from", filepath.Join(dir, "sample"))
	w.base = w.serve(t, append(settings,
		"RAZAO_DEV=true", "RAZAO_IP_REQUESTS=0", "RAZAO_CONTACT="+operator, "RAZAO_SMTP_URL="+mailURL,
		"RAZAO_OIDC_ISSUER="+w.provider.Issuer, "RAZAO_OIDC_CLIENT_ID="+oidctest.ClientID,
		"RAZAO_OIDC_CLIENT_SECRET="+oidctest.ClientSecret))
	w.empty = w.serve(t, []string{"RAZAO_DATABASE_URL=" + pgtest.DSN(t), "RAZAO_DATA=" + filepath.Join(dir, "empty")})
	return w
}

// command prepares a command of the program with default settings, except those given.
func (w *website) command(settings []string, args ...string) *exec.Cmd {
	cmd := exec.Command(w.program, args...)
	for _, setting := range os.Environ() {
		if !strings.HasPrefix(setting, "RAZAO_") {
			cmd.Env = append(cmd.Env, setting)
		}
	}
	cmd.Env = append(cmd.Env, settings...)
	return cmd
}

func (w *website) run(t *testing.T, settings []string, args ...string) {
	t.Helper()
	if out, err := w.command(settings, args...).CombinedOutput(); err != nil {
		t.Fatalf("razao %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// serve starts a server, which ends with the test, and returns its address once it answers.
func (w *website) serve(t *testing.T, settings []string) string {
	t.Helper()
	address, err := freeport.Address()
	if err != nil {
		t.Fatal(err)
	}
	cmd := w.command(append(settings, "RAZAO_ADDR="+address, "RAZAO_PRIVATE_ADDR="), "serve")
	var log bytes.Buffer
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		if err := <-ended; err != nil || t.Failed() {
			t.Logf("razao serve: %v\n%s", err, complaints(log.String()))
		}
	})
	for len(ended) == 0 {
		if resp, err := http.Get("http://" + address + "/robots.txt"); err == nil {
			_ = resp.Body.Close()
			return "http://" + address
		}
	}
	t.Fatal("razao serve ended before it answered")
	return ""
}

// complaints returns the lines of a log that are not of level INFO, such as every request is.
func complaints(log string) string {
	var lines strings.Builder
	for line := range strings.Lines(log) {
		if !strings.Contains(line, `"level":"INFO"`) {
			lines.WriteString(line)
		}
	}
	return lines.String()
}
