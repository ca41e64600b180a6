package compare

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// TestAsk asks two servers that differ in one page every time, and in another once.
func TestAsk(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	serve := func(always, once string) *httptest.Server {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Request-ID", r.Header.Get("X-Request-ID"))
			body := "igual"
			switch {
			case r.URL.Path == "/privacidade":
				body = always
			case r.URL.Path == "/termos" && asked.Add(1) <= 2:
				body = once
			}
			_, _ = w.Write([]byte(body + " " + r.Header.Get("X-Request-ID")))
		}))
		t.Cleanup(server.Close)
		return server
	}
	before, after := serve("<p>um</p>", "x"), serve("<p>dois</p>", "y")
	r := &run{asker: newAsker(before.URL+"/", after.URL, 1)}
	if err := r.askPaths(t.Context(), question{}, "/", "/privacidade", "/termos"); err != nil {
		t.Fatal(err)
	}
	report := r.result()
	if got := report.Different(); got != 1 {
		t.Errorf("%d different, want 1", got)
	}
	for _, want := range []string{
		"| site, / | 1 | 1 | 0 | 0 | 1 × 200 |", "| site, /privacidade | 1 | 0 | 1 | 0 |", "| site, /termos | 1 | 0 | 0 | 1 |",
		"| **all** | 3 | 1 | 1 | 1 | 3 × 200 |", "1 × body: `/privacidade`", `before  "<p>um</p>`, `after   "<p>dois</p>`, "1 of them unsteady: `/termos`",
	} {
		if !strings.Contains(report.Markdown(), want) {
			t.Errorf("the report lacks %q:\n%s", want, report.Markdown())
		}
	}
}

// TestTooManyRequests expects a comparison to end, and to say why, when the servers limit addresses.
func TestTooManyRequests(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) }))
	t.Cleanup(server.Close)
	_, err := newAsker(server.URL, server.URL, 1).ask(t.Context(), question{path: "/"})
	if err == nil || !strings.Contains(err.Error(), "RAZAO_IP_REQUESTS=0") {
		t.Errorf("error %v, want one that says what to set", err)
	}
}
