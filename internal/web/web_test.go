package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// do sends a request to a handler without a network.
func do(h http.Handler, method, target string, header ...string) *http.Response {
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func bodyOf(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// quiet returns an engine whose log goes nowhere.
func quiet() *gin.Engine { return NewEngine(Options{Log: slog.New(slog.DiscardHandler)}) }

func TestRequestID(t *testing.T) {
	t.Parallel()
	engine := quiet()
	Get(engine, "/", func(c *gin.Context) { c.String(http.StatusOK, EventOf(c.Request.Context()).RequestID) })
	const given = "8C6F4B1E-3f0a-4d7e-9c3e-0a1b2c3d4e5f"
	tests := []struct {
		name, incoming string
		kept           bool
	}{
		{"valid", given, true},
		{"missing", "", false},
		{"text", "abc", false},
		{"without hyphens", "8c6f4b1e3f0a4d7e9c3e0a1b2c3d4e5f", false},
		{"in braces", "{8c6f4b1e-3f0a-4d7e-9c3e-0a1b2c3d4e5f}", false},
		{"right length", "8c6f4b1e-3f0a-4d7e-9c3e-0a1b2c3d4e5g", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			resp := do(engine, "GET", "/", "X-Request-ID", tt.incoming)
			got := resp.Header.Get("X-Request-ID")
			if kept := got == tt.incoming; kept != tt.kept {
				t.Errorf("id %q for %q", got, tt.incoming)
			}
			if id, err := uuid.Parse(got); err != nil || !tt.kept && id.Version() != 4 {
				t.Errorf("id %q is not a UUID of version 4: %v", got, err)
			}
			if body := bodyOf(t, resp); body != got {
				t.Errorf("the event has id %q, the header %q", body, got)
			}
		})
	}
}

func TestEventOutsideARequest(t *testing.T) {
	t.Parallel()
	if e := EventOf(t.Context()); e.RequestID != "" || e.Account != 0 || e.Err() != nil {
		t.Errorf("got %+v, want an empty event", e)
	}
}

func TestEventTakesErrorsOfSeveralGoroutines(t *testing.T) {
	t.Parallel()
	var e Event
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() { e.Fail(fmt.Errorf("message %d", i%10)) })
	}
	all.Wait()
	if got := strings.Count(e.Err().Error(), "message"); got != 10 {
		t.Errorf("%d errors, want 10:\n%v", got, e.Err())
	}
}

// line is a log line of a request.
type line struct {
	Level, Msg, ID, Method, Route, Error string
	Status, Bytes                        int
	Latency, Account                     int64
}

