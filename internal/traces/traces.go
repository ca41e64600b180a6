// Package traces sends spans of requests and of their statements over OTLP/HTTP, for operators who collect them. The OpenTelemetry
// library reads the address, headers, sampling and the like from its own variables (OTEL_…). Spans have route patterns, statuses, request
// ids and the text of statements with $1 for what was asked; never a path, an argument or an address.
//
// Trace ids of clients (traceparent) are not taken over: anybody could send them.
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

// scope names the spans of this program.
const scope = "razao"

// closeTimeout bounds how long the last spans get to be sent.
const closeTimeout = 3 * time.Second

// Tracer makes spans and sends them in the background. A nil Tracer makes none.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
}

// Open returns a tracer for the collector at endpoint, which OTEL_EXPORTER_OTLP_ENDPOINT must be too; nil without one. It does not
// connect yet; spans that cannot be sent are dropped, which is logged, and nobody waits for them.
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

// Close sends what is left, for some seconds.
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

// Around returns the middleware that makes a span of each request, none when t is nil. It must go first, to see the final status.
func (t *Tracer) Around() []gin.HandlerFunc {
	if t == nil {
		return nil
	}
	return []gin.HandlerFunc{t.request}
}

// request is the middleware.
func (t *Tracer) request(c *gin.Context) {
	method, route := c.Request.Method, c.FullPath()
	if route == "" {
		method, route = "_OTHER", "unmatched" // clients make methods up too
	}
	ctx, span := t.tracer.Start(c.Request.Context(), method+" "+route, trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("http.request.method", method), attribute.String("http.route", route)))
	c.Request = c.Request.WithContext(ctx)
	defer func() { // also when http.ErrAbortHandler unwinds the stack
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
