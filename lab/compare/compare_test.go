package main

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"razao/lab/internal/load"
)

// newTestRun compares two handlers whose loads have another moment each.
func newTestRun(t *testing.T, before, after http.HandlerFunc) *run {
	t.Helper()
	var sides [2]side
	for i, handler := range []http.HandlerFunc{before, after} {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		loaded := time.Date(2026, 11, 26, 12, 30+i, 0, i, time.UTC).Format(time.RFC3339Nano)
		sides[i] = side{address: server.URL, masks: strings.NewReplacer(append(forms(loaded), server.URL, "ADDRESS")...)}
	}
	return newRun(&options{conns: 1}, sides, nil)
}

// TestAsk asks two servers that differ in one page every time, in another once, and otherwise only in
// what is their own.
func TestAsk(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	serve := func(body map[string]string, once, moment, hash string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Set-Cookie", once)
			w.Header().Set("X-Request-ID", r.Header.Get("X-Request-ID"))
			text := body[r.URL.Path]
			if r.URL.Path == "/termos" && asked.Add(1) <= 2 {
				text = once
			}
			if r.URL.Path == "/api" {
				w.Header().Set("X-Robots-Tag", text)
				text = ""
			}
			_, _ = w.Write([]byte(text + moment + r.Header.Get("X-Request-ID") + `<link href="/static/style.` + hash + `.css">`))
		}
	}
	r := newTestRun(t,
		serve(map[string]string{"/privacidade": "<p>um</p>", "/api": "all"}, "x", "2026-11-26T12:30:00Z", "0123456789ab"),
		serve(map[string]string{"/privacidade": "<p>dois</p>", "/api": "none"}, "y", "2026-11-26T12:31:00.000000001Z", "ba9876543210"))
	for _, path := range []string{"/", "/privacidade", "/termos", "/api"} {
		if _, err := r.ask(t.Context(), question{kind: path, path: both(path)}); err != nil {
			t.Fatal(err)
		}
	}
	text, different := r.report()
	if different != 2 {
		t.Errorf("%d different, want 2", different)
	}
	text = strings.Join(strings.Fields(text), " ")
	for _, want := range []string{
		"/ 1 1 0 0 1 × 200", "/privacidade 1 0 1 0", "/termos 1 0 0 1", "all 4 1 2 1 4 × 200",
		`before "<p>um</p>MOMENT`, `after "<p>dois</p>MOMENT`, "/privacidade: /privacidade", "1 × body, 1 of them unsteady",
		`1 × X-Robots-Tag, 0 of them unsteady before "all" after "none"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
}

// TestStatuses expects a status to be compared before anything else, and 429 to end the comparison.
func TestStatuses(t *testing.T) {
	t.Parallel()
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	r := newTestRun(t, status(http.StatusOK), status(http.StatusNotFound))
	if _, err := r.ask(t.Context(), question{path: both("/")}); err != nil {
		t.Fatal(err)
	}
	if text, different := r.report(); different != 1 || !strings.Contains(text, "× status") {
		t.Errorf("%d different, want 1 by its status:\n%s", different, text)
	}
	r = newTestRun(t, status(http.StatusOK), status(http.StatusTooManyRequests))
	if _, err := r.ask(t.Context(), question{path: both("/")}); err == nil || !strings.Contains(err.Error(), "429") {
		t.Errorf("error %v, want the status", err)
	}
}

// TestQuestions fills every line of the file of questions.
func TestQuestions(t *testing.T) {
	t.Parallel()
	once, drawn, err := templates(questionsFile)
	if err != nil {
		t.Fatal(err)
	}
	r := newTestRun(t, nil, nil)
	r.owners = map[string][]string{"ceis": {"12345678000195"}}
	r.drawn = &load.Release{
		Establishments: []load.Establishment{{CNPJ: "12ABC34501DE35", TradeName: "SOL & LUA", Activity: "4711301", UF: "SP"}},
		Companies:      []load.Company{{Root: "12ABC345", Name: "PADARIA \"SOL\" LTDA"}}, Partners: []load.Partner{{Name: "ANA"}}, Sources: []string{"ceis"},
	}
	for _, line := range append(once, drawn...) {
		q := r.question(rand.New(rand.NewPCG(1, 1)), line)
		if _, err := http.NewRequest(q.method, "http://127.0.0.1"+q.path[0], nil); err != nil && !strings.Contains(line.path, "%zz") {
			t.Errorf("%+v: %v", line, err)
		}
		if placeholder.MatchString(q.path[0]) || q.path[0] == "/mcp" && q.method == http.MethodPost && !json.Valid([]byte(q.body[0])) {
			t.Errorf("%+v is filled as %s %s", line, q.path[0], q.body[0])
		}
	}
}
