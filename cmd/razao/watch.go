package main

import (
	"context"
	"fmt"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/ingest/gates"
	"razao/internal/account"
	"razao/internal/health"
	"razao/internal/metrics"
	"razao/internal/registry"
	"razao/internal/snapshot"
	"razao/internal/traces"
	"razao/internal/web"
)

// watching is how operators see what a server does.
type watching struct {
	around []gin.HandlerFunc // of every request
	run    func(context.Context) error
	traces *traces.Tracer
}

func (w *watching) close() { w.traces.Close() }

// watch opens the private address and the connection for traces, as far as they are wanted.
func (a *app) watch(ctx context.Context, db *database, live *snapshot.Live, meter *account.Meter, who *people, probe *health.Probe) (err error) {
	w := &a.watching
	w.run = func(context.Context) error { return nil }
	if a.settings.OTLP != "" {
		if w.traces, err = traces.Open(ctx, version, a.log); err != nil {
			return fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: %w", err)
		}
		w.around = append(w.around, w.traces.Middleware())
	}
	addr, named := a.settings.privateAddr()
	private, err := metrics.Listen(ctx, addr, named, a.log)
	if private == nil {
		return err
	}
	m := metrics.New(metrics.Config{
		Version: version, Live: live, Meter: meter, Outbox: who.outbox, Store: registry.NewStore(db.control),
		Pools:    map[string]*pgxpool.Pool{"records": db.pool, "control": db.control},
		Overload: web.ErrOverload, Health: probe.Handler(),
		Free: func() (int64, error) { return gates.FreeBytes(a.settings.Data) },
	})
	w.around = append(w.around, m.Middleware())
	w.run = func(ctx context.Context) error { return m.Serve(ctx, private, a.log) }
	return nil
}
