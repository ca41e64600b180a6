package traces

import (
	"compress/gzip"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"razao/internal/testing/pgtest"
	"razao/internal/web"
)

// receiver is an OTLP/HTTP collector.
type receiver struct {
	*httptest.Server
	mu    sync.Mutex
	spans []*v1.Span
	text  string // of all that was received
}

func newReceiver(t testing.TB) *receiver {
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path != "/v1/traces" || req.Header.Get("Content-Type") != "application/x-protobuf" {
			t.Errorf("%s %s", req.URL.Path, req.Header)
		}
		body := io.Reader(req.Body)
		if req.Header.Get("Content-Encoding") == "gzip" {
			var err error
			if body, err = gzip.NewReader(req.Body); err != nil {
				t.Error(err)
				return
			}
		}
		raw, err := io.ReadAll(body)
		var sent collector.ExportTraceServiceRequest
		if err == nil {
			err = proto.Unmarshal(raw, &sent)
		}
		if err != nil {
			t.Error(err)
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.text += sent.String()
		for _, resource := range sent.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				r.spans = append(r.spans, scope.Spans...)
			}
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(r.Close)
	return r
}

// attribute returns the value of a span's attribute as text.
func attributeOf(s *v1.Span, key string) string {
	for _, a := range s.Attributes {
		if a.Key == key {
			return a.Value.String()
		}
	}
	return ""
}

// engineWith returns an engine with one route, which runs a statement.
func engineWith(t testing.TB, around ...gin.HandlerFunc) *gin.Engine {
	t.Helper()
	config, err := pgxpool.ParseConfig(pgtest.DSN(t))
	if err != nil {
		t.Fatal(err)
	}
	Statements("on")(config)
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	if _, err := pool.Exec(t.Context(), "SELECT 'in the background'"); err != nil {
		t.Fatal(err)
	}
	engine := web.NewEngine(web.Options{Log: slog.New(slog.DiscardHandler), Around: around})
	web.Get(engine, "/v1/cnpj/:cnpj", func(c *gin.Context) {
		var n string
		if err := pool.QueryRow(c.Request.Context(), "SELECT $1::text", c.Param("cnpj")).Scan(&n); err != nil {
			t.Error(err)
		}
		c.String(http.StatusOK, n)
	})
	web.Get(engine, "/fail/:cnpj", func(c *gin.Context) {
		batch := &pgx.Batch{}
		batch.Queue("SELECT $1::bigint", c.Param("cnpj")+"x")
		_ = pool.SendBatch(c.Request.Context(), batch).Close()
		c.Status(http.StatusServiceUnavailable)
	})
	return engine
}

// TestSpansOfRequests is not parallel: it sets environment variables.
func TestSpansOfRequests(t *testing.T) {
	r := newReceiver(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", r.URL)
	tracer, err := Open(t.Context(), r.URL, "2.0.0", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	engine := engineWith(t, tracer.Around()...)
	const foreign = "4bf92f3577b34da6a3ce929d0e0e4736"
	for _, path := range []string{"/v1/cnpj/77777777000191?q=maria", "/fail/77777777000191", "/maria/77777777000191"} {
		req := httptest.NewRequest("GET", path, nil)
		req.RemoteAddr = "198.51.100.77:4711"
		req.Header.Set("Traceparent", "00-"+foreign+"-00f067aa0ba902b7-01")
		engine.ServeHTTP(httptest.NewRecorder(), req)
	}
	tracer.Close()

	r.mu.Lock()
	defer r.mu.Unlock()
	byName := map[string]*v1.Span{}
	for _, s := range r.spans {
		byName[s.Name] = s
	}
	request, statement, batch := byName["GET /v1/cnpj/:cnpj"], byName["statement"], byName["batch"]
	failed, wait := byName["GET /fail/:cnpj"], byName["wait for a connection"]
	if request == nil || statement == nil || batch == nil || failed == nil || wait == nil || byName["_OTHER unmatched"] == nil || len(r.spans) != 7 {
		t.Fatalf("%d spans: %v", len(r.spans), byName)
	}
	if string(statement.ParentSpanId) != string(request.SpanId) || string(batch.ParentSpanId) != string(failed.SpanId) {
		t.Error("statements are not below their requests")
	}
	if got := attributeOf(statement, "db.query.text"); !strings.Contains(got, "SELECT $1::text") {
		t.Errorf("statement %s", got)
	}
	if got := attributeOf(request, "http.response.status_code"); !strings.Contains(got, "200") {
		t.Errorf("status %s", got)
	}
	if failed.Status.Code != v1.Status_STATUS_CODE_ERROR || request.Status.GetCode() == v1.Status_STATUS_CODE_ERROR || batch.Status.Code != v1.Status_STATUS_CODE_ERROR {
		t.Errorf("of failures: %v, %v; else: %v", failed.Status, batch.Status, request.Status)
	}
	if !strings.Contains(r.text, `"razao"`) || !strings.Contains(r.text, `"2.0.0"`) {
		t.Errorf("who sends is not told: %s", r.text)
	}
	for _, secret := range []string{"77777777", "maria", "198.51", "background", foreign} {
		if strings.Contains(r.text, secret) {
			t.Errorf("spans have %q: %s", secret, r.text)
		}
	}
}

// TestNobodyCollects checks that without a collector requests are served as usual and Close returns
// in time.
func TestNobodyCollects(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
	tracer, err := Open(t.Context(), "http://127.0.0.1:1", "2.0.0", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	answer := httptest.NewRecorder()
	engineWith(t, tracer.Around()...).ServeHTTP(answer, httptest.NewRequest("GET", "/v1/cnpj/1", nil))
	if answer.Code != http.StatusOK {
		t.Errorf("status %d", answer.Code)
	}
	tracer.Close()
	none, err := Open(t.Context(), "", "2.0.0", slog.New(slog.DiscardHandler))
	if none != nil || err != nil || none.Around() != nil {
		t.Errorf("without an endpoint: %v, %v", none, err)
	}
	none.Close()
}

// BenchmarkRequest measures a request with one statement, untraced and with every span sent.
func BenchmarkRequest(b *testing.B) {
	discard := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }))
	defer discard.Close()
	b.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", discard.URL)
	tracer, err := Open(context.Background(), discard.URL, "2.0.0", slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	defer tracer.Close()
	for name, around := range map[string][]gin.HandlerFunc{"off": nil, "on": tracer.Around()} {
		engine := engineWith(b, around...)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				engine.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/v1/cnpj/1", nil))
			}
		})
	}
}
