package pncp

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const pageSize = 10 // of these tests

// api is the read API on loopback. Day n of January 2026 has n contracts, published in order. The
// hook answer may misbehave: it gets the number of the call, from 1, and returns true when it has
// answered.
type api struct {
	*httptest.Server
	answer func(w http.ResponseWriter, r *http.Request, nth int) bool

	mu    sync.Mutex
	calls []string // path and query of each
}

func newAPI(t *testing.T, answer func(w http.ResponseWriter, r *http.Request, nth int) bool) *api {
	t.Helper()
	a := &api{answer: answer}
	a.Server = httptest.NewServer(a)
	t.Cleanup(a.Close)
	return a
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.calls = append(a.calls, r.URL.Path+"?"+r.URL.RawQuery)
	nth := len(a.calls)
	a.mu.Unlock()
	if a.answer != nil && a.answer(w, r, nth) {
		return
	}
	if !strings.HasPrefix(r.URL.Path, "/api/consulta/v1/contratos") {
		http.NotFound(w, r)
		return
	}
	contracts := contractsOf(r)
	if len(contracts) == 0 {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(pageOf(contracts, pageNumber(r))))
}

// contractsOf returns the contracts of the days that a request asks for.
func contractsOf(r *http.Request) (contracts []string) {
	q := r.URL.Query()
	first, _ := time.Parse("20060102", q.Get("dataInicial"))
	last, _ := time.Parse("20060102", q.Get("dataFinal"))
	for day := first; !day.After(last); day = day.AddDate(0, 0, 1) {
		contracts = append(contracts, contractsOn(day)...)
	}
	return contracts
}

func contractsOn(day time.Time) (contracts []string) {
	if day.Month() != time.January {
		return nil
	}
	for i := range day.Day() {
		contracts = append(contracts, fmt.Sprintf(`{"numeroControlePNCP":"%s/%d"}`, date(day), i+1))
	}
	return contracts
}

func pageNumber(r *http.Request) int {
	n, _ := strconv.Atoi(r.URL.Query().Get("pagina"))
	return n
}

// pageOf returns one page of contracts as the API writes it.
func pageOf(contracts []string, number int) string {
	pages := (len(contracts) + pageSize - 1) / pageSize
	data := contracts[min((number-1)*pageSize, len(contracts)):min(number*pageSize, len(contracts))]
	return fmt.Sprintf(`{"data":[%s],"totalRegistros":%d,"totalPaginas":%d,"numeroPagina":%d,"paginasRestantes":%d,"empty":%t}`,
		strings.Join(data, ","), len(contracts), pages, number, pages-number, len(data) == 0)
}

// clock records pauses instead of sleeping.
type clock struct{ pauses []time.Duration }

func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	c.pauses = append(c.pauses, d)
	return ctx.Err()
}

func january(day int) time.Time { return time.Date(2026, 1, day, 15, 4, 5, 0, time.Local) }

// options returns the options of a download of some days into a new folder.
func (a *api) options(t *testing.T, from, to int) (Options, *clock) {
	t.Helper()
	c := &clock{}
	return Options{
		Base: a.URL + "/api/consulta", Dir: filepath.Join(t.TempDir(), "pncp"), From: january(from), To: january(to),
		days: 2, pageSize: pageSize, sleep: c.sleep, Log: slog.New(slog.DiscardHandler),
		now: func() time.Time { return time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC) },
	}, c
}

// checkFiles compares the folder with what it should hold: by name, the days of a file's contracts.
func checkFiles(t *testing.T, dir string, want map[string][]int) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	got, expected := map[string]string{}, map[string]string{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got[e.Name()] = string(data)
	}
	for name, days := range want {
		var lines strings.Builder
		for _, day := range days {
			for _, c := range contractsOn(january(day)) {
				lines.WriteString(c + "\n")
			}
		}
		expected[name] = lines.String()
	}
	if diff := cmp.Diff(expected, got); diff != "" {
		t.Error(diff)
	}
}

func TestFetch(t *testing.T) {
	t.Parallel()
	a := newAPI(t, nil)
	o, c := a.options(t, 6, 8)
	var reports [][2]int
	o.Progress = func(window, windows int) { reports = append(reports, [2]int{window, windows}) }
	if err := Fetch(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	checkFiles(t, o.Dir, map[string][]int{
		"pncp_contratos_2026-01-06_2026-01-07.jsonl": {6, 7},
		"pncp_contratos_2026-01-08_2026-01-08.jsonl": {8},
	})
	const query = "/api/consulta/v1/contratos?dataFinal=202601%02d&dataInicial=202601%02d&pagina=%d&tamanhoPagina=10"
	calls := []string{fmt.Sprintf(query, 7, 6, 1), fmt.Sprintf(query, 7, 6, 2), fmt.Sprintf(query, 8, 8, 1)}
	if diff := cmp.Diff(calls, a.calls); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]time.Duration{pause, pause}, c.pauses); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][2]int{{1, 2}, {1, 2}, {2, 2}}, reports); diff != "" {
		t.Error(diff)
	}
}

func TestDownloadByUpdate(t *testing.T) {
	t.Parallel()
	a := newAPI(t, nil)
	o, _ := a.options(t, 3, 3)
	if err := download(t.Context(), o, updatePrefix); err != nil {
		t.Fatal(err)
	}
	checkFiles(t, o.Dir, map[string][]int{"pncp_atualizacoes_2026-01-03_2026-01-03.jsonl": {3}})
	if want := "/api/consulta/v1/contratos/atualizacao?"; len(a.calls) != 1 || !strings.HasPrefix(a.calls[0], want) {
		t.Errorf("calls %q, want one of %s", a.calls, want)
	}
}

func TestEmptyWindow(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(w http.ResponseWriter, _ *http.Request, _ int) bool {
		w.WriteHeader(http.StatusNoContent)
		return true
	})
	o, _ := a.options(t, 3, 4)
	for range 2 { // an empty file, too, is a window that is whole
		if err := Fetch(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	checkFiles(t, o.Dir, map[string][]int{"pncp_contratos_2026-01-03_2026-01-04.jsonl": {}})
	if len(a.calls) != 1 {
		t.Errorf("%d calls, want 1", len(a.calls))
	}
}

// TestFetchGoesOn stops a download in its second window and starts it again with more days.
func TestFetchGoesOn(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	a := newAPI(t, func(_ http.ResponseWriter, r *http.Request, nth int) bool {
		if nth == 4 {
			cancel()
			<-r.Context().Done()
		}
		return nth == 4
	})
	o, _ := a.options(t, 6, 9)
	err := Fetch(ctx, o)
	if err == nil || !strings.Contains(err.Error(), "start it again to go on from there") {
		t.Fatalf("stopped: %v", err)
	}
	if _, err := os.Stat(filepath.Join(o.Dir, "pncp_contratos_2026-01-08_2026-01-09.jsonl.incomplete")); err != nil {
		t.Errorf("the window that was begun: %v", err)
	}
	o.From, o.To, o.days = january(5), january(12), 10
	if err := Fetch(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	checkFiles(t, o.Dir, map[string][]int{ // of the window that was begun nothing is left: its days are part of another
		"pncp_contratos_2026-01-05_2026-01-05.jsonl": {5},
		"pncp_contratos_2026-01-06_2026-01-07.jsonl": {6, 7},
		"pncp_contratos_2026-01-08_2026-01-12.jsonl": {8, 9, 10, 11, 12},
	})
}
