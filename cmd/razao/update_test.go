package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"razao/ingest"
	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
	"razao/internal/testing/program"
	"razao/internal/web/fetch"
	"razao/internal/web/fetch/fetchtest"
)

// checkTable looks for the source and what came of it in the lines of an update.
func checkTable(t *testing.T, out string, want map[string]string) {
	t.Helper()
	for id, state := range want {
		if !regexp.MustCompile(`(?m)^` + id + ` .* ` + state).MatchString(out) {
			t.Errorf("%s is not said to be %q:\n%s", id, state, out)
		}
	}
}

// TestUpdate runs for three days: everything is loaded, nothing is new, some of it is.
func TestUpdate(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	site := p.Publishers()
	p.Must("migrate")

	p.ContractsOfYesterday(site)

	// A first release has the size of the country, unless somebody says that it is right.
	p.Must("ingest", "receita", "--force")

	out := p.Must("update")
	want := map[string]string{"habilitacao_aduaneira": "no address", "receita": "current"}
	for _, id := range append(ingest.SourceIDs(), registry.Receita, "pncp_orgao") {
		if want[id] == "" {
			want[id] = "loaded"
		}
	}
	checkTable(t, out, want)
	checkTable(t, out, map[string]string{"receita": "2026-09 +2026-09 ", "ceis": "2026-09-30 +2026-09-30 +[1-9]"})
	if n := strings.Count(out, "\n"); n != 16 {
		t.Errorf("%d lines, want a heading and fifteen:\n%s", n, out)
	}

	// The next hour nothing is new: nothing is sent but listings, and nothing is loaded.
	loads, before := p.Must("loads"), len(site.Requests())
	for id, state := range want {
		want[id] = strings.Replace(state, "loaded", "current", 1)
	}
	checkTable(t, p.Must("update"), want)
	for _, path := range site.Sent(before) {
		if regexp.MustCompile(`\.(zip|csv|txt)$|/20260|contratos`).MatchString(path) && !strings.HasPrefix(path, "pgfn/") {
			t.Errorf("%s was sent again", path)
		}
	}
	if now := p.Must("loads"); now != loads {
		t.Errorf("loaded again:\n%s", now)
	}
	if out := p.Must("ingest", "receita"); !strings.Contains(out, "receita 2026-09 is already current") {
		t.Errorf("ingest receita says %q", out)
	}
	if out := p.Must("ingest", "ceis"); !strings.Contains(out, "ceis 2026-09-30 is already current") {
		t.Errorf("ingest ceis says %q", out)
	}
	if code, _, log := p.Run("ingest", "receita", "--month", "2026-08", "--from", site.URL+"/share/"); code != 1 {
		t.Errorf("a month that is not there: exit code %d\n%s", code, log)
	}

	// The month after; one publisher is down, and another has cut its file short.
	site.PutZips(t, "share/", program.Sample(t, t.TempDir(), "2026-10", 500))
	site.Put("ceis/ceis", nil)
	site.Put("bndes/6f56b78c-510f-44b6-8274-78a5b7e931f4/download/operacoes-financiamento-operacoes-nao-automaticas.csv", []byte("a;b\r\n"))
	code, out, log := p.Run("update")
	if code != 1 || !strings.Contains(log, "2 of 14 publishers failed: ceis, bndes") {
		t.Errorf("exit code %d\n%s", code, log)
	}
	checkTable(t, out, map[string]string{
		"receita": "2026-10 .* loaded", "ceis": "2026-09-30 +- .* unreachable: ", "bndes": "failed: ", "cnep": "current",
	})
	if _, err := os.Stat(filepath.Join(p.Data, "download", "2026-09")); !os.IsNotExist(err) {
		t.Errorf("the zips of the month before are kept: %v", err)
	}
	if code, _, log := p.Run("ingest", "receita", "--month", "2026-09"); code != 1 || !strings.Contains(log, "older than 2026-10") || !strings.Contains(log, "--force") {
		t.Errorf("an older month: exit code %d\n%s", code, log)
	}
	if _, err := os.Stat(filepath.Join(p.Data, "download", "2026-09")); !os.IsNotExist(err) {
		t.Errorf("the older month was downloaded before it was refused: %v", err)
	}

	// What was published of PNCP was amended since: one version of the contract is served.
	if out := p.Must("ingest", "pncp", "--force"); !strings.Contains(out, "2 rows read, 1 records") || !strings.Contains(out, "versao_superada: 1") {
		t.Errorf("ingest pncp says %q", out)
	}
}