func TestOneLogLinePerRequest(t *testing.T) {
	t.Parallel()
	routes := func(engine *gin.Engine) {
		Get(engine, "/v1/:cnpj", func(c *gin.Context) {
			EventOf(c.Request.Context()).Account = 7
			c.String(http.StatusOK, "corpo")
		})
		Get(engine, "/fail", func(c *gin.Context) {
			EventOf(c.Request.Context()).Fail(errors.New("look up: no connection"))
			c.Status(http.StatusServiceUnavailable)
		})
		Get(engine, "/left", func(c *gin.Context) {
			EventOf(c.Request.Context()).Fail(fmt.Errorf("look up: %w", context.Canceled))
			c.Status(http.StatusServiceUnavailable)
		})
		Get(engine, "/several", func(c *gin.Context) {
			e := EventOf(c.Request.Context())
			cause := errors.New("source pgfn: timeout")
			e.Fail(nil)
			e.Fail(cause)
			e.Fail(errors.New("source ceis: timeout"))
			e.Fail(cause)
			e.Fail(errors.New("source ceis: timeout"))
			c.Status(http.StatusOK)
		})
		Get(engine, "/failed-then-left", func(c *gin.Context) {
			e := EventOf(c.Request.Context())
			e.Fail(errors.New("look up: no connection"))
			e.Fail(context.Canceled)
			c.Status(http.StatusServiceUnavailable)
		})
	}
	tests := []struct {
		target string
		want   line
	}{
		{"/v1/33683111?q=segredo", line{Level: "INFO", Method: "GET", Route: "/v1/:cnpj", Status: 200, Bytes: 5, Account: 7}},
		{"/fail", line{Level: "ERROR", Method: "GET", Route: "/fail", Status: 503, Error: "look up: no connection"}},
		{"/left", line{Level: "INFO", Method: "GET", Route: "/left", Status: 503, Error: "look up: context canceled"}},
		{"/several", line{Level: "INFO", Method: "GET", Route: "/several", Status: 200, Error: "source pgfn: timeout\nsource ceis: timeout"}},
		{"/failed-then-left", line{
			Level: "ERROR", Method: "GET", Route: "/failed-then-left", Status: 503,
			Error: "look up: no connection\ncontext canceled",
		}},
		{"/none/at/all", line{Level: "INFO", Method: "GET", Status: 404}},
	}
	for _, tt := range tests {
		t.Run(tt.target, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			engine := NewEngine(Options{Log: slog.New(slog.NewJSONHandler(&out, nil))})
			routes(engine)
			resp := do(engine, "GET", tt.target, "Authorization", "Bearer rz_segredo")
			tt.want.Msg, tt.want.ID = "request", resp.Header.Get("X-Request-ID")
			var got line
			if err := json.Unmarshal(out.Bytes(), &got); err != nil {
				t.Fatalf("not one line of JSON: %v\n%s", err, &out)
			}
			if got.Latency <= 0 {
				t.Errorf("latency %d", got.Latency)
			}
			got.Latency = 0
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if strings.Contains(out.String(), "segredo") || strings.Contains(out.String(), "33683111") {
				t.Errorf("the line says too much: %s", &out)
			}
		})
	}
}

func TestPanicBecomesALogged503(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	engine := NewEngine(Options{Log: slog.New(slog.NewJSONHandler(&out, nil))})
	Get(engine, "/", func(*gin.Context) { panic("broken invariant") })
	group := engine.Group("/group", Recover(func(c *gin.Context, err error) { c.String(http.StatusServiceUnavailable, "group") }))
	Get(group, "/x", func(*gin.Context) { panic("broken handler") })

	resp := do(engine, "GET", "/")
	if resp.StatusCode != 503 || resp.Header.Get("Retry-After") == "" || resp.Header.Get("Cache-Control") != "no-store" ||
		resp.Header.Get("X-Request-ID") == "" {
		t.Errorf("status %d, headers %v", resp.StatusCode, resp.Header)
	}
	var got line
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Status != 503 || got.Level != "ERROR" || !strings.HasPrefix(got.Error, "panic: broken invariant\n") ||
		!strings.Contains(got.Error, "web_test.go") {
		t.Errorf("log line %+v", got)
	}
	if resp := do(engine, "GET", "/group/x"); resp.StatusCode != 503 || bodyOf(t, resp) != "group" {
		t.Errorf("a group's panic was not answered by the group: %d", resp.StatusCode)
	}
}

func TestPanicMidwayBreaksTheConnection(t *testing.T) {
	t.Parallel()
	engine := quiet()
	Get(engine, "/", func(c *gin.Context) {
		_, _ = c.Writer.WriteString("half")
		c.Writer.Flush()
		panic("midway")
	})
	Get(engine, "/abort", func(*gin.Context) { panic(http.ErrAbortHandler) })
	server := httptest.NewServer(engine)
	defer server.Close()
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	resp, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if body, err := io.ReadAll(resp.Body); err == nil {
		t.Errorf("half an answer ended as if it were whole: %q", body)
	}
	if resp, err := http.Get(server.URL + "/abort"); err == nil {
		t.Errorf("an aborted handler answered %d", resp.StatusCode)
		_ = resp.Body.Close()
	}
}

