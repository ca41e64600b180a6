package traces

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// Statements returns an option for a connection pool that makes spans of statements, of batches,
// and of the wait for a connection, below the span of their request. Background work has no request
// and so no spans. If endpoint is "", the option changes nothing.
func Statements(endpoint string) func(*pgxpool.Config) {
	return func(c *pgxpool.Config) {
		if endpoint != "" {
			c.ConnConfig.Tracer = statements{}
		}
	}
}

// statements implements pgx's QueryTracer, BatchTracer and AcquireTracer. It has no state: the span
// is in the context that pgx passes from start to end.
type statements struct{}

// begin starts a span below that of ctx. Without one, or if it is not sampled, it returns ctx.
func begin(ctx context.Context, name string, attrs ...attribute.KeyValue) context.Context {
	parent := trace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return ctx
	}
	ctx, _ = parent.TracerProvider().Tracer(scope).Start(ctx, name, trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(attribute.String("db.system.name", "postgresql")), trace.WithAttributes(attrs...))
	return ctx
}

// end ends the span that begin started. Of an error it records the SQLSTATE only: the text may
// quote values.
func end(ctx context.Context, err error) {
	span := trace.SpanFromContext(ctx)
	if err != nil && span.IsRecording() {
		state := ""
		if pg := (*pgconn.PgError)(nil); errors.As(err, &pg) {
			state = pg.Code
			span.SetAttributes(attribute.String("db.response.status_code", state))
		}
		span.SetStatus(codes.Error, state)
	}
	span.End()
}

// TraceQueryStart implements pgx.QueryTracer. The text of a statement has $1 in place of arguments.
func (statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	return begin(ctx, "statement", attribute.String("db.query.text", q.SQL))
}

// TraceQueryEnd implements pgx.QueryTracer.
func (statements) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryEndData) {
	end(ctx, q.Err)
}

// TraceBatchStart implements pgx.BatchTracer.
func (statements) TraceBatchStart(ctx context.Context, _ *pgx.Conn, b pgx.TraceBatchStartData) context.Context {
	return begin(ctx, "batch", attribute.Int("db.operation.batch.size", b.Batch.Len()))
}

// TraceBatchQuery implements pgx.BatchTracer. The statements of a batch have no spans of their own.
func (statements) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (statements) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, b pgx.TraceBatchEndData) {
	end(ctx, b.Err)
}

// TraceAcquireStart implements pgxpool.AcquireTracer.
func (statements) TraceAcquireStart(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireStartData) context.Context {
	return begin(ctx, "wait for a connection")
}

// TraceAcquireEnd implements pgxpool.AcquireTracer.
func (statements) TraceAcquireEnd(ctx context.Context, _ *pgxpool.Pool, a pgxpool.TraceAcquireEndData) {
	end(ctx, a.Err)
}