// TestTheShareHasMoved: the address is old, or nobody answers there.
func TestTheShareHasMoved(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	p.Must("migrate")
	site := fetchtest.NewSite(t, nil)
	p.Settings = append(p.Settings, "RAZAO_RECEITA_URL="+site.URL+"/share/")
	for _, args := range [][]string{{"ingest", "receita"}, {"ingest", "receita", "--month", "2026-09"}, {"update", "--only", "receita"}} {
		refused(p, 1, "404 Not Found", args...)
		refused(p, 1, "set RAZAO_RECEITA_URL", args...)
		refused(p, 1, "https://dados.gov.br/", args...)
	}
	site.Close()
	log := &program.Log{}
	s := p.Launch(log, "ingest", "receita")
	fixture.Wait(t, "the second failure", func() bool { return strings.Contains(log.String(), `"failures":2`) })
	s.Signal(os.Interrupt)
	if err := s.Wait(); err == nil {
		t.Error("it has succeeded")
	}
	for _, want := range []string{"it goes on until about 20", "Ctrl-C stops it", "interrupted; no half load is kept, and a download goes on"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%q is not in\n%s", want, log)
		}
	}
}

// TestARunThatHangsIsAFailure: cron and systemd are silent about busyCode.
func TestARunThatHangsIsAFailure(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for name, c := range map[string]struct {
		err  error
		code int // 1: none of its own
	}{
		"a load":                      {&registry.BusyError{Holder: "razao ingest", Since: now.Add(-time.Hour)}, busyCode},
		"a load that hangs":           {&registry.BusyError{Holder: "razao ingest", Since: now.Add(-13 * time.Hour)}, 1},
		"a load of nobody knows whom": {fmt.Errorf("lock: %w", registry.ErrBusy), busyCode},
		"a download":                  {&fetch.BusyError{Since: now.Add(-longestRun)}, busyCode},
		"a download that hangs":       {fmt.Errorf("lock: %w", &fetch.BusyError{Since: now.Add(-longestRun - 1)}), 1},
		"something else":              {os.ErrNotExist, 1},
	} {
		got, code := elseBusy(c.err, now), 1
		if exit := (*exitError)(nil); errors.As(got, &exit) {
			code = exit.code
		}
		if code != c.code || !errors.Is(got, c.err) {
			t.Errorf("%s: exit code %d, %v", name, code, got)
		}
	}
}

// TestUpdateSaysWhoIsAtWork: two updates, or an update and a load, exclude each other.
func TestUpdateSaysWhoIsAtWork(t *testing.T) {
	t.Parallel()
	p, pool := onDatabase(t)
	unlock, err := fetch.Lock(filepath.Join(p.Data, "download"))
	if err != nil {
		t.Fatal(err)
	}
	refused(p, busyCode, fmt.Sprintf("pid %d", os.Getpid()), "update")
	hangs := time.Now().Add(-longestRun - time.Minute)
	if err := os.Chtimes(filepath.Join(p.Data, ".download.lock"), hangs, hangs); err != nil {
		t.Fatal(err)
	}
	refused(p, 1, hangs.UTC().Format("since 2006-01-02 15:04:05 UTC"), "update")
	refused(p, 1, "more than 12 hours", "update")
	unlock()
	release, err := registry.NewStore(pool).Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	refused(p, busyCode, "another process", "update")
	release.Release()
	unlock, err = fetch.Lock(filepath.Join(p.Data, "download", "ceis"))
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	refused(p, 1, fmt.Sprintf("pid %d", os.Getpid()), "ingest", "ceis")
	refused(p, 2, "habilitacao_aduaneira", "update", "--only", "cies")
}