func TestSecurityHeaders(t *testing.T) {
	t.Parallel()
	tests := []struct{ baseURL, hsts string }{
		{"", ""},
		{"http://127.0.0.1:8080", ""},
		{"https://exemplo.com.br", "max-age=31536000"},
	}
	for _, tt := range tests {
		engine := NewEngine(Options{Log: slog.New(slog.DiscardHandler), BaseURL: tt.baseURL})
		header := do(engine, "GET", "/nada").Header // also on answers that no handler gave
		want := map[string]string{
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
				"font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
			"X-Content-Type-Options":      "nosniff",
			"Referrer-Policy":             "same-origin",
			"Strict-Transport-Security":   tt.hsts,
			"Access-Control-Allow-Origin": "",
		}
		for name, value := range want {
			if got := header.Get(name); got != value {
				t.Errorf("base URL %q: %s = %q, want %q", tt.baseURL, name, got, value)
			}
		}
	}
}

func TestRouting(t *testing.T) {
	t.Parallel()
	engine := quiet()
	Get(engine, "/a/:x", func(c *gin.Context) { c.String(http.StatusOK, c.Param("x")) })
	tests := []struct {
		method, target string
		status         int
		body           string
	}{
		{"GET", "/a/b", 200, "b"},
		{"GET", "/a/b%2Fc", 200, "b/c"},
		{"GET", "/a/s%C3%A3o", 200, "são"},
		{"GET", "/a/b/", 404, "404 page not found"},
		{"GET", "/a/b/c", 404, "404 page not found"},
		{"POST", "/a/b", 405, "405 method not allowed"},
	}
	for _, tt := range tests {
		resp := do(engine, tt.method, tt.target)
		if body := bodyOf(t, resp); resp.StatusCode != tt.status || body != tt.body {
			t.Errorf("%s %s: %d %q, want %d %q", tt.method, tt.target, resp.StatusCode, body, tt.status, tt.body)
		}
		if allow := resp.Header.Get("Allow"); tt.status == 405 && allow != "GET, HEAD" {
			t.Errorf("%s %s: Allow %q", tt.method, tt.target, allow)
		}
	}
}

func TestDeadline(t *testing.T) {
	t.Parallel()
	engine := quiet()
	engine.GET("/", Deadline(time.Nanosecond), func(c *gin.Context) {
		<-c.Request.Context().Done()
		c.String(http.StatusOK, c.Request.Context().Err().Error())
	})
	if body := bodyOf(t, do(engine, "GET", "/")); body != context.DeadlineExceeded.Error() {
		t.Errorf("the work ended with %q", body)
	}
}

func TestAllowFormsTo(t *testing.T) {
	t.Parallel()
	engine := quiet()
	Get(engine, "/", func(c *gin.Context) {
		AllowFormsTo(c, "https", "cursor")
		c.Status(http.StatusOK)
	})
	Get(engine, "/outra", func(c *gin.Context) { c.Status(http.StatusOK) })
	want := strings.Replace(contentSecurityPolicy, "form-action 'self';", "form-action 'self' https: cursor:;", 1)
	if got := do(engine, "GET", "/").Header.Get("Content-Security-Policy"); got != want || got == contentSecurityPolicy {
		t.Errorf("got %s", got)
	}
	if got := do(engine, "GET", "/outra").Header.Get("Content-Security-Policy"); got != contentSecurityPolicy {
		t.Errorf("another page: %s", got)
	}
}

// Clients refused together get different waits (thundering herd).
func TestRetryAfterIsSpread(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 200 {
		seconds := RetryAfter()
		if n, err := strconv.Atoi(seconds); err != nil || n < 3 || n > 8 {
			t.Fatalf("Retry-After %q, want 3 to 8 seconds", seconds)
		}
		seen[seconds] = true
	}
	if len(seen) != 6 {
		t.Errorf("%d different values of 200", len(seen))
	}
}
