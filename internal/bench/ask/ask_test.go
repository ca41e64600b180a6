package ask

import (
	"compress/gzip"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"razao/internal/bench/machine"
	"razao/internal/bench/report"
)

// TestPairs expects each run beside that of the other build, and how many times as much it takes.
func TestPairs(t *testing.T) {
	t.Parallel()
	run := func(ms time.Duration) *Run {
		return &Run{name: "v1", single: true, conns: 8, wall: time.Second, took: report.Latencies{ms * time.Millisecond}, server: ms * time.Millisecond}
	}
	ours := run(3)
	ours.before = run(2)
	q := &Requests{title: "Look-ups", note: "Noted.", runs: []*Run{ours}}
	text := sectionOf(q)
	for _, want := range []string{
		"| v1 | 8 | 1 | 3.000 ms |", "| before | 8 | 1 | 2.000 ms |", "| v1 | 8 | 1.50 × | 1.50 × | 1.50 × |",
		"| v1, 8 connections, CPU of server and PostgreSQL | 120 µs | 3000.0 µs |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
	ours.before = nil
	if text := sectionOf(q); strings.Contains(text, "before") {
		t.Errorf("without another build the report is\n%s", text)
	}
}

// sectionOf is the section and the goals of a result, with single blanks.
func sectionOf(r interface {
	Goals(t *report.Table)
	Section(p *report.Page)
},
) string {
	p, goals := &report.Page{}, report.Table{Head: []string{"goal", "", ""}}
	r.Section(p)
	r.Goals(&goals)
	p.Table(&goals)
	return strings.Join(strings.Fields(p.String()), " ")
}

func TestPagesGoals(t *testing.T) {
	t.Parallel()
	run := func(name string, p95 time.Duration, heaviest, needs int, reading bool) pageRun {
		return pageRun{
			Run: &Run{name: name, took: report.Latencies{p95 * time.Millisecond}}, reading: reading, weight: weight{heaviest: heaviest, needs: needs},
		}
	}
	text := sectionOf(&Pages{runs: []pageRun{
		run("/", 7, 5000, 3050, true), run("/{cnpj}", 3, 4000, 3090, true), run("/arquivo.csv", 90, 9000, 0, false), run(referencePage, 1, 1, 99_000, true),
	}})
	for _, want := range []string{
		"| time of a page, p95, / | 50.000 ms | 7.000 ms |",
		"| bytes of a company's page with all that it needs, gzip, /{cnpj} | 60,000 | 7,090 |",
		"| the same of any page, / | | 8,050 |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
}

func TestIndexSection(t *testing.T) {
	t.Parallel()
	run := func(name string, ms time.Duration) queryRun {
		return queryRun{name: name, took: report.Latencies{ms * time.Millisecond}, thread: report.Latencies{time.Millisecond}, cpu: time.Second, found: 1}
	}
	text := sectionOf(&Index{docs: 10, bytes: 1000, mixture: run("mixture", 1), classes: []classRun{
		{"search", 60, []queryRun{run("one", 1), run("all of these", 3)}}, {"ranking", 0, []queryRun{run("all", 1)}},
	}})
	for _, want := range []string{
		"| search in the index, p99 | 2.000 ms | **3.000 ms**, CPU 1.000 ms |", "at least 5,000 | **1** |", "100 B each", "60 % search; the kinds",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
}

// TestMeasureQueries asks queries of which one keeps the processor busy.
func TestMeasureQueries(t *testing.T) {
	t.Parallel()
	const work = 3 * time.Millisecond
	asked := 0
	next := func(*rand.Rand) bool { asked++; return asked == 3 }
	run, err := measureQueries("one of three", next, 3, time.Minute, func(busy bool) (int, error) {
		for begin := machine.ThreadCPU(); busy && machine.ThreadCPU()-begin < work; {
		}
		return 1, nil
	})
	if err != nil || run.found != 3 || len(run.took) != 3 || len(run.thread) != 3 {
		t.Fatalf("%+v, %v", run, err)
	}
	if run.thread.Max() < work || run.thread.Percentile(50) >= work || run.took.Max() < work {
		t.Errorf("by the clock %v, of CPU %v; want %v for the last alone", run.took, run.thread, work)
	}
}

func TestWeigh(t *testing.T) {
	t.Parallel()
	link := `<link href="/static/a.css"><script src="/static/b.js"></script><link href="/static/icon.svg"><link href="/static/c.woff2">`
	files := map[string]string{
		"/small": "x", "/large": strings.Repeat("abcdefghij", 500) + link,
		"/static/a.css": strings.Repeat("a", 1000), "/static/b.js": "b", "/static/c.woff2": "c",
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if files[r.URL.Path] == "" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		zip := gzip.NewWriter(w)
		_, _ = zip.Write([]byte(files[r.URL.Path]))
		_ = zip.Close()
	}))
	t.Cleanup(server.Close)
	w, err := newWeigher(t.Context(), server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	got, err := w.weigh("", []string{"/small", "/large", "/large"})
	if err != nil {
		t.Fatal(err)
	}
	if got.plain != 5000+len(link) || got.packed != got.heaviest || got.packed >= got.plain || len(w.assets) != 3 {
		t.Errorf("weight %+v with %d assets", got, len(w.assets))
	}
	if got.needs < 3 || got.needs >= 1000 || got.total() != got.heaviest+got.needs {
		t.Errorf("weight %+v", got)
	}
	if _, err := w.weigh("", []string{"/missing"}); err == nil {
		t.Error("a page that is missing was weighed, want an error")
	}
}
