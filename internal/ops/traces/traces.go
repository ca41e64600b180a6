// Package traces sends OpenTelemetry spans of requests and of their SQL statements over OTLP/HTTP.
// It is off unless the operator names a collector; the library reads endpoint, headers, sampling
// and the like from its own variables (OTEL_…).
//
// Spans hold nothing about people: route patterns and not paths, statements with $1 and not their
// arguments, SQLSTATE and not error texts, request ids and no client addresses. A client's
// traceparent header is ignored: anybody could send one and choose what is sampled.
//
// A request's span travels in its context. Statements are spans below it; work without a request
// has none. Spans are batched and sent in the background, and dropped if the collector does not
// take them: no request waits.
package traces

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// scope is the instrumentation scope and the default service.name.
const scope = "razao"

// closeTimeout bounds how long Close sends the last spans.
const closeTimeout = 3 * time.Second

// Tracer makes spans of requests and sends them in the background. Its methods accept a nil Tracer,
// which makes none. It is safe for concurrent use.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
}

// Open returns a Tracer for the collector at endpoint, or nil, nil if endpoint is "". endpoint must
// be the value of OTEL_EXPORTER_OTLP_ENDPOINT, which the library reads itself. Open does not
// connect. Failures to send are logged; the handler for them is process-wide, so a process opens
// one Tracer. Call Close at the end.
func Open(ctx context.Context, endpoint, version string, log *slog.Logger) (*Tracer, error) {
	if endpoint == "" {
		return nil, nil
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: %w", err)
	}
	// OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES, which come last, win.
	about, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", scope), attribute.String("service.version", version)), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("traces", "error", err) })) // the library has one for the process
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about))
	return &Tracer{provider, provider.Tracer(scope)}, nil
}

// Close sends the remaining spans, for at most 3 seconds, and stops the Tracer.
func (t *Tracer) Close() {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	if err := t.provider.Shutdown(ctx); err != nil {
		otel.Handle(err)
	}
}

// Around returns the middleware that makes a span of each request, or nil if t is nil. It must be
// the outermost, to see the final status.
func (t *Tracer) Around() []gin.HandlerFunc {
	if t == nil {
		return nil
	}
	return []gin.HandlerFunc{t.request}
}

// request is the middleware of Around. Requests without a route share one name: clients make up
// paths and methods.
func (t *Tracer) request(c *gin.Context) {
	method, route := c.Request.Method, c.FullPath()
	if route == "" {
		method, route = "_OTHER", "unmatched" // _OTHER is OpenTelemetry's name for an unknown method
	}
	ctx, span := t.tracer.Start(c.Request.Context(), method+" "+route, trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("http.request.method", method), attribute.String("http.route", route)))
	c.Request = c.Request.WithContext(ctx)
	defer func() { // deferred: http.ErrAbortHandler unwinds the stack by a panic
		status := c.Writer.Status()
		span.SetAttributes(
			attribute.Int("http.response.status_code", status), attribute.String("razao.request_id", c.Writer.Header().Get("X-Request-ID")))
		if status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}()
	c.Next()
}
