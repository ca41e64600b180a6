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

// Statements returns what lets the connections of a pool make spans of statements, of batches, and of waiting for a connection, below
// those of the requests that they belong to; background work has none. Without an endpoint it changes nothing.
func Statements(endpoint string) func(*pgxpool.Config) {
	return func(c *pgxpool.Config) {
		if endpoint != "" {
			c.ConnConfig.Tracer = statements{}
		}
	}
}

// statements implements pgx's tracers. It finds everything in the context.
type statements struct{}

// begin starts a span below that of ctx, if there is one that is recorded.
func begin(ctx context.Context, name string, attrs ...attribute.KeyValue) context.Context {
	parent := trace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return ctx
	}
	ctx, _ = parent.TracerProvider().Tracer(scope).Start(ctx, name, trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(attribute.String("db.system.name", "postgresql")), trace.WithAttributes(attrs...))
	return ctx
}

// end ends the span that begin has started. Of an error it has the SQLSTATE alone: its text may quote values.
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

func (statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	return begin(ctx, "statement", attribute.String("db.query.text", q.SQL))
}

func (statements) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryEndData) {
	end(ctx, q.Err)
}

func (statements) TraceBatchStart(ctx context.Context, _ *pgx.Conn, b pgx.TraceBatchStartData) context.Context {
	return begin(ctx, "batch", attribute.Int("db.operation.batch.size", b.Batch.Len()))
}

func (statements) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

func (statements) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, b pgx.TraceBatchEndData) {
	end(ctx, b.Err)
}

func (statements) TraceAcquireStart(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireStartData) context.Context {
	return begin(ctx, "wait for a connection")
}

func (statements) TraceAcquireEnd(ctx context.Context, _ *pgxpool.Pool, a pgxpool.TraceAcquireEndData) {
	end(ctx, a.Err)
}
